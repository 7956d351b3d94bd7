/* arch/sys_arch.h: lwIP's semaphores, mailboxes and mutexes, made of the kernel's objects in static memory.
 *
 * Each contains the kernel's object, so that they need no memory but lwIP's pools. None may move. */
#ifndef MOTE_LWIP_ARCH_SYS_ARCH_H
#define MOTE_LWIP_ARCH_SYS_ARCH_H

#include <FreeRTOS.h>
#include <queue.h>
#include <semphr.h>
#include <stddef.h>

typedef struct {
  SemaphoreHandle_t handle; /* NULL: none */
  StaticSemaphore_t state;
} sys_sem_t;

typedef sys_sem_t sys_mutex_t;

typedef struct {
  QueueHandle_t handle; /* NULL: none */
  StaticQueue_t state;
  void *room[MOTE_LWIP_MBOX];
} sys_mbox_t;

typedef TaskHandle_t sys_thread_t;
typedef int sys_prot_t;

/* Peak use of the stack of lwIP's task, in bytes. */
size_t sys_arch_stack_used(void);

#define SYS_ARCH_DECL_PROTECT(level)
#define SYS_ARCH_PROTECT(level) taskENTER_CRITICAL()
#define SYS_ARCH_UNPROTECT(level) taskEXIT_CRITICAL()

#define sys_sem_valid(sem) ((sem)->handle != NULL)
#define sys_sem_set_invalid(sem) ((void)((sem)->handle = NULL))
#define sys_mutex_valid(mutex) sys_sem_valid(mutex)
#define sys_mutex_set_invalid(mutex) sys_sem_set_invalid(mutex)
#define sys_mbox_valid(mbox) ((mbox)->handle != NULL)
#define sys_mbox_set_invalid(mbox) ((void)((mbox)->handle = NULL))

#endif
