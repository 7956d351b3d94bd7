/* arch/cc.h: what lwIP needs to know of the compiler. */
#ifndef MOTE_LWIP_ARCH_CC_H
#define MOTE_LWIP_ARCH_CC_H

#include <stdint.h>

uint32_t mote_lwip_rand(void); /* port/lwip/board.h */

#define LWIP_RAND() mote_lwip_rand()
#define LWIP_NO_CTYPE_H 1       /* the C library's has a table */
#define LWIP_NO_INTTYPES_H 1    /* nothing is printed */
#define lwip_htons(x) ((uint16_t)__builtin_bswap16(x)) /* one instruction */
#define lwip_htonl(x) __builtin_bswap32(x)
#define X8_F "x"
#define U16_F "u"
#define S16_F "d"
#define X16_F "x"
#define U32_F "u"
#define S32_F "d"
#define X32_F "x"
#define SZT_F "u"
#define LWIP_PLATFORM_DIAG(x) ((void)0)
#define LWIP_PLATFORM_ASSERT(x) ((void)0)

#endif
