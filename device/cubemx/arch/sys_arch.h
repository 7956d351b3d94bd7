/* arch/sys_arch.h: lwIP's layer over CMSIS-RTOS 2, whose objects are handles. */
#ifndef __SYS_ARCH_H__
#define __SYS_ARCH_H__

#include <stddef.h>

typedef void *osMessageQueueId_t;
typedef void *osMutexId_t;
typedef void *osSemaphoreId_t;
typedef void *osThreadId_t;

#define SYS_MBOX_NULL NULL
#define SYS_SEM_NULL NULL

typedef osSemaphoreId_t sys_sem_t;
typedef osSemaphoreId_t sys_mutex_t;
typedef osMessageQueueId_t sys_mbox_t;
typedef osThreadId_t sys_thread_t;

#endif
