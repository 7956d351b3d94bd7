/* port/freertos/poll.c: waiting by lwip_poll(). The end of a lookup wakes no descriptor, so the wait is cut
 * into pieces while a lookup of this task is under way. */
#include "port/freertos/internal.h"

/* Descriptors of one wait: as many as lwIP has, and one that is not open. */
#define MOST (MEMP_NUM_NETCONN + 1)

static short asked(short events)
{
  return (short)((events & CURL_WAIT_POLLIN ? POLLIN : 0) | (events & CURL_WAIT_POLLOUT ? POLLOUT : 0));
}

static short reported(short events)
{
  int all = (events & POLLIN ? CURL_WAIT_POLLIN : 0) | (events & POLLOUT ? CURL_WAIT_POLLOUT : 0) |
            (events & POLLERR ? MOTE_POLL_ERROR : 0) | (events & POLLHUP ? MOTE_POLL_HANGUP : 0) |
            (events & POLLNVAL ? MOTE_POLL_INVALID : 0);
  return (short)all;
}

/* How long to wait at once, of what is left of the time (-1: for ever). */
static int piece(int left)
{
  enum mote_freertos_lookup state = mote_freertos_lookups();
  if(state == MOTE_FREERTOS_ENDED)
    return 0;
  if(state == MOTE_FREERTOS_LOOKING && (left < 0 || left > MOTE_FREERTOS_LOOKUP_MS))
    return MOTE_FREERTOS_LOOKUP_MS;
  return left;
}

/* Fills the list, and returns how many are not open descriptors, at which lwip_poll() would stop. */
static unsigned fill(struct pollfd *list, struct curl_waitfd *fds, unsigned count)
{
  unsigned i, invalid = 0;
  for(i = 0; i < count; i++) {
    bool open = lwip_fcntl(fds[i].fd, F_GETFL, 0) >= 0;
    list[i] = (struct pollfd){.fd = open ? fds[i].fd : -1, .events = asked(fds[i].events)};
    fds[i].revents = open ? 0 : MOTE_POLL_INVALID;
    invalid += !open;
  }
  return invalid;
}

int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready)
{
  mote_time until = mote_port_now() + timeout_ms * MOTE_MS;
  struct pollfd list[MOST];
  unsigned i, invalid;
  int left, wait, found;
  *ready = 0;
  if(count > MOST)
    return EINVAL;
  invalid = fill(list, fds, count);
  left = invalid ? 0 : timeout_ms;
  do {
    wait = piece(left);
    found = lwip_poll(count ? list : NULL, count, wait);
    if(found < 0)
      return mote_freertos_error();
    if(left > 0)
      left = mote_time_wait_ms(until - mote_port_now());
  } while(!found && wait && left);
  for(i = 0; i < count; i++)
    fds[i].revents |= reported(list[i].revents);
  *ready = (unsigned)found + invalid;
  return 0;
}
