/* http/altsvc/altsvc_hosts.c: alternative services by origin (http/altsvc/altsvc_hosts.h). */
#include "http/altsvc/altsvc_hosts.h"

#include "http/altsvc/altsvc_rest.h"

#include <stddef.h>
#include <string.h>

#include "codec/files/altsvc.h"

static struct mote_altsvc_host *altsvc_hosts_host_of(struct mote_known_host *e)
{
  return (struct mote_altsvc_host *)e; /* its first member */
}

void mote_altsvc_hosts_init(struct mote_host_index *x, struct mote_account *account)
{
  mote_host_index_init(x, account, offsetof(struct mote_altsvc_host, text));
}

static bool altsvc_hosts_is_same(const struct mote_altsvc_host *h, const struct mote_altsvc_line *line)
{
  return h->port == line->port && h->protocol == line->protocol && h->to_port == line->to_port &&
         h->to_protocol == line->to_protocol && mote_slice_same_nocase(mote_altsvc_to(h), line->to);
}

CURLcode mote_altsvc_hosts_add(struct mote_host_index *x, const struct mote_altsvc_line *line, int64_t now)
{
  size_t size = offsetof(struct mote_altsvc_host, text) + line->host.len + line->to.len;
  uint32_t hash = mote_host_hash(line->host), at = 0;
  struct mote_known_host *e;
  struct mote_altsvc_host *h;
  if(line->expires <= now)
    return CURLE_OK;
  do
    e = mote_host_index_next(x, line->host, hash, &at);
  while(e && !altsvc_hosts_is_same(altsvc_hosts_host_of(e), line));
  if(!e)
    e = mote_host_index_add(x, line->host, size);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  h = altsvc_hosts_host_of(e);
  h->known.expires = line->expires;
  h->port = line->port;
  h->to_port = line->to_port;
  h->priority = line->priority;
  h->protocol = line->protocol;
  h->to_protocol = line->to_protocol;
  h->to_len = (uint8_t)line->to.len;
  h->persist = line->persist;
  memcpy(h->text + h->known.host_len, line->to.ptr, line->to.len);
  return CURLE_OK;
}

/* Removing leaves the slots of others as they are, so that the search goes on. */
void mote_altsvc_hosts_forget(struct mote_host_index *x, struct mote_slice host, uint16_t port,
                              unsigned protocol)
{
  uint32_t hash = mote_host_hash(host), at = 0;
  struct mote_known_host *e;
  while((e = mote_host_index_next(x, host, hash, &at)) != NULL)
    if(altsvc_hosts_host_of(e)->port == port && altsvc_hosts_host_of(e)->protocol == protocol)
      mote_host_index_remove(x, e);
}

const struct mote_altsvc_host *mote_altsvc_hosts_find(struct mote_host_index *x, struct mote_slice host,
                                                      uint16_t port, unsigned protocols, int64_t now)
{
  uint32_t hash, at = 0;
  struct mote_known_host *e;
  if(!x->live)
    return NULL;
  hash = mote_host_hash(host);
  while((e = mote_host_index_next(x, host, hash, &at)) != NULL) {
    if(e->expires <= now)
      mote_host_index_remove(x, e);
    else if(altsvc_hosts_host_of(e)->port == port && protocols >> altsvc_hosts_host_of(e)->to_protocol & 1u &&
            !mote_altsvc_rests(x, altsvc_hosts_host_of(e), now))
      return altsvc_hosts_host_of(e);
  }
  return NULL;
}

bool mote_altsvc_hosts_walk(const struct mote_host_index *x, uint32_t *at, int64_t now,
                            struct mote_altsvc_line *out)
{
  struct mote_known_host *e;
  const struct mote_altsvc_host *h;
  do
    e = mote_host_index_walk(x, at);
  while(e && (e->expires <= now || mote_altsvc_is_rest(altsvc_hosts_host_of(e))));
  if(!e)
    return false;
  h = altsvc_hosts_host_of(e);
  *out = (struct mote_altsvc_line){
    .host = mote_known_host_name(x, e), .to = mote_altsvc_to(h), .port = h->port, .to_port = h->to_port,
    .protocol = h->protocol, .to_protocol = h->to_protocol, .priority = h->priority, .persist = h->persist,
    .expires = e->expires,
  };
  return true;
}
