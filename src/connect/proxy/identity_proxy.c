/* connect/proxy/identity_proxy.c: what distinguishes proxies, as a part of a connection's key
 * (connect/identity.h). */
#include "base/digest/sha256.h"
#include "codec/url/percent.h"
#include "connect/identity.h"
#include "connect/route/route.h"
#include "transfer/transfer.h"

/* Feeds a text as it is sent. A mark before each byte separates two texts, which may have any byte. */
static void feed_plain(struct mote_sha256 *h, struct mote_slice text, bool coded)
{
  size_t i = 0;
  while(i < text.len) {
    int escape = coded ? mote_percent_byte(text.ptr + i, text.ptr + text.len) : -1;
    unsigned char marked[2] = {1, (unsigned char)(escape < 0 ? text.ptr[i] : escape)};
    mote_sha256_add(h, marked, sizeof marked);
    i += escape < 0 ? 1 : 3;
  }
  mote_sha256_add(h, "", 1);
}

/* Two texts of a proxy may have the same host and port, yet one asks for TLS, HTTP/1.0 or another login. */
static void feed_proxy(struct mote_sha256 *h, const struct mote_transfer *t, const struct mote_route *r,
                       unsigned i)
{
  struct mote_route_login login;
  unsigned char kind[2] = {r->proxy[i].type, 0};
  (void)mote_route_login(t, r, &r->hop[i], &login);
  kind[1] = login.user.ptr || login.password.ptr;
  mote_sha256_add(h, kind, sizeof kind);
  feed_plain(h, login.user, login.coded);
  feed_plain(h, login.password, login.coded);
}

/* The context of an HTTPS proxy is what this function has made of it. */
static void feed_context(struct mote_sha256 *h, const struct mote_options *o)
{
  mote_fn fn = mote_opt_fn(o, CURLOPT_SSL_CTX_FUNCTION);
  void *data = mote_opt_ptr(o, CURLOPT_SSL_CTX_DATA);
  if(!fn)
    return;
  mote_sha256_add(h, &fn, sizeof fn);
  mote_sha256_add(h, &data, sizeof data);
}

void mote_identity_put_proxy(struct mote_transfer *t, const struct mote_route *r, struct mote_out *out)
{
  struct mote_sha256 h;
  unsigned i;
  mote_sha256_init(&h);
  mote_identity_feed(&h, t, MOTE_IDENTITY_PROXY);
  feed_context(&h, &t->options);
  for(i = 0; i < r->proxies; i++)
    feed_proxy(&h, t, r, i);
  mote_sha256_add(&h, &r->forward, sizeof r->forward); /* a tunnel may lead to the proxy itself */
  mote_identity_put_digest(out, 'p', &h);
}
