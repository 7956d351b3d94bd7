/* tls/mbedtls_verify.c: whether the server is the one that was asked for.
 *
 * The library verifies a chain against a list of roots that it has before the handshake. It gets an empty
 * one, and asks us, certificate by certificate, whether its verdict shall stand. When it comes to the
 * server's own, which is the last, the roots are there that the chain names, and the library verifies once
 * more, against these; that verdict stands, with our own check of the name.
 *
 * Relied on, of mbedTLS 2.28: the flags that the callback leaves are those that count. */
#include <mbedtls/x509_crt.h>
#include <string.h>

#include "tls/common.h"
#include "tls/mbedtls.h"
#include "tls/trust.h"

#define V_NO_ISSUER 20 /* what an empty trust store says (X509_V_ERR_*) */

static const mbedtls_x509_crt nobody; /* never written: a list of roots is only read */

static mbedtls_x509_crt *no_roots(void)
{
  return (mbedtls_x509_crt *)(uintptr_t)&nobody;
}

struct lookup {
  mbedtls_x509_crt *roots;
  CURLcode rc;
};

/* What the library cannot read is no root for it. */
static void add_root(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  struct lookup *l = arg;
  (void)trusted;
  if(mote_mbedtls_no_memory(mbedtls_x509_crt_parse_der(l->roots, der, len)))
    l->rc = CURLE_OUT_OF_MEMORY;
}

static bool same(const mbedtls_x509_buf *a, const mbedtls_x509_buf *b)
{
  return a->len == b->len && !memcmp(a->p, b->p, a->len);
}

static bool was_asked(const mbedtls_x509_crt *chain, const mbedtls_x509_crt *c)
{
  for(; chain != c; chain = chain->next)
    if(same(&chain->issuer_raw, &c->issuer_raw))
      return true;
  return false;
}

/* What the bundle has of the issuers, and of the server itself. */
static CURLcode find_roots(const struct mote_mbedtls *t, const mbedtls_x509_crt *chain,
                           mbedtls_x509_crt *roots)
{
  struct lookup l = {.roots = roots};
  const mbedtls_x509_crt *c;
  unsigned n = 0;
  CURLcode rc;
  if(!t->trust)
    return CURLE_OK;
  rc = mote_trust_find(t->trust, chain->subject_raw.p, chain->subject_raw.len, add_root, &l);
  for(c = chain; c && !rc && !l.rc && n++ < MOTE_MBEDTLS_CHAIN; c = c->next)
    if(!was_asked(chain, c) && !same(&c->issuer_raw, &chain->subject_raw))
      rc = mote_trust_find(t->trust, c->issuer_raw.p, c->issuer_raw.len, add_root, &l);
  return rc ? rc : l.rc;
}

/* The very certificate is in the bundle. */
static bool is_root(const mbedtls_x509_crt *roots, const mbedtls_x509_crt *c)
{
  for(; roots && roots->version; roots = roots->next)
    if(same(&roots->raw, &c->raw))
      return true;
  return false;
}

/* Such a certificate stands for itself, whoever issued it; the library says so of self-signed ones only. */
static int verify_by_roots(struct mote_mbedtls *t, mbedtls_x509_crt *chain, mbedtls_x509_crt *roots)
{
  mbedtls_x509_crt *rest = chain->next;
  bool alone = is_root(roots, chain);
  int ret;
  if(alone)
    chain->next = NULL;
  ret = mbedtls_x509_crt_verify_with_profile(chain, roots->version ? roots : no_roots(), NULL,
                                             t->conf.cert_profile, NULL, &t->flags, NULL, NULL);
  chain->next = rest;
  if(ret && ret != MBEDTLS_ERR_X509_CERT_VERIFY_FAILED)
    return ret;
  if(alone)
    t->flags &= ~(uint32_t)MBEDTLS_X509_BADCERT_NOT_TRUSTED;
  return 0;
}

static int verify_chain(struct mote_mbedtls *t, mbedtls_x509_crt *chain)
{
  mbedtls_x509_crt roots;
  int ret = MBEDTLS_ERR_X509_FATAL_ERROR;
  mbedtls_x509_crt_init(&roots);
  t->refused = find_roots(t, chain, &roots);
  if(!t->refused)
    ret = verify_by_roots(t, chain, &roots);
  if(ret)
    t->flags = 0; /* the library fills them all */
  mbedtls_x509_crt_free(&roots);
  return ret;
}

static int verify(void *arg, mbedtls_x509_crt *crt, int depth, uint32_t *flags)
{
  struct mote_mbedtls *t = arg;
  int ret = 0;
  *flags = 0;
  if(depth)
    return 0;
  t->full = true;
  t->flags = 0;
  t->head.verify_result = t->head.verify_peer ? 0 : V_NO_ISSUER;
  if(t->head.verify_peer)
    ret = verify_chain(t, crt);
  if(!ret && t->head.verify_host && !mote_tls_name_matches(crt->raw.p, crt->raw.len, t->text, t->head.is_ip))
    t->flags |= MBEDTLS_X509_BADCERT_CN_MISMATCH;
  *flags = t->flags;
  if(t->flags && !ret && !t->head.verify_peer)
    ret = MBEDTLS_ERR_X509_FATAL_ERROR; /* the library would go on */
  return ret;
}

void mote_mbedtls_verify_by(struct mote_mbedtls *t)
{
  mbedtls_ssl_conf_ca_chain(&t->conf, no_roots(), NULL);
  mbedtls_ssl_conf_authmode(&t->conf,
                            t->head.verify_peer ? MBEDTLS_SSL_VERIFY_REQUIRED : MBEDTLS_SSL_VERIFY_OPTIONAL);
  mbedtls_ssl_conf_verify(&t->conf, verify, t);
}
