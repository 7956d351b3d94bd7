/* port/posix/error.c: error texts. */
#define _POSIX_C_SOURCE 200809L /* the strerror_r that returns int */
#include <errno.h>
#include <string.h>

#include "port/port.h"

size_t mote_port_error_text(int error, char *out, size_t cap)
{
  /* The POSIX strerror_r: 0, EINVAL with a text like "Unknown error 999", or ERANGE with the text cut. */
  int saved = errno;
  out[0] = 0;
  if(cap > 1)
    (void)strerror_r(error, out, cap);
  out[cap - 1] = 0;
  errno = saved;
  return strlen(out);
}
