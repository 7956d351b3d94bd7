/* tls/wolfssl/wolfssl_verify.c: verifies the peer's certificates: pin, name, and a path to a root of the
 * bundle.
 *
 * The path is searched from the server's certificate upwards, whatever the order of the certificates. Each
 * step asks the index for roots with the issuer's name. wolfSSL verifies the signatures, path.c checks the
 * rest. wolfSSL's certificate manager is not used: it trusts whatever is loaded into it, and it refuses
 * names that name constraints allow. */
#include <string.h>

#include "base/report.h"
#include "tls/common/common.h"
#include "tls/wolfssl/wolfssl.h"
#include "tls/x509/der.h"
#include "tls/x509/hostname.h"
#include "tls/x509/path.h"
#include "tls/x509/trust.h"

#include <wolfssl/wolfcrypt/asn.h>
#include <wolfssl/wolfcrypt/ecc.h>

#define PATH_MAX_CERTS 10

/* X509_V_ERR_* */
enum {
  V_UNSPECIFIED = 1,
  V_BAD_SIGNATURE = 7,
  V_SELF_SIGNED = 18,
  V_NO_ISSUER = 20
};

struct search {
  const WOLFSSL_BUFFER_INFO *sent;
  int count;                                  /* certificates at sent */
  struct mote_path_cert path[PATH_MAX_CERTS]; /* from the server's own upwards */
  unsigned len;                               /* of path */
  bool trusted;                               /* the path's last is trusted, or a root has signed it */
  CURLcode rc;                                /* of the lookups */
  int result;                                 /* X509_V_ERR_* of the last fault; 0: none */
  const char *why;                            /* the same as a text */
  unsigned depth;                             /* of the certificate with that fault */
};

static bool wolfssl_verify_fail(struct search *s, unsigned depth, int result, const char *why)
{
  s->result = result;
  s->why = why;
  s->depth = depth;
  return false;
}

static bool fail_by(struct search *s, unsigned depth, enum mote_path_fault fault)
{
  return !fault || wolfssl_verify_fail(s, depth, mote_path_result(fault), mote_path_text(fault));
}

static struct mote_path_cert cert_of(const WOLFSSL_BUFFER_INFO *b)
{
  return (struct mote_path_cert){b->buffer, b->length};
}

