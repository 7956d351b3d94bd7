/* port/zephyr/poll.c: waiting by zsock_poll(). The end of a lookup wakes no descriptor, so the wait is cut
 * into pieces while one is under way. */
#include "port/zephyr/internal.h"

/* What has become of lookups since they were looked at last in the same wait. When all are gone without an
 * end, another thread has taken a place or an answer, and the caller's name is to be asked for again. */
static enum mote_zephyr_lookup zephyr_poll_lookups(enum mote_zephyr_lookup before)
{
  enum mote_zephyr_lookup state = mote_zephyr_lookups();
  return before == MOTE_ZEPHYR_LOOKING && state == MOTE_ZEPHYR_NO_LOOKUP ? MOTE_ZEPHYR_ENDED : state;
}

/* How long to wait at once, of what is left of the time (-1: for ever). */
static int zephyr_poll_piece(enum mote_zephyr_lookup state, int left)
{
  if(state == MOTE_ZEPHYR_ENDED)
    return 0;
  if(state == MOTE_ZEPHYR_LOOKING && (left < 0 || left > MOTE_ZEPHYR_LOOKUP_MS))
    return MOTE_ZEPHYR_LOOKUP_MS;
  return left;
}

static short zephyr_poll_asked(short events)
{
  int all = (events & CURL_WAIT_POLLIN ? ZSOCK_POLLIN : 0) | (events & CURL_WAIT_POLLOUT ? ZSOCK_POLLOUT : 0);
  return (short)all;
}

static short zephyr_poll_reported(short events)
{
  int all = (events & ZSOCK_POLLIN ? CURL_WAIT_POLLIN : 0) |
            (events & ZSOCK_POLLOUT ? CURL_WAIT_POLLOUT : 0) |
            (events & ZSOCK_POLLERR ? MOTE_POLL_ERROR : 0) | (events & ZSOCK_POLLHUP ? MOTE_POLL_HANGUP : 0) |
            (events & ZSOCK_POLLNVAL ? MOTE_POLL_INVALID : 0);
  return (short)all;
}

int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready)
{
  struct zsock_pollfd list[MOTE_ZEPHYR_DESCRIPTORS];
  mote_time until = mote_port_now() + timeout_ms * MOTE_MS;
  enum mote_zephyr_lookup state = MOTE_ZEPHYR_NO_LOOKUP;
  int left = timeout_ms, wait, found;
  unsigned i;
  *ready = 0;
  if(count > MOTE_ZEPHYR_DESCRIPTORS)
    return EINVAL;
  for(i = 0; i < count; i++)
    list[i] = (struct zsock_pollfd){.fd = fds[i].fd, .events = zephyr_poll_asked(fds[i].events)};
  do {
    state = zephyr_poll_lookups(state);
    wait = zephyr_poll_piece(state, left);
    if(count)
      found = zsock_poll(list, (int)count, wait);
    else
      found = k_sleep(wait < 0 ? K_FOREVER : K_MSEC(wait)) < 0;
    if(found < 0)
      return errno;
    if(left > 0)
      left = mote_time_wait_ms(until - mote_port_now());
  } while(!found && wait && left);
  for(i = 0; i < count; i++)
    fds[i].revents = zephyr_poll_reported(list[i].revents);
  *ready = (unsigned)found;
  return 0;
}
