/* FreeRTOSConfig.h: the kernel for this board: everything static, no heap, no timers of its own. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include "start.h"

#define configCPU_CLOCK_HZ BOARD_CLOCK_HZ
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION 1
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 1
#define configMAX_PRIORITIES 4
#define configMINIMAL_STACK_SIZE 96 /* words; the idle task's */
#define configMAX_TASK_NAME_LEN 2
#define configIDLE_SHOULD_YIELD 1
#define configUSE_TASK_NOTIFICATIONS 0
#define configUSE_MUTEXES 1         /* lwIP's core lock */
#define configUSE_POSIX_ERRNO 1     /* a number per task, without the C library's thread-local data */
#define configENABLE_BACKWARD_COMPATIBILITY 0
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configUSE_IDLE_HOOK 1       /* sleeps */
#define configUSE_TICK_HOOK 1       /* looks for frames that came without an interrupt */
#define configUSE_TIMERS 0
#define configUSE_TRACE_FACILITY 0
#define configCHECK_FOR_STACK_OVERFLOW 0 /* main()'s lies below everything: a fault */
#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskDelete 0
#define INCLUDE_vTaskSuspend 1      /* waits without a limit */
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTaskGetSchedulerState 1

/* Interrupts that may call the kernel: those of the lower half; QEMU's board has all bits. */
#define configPRIO_BITS 8
#define configKERNEL_INTERRUPT_PRIORITY 0xff
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x80
#define BOARD_ETHERNET_PRIORITY 0xc0

/* The vectors are start.c's. */
#define vPortSVCHandler board_supervisor
#define xPortPendSVHandler board_pending
#define xPortSysTickHandler board_tick

#endif
