/* port/posix/no_set.c: POSIX has no wait sets, so waits are mote_port_poll()'s (port/set.h). */
#include <errno.h>

#include "port/set.h"

int mote_port_set_open(curl_socket_t *set)
{
  *set = CURL_SOCKET_BAD;
  return ENOSYS;
}

bool mote_port_set_nests(void)
{
  return false;
}

int mote_port_set_change(curl_socket_t set, curl_socket_t fd, unsigned before, unsigned now, void *tag)
{
  (void)set;
  (void)fd;
  (void)before;
  (void)now;
  (void)tag;
  return ENOSYS;
}

int mote_port_set_wait(curl_socket_t set, struct mote_port_event *events, unsigned max, int timeout_ms,
                       unsigned *ready)
{
  (void)set;
  (void)events;
  (void)max;
  (void)timeout_ms;
  *ready = 0;
  return ENOSYS;
}

void mote_port_set_close(curl_socket_t set, uint32_t owner)
{
  (void)set;
  (void)owner;
}
