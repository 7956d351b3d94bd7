/* tls/wolfssl_verify.c: the peer's certificates: pin, name, and the way to a root of the bundle.
 *
 * The way is looked for from the server's certificate upwards, certificates in any order: at each step the
 * index is asked for roots of the issuer's name, and a certificate manager with that one root says whether
 * the signature, the dates and the name constraints hold. Then it goes down again, each certificate
 * vouching for the next. Basic constraints are looked at here, because the manager takes what is put into
 * it as a root, whatever it is. */
#include <string.h>

#include "base/report.h"
#include "port/port.h"
#include "tls/common.h"
#include "tls/der.h"
#include "tls/trust.h"
#include "tls/wolfssl.h"

#include <wolfssl/wolfcrypt/ecc.h>

#define PATH_MAX_CERTS 10
#define RSA_MIN 256     /* bytes: 2048 bits */

/* X509_V_ERR_* */
enum {
  V_UNSPECIFIED = 1,
  V_BAD_SIGNATURE = 7,
  V_NOT_YET_VALID = 9,
  V_EXPIRED = 10,
  V_SELF_SIGNED = 18,
  V_NO_ISSUER = 20,
  V_PATH_LENGTH = 25,
  V_WEAK_KEY = 67,
  V_NOT_CA = 79
};

/* Reasons of our own, beside wolfSSL's negative ones and those of the verify callback, which are
 * X509_V_ERR_*. */
enum { NOT_CA = 1000, PATH_LENGTH, WEAK_KEY };

static const struct {
  int error;
  int result;
  const char *text;
} reasons[] = {
  {ASN_BEFORE_DATE_E, V_NOT_YET_VALID, "certificate is not yet valid"},
  {ASN_AFTER_DATE_E, V_EXPIRED, "certificate has expired"},
  {ASN_NO_SIGNER_E, V_NO_ISSUER, "unable to get local issuer certificate"},
  {ASN_SELF_SIGNED_E, V_NO_ISSUER, "unable to get local issuer certificate"},
  {ASN_SIG_CONFIRM_E, V_BAD_SIGNATURE, "certificate signature failure"},
  {RSA_KEY_SIZE_E, V_WEAK_KEY, "key too small"},
  {ECC_KEY_SIZE_E, V_WEAK_KEY, "key too small"},
  {WEAK_KEY, V_WEAK_KEY, "key too small"},
  {NOT_CA, V_NOT_CA, "invalid CA certificate"},
  {PATH_LENGTH, V_PATH_LENGTH, "path length constraint exceeded"},
};

static const uint8_t rsa_oid[] = {6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1}; /* whole element */
static const uint8_t basic_constraints[] = {0x55, 0x1d, 0x13};

struct cert {
  const uint8_t *der;
  size_t len;
};

struct search {
  WOLFSSL_CERT_MANAGER *manager;
  const WOLFSSL_BUFFER_INFO *sent;
  int count;                        /* certificates at sent */
  struct cert path[PATH_MAX_CERTS]; /* from the server's own upwards */
  int len;                          /* of path */
  int error;                        /* of the last root that was tried; 0: the path's last is trusted */
};

static struct cert cert_of(const WOLFSSL_BUFFER_INFO *b)
{
  return (struct cert){b->buffer, b->length};
}

/* Bytes of an RSA key's modulus; RSA_MIN for other keys. */
static size_t rsa_bytes(const struct cert *c)
{
  struct mote_der spki;
  struct mote_der part;
  const uint8_t *p;
  const uint8_t *end;
  if(!mote_der_spki(c->der, c->len, &spki))
    return 0;
  p = spki.content;
  end = p + spki.content_len;
  if(!mote_der_next(&p, end, &part))
    return 0;
  if(part.content_len < sizeof rsa_oid || memcmp(part.content, rsa_oid, sizeof rsa_oid))
    return RSA_MIN;
  if(!mote_der_next(&p, end, &part) || part.content_len < 2)
    return 0;
  p = part.content + 1; /* no unused bits */
  end = part.content + part.content_len;
  if(!mote_der_next(&p, end, &part))
    return 0;
  p = part.content;
  if(!mote_der_next(&p, part.content + part.content_len, &part) || !part.content_len)
    return 0;
  return part.content_len - (part.content[0] == 0);
}

