/* port/freertos/lwip_error.c: error numbers as lwIP has them. Includes neither <errno.h> nor what
 * includes it. */
#include "port/freertos/errors.h"

#include <lwip/errno.h>

/* Where lwIP leaves the error number of the calling task (set_errno). */
#ifndef MOTE_FREERTOS_ERRNO
#define MOTE_FREERTOS_ERRNO errno
#endif

#define ROW(name) name,
const uint8_t mote_freertos_lwip_errors[MOTE_FREERTOS_ERROR_COUNT] = {MOTE_FREERTOS_ERRORS(ROW)};

int mote_freertos_lwip_errno(void)
{
  return MOTE_FREERTOS_ERRNO;
}
