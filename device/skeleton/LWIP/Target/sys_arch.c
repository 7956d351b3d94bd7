/* sys_arch.c: lwIP's layer over FreeRTOS, with objects from the kernel's heap. */
#include <lwip/sys.h>
#include <lwip/tcpip.h>

void sys_init(void)
{
}

u32_t sys_now(void)
{
  return xTaskGetTickCount();
}

sys_prot_t sys_arch_protect(void)
{
  taskENTER_CRITICAL();
  return 1;
}

void sys_arch_unprotect(sys_prot_t level)
{
  (void)level;
  taskEXIT_CRITICAL();
}

sys_thread_t sys_thread_new(const char *name, lwip_thread_fn run, void *arg, int stack_bytes, int priority)
{
  TaskHandle_t task = NULL;
  (void)xTaskCreate(run, name, (configSTACK_DEPTH_TYPE)((unsigned)stack_bytes / sizeof(StackType_t)), arg,
                    (UBaseType_t)priority, &task);
  return task;
}

static TickType_t ticks(u32_t ms)
{
  return ms ? ms : portMAX_DELAY;
}

err_t sys_sem_new(sys_sem_t *sem, u8_t count)
{
  *sem = xSemaphoreCreateBinary();
  if(*sem && count)
    (void)xSemaphoreGive(*sem);
  return *sem ? ERR_OK : ERR_MEM;
}

void sys_sem_free(sys_sem_t *sem)
{
  vSemaphoreDelete(*sem);
}

void sys_sem_signal(sys_sem_t *sem)
{
  (void)xSemaphoreGive(*sem);
}

u32_t sys_arch_sem_wait(sys_sem_t *sem, u32_t timeout)
{
  return xSemaphoreTake(*sem, ticks(timeout)) ? 0 : SYS_ARCH_TIMEOUT;
}

err_t sys_mutex_new(sys_mutex_t *mutex)
{
  *mutex = xSemaphoreCreateMutex();
  return *mutex ? ERR_OK : ERR_MEM;
}

void sys_mutex_free(sys_mutex_t *mutex)
{
  vSemaphoreDelete(*mutex);
}

void sys_mutex_lock(sys_mutex_t *mutex)
{
  (void)xSemaphoreTake(*mutex, portMAX_DELAY);
}

void sys_mutex_unlock(sys_mutex_t *mutex)
{
  (void)xSemaphoreGive(*mutex);
}

err_t sys_mbox_new(sys_mbox_t *mbox, int size)
{
  *mbox = xQueueCreate((UBaseType_t)size, sizeof(void *));
  return *mbox ? ERR_OK : ERR_MEM;
}

void sys_mbox_free(sys_mbox_t *mbox)
{
  vQueueDelete(*mbox);
}

void sys_mbox_post(sys_mbox_t *mbox, void *msg)
{
  (void)xQueueSendToBack(*mbox, &msg, portMAX_DELAY);
}

err_t sys_mbox_trypost(sys_mbox_t *mbox, void *msg)
{
  return xQueueSendToBack(*mbox, &msg, 0) ? ERR_OK : ERR_MEM;
}

err_t sys_mbox_trypost_fromisr(sys_mbox_t *mbox, void *msg)
{
  BaseType_t woken = pdFALSE;
  if(!xQueueSendToBackFromISR(*mbox, &msg, &woken))
    return ERR_MEM;
  portYIELD_FROM_ISR(woken);
  return ERR_OK;
}

u32_t sys_arch_mbox_fetch(sys_mbox_t *mbox, void **msg, u32_t timeout)
{
  void *ignored;
  return xQueueReceive(*mbox, msg ? msg : &ignored, ticks(timeout)) ? 0 : SYS_ARCH_TIMEOUT;
}

u32_t sys_arch_mbox_tryfetch(sys_mbox_t *mbox, void **msg)
{
  void *ignored;
  return xQueueReceive(*mbox, msg ? msg : &ignored, 0) ? 0 : SYS_MBOX_EMPTY;
}
