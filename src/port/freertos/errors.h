/* port/freertos/errors.h: the errors that lwIP's sockets report, for the two files that see one set of
 * numbers each: lwip_error.c lwIP's, error.c the C library's. They differ where lwIP has numbers of its own
 * (LWIP_PROVIDE_ERRNO, as in the arch/cc.h of STM32CubeMX). */
#ifndef MOTE_PORT_FREERTOS_ERRORS_H
#define MOTE_PORT_FREERTOS_ERRORS_H

#include <stdint.h>

#define MOTE_FREERTOS_ERRORS(ROW) \
  ROW(EWOULDBLOCK) ROW(EINPROGRESS) ROW(EALREADY) ROW(ECONNABORTED) ROW(ECONNRESET) ROW(ENFILE) ROW(ENOMEM) \
  ROW(ENOBUFS) ROW(EHOSTUNREACH) ROW(EINVAL) ROW(EADDRINUSE) ROW(EISCONN) ROW(ENOTCONN) ROW(EBADF) \
  ROW(EAFNOSUPPORT) ROW(EOPNOTSUPP) ROW(ENOPROTOOPT) ROW(EIO)

#define MOTE_FREERTOS_ERROR_COUNT 18

/* lwIP's numbers, in the order of the rows. */
extern const uint8_t mote_freertos_lwip_errors[MOTE_FREERTOS_ERROR_COUNT];
/* The last one of the calling task. */
int mote_freertos_lwip_errno(void);

#endif
