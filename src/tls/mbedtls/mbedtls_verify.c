/* tls/mbedtls/mbedtls_verify.c: verifies the server's certificates: chain and name.
 *
 * The library verifies a chain against a list of roots that it needs before the handshake. It gets an empty
 * list, and calls us for each certificate to confirm its verdict. At the last call, for the server's own, we
 * look up the roots that the chain names, and have the library verify the chain again, against these. That
 * verdict counts, with our own checks of the path that it took (path.h), and of the name.
 *
 * Relied on, of mbedTLS 2.28: the flags that the callback leaves are those that count. */
#include <mbedtls/ssl_ciphersuites.h>
#include <mbedtls/x509_crt.h>
#include <string.h>

#include "base/memory.h"
#include "tls/mbedtls/mbedtls.h"
#include "tls/x509/hostname.h"
#include "tls/x509/path.h"
#include "tls/x509/trust.h"

#define V_NO_ISSUER 20 /* what an empty trust store says (X509_V_ERR_*) */

static const mbedtls_x509_crt empty; /* never written: a list of roots is only read */

static mbedtls_x509_crt *no_roots(void)
{
  return (mbedtls_x509_crt *)(uintptr_t)&empty;
}

/* What the flags of a certificate mean, the worst first, with the X509_V_ERR_* for
 * CURLINFO_SSL_VERIFYRESULT. */
static const struct {
  uint32_t flag; /* MBEDTLS_X509_BADCERT_* */
  uint8_t result;
  const char *text;
} meanings[] = {
  {MBEDTLS_X509_BADCERT_EXPIRED, 10, "certificate has expired"},
  {MBEDTLS_X509_BADCERT_FUTURE, 9, "certificate is not yet valid"},
  {MBEDTLS_X509_BADCERT_NOT_TRUSTED, V_NO_ISSUER, "unable to get local issuer certificate"},
  {MBEDTLS_X509_BADCERT_BAD_KEY, 67, "key too small, or of a kind that is not accepted"},
  {MBEDTLS_X509_BADCERT_BAD_MD, 68, "signed with a hash that is not accepted"},
  {MBEDTLS_X509_BADCERT_BAD_PK, 67, "signed with an algorithm that is not accepted"},
};
#define MEANINGS (sizeof meanings / sizeof *meanings)

/* The path that the library has found, from the server's own certificate upwards, with its verdicts. */
struct path {
  const mbedtls_x509_crt *crts[MOTE_MBEDTLS_CHAIN + 1];
  struct mote_path_cert certs[MOTE_MBEDTLS_CHAIN + 1];
  uint32_t flags[MOTE_MBEDTLS_CHAIN + 1];
  unsigned count;
};

struct lookup {
  mbedtls_x509_crt *roots;
  CURLcode rc;
};

/* Extensions that the library does not know are accepted here, because path.c checks the critical ones. */
static int pass_over(void *arg, const mbedtls_x509_crt *crt, const mbedtls_x509_buf *oid, int critical,
                     const unsigned char *p, const unsigned char *end)
{
  (void)arg;
  (void)crt;
  (void)oid;
  (void)critical;
  (void)p;
  (void)end;
  return 0;
}

/* A certificate that the library cannot read is no root, nor is one with trust settings, which it would pass
 * over: they may reject the certificate. */
static void add_root(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  struct lookup *l = arg;
  if(!trusted &&
     mote_mbedtls_no_memory(mbedtls_x509_crt_parse_der_with_ext_cb(l->roots, der, len, 1, pass_over, NULL)))
    l->rc = CURLE_OUT_OF_MEMORY;
}

static bool mbedtls_verify_same(const mbedtls_x509_buf *a, const mbedtls_x509_buf *b)
{
  return a->len == b->len && !memcmp(a->p, b->p, a->len);
}

static bool mbedtls_verify_was_asked(const mbedtls_x509_crt *chain, const mbedtls_x509_crt *c)
{
  for(; chain != c; chain = chain->next)
    if(mbedtls_verify_same(&chain->issuer_raw, &c->issuer_raw))
      return true;
  return false;
}

