/* transfer/identity.c: builds the key of a connection (transfer/identity.h). */
#include "transfer/identity.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "codec/url.h"
#include "connect/dial.h"
#include "connect/route.h"
#include "transfer/multi.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define NUMBER_MAX 24 /* bytes of the longest decimal number */

static char *put(char *to, const char *from, size_t len)
{
  memcpy(to, from, len);
  return to + len;
}

static char *put_tagged(char *to, char tag, const char *text)
{
  if(!text)
    return to;
  *to++ = tag;
  to = put(to, text, strlen(text));
  *to++ = 0;
  return to;
}

/* The zone id after the host is the name of an interface, where case matters. */
static char *put_lower(char *to, struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len && s.ptr[i] != '%'; i++)
    *to++ = mote_to_lower(s.ptr[i]);
  return put(to, s.ptr + i, s.len - i);
}

static size_t length_of(const char *text)
{
  return text ? strlen(text) + 2 : 0;
}

struct parts {
  struct mote_slice host;
  struct mote_target_host target;
  const char *unix_path;
  const char *interface;
};

static size_t room_needed(const struct parts *p, size_t scheme_len)
{
  return p->host.len + NUMBER_MAX + scheme_len + 1 + p->target.host.len + NUMBER_MAX +
         length_of(p->unix_path) + length_of(p->interface) + 2 * NUMBER_MAX + MOTE_IDENTITY_TLS_ROOM;
}

size_t mote_identity_most(const struct mote_transfer *t, size_t host_len)
{
  struct parts p;
  p.host.len = host_len;
  p.target.host.len = host_len;
  p.unix_path = mote_target_unix(t);
  p.interface = mote_opt_str(&t->options, CURLOPT_INTERFACE);
  return room_needed(&p, MOTE_URL_MAX_SCHEME);
}

static char *put_local_ports(const struct mote_transfer *t, char *at)
{
  long port = mote_opt_long(&t->options, CURLOPT_LOCALPORT);
  if(!port)
    return at;
  *at++ = 'l';
  at += mote_print_dec(at, (uint64_t)port);
  *at++ = '-';
  at += mote_print_dec(at, (uint64_t)mote_opt_long(&t->options, CURLOPT_LOCALPORTRANGE));
  *at++ = 0;
  return at;
}

static void fill(struct mote_transfer *t, struct mote_identity *id, const struct parts *p)
{
  const struct mote_scheme *scheme = t->run->request.scheme;
  char *at = put_lower(id->key, p->host);
  *at++ = ':';
  at += mote_print_dec(at, t->run->request.url.port);
  *at++ = 0;
  at = put(at, scheme->name, strlen(scheme->name) + 1);
  if(p->target.redirected) {
    *at++ = 'c';
    at = put_lower(at, p->target.host);
    *at++ = ':';
    at += mote_print_dec(at, p->target.port);
    *at++ = 0;
  }
  at = put_tagged(at, mote_target_unix_abstract(t) ? 'a' : 'u', p->unix_path);
  at = put_tagged(at, 'i', p->interface);
  at = put_local_ports(t, at);
  if(scheme->tls)
    at = mote_identity_put_tls(t, at);
  id->len = (size_t)(at - id->key);
}

CURLcode mote_identity_make(struct mote_transfer *t, struct mote_identity *id)
{
  struct parts p;
  size_t need;
  CURLcode rc;
  p.host = mote_url_packed_zoned(&t->run->request.url);
  p.unix_path = mote_target_unix(t);
  p.interface = mote_opt_str(&t->options, CURLOPT_INTERFACE);
  rc = mote_target_host(t, &p.target);
  if(rc)
    return rc;
  if(p.host.len > UINT16_MAX) {
    mote_fail(&t->report, "The host name is longer than %u bytes", (unsigned)UINT16_MAX);
    return CURLE_URL_MALFORMAT;
  }
  need = room_needed(&p, strlen(t->run->request.scheme->name));
  if(need > UINT16_MAX) /* no connection has so long a key, and no name is that long */
    return mote_connect_no_name(t, &p.target);
  id->block = 0;
  id->key = id->room;
  if(need > sizeof id->room) {
    id->key = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, need);
    if(!id->key)
      return CURLE_OUT_OF_MEMORY;
    id->block = need;
  }
  fill(t, id, &p);
  return CURLE_OK;
}

bool mote_identity_is_known(struct mote_transfer *t, bool own_pool)
{
  struct mote_run *r = t->run;
  bool own = own_pool && mote_multi_is_private(t->multi) &&
             !r->request.scheme->tls && !mote_opt_ptr(&t->options, CURLOPT_CONNECT_TO);
  bool known = own && r->lease.own_pool && !r->request.redirects && !t->options.changed;
  r->lease.own_pool = own;
  return known;
}

void mote_identity_close(struct mote_transfer *t, struct mote_identity *id)
{
  if(id->block)
    mote_mem_free(&t->account, MOTE_PART_TRANSFER, id->key, id->block);
}
