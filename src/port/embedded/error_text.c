/* port/embedded/error_text.c: a device has no texts for its errors. */
#include "port/port.h"

size_t mote_port_error_text(int error, char *out, size_t cap)
{
  (void)error;
  (void)cap;
  out[0] = 0;
  return 0;
}
