/* arch/sys_arch.h: lwIP's layer over FreeRTOS, with the kernel's objects as handles. */
#ifndef __SYS_ARCH_H__
#define __SYS_ARCH_H__

#include <FreeRTOS.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>

#define SYS_MBOX_NULL NULL
#define SYS_SEM_NULL NULL

typedef SemaphoreHandle_t sys_sem_t;
typedef SemaphoreHandle_t sys_mutex_t;
typedef QueueHandle_t sys_mbox_t;
typedef TaskHandle_t sys_thread_t;

#define sys_sem_valid(sem) (*(sem) != NULL)
#define sys_sem_set_invalid(sem) ((void)(*(sem) = NULL))
#define sys_mutex_valid(mutex) (*(mutex) != NULL)
#define sys_mutex_set_invalid(mutex) ((void)(*(mutex) = NULL))
#define sys_mbox_valid(mbox) (*(mbox) != NULL)
#define sys_mbox_set_invalid(mbox) ((void)(*(mbox) = NULL))

#endif
