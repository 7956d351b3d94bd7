/* port/posix/random.c: random bytes: getentropy (at most 256 at a time), else /dev/urandom. */
#include <errno.h>
#include <sys/random.h>
#include <unistd.h>

#include "port/file.h"
#include "port/port.h"

static CURLcode from_device(unsigned char *p, size_t n)
{
  int file;
  int error = mote_port_file_open("/dev/urandom", MOTE_FILE_READ, 0, &file);
  if(error)
    return CURLE_FAILED_INIT;
  while(n) {
    size_t got;
    error = mote_port_file_read(file, p, n, &got);
    if(error || !got)
      break;
    p += got;
    n -= got;
  }
  (void)mote_port_file_close(file);
  return n ? CURLE_FAILED_INIT : CURLE_OK;
}

CURLcode mote_port_random(void *p, size_t n)
{
  unsigned char *at = p;
  while(n) {
    size_t some = n < 256 ? n : 256;
    if(getentropy(at, some)) {
      if(errno == EINTR)
        continue;
      return from_device(at, n);
    }
    at += some;
    n -= some;
  }
  return CURLE_OK;
}