/* May c vouch for others, with so many certificates that do so below it? A root without the extension may. */
static int check_ca(const struct cert *c, int below, bool root)
{
  struct mote_der value;
  struct mote_der part;
  const uint8_t *p;
  const uint8_t *end;
  if(rsa_bytes(c) < RSA_MIN)
    return WEAK_KEY;
  if(!mote_der_extension(c->der, c->len, basic_constraints, sizeof basic_constraints, &value))
    return root ? 0 : NOT_CA;
  p = value.content;
  if(!mote_der_next(&p, p + value.content_len, &part))
    return NOT_CA;
  p = part.content;
  end = p + part.content_len;
  if(!mote_der_next(&p, end, &part) || part.tag != 1 || part.content_len != 1 || !part.content[0])
    return NOT_CA;
  if(!mote_der_next(&p, end, &part))
    return 0;
  if(part.tag != MOTE_DER_INTEGER || part.content_len != 1)
    return part.content_len > 1 ? 0 : PATH_LENGTH;
  return below > part.content[0] ? PATH_LENGTH : 0;
}

static int two_digits(const uint8_t *p)
{
  return (p[0] - '0') * 10 + (p[1] - '0');
}

/* UTCTime or GeneralizedTime (RFC 5280 section 4.1.2.5) in Unix seconds; -1: neither. */
static int64_t seconds_of(const struct mote_der *e)
{
  const uint8_t *p = e->content;
  int64_t y;
  int64_t days;
  int m;
  size_t i;
  size_t century = e->content_len == 15 ? 2 : 0;
  if(e->content_len != 13 + century)
    return -1;
  for(i = 0; i < 12 + century; i++)
    if(p[i] < '0' || p[i] > '9')
      return -1;
  y = two_digits(p + century);
  y += century ? two_digits(p) * 100 : y < 50 ? 2000 : 1900;
  p += century + 2;
  m = two_digits(p);
  y -= m <= 2;
  days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5;
  days += two_digits(p + 2) - 1 - 719468;
  return ((days * 24 + two_digits(p + 4)) * 60 + two_digits(p + 6)) * 60 + two_digits(p + 8);
}

/* The manager does not look at the dates of what is put into it. */
static int check_dates(const struct cert *c)
{
  int64_t now = mote_port_wall();
  struct mote_der issuer;
  struct mote_der validity;
  struct mote_der from;
  struct mote_der until;
  const uint8_t *p;
  const uint8_t *end;
  if(!mote_der_issuer(c->der, c->len, &issuer))
    return ASN_PARSE_E;
  p = issuer.whole + issuer.whole_len;
  if(!mote_der_next(&p, c->der + c->len, &validity))
    return ASN_PARSE_E;
  p = validity.content;
  end = p + validity.content_len;
  if(!mote_der_next(&p, end, &from) || !mote_der_next(&p, end, &until) || seconds_of(&from) < 0)
    return ASN_PARSE_E;
  return now < seconds_of(&from) ? ASN_BEFORE_DATE_E : now > seconds_of(&until) ? ASN_AFTER_DATE_E : 0;
}

static int load(const struct search *s, const uint8_t *der, size_t len)
{
  int rc = wolfSSL_CertManagerLoadCABuffer(s->manager, der, (long)len, WOLFSSL_FILETYPE_ASN1);
  return rc == WOLFSSL_SUCCESS ? 0 : rc ? rc : ASN_PARSE_E;
}

static int verify(const struct search *s, const struct cert *c)
{
  int rc = wolfSSL_CertManagerVerifyBuffer(s->manager, c->der, (long)c->len, WOLFSSL_FILETYPE_ASN1);
  wc_ecc_fp_free(); /* or a point that is used again gets a table of megabytes */
  return rc == WOLFSSL_SUCCESS ? 0 : rc ? rc : ASN_PARSE_E;
}

/* A certificate of the bundle that may be, or have issued, the path's last. */
static void try_root(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  struct search *s = arg;
  const struct cert *last = &s->path[s->len - 1];
  const struct cert root = {der, len};
  bool itself = last->len == len && !memcmp(last->der, der, len);
  int error;
  (void)trusted;
  if(!s->error)
    return;
  error = check_dates(&root);
  if(error && !itself)
    error = ASN_NO_SIGNER_E; /* a root whose time is over is none */
  if(!error && !itself)
    error = check_ca(&root, s->len - 1, true);
  if(!error)
    error = load(s, der, len);
  if(!error && !itself)
    error = verify(s, last);
  if(error)
    (void)wolfSSL_CertManagerUnloadCAs(s->manager);
  s->error = error;
}

static CURLcode look_up(struct mote_wolfssl *t, struct search *s)
{
  const struct cert *last = &s->path[s->len - 1];
  struct mote_der name;
  CURLcode rc = CURLE_OK;
  s->error = ASN_NO_SIGNER_E;
  if(!t->trust)
    return CURLE_OK;
  if(mote_der_issuer(last->der, last->len, &name))
    rc = mote_trust_find(t->trust, name.whole, name.whole_len, try_root, s);
  if(!rc && s->error && mote_der_subject(last->der, last->len, &name))
    rc = mote_trust_find(t->trust, name.whole, name.whole_len, try_root, s);
  return rc;
}

