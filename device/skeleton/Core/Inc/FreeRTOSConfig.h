/* FreeRTOSConfig.h: the kernel's options, with a heap (heap_4). */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include "start.h"

#define configCPU_CLOCK_HZ BOARD_CLOCK_HZ
#define configTICK_RATE_HZ 1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION 1
#define configMAX_PRIORITIES 56
#define configMINIMAL_STACK_SIZE 128
#define configMAX_TASK_NAME_LEN 16
#define configTOTAL_HEAP_SIZE 15360
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#define configUSE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 1
#define configUSE_TIMERS 0
#define configCHECK_FOR_STACK_OVERFLOW 0
#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTaskGetSchedulerState 1

#define configPRIO_BITS 8
#define configKERNEL_INTERRUPT_PRIORITY 0xff
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x80

#define vPortSVCHandler board_supervisor
#define xPortPendSVHandler board_pending
#define xPortSysTickHandler board_tick

#endif
