/* port/freertos/poll.c: waiting by lwip_poll(), or by lwip_select() where lwIP has no other. The end of a
 * lookup wakes no descriptor, so the wait is cut into pieces while a lookup of this task is under way. */
#include "port/freertos/internal.h"

/* Descriptors of one wait: as many as lwIP has, and one that is not open. */
#define MOST (MEMP_NUM_NETCONN + 1)

/* What has become of the task's lookups since they were looked at last in the same wait. One that is gone
 * without an end has lost its place, or its answer, to another task, and is to be asked for again. */
static enum mote_freertos_lookup freertos_poll_lookups(enum mote_freertos_lookup before)
{
  enum mote_freertos_lookup state = mote_freertos_lookups();
  bool gone = before == MOTE_FREERTOS_LOOKING && state == MOTE_FREERTOS_NO_LOOKUP;
  return gone ? MOTE_FREERTOS_ENDED : state;
}

/* How long to wait at once, of what is left of the time (-1: for ever). */
static int freertos_poll_piece(enum mote_freertos_lookup state, int left)
{
  if(state == MOTE_FREERTOS_ENDED)
    return 0;
  if(state != MOTE_FREERTOS_NO_LOOKUP && (left < 0 || left > MOTE_FREERTOS_LOOKUP_MS))
    return MOTE_FREERTOS_LOOKUP_MS;
  return left;
}

static bool freertos_poll_is_open(curl_socket_t fd)
{
  return lwip_fcntl(fd, F_GETFL, 0) >= 0;
}

#if LWIP_SOCKET_POLL

static short freertos_poll_asked(short events)
{
  return (short)((events & CURL_WAIT_POLLIN ? POLLIN : 0) | (events & CURL_WAIT_POLLOUT ? POLLOUT : 0));
}

static short freertos_poll_reported(short events)
{
  int all = (events & POLLIN ? CURL_WAIT_POLLIN : 0) | (events & POLLOUT ? CURL_WAIT_POLLOUT : 0) |
            (events & POLLERR ? MOTE_POLL_ERROR : 0) | (events & POLLHUP ? MOTE_POLL_HANGUP : 0) |
            (events & POLLNVAL ? MOTE_POLL_INVALID : 0);
  return (short)all;
}

int mote_freertos_look(struct curl_waitfd *fds, unsigned count, int wait_ms)
{
  struct pollfd list[MOST];
  unsigned i;
  int found;
  for(i = 0; i < count; i++)
    list[i] = (struct pollfd){.fd = fds[i].revents & MOTE_POLL_INVALID ? -1 : fds[i].fd,
                              .events = freertos_poll_asked(fds[i].events)};
  found = lwip_poll(count ? list : NULL, count, wait_ms);
  for(i = 0; i < count && found >= 0; i++)
    fds[i].revents |= freertos_poll_reported(list[i].revents);
  return found;
}

#else

/* Sets the descriptors' bits, and returns the highest one. */
static int fill_sets(const struct curl_waitfd *fds, unsigned count, fd_set *in, fd_set *out, fd_set *broken)
{
  int top = -1;
  unsigned i;
  FD_ZERO(in);
  FD_ZERO(out);
  FD_ZERO(broken);
  for(i = 0; i < count; i++) {
    if(fds[i].revents & MOTE_POLL_INVALID)
      continue;
    if(fds[i].events & CURL_WAIT_POLLIN)
      FD_SET(fds[i].fd, in);
    if(fds[i].events & CURL_WAIT_POLLOUT)
      FD_SET(fds[i].fd, out);
    FD_SET(fds[i].fd, broken);
    top = fds[i].fd > top ? fds[i].fd : top;
  }
  return top;
}

int mote_freertos_look(struct curl_waitfd *fds, unsigned count, int wait_ms)
{
  fd_set in, out, broken;
  int top = fill_sets(fds, count, &in, &out, &broken);
  struct timeval time = {.tv_sec = wait_ms / 1000, .tv_usec = wait_ms % 1000 * 1000};
  int ready = lwip_select(top + 1, &in, &out, &broken, wait_ms < 0 ? NULL : &time);
  int found = 0;
  unsigned i;
  for(i = 0; i < count && ready > 0; i++) {
    int bits = 0;
    if(fds[i].revents & MOTE_POLL_INVALID)
      continue;
    bits |= FD_ISSET(fds[i].fd, &in) ? CURL_WAIT_POLLIN : 0;
    bits |= FD_ISSET(fds[i].fd, &out) ? CURL_WAIT_POLLOUT : 0;
    bits |= FD_ISSET(fds[i].fd, &broken) ? MOTE_POLL_ERROR : 0;
    fds[i].revents |= (short)bits;
    found += bits != 0;
  }
  return ready < 0 ? ready : found;
}

#endif

int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready)
{
  mote_time until = mote_port_now() + timeout_ms * MOTE_MS;
  enum mote_freertos_lookup state = MOTE_FREERTOS_NO_LOOKUP;
  unsigned i, invalid = 0;
  int left, wait, found;
  *ready = 0;
  if(count > MOST)
    return EINVAL;
  for(i = 0; i < count; i++) { /* at one that is not open lwIP would stop */
    fds[i].revents = freertos_poll_is_open(fds[i].fd) ? 0 : MOTE_POLL_INVALID;
    invalid += fds[i].revents != 0;
  }
  left = invalid ? 0 : timeout_ms;
  do {
    state = freertos_poll_lookups(state);
    wait = freertos_poll_piece(state, left);
    found = mote_freertos_look(fds, count, wait);
    if(found < 0)
      return mote_freertos_error();
    if(left > 0)
      left = mote_time_wait_ms(until - mote_port_now());
  } while(!found && wait && left && state != MOTE_FREERTOS_RETRY);
  *ready = (unsigned)found + invalid;
  return 0;
}