/* Looks up the issuers, and the server itself, in the bundle. */
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
    if(!mbedtls_verify_was_asked(chain, c) && !mbedtls_verify_same(&c->issuer_raw, &chain->subject_raw))
      rc = mote_trust_find(t->trust, c->issuer_raw.p, c->issuer_raw.len, add_root, &l);
  return rc ? rc : l.rc;
}

/* Whether this very certificate is in the bundle. */
static bool is_root(const mbedtls_x509_crt *roots, const mbedtls_x509_crt *c)
{
  for(; roots && roots->version; roots = roots->next)
    if(mbedtls_verify_same(&roots->raw, &c->raw))
      return true;
  return false;
}

/* Called from the root downwards. */
static int note_path(void *arg, mbedtls_x509_crt *crt, int depth, uint32_t *flags)
{
  struct path *path = arg;
  if(depth > MOTE_MBEDTLS_CHAIN)
    return MBEDTLS_ERR_X509_FATAL_ERROR;
  if(!path->count)
    path->count = (unsigned)depth + 1;
  path->crts[depth] = crt;
  path->certs[depth] = (struct mote_path_cert){crt->raw.p, crt->raw.len};
  path->flags[depth] = *flags;
  return 0;
}

/* ---- in slices ----
 *
 * With MOTE_HANDSHAKE_MS the library may return in the middle of a signature of ECDSA. Its own state is kept
 * with the roots until it calls mbedtls_verify_verify() again, which it does if the suite is one of ECDSA. */

#if MOTE_MBEDTLS_SLICES

static bool may_interrupt(const struct mote_mbedtls *t)
{
  const mbedtls_ssl_ciphersuite_t *suite =
    mbedtls_ssl_ciphersuite_from_id(t->ssl.session_negotiate->ciphersuite);
  return suite && suite->key_exchange == MBEDTLS_KEY_EXCHANGE_ECDHE_ECDSA;
}

void mote_mbedtls_check_free(struct mote_mbedtls *t)
{
  struct mote_mbedtls_check *k = t->check;
  if(!k)
    return;
  if(k->own)
    k->own->next = k->rest;
  mbedtls_x509_crt_free(&k->roots);
  mbedtls_x509_crt_restart_free(&k->state);
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, k, sizeof *k);
  t->check = NULL;
}

/* Returns the one that was interrupted, or a new one. NULL: t->refused says why. */
static struct mote_mbedtls_check *open_check(struct mote_mbedtls *t, mbedtls_x509_crt *chain,
                                             struct mote_mbedtls_check *unused)
{
  struct mote_mbedtls_check *k = t->check;
  (void)unused;
  if(k) {
    chain->next = k->rest;
    k->own = NULL;
    return k;
  }
  k = t->check = mote_mem_zalloc(t->head.stream.env->account, MOTE_PART_TLS, sizeof *k);
  t->refused = k ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  if(!k)
    return NULL;
  mbedtls_x509_crt_init(&k->roots);
  mbedtls_x509_crt_restart_init(&k->state);
  t->refused = find_roots(t, chain, &k->roots);
  return k;
}

static int verify_against(struct mote_mbedtls *t, mbedtls_x509_crt *chain, mbedtls_x509_crt *roots,
                          struct path *path)
{
  int ret;
  do
    ret = mbedtls_x509_crt_verify_restartable(chain, roots, NULL, t->conf.cert_profile, NULL, &t->flags,
                                              note_path, path, &t->check->state);
  while(ret == MBEDTLS_ERR_ECP_IN_PROGRESS && !may_interrupt(t));
  return ret;
}

/* Ends it, or hides the rest of the chain until it goes on. */
static void close_check(struct mote_mbedtls *t, mbedtls_x509_crt *chain, int ret)
{
  if(ret != MBEDTLS_ERR_ECP_IN_PROGRESS) {
    mote_mbedtls_check_free(t);
    return;
  }
  t->check->own = chain;
  t->check->rest = chain->next;
  chain->next = NULL;
}

#else

static struct mote_mbedtls_check *open_check(struct mote_mbedtls *t, mbedtls_x509_crt *chain,
                                             struct mote_mbedtls_check *k)
{
  mbedtls_x509_crt_init(&k->roots);
  t->refused = find_roots(t, chain, &k->roots);
  return k;
}

