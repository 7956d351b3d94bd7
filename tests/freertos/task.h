#include <FreeRTOS.h>
