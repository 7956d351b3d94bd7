/* sys_arch.c: lwIP's layer over FreeRTOS, without a heap: one task, and objects that lie in lwIP's own
 * pools. */
#include <FreeRTOS.h>
#include <task.h>

#include <lwip/sys.h>
#include <lwip/tcpip.h>
#include <string.h>

#define PAINT 0x5a
#define STACK_WORDS (TCPIP_THREAD_STACKSIZE / sizeof(StackType_t)) /* lwIP counts in bytes */

static StaticTask_t task;
static StackType_t stack[STACK_WORDS];

void sys_init(void)
{
}

u32_t sys_now(void)
{
  return (u32_t)(xTaskGetTickCount() * (1000 / configTICK_RATE_HZ));
}

/* lwIP's only task. */
sys_thread_t sys_thread_new(const char *name, lwip_thread_fn run, void *arg, int stack_bytes, int priority)
{
  (void)stack_bytes;
  memset(stack, PAINT, sizeof stack);
  return xTaskCreateStatic(run, name, STACK_WORDS, arg, (UBaseType_t)priority, stack, &task);
}

size_t sys_arch_stack_used(void)
{
  const uint8_t *p = (const uint8_t *)stack, *end = p + sizeof stack;
  while(p < end && *p == PAINT)
    p++;
  return (size_t)(end - p);
}

/* ---- waiting (lwIP's 0 means for ever) ---- */

static TickType_t ticks(u32_t ms)
{
  return ms ? (TickType_t)((ms + 1000 / configTICK_RATE_HZ - 1) / (1000 / configTICK_RATE_HZ)) : portMAX_DELAY;
}

err_t sys_sem_new(sys_sem_t *sem, u8_t count)
{
  sem->handle = xSemaphoreCreateBinaryStatic(&sem->state);
  if(count)
    (void)xSemaphoreGive(sem->handle);
  return ERR_OK;
}

void sys_sem_free(sys_sem_t *sem)
{
  vSemaphoreDelete(sem->handle);
}

void sys_sem_signal(sys_sem_t *sem)
{
  (void)xSemaphoreGive(sem->handle);
}

u32_t sys_arch_sem_wait(sys_sem_t *sem, u32_t timeout)
{
  return xSemaphoreTake(sem->handle, ticks(timeout)) ? 0 : SYS_ARCH_TIMEOUT;
}

err_t sys_mutex_new(sys_mutex_t *mutex)
{
  mutex->handle = xSemaphoreCreateMutexStatic(&mutex->state);
  return ERR_OK;
}

void sys_mutex_free(sys_mutex_t *mutex)
{
  vSemaphoreDelete(mutex->handle);
}

void sys_mutex_lock(sys_mutex_t *mutex)
{
  (void)xSemaphoreTake(mutex->handle, portMAX_DELAY);
}

void sys_mutex_unlock(sys_mutex_t *mutex)
{
  (void)xSemaphoreGive(mutex->handle);
}

/* ---- mailboxes: the pointers themselves are copied ---- */

err_t sys_mbox_new(sys_mbox_t *mbox, int size)
{
  if(size > MOTE_LWIP_MBOX)
    return ERR_MEM;
  mbox->handle = xQueueCreateStatic((UBaseType_t)size, sizeof(void *), (uint8_t *)mbox->room, &mbox->state);
  return ERR_OK;
}

void sys_mbox_free(sys_mbox_t *mbox)
{
  vQueueDelete(mbox->handle);
}

void sys_mbox_post(sys_mbox_t *mbox, void *msg)
{
  (void)xQueueSendToBack(mbox->handle, &msg, portMAX_DELAY);
}

err_t sys_mbox_trypost(sys_mbox_t *mbox, void *msg)
{
  return xQueueSendToBack(mbox->handle, &msg, 0) ? ERR_OK : ERR_MEM;
}

err_t sys_mbox_trypost_fromisr(sys_mbox_t *mbox, void *msg)
{
  BaseType_t woken = pdFALSE;
  if(!xQueueSendToBackFromISR(mbox->handle, &msg, &woken))
    return ERR_MEM;
  portYIELD_FROM_ISR(woken);
  return ERR_OK;
}

u32_t sys_arch_mbox_fetch(sys_mbox_t *mbox, void **msg, u32_t timeout)
{
  void *ignored;
  return xQueueReceive(mbox->handle, msg ? msg : &ignored, ticks(timeout)) ? 0 : SYS_ARCH_TIMEOUT;
}

u32_t sys_arch_mbox_tryfetch(sys_mbox_t *mbox, void **msg)
{
  void *ignored;
  return xQueueReceive(mbox->handle, msg ? msg : &ignored, 0) ? 0 : SYS_MBOX_EMPTY;
}