#define verify_against(t, chain, roots, path) \
  mbedtls_x509_crt_verify_with_profile(chain, roots, NULL, (t)->conf.cert_profile, NULL, &(t)->flags, \
                                       note_path, path)
#define close_check(t, chain, ret) (mbedtls_x509_crt_free(&k->roots))

#endif

/* A server's certificate that is in the bundle itself is trusted whatever its issuer; the library does that
 * for self-signed ones only. */
static int mbedtls_verify_find_path(struct mote_mbedtls *t, mbedtls_x509_crt *chain, mbedtls_x509_crt *roots,
                                    struct path *path)
{
  mbedtls_x509_crt *rest = chain->next;
  bool alone = is_root(roots, chain);
  int ret;
  if(alone)
    chain->next = NULL;
  ret = verify_against(t, chain, roots->version ? roots : no_roots(), path);
  chain->next = rest;
  if(ret && ret != MBEDTLS_ERR_X509_CERT_VERIFY_FAILED)
    return ret;
  if(alone)
    t->flags = path->flags[0] &= ~(uint32_t)MBEDTLS_X509_BADCERT_NOT_TRUSTED;
  return 0;
}

static void mbedtls_verify_refuse(struct mote_mbedtls *t, const struct path *path, unsigned depth, int result,
                                  const char *why)
{
  const mbedtls_x509_buf *name = &path->crts[depth]->subject_raw;
  t->flags |= MBEDTLS_X509_BADCERT_OTHER; /* otherwise the handshake would go on */
  t->refused = mote_tls_refuse(&t->head, result, why, depth, name->p, name->len);
}

/* Returns false if the library accepts the certificate. */
static bool refuse_by_flags(struct mote_mbedtls *t, const struct path *path, unsigned depth)
{
  size_t i;
  if(!path->flags[depth])
    return false;
  for(i = 0; i < MEANINGS && !(path->flags[depth] & meanings[i].flag); i++)
    ;
  mbedtls_verify_refuse(t, path, depth, i < MEANINGS ? meanings[i].result : 1,
                        i < MEANINGS ? meanings[i].text : "the certificate may not be used for this");
  return true;
}

/* Both verdicts, the library's and path.c's. The lowest certificate with a fault is reported. */
static void mbedtls_verify_judge(struct mote_mbedtls *t, const struct path *path,
                                 const mbedtls_x509_crt *roots)
{
  unsigned i;
  for(i = 0; i < path->count && !t->refused; i++) {
    enum mote_path_fault fault =
      mote_path_check_all(&path->certs[i], i, is_root(roots, path->crts[i]), path->certs, i);
    if(!refuse_by_flags(t, path, i) && fault)
      mbedtls_verify_refuse(t, path, i, mote_path_result(fault), mote_path_text(fault));
  }
}

static int verify_chain(struct mote_mbedtls *t, mbedtls_x509_crt *chain)
{
  struct path path = {.count = 0};
  struct mote_mbedtls_check here;
  struct mote_mbedtls_check *k = open_check(t, chain, &here);
  int ret = MBEDTLS_ERR_X509_FATAL_ERROR;
  if(!t->refused)
    ret = mbedtls_verify_find_path(t, chain, &k->roots, &path);
  if(ret)
    t->flags = 0; /* the library fills them all */
  else
    mbedtls_verify_judge(t, &path, &k->roots);
  close_check(t, chain, ret);
  return ret;
}

static int mbedtls_verify_verify(void *arg, mbedtls_x509_crt *crt, int depth, uint32_t *flags)
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
  if(!ret && !t->refused && t->head.verify_host &&
     !mote_tls_name_matches(crt->raw.p, crt->raw.len, t->text, t->head.is_ip)) {
    t->flags |= MBEDTLS_X509_BADCERT_CN_MISMATCH;
    t->refused = mote_tls_refuse_name(&t->head, t->text, crt->raw.p, crt->raw.len);
  }
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
  mbedtls_ssl_conf_verify(&t->conf, mbedtls_verify_verify, t);
}
