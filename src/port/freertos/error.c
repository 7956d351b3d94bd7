/* port/freertos/error.c: error numbers as the library has them, the C library's. */
#include "port/freertos/errors.h"
#include "port/freertos/internal.h"

int mote_freertos_number(int lwip_error)
{
#define ROW(name) name,
  static const uint8_t ours[MOTE_FREERTOS_ERROR_COUNT] = {MOTE_FREERTOS_ERRORS(ROW)};
#undef ROW
  unsigned i;
  if(!lwip_error)
    return 0;
  for(i = 0; i < MOTE_FREERTOS_ERROR_COUNT; i++)
    if(mote_freertos_lwip_errors[i] == lwip_error)
      return ours[i];
  return EIO;
}

int mote_freertos_error(void)
{
  switch(mote_freertos_number(mote_freertos_lwip_errno())) {
  case EWOULDBLOCK:
  case EINPROGRESS:
  case EALREADY:
    return MOTE_PORT_AGAIN;
  case ECONNABORTED: /* lwIP has repeated a segment too often */
    return ETIMEDOUT;
  case ENFILE:
    return EMFILE;
  case 0:
    return EIO;
  default:
    return mote_freertos_number(mote_freertos_lwip_errno());
  }
}
