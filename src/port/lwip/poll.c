/* port/lwip/poll.c: waiting is what drives the network. */
#include "port/lwip/board.h"
#include "port/lwip/internal.h"

void mote_lwip_turn(uint32_t ms)
{
  uint32_t timer = mote_lwip_timer();
  mote_lwip_wait(ms < timer ? ms : timer);
  mote_lwip_run_timers();
}

static short lwip_poll_events_of(curl_socket_t fd, short asked)
{
  const struct mote_lwip_socket *s = mote_lwip_socket(fd);
  unsigned events = 0;
  if(!s)
    return MOTE_POLL_INVALID;
  if(s->in || s->state == MOTE_LWIP_ENDED)
    events |= CURL_WAIT_POLLIN;
  if(mote_lwip_writable(s))
    events |= CURL_WAIT_POLLOUT;
  if(s->error)
    events |= CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT;
  return (short)((events & (unsigned)asked) | (s->error ? MOTE_POLL_ERROR : 0));
}

static unsigned lwip_poll_look(struct curl_waitfd *fds, unsigned count)
{
  unsigned i, ready = 0;
  for(i = 0; i < count; i++) {
    fds[i].revents = lwip_poll_events_of(fds[i].fd, fds[i].events);
    ready += fds[i].revents != 0;
  }
  return ready;
}

int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready)
{
  uint32_t start = (uint32_t)mote_lwip_ms(), most = 0;
  if(mote_lwip_lookup_crowded() && (timeout_ms < 0 || timeout_ms > MOTE_LWIP_LOOKUP_MS))
    timeout_ms = MOTE_LWIP_LOOKUP_MS;
  for(;;) {
    uint32_t over;
    mote_lwip_turn(most);
    *ready = lwip_poll_look(fds, count);
    if(*ready || mote_lwip_lookup_ended())
      return 0;
    over = (uint32_t)mote_lwip_ms() - start;
    if(timeout_ms >= 0 && over >= (uint32_t)timeout_ms)
      return 0;
    most = timeout_ms < 0 ? UINT32_MAX : (uint32_t)timeout_ms - over;
  }
}