/* The sender of the path's last, among what was sent. */
static bool go_up(struct search *s)
{
  struct cert *last = &s->path[s->len - 1];
  struct mote_der issuer;
  int i;
  int k;
  if(s->len == PATH_MAX_CERTS || !mote_der_issuer(last->der, last->len, &issuer))
    return false;
  for(i = 1; i < s->count; i++) {
    struct cert c = cert_of(&s->sent[i]);
    struct mote_der subject;
    for(k = 0; k < s->len && s->path[k].der != c.der; k++)
      ;
    if(k < s->len || !mote_der_subject(c.der, c.len, &subject) || subject.whole_len != issuer.whole_len ||
       memcmp(subject.whole, issuer.whole, issuer.whole_len))
      continue;
    s->path[s->len++] = c;
    return true;
  }
  return false;
}

/* The last of the path is trusted: so is, one by one, what it leads to. */
static int go_down(struct search *s)
{
  int i;
  for(i = s->len - 1; i > 0; i--) {
    int error = check_ca(&s->path[i], i - 1, false);
    if(!error)
      error = load(s, s->path[i].der, s->path[i].len);
    if(!error)
      error = verify(s, &s->path[i - 1]);
    if(error)
      return error;
  }
  return rsa_bytes(&s->path[0]) < RSA_MIN ? WEAK_KEY : 0;
}

static CURLcode search_path(struct mote_wolfssl *t, struct search *s)
{
  CURLcode rc = look_up(t, s);
  int first = s->error;
  while(!rc && s->error && go_up(s))
    rc = look_up(t, s);
  if(!rc && s->error && first != ASN_NO_SIGNER_E)
    s->error = first;
  if(!rc && !s->error)
    s->error = go_down(s);
  return rc;
}

/* ---- what comes of it ---- */

static CURLcode refuse_chain(struct mote_wolfssl *t, int error)
{
  const char *text = NULL;
  size_t i;
  t->head.verify_result = error > 0 && error < NOT_CA ? error : V_UNSPECIFIED;
  for(i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if(reasons[i].error == error || reasons[i].result == error) {
      t->head.verify_result = reasons[i].result;
      text = reasons[i].text;
    }
  if(!text)
    text = wolfSSL_ERR_reason_error_string((unsigned long)error);
  mote_fail(t->head.stream.env->report, "SSL certificate problem: %s (%d)", text ? text : "not acceptable",
            error);
  return CURLE_PEER_FAILED_VERIFICATION;
}

/* What wolfSSL itself found that a root would not have changed. */
static bool is_for_good(int error)
{
  return error && error != ASN_NO_SIGNER_E && error != ASN_SELF_SIGNED_E && error != V_NO_ISSUER &&
         error != V_SELF_SIGNED;
}

static CURLcode check_chain(struct mote_wolfssl *t, const WOLFSSL_X509_STORE_CTX *store)
{
  struct search s = {.sent = store->certs, .count = store->totalCerts, .len = 1};
  CURLcode rc;
  if(is_for_good(store->error))
    return mote_wolfssl_refusals() != t->refusals ? CURLE_OUT_OF_MEMORY : refuse_chain(t, store->error);
  s.path[0] = cert_of(&store->certs[0]);
  s.manager = wolfSSL_CertManagerNew();
  if(!s.manager)
    return CURLE_OUT_OF_MEMORY;
  rc = search_path(t, &s);
  wolfSSL_CertManagerFree(s.manager);
  if(!rc && s.error && mote_wolfssl_refusals() != t->refusals)
    return CURLE_OUT_OF_MEMORY;
  if(rc || !s.error)
    return rc;
  return refuse_chain(t, s.error);
}

static CURLcode check_name_and_pin(struct mote_wolfssl *t, const struct cert *own)
{
  if(!t->head.verify_host || mote_tls_name_matches(own->der, own->len, t->text, t->head.is_ip))
    return mote_tls_check_pinned(&t->head, own->der, own->len);
  t->head.verify_result = V_UNSPECIFIED;
  mote_fail(t->head.stream.env->report,
            "SSL: no alternative certificate subject name matches target host name '%s'", t->text);
  return CURLE_PEER_FAILED_VERIFICATION;
}

/* Called for each certificate, the server's own as the last. */
int mote_wolfssl_verify(int good, WOLFSSL_X509_STORE_CTX *store)
{
  struct mote_wolfssl *t = store->userCtx;
  struct cert own;
  (void)good;
  wc_ecc_fp_free();
  if(store->error_depth > 0)
    return 1;
  if(store->totalCerts < 1) {
    t->rc = refuse_chain(t, ASN_PARSE_E);
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
