/* http/hosts/hsts_hosts.c: hosts that are only reached over TLS (http/hosts/hsts_hosts.h). */
#include "codec/files/hsts.h"
#include "http/hosts/hsts_hosts.h"

/* Returns the entry of this name, unless it has expired, which removes it. */
static struct mote_known_host *hsts_hosts_find(struct mote_host_index *x, struct mote_slice name,
                                               uint32_t hash,
                                               int64_t now)
{
  uint32_t at = 0;
  struct mote_known_host *e = mote_host_index_next(x, name, hash, &at);
  if(e && e->expires <= now) {
    mote_host_index_remove(x, e);
    return NULL;
  }
  return e;
}

/* One pass from the end of the name, which stops at the dot before each label for the domain after it. */
bool mote_hsts_hosts_has(struct mote_host_index *x, struct mote_slice host, int64_t now)
{
  const char *end = host.ptr + host.len, *p = end;
  const struct mote_known_host *e;
  struct mote_slice domain;
  uint32_t hash = MOTE_HOST_HASH;
  if(!x->live)
    return false;
  do {
    while(p != host.ptr && p[-1] != '.')
      hash = mote_host_hash_byte(hash, *--p);
    domain = (struct mote_slice){p, (size_t)(end - p)};
    e = hsts_hosts_find(x, domain, hash, now);
    if(e && (e->tail || p == host.ptr))
      return true;
    if(p != host.ptr)
      hash = mote_host_hash_byte(hash, *--p);
  } while(p != host.ptr);
  return false;
}

static CURLcode hsts_hosts_add(struct mote_host_index *x, const struct mote_hsts_line *line)
{
  struct mote_known_host *e =
    mote_host_index_add(x, line->host, offsetof(struct mote_known_host, rest) + line->host.len);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  e->expires = line->expires;
  e->tail = line->tail;
  return CURLE_OK;
}

CURLcode mote_hsts_hosts_set(struct mote_host_index *x, const struct mote_hsts_line *line, int64_t now)
{
  struct mote_known_host *e = hsts_hosts_find(x, line->host, mote_host_hash(line->host), now);
  if(line->expires <= now) {
    if(e)
      mote_host_index_remove(x, e);
    return CURLE_OK;
  }
  if(!e)
    return hsts_hosts_add(x, line);
  e->expires = line->expires;
  e->tail = line->tail;
  return CURLE_OK;
}

CURLcode mote_hsts_hosts_merge(struct mote_host_index *x, const struct mote_hsts_line *line, int64_t now)
{
  struct mote_known_host *e;
  if(line->expires <= now)
    return CURLE_OK;
  e = hsts_hosts_find(x, line->host, mote_host_hash(line->host), now);
  if(!e)
    return hsts_hosts_add(x, line);
  if(line->expires > e->expires)
    e->expires = line->expires;
  e->tail |= line->tail;
  return CURLE_OK;
}

bool mote_hsts_hosts_walk(const struct mote_host_index *x, uint32_t *at, int64_t now,
                          struct mote_hsts_line *out)
{
  const struct mote_known_host *e;
  do
    e = mote_host_index_walk(x, at);
  while(e && e->expires <= now);
  if(!e)
    return false;
  out->host = mote_known_host_name(x, e);
  out->expires = e->expires;
  out->tail = e->tail != 0;
  return true;
}

uint32_t mote_hsts_hosts_count(const struct mote_host_index *x, int64_t now)
{
  struct mote_hsts_line line;
  uint32_t at = 0, count = 0;
  while(mote_hsts_hosts_walk(x, &at, now, &line))
    count++;
  return count;
}