/* Returns wolfSSL's number for the kind of a key, or 0. */
static int kind_of_key(const struct mote_der *spki)
{
  static const struct {
    uint8_t oid[9]; /* begins so */
    uint8_t len;
    int kind;
  } kinds[] = {
    {{0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1}, 9, RSAk},
    {{0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1}, 7, ECDSAk},
    {{0x2b, 0x65, 0x70}, 3, ED25519k},
    {{0x2b, 0x65, 0x71}, 3, ED448k},
  };
  struct mote_der oid;
  size_t i;
  if(!mote_der_find(spki->whole, spki->whole_len, "\x06((", &oid))
    return 0;
  for(i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if(oid.content_len == kinds[i].len && !memcmp(oid.content, kinds[i].oid, kinds[i].len))
      return kinds[i].kind;
  return 0;
}

/* Did the key of `by` sign c? */
static bool is_signed_by(const struct mote_path_cert *c, const struct mote_path_cert *by)
{
  struct mote_der spki;
  int rc;
  if(!mote_der_spki(by->der, by->len, &spki))
    return false;
  rc = wc_CheckCertSigPubKey(c->der, (word32)c->len, NULL, spki.whole, (word32)spki.whole_len,
                             kind_of_key(&spki));
  wc_ecc_fp_free(); /* or a point that is used again gets a table of megabytes */
  return rc == 0;
}

/* Called for each certificate of the bundle that may be, or may have signed, the path's last. One with trust
 * settings, which are not read, is no root. */
static void try_root(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  struct search *s = arg;
  const struct mote_path_cert *last = &s->path[s->len - 1];
  const struct mote_path_cert root = {der, len};
  if(trusted || s->trusted)
    return;
  if(last->len == len && !memcmp(last->der, der, len))
    s->trusted = fail_by(s, s->len - 1, mote_path_check_all(last, s->len - 1, true, s->path, s->len - 1));
  else if(!is_signed_by(last, &root))
    (void)wolfssl_verify_fail(s, s->len - 1, V_BAD_SIGNATURE, "certificate signature failure");
  else if(fail_by(s, s->len, mote_path_check_all(&root, s->len, true, s->path, s->len)))
    s->trusted = fail_by(s, s->len - 1, mote_path_check_all(last, s->len - 1, false, s->path, s->len - 1));
  if(s->trusted)
    s->result = 0;
}

static bool wolfssl_verify_look_up(const struct mote_wolfssl *t, struct search *s)
{
  const struct mote_path_cert *last = &s->path[s->len - 1];
  struct mote_der name;
  if(!t->trust)
    return false;
  if(mote_der_issuer(last->der, last->len, &name))
    s->rc = mote_trust_find(t->trust, name.whole, name.whole_len, try_root, s);
  if(!s->rc && !s->trusted && mote_der_subject(last->der, last->len, &name))
    s->rc = mote_trust_find(t->trust, name.whole, name.whole_len, try_root, s);
  return s->trusted;
}

/* The issuer of the path's last, among what was sent. */
static bool go_up(struct search *s)
{
  const struct mote_path_cert *last = &s->path[s->len - 1];
  struct mote_der issuer;
  int i;
  unsigned k;
  if(s->len == PATH_MAX_CERTS || !mote_der_issuer(last->der, last->len, &issuer))
    return false;
  for(i = 1; i < s->count; i++) {
    struct mote_path_cert c = cert_of(&s->sent[i]);
    struct mote_der subject;
    for(k = 0; k < s->len && s->path[k].der != c.der; k++)
      ;
    if(k < s->len || !mote_der_subject(c.der, c.len, &subject) || subject.whole_len != issuer.whole_len ||
       memcmp(subject.whole, issuer.whole, issuer.whole_len) != 0)
      continue;
    s->path[s->len++] = c;
    return true;
  }
  return false;
}

/* The last of the path is trusted: is, one by one, what it leads to? */
static void go_down(struct search *s)
{
  unsigned i;
  for(i = s->len - 1; i > 0 && !s->result; i--) {
    if(!is_signed_by(&s->path[i - 1], &s->path[i]))
      (void)wolfssl_verify_fail(s, i - 1, V_BAD_SIGNATURE, "certificate signature failure");
    else
      (void)fail_by(s, i - 1, mote_path_check_all(&s->path[i - 1], i - 1, false, s->path, i - 1));
  }
}

static void search_path(const struct mote_wolfssl *t, struct search *s)
{
  while(!wolfssl_verify_look_up(t, s) && !s->rc && go_up(s))
    ;
  if(s->rc)
    return;
  if(s->trusted)
    go_down(s);
  else if(!s->result)
    (void)wolfssl_verify_fail(s, s->len - 1, V_NO_ISSUER, "unable to get local issuer certificate");
}

/* ---- what comes of it ---- */

/* What wolfSSL itself found that a root would not have changed. */
static bool is_for_good(int error)
{
  return error && error != ASN_NO_SIGNER_E && error != ASN_SELF_SIGNED_E && error != V_NO_ISSUER &&
         error != V_SELF_SIGNED;
}

static CURLcode wolfssl_verify_refuse(struct mote_wolfssl *t, const struct mote_path_cert *c, unsigned depth,
                                      int result,
                                      const char *why)
{
  struct mote_der name = {0};
  if(mote_wolfssl_refusals() != t->refusals)
    return CURLE_OUT_OF_MEMORY;
  (void)mote_der_subject(c->der, c->len, &name);
  return mote_tls_refuse(&t->head, result, why, depth, name.whole, name.whole_len);
}

static CURLcode check_chain(struct mote_wolfssl *t, const WOLFSSL_X509_STORE_CTX *store)
{
  struct search s = {.sent = store->certs, .count = store->totalCerts, .len = 1};
  struct mote_der name = {0};
  s.path[0] = cert_of(&store->certs[0]);
  search_path(t, &s);
  if(!s.rc && !s.result && is_for_good(store->error))
    (void)wolfssl_verify_fail(&s, 0, V_UNSPECIFIED,
                              wolfSSL_ERR_reason_error_string((unsigned long)store->error));
  if(s.rc || !s.result)
    return s.rc;
  if(s.depth < s.len)
    return wolfssl_verify_refuse(t, &s.path[s.depth], s.depth, s.result, s.why);
  if(mote_wolfssl_refusals() != t->refusals)
    return CURLE_OUT_OF_MEMORY;
  (void)mote_der_issuer(s.path[s.len - 1].der, s.path[s.len - 1].len, &name); /* the root's own is gone */
  return mote_tls_refuse(&t->head, s.result, s.why, s.depth, name.whole, name.whole_len);
}

static CURLcode check_name_and_pin(struct mote_wolfssl *t, const struct mote_path_cert *own)
{
  if(!t->head.verify_host || mote_tls_name_matches(own->der, own->len, t->text, t->head.is_ip))
    return mote_tls_check_pinned(&t->head, own->der, own->len);
  return mote_tls_refuse_name(&t->head, t->text, own->der, own->len);
}

/* Called for each certificate, the server's own as the last. */
int mote_wolfssl_verify(int good, WOLFSSL_X509_STORE_CTX *store)
{
  struct mote_wolfssl *t = store->userCtx;
  struct mote_path_cert own;
  (void)good;
  wc_ecc_fp_free();
  if(store->error_depth > 0)
    return 1;
  if(store->totalCerts < 1) {
    mote_fail(t->head.stream.env->report, "SSL certificate problem: the server sent none that could be read");
    t->rc = CURLE_PEER_FAILED_VERIFICATION;
    return 0;
  }
  own = cert_of(&store->certs[0]);
  t->head.verify_result = t->head.verify_peer ? 0 : V_NO_ISSUER;
  t->rc = t->head.verify_peer ? check_chain(t, store) : CURLE_OK;
  if(!t->rc)
    t->rc = check_name_and_pin(t, &own);
  t->checked = !t->rc;
  return t->checked;
}
