/* connect/identity_last.c: whether the connection of a handle's last transfer has the key of this one, which
 * is compared with the URL instead of being built (connect/identity.h). */
#include <string.h>

#include "connect/identity.h"
#include "net/conn.h"
#include "net/pool.h"
#include "transfer/multi/multi.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define DIGITS_MAX 24 /* bytes of the longest decimal number */

static bool starts_with_host(const char *key, struct mote_slice host)
{
  size_t i;
  for(i = 0; i < host.len && host.ptr[i] != '%'; i++)
    if(key[i] != mote_to_lower(host.ptr[i]))
      return false;
  return !memcmp(key + i, host.ptr + i, host.len - i) && key[host.len] == ':';
}

/* Reports whether the key of c has the place and the scheme of the current URL. A proxy that passes requests
 * on stands in that place; it is an option's. */
static bool has_place(const struct mote_transfer *t, const struct mote_conn *c)
{
  const struct mote_request *q = &t->run->request;
  struct mote_slice host = mote_url_packed_zoned(&q->url);
  const char *key = mote_conn_key(c), *scheme = key + strlen(key) + 1;
  char port[DIGITS_MAX];
  size_t digits = mote_print_dec(port, q->url.port);
  bool same = t->run->lease.forwarded ||
              ((size_t)(scheme - key) == host.len + digits + 2 && starts_with_host(key, host) &&
               !memcmp(key + host.len + 1, port, digits));
  return same && !strcmp(scheme, q->scheme->name);
}

/* A netrc file may have another login for a connection that is logged in. */
static bool has_login_of_file(const struct mote_transfer *t)
{
  return MOTE_HAS_NETRC && t->run->request.scheme->protocol->login &&
         mote_opt_long(&t->options, CURLOPT_NETRC) != CURL_NETRC_IGNORED;
}

bool mote_identity_is_known(struct mote_transfer *t, const struct mote_pool *pool)
{
  struct mote_run *r = t->run;
  bool own_pool = pool == &t->multi->pool;
  bool own = own_pool && mote_multi_is_private(t->multi);
  bool known = own && r->lease.own_pool && !r->request.redirects && !t->options.changed;
  const struct mote_conn *c = known ? mote_pool_last(pool) : NULL;
  if(mote_transfer_is_internal(t))
    return own_pool && mote_identity_recalls(t);
  /* without hosts that are remembered nothing changes the URL of the option */
  known = c && (!MOTE_HAS_HOST_MEMORY || has_place(t, c)) && !has_login_of_file(t);
  r->lease.own_pool = known || (own && !mote_identity_may_have_tls(t) &&
                                !mote_opt_ptr(&t->options, CURLOPT_CONNECT_TO));
  return known;
}
