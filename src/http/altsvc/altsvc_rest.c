/* http/altsvc/altsvc_rest.c: places of alternative services that rest (http/altsvc/altsvc_rest.h). */
#include "http/altsvc/altsvc_rest.h"

#include "transfer/elsewhere.h"

/* The entry of a place, or NULL. *at as in mote_host_index_next(). */
static struct mote_altsvc_host *altsvc_rest_find(const struct mote_host_index *x, struct mote_slice host,
                                                 uint16_t port)
{
  uint32_t hash = mote_host_hash(host), at = 0;
  struct mote_known_host *e;
  while((e = mote_host_index_next(x, host, hash, &at)) != NULL) {
    struct mote_altsvc_host *h = (struct mote_altsvc_host *)e;
    if(mote_altsvc_is_rest(h) && h->port == port)
      return h;
  }
  return NULL;
}

void mote_altsvc_rest(struct mote_host_index *x, struct mote_slice host, uint16_t port, int64_t now)
{
  const struct mote_altsvc_host *h = altsvc_rest_find(x, host, port);
  unsigned before = h && h->known.expires > now ? h->priority : 0;
  unsigned doublings = before < MOTE_ALTSVC_REST_DOUBLINGS ? before : MOTE_ALTSVC_REST_DOUBLINGS;
  struct mote_altsvc_line line = {
    .host = host, .to = {"", 0}, .port = port, .protocol = MOTE_ALTSVC_NONE, .to_protocol = MOTE_ALTSVC_NONE,
    .priority = (uint16_t)(doublings + 1),
    .expires = now + ((int64_t)MOTE_ALTSVC_REST << doublings) + MOTE_ALTSVC_REST_KNOWN,
  };
  (void)mote_altsvc_hosts_add(x, &line, now);
}

void mote_altsvc_rest_end(struct mote_host_index *x, struct mote_slice host, uint16_t port)
{
  struct mote_altsvc_host *h = altsvc_rest_find(x, host, port);
  if(h)
    mote_host_index_remove(x, &h->known);
}

void mote_altsvc_note_place(struct mote_host_index *x, struct mote_elsewhere *to)
{
  struct mote_slice host = {to->host, to->host_len};
  if(to->failed)
    mote_altsvc_rest(x, host, to->port, to->failed);
  else if(to->worked)
    mote_altsvc_rest_end(x, host, to->port);
  to->failed = 0;
  to->worked = false;
}

bool mote_altsvc_rests(const struct mote_host_index *x, const struct mote_altsvc_host *h, int64_t now)
{
  const struct mote_altsvc_host *place;
  if(now == INT64_MIN || h->to_protocol != MOTE_ALTSVC_H3)
    return false;
  place = altsvc_rest_find(x, mote_altsvc_to(h), h->to_port);
  return place && place->known.expires - MOTE_ALTSVC_REST_KNOWN > now;
}
