/* arch/cc.h: the compiler, with the choices of the LwIP package of STM32Cube. Assertions print, and
 * random numbers are rand()'s. Error numbers are the C library's, since picolibc's errno is thread-local; with newlib
 * STM32Cube has lwIP's own (LWIP_PROVIDE_ERRNO). */
#ifndef __CC_H__
#define __CC_H__

#include <stdio.h>
#include <stdlib.h>

typedef int sys_prot_t;

#define LWIP_ERRNO_STDINCLUDE

#define LWIP_TIMEVAL_PRIVATE 0
#include <sys/time.h>

#define PACK_STRUCT_BEGIN
#define PACK_STRUCT_STRUCT __attribute__((__packed__))
#define PACK_STRUCT_END
#define PACK_STRUCT_FIELD(x) x

#define LWIP_PLATFORM_ASSERT(x) \
  do { \
    printf("Assertion \"%s\" failed at line %d in %s\n", x, __LINE__, __FILE__); \
  } while(0)

#define LWIP_RAND() ((u32_t)rand())

#endif
