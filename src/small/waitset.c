/* small/waitset.c: waits for the descriptor of the only transfer. */
#include "net/waitset.h"

#include "net/stream.h"
#include "port/port.h"

void mote_watch_add(struct mote_waitset *set, struct mote_watch *w, curl_socket_t fd)
{
  w->fd = fd;
  w->want = 0;
  set->only = w;
}

void mote_watch_remove(struct mote_waitset *set, struct mote_watch *w)
{
  if(set->only == w)
    set->only = NULL;
  w->fd = CURL_SOCKET_BAD;
}

/* An error or a hang-up counts as what is waited for, since the next call on the descriptor reports it. */
CURLMcode mote_waitset_look(struct mote_waitset *set, int timeout_ms)
{
  struct mote_watch *w = set->only;
  struct curl_waitfd entry = {0};
  unsigned n;
  if(w) {
    entry.fd = w->fd;
    entry.events = (short)((w->want & MOTE_WANT_IN ? CURL_WAIT_POLLIN : 0) |
                           (w->want & MOTE_WANT_OUT ? CURL_WAIT_POLLOUT : 0));
  }
  if(mote_port_poll(&entry, w != NULL, timeout_ms, &n))
    return CURLM_UNRECOVERABLE_POLL;
  if(n && w)
    w->ready(w, w->want);
  return CURLM_OK;
}
