/* tls/wolfssl/wolfssl_setup.c: a context as the options say, and the client certificate: PEM or DER; keys
 * of PEM may be encrypted. */
#include <string.h>

#include "base/buf.h"
#include "base/report.h"
#include "base/text/format.h"
#include "base/wipe.h"
#include "tls/common/common.h"
#include "tls/config.h"
#include "tls/wolfssl/wolfssl.h"
#include "tls/x509/der.h"

#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/ecc.h>

#define POINT_MAX 140 /* bytes of a public EC key: P-521 */

#define CIPHERS_MAX 8192u /* bytes of the lists of ciphers for both versions */

#define CIPHERS_13 "TLS13-AES128-GCM-SHA256:TLS13-AES256-GCM-SHA384:TLS13-CHACHA20-POLY1305-SHA256"
#define CIPHERS_12                                                                           \
  "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:" \
  "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"

/* As with OpenSSL's defaults: no SHA-1, no SHA-224. */
#ifdef HAVE_ED25519
#define SCHEMES_ED25519 "ED25519:"
#else
#define SCHEMES_ED25519
#endif
#ifdef HAVE_ED448
#define SCHEMES_ED448 "ED448:"
#else
#define SCHEMES_ED448
#endif
#ifdef WC_RSA_PSS
#define SCHEMES_PSS "RSA-PSS+SHA256:RSA-PSS+SHA384:RSA-PSS+SHA512:"
#else
#define SCHEMES_PSS
#endif
#define SCHEMES                                                                        \
  "ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:" SCHEMES_ED25519 SCHEMES_ED448 SCHEMES_PSS \
  "RSA+SHA256:RSA+SHA384:RSA+SHA512"

#define DH_LEAST 2048 /* bits, with a suite of the application's list */

/* Finds the method for those of the versions 1.2 and 1.3 that are wanted. */
static CURLcode method_for(WOLFSSL_METHOD **out, struct mote_report *r, long version)
{
  long min = version & 0xffff;
  long max = (version >> 16) & 0xffff;
  CURLcode rc = mote_tls_check_version(r, version);
  *out = NULL;
  if(rc)
    return rc;
  if(max > CURL_SSLVERSION_TLSv1 && max < (min > CURL_SSLVERSION_TLSv1_2 ? min : CURL_SSLVERSION_TLSv1_2))
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, r,
                        "Mote speaks TLS 1.2 and 1.3 with wolfSSL, CURLOPT_SSLVERSION excludes both");
  *out = min == CURL_SSLVERSION_TLSv1_3 ? wolfTLSv1_3_client_method() :
         max == CURL_SSLVERSION_TLSv1_2 ? wolfTLSv1_2_client_method() : wolfSSLv23_client_method();
  return *out ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static CURLcode refuse_list(const struct mote_wolfssl *t, const char *list)
{
  return mote_fail_as(CURLE_SSL_CIPHER, t->head.stream.env->report,
                      "failed setting the list of ciphers, curves or signature algorithms: %s", list);
}

static bool has_cipher(const struct mote_wolfssl *t, const char *list)
{
  return !list || wolfSSL_CTX_set_cipher_list(t->ctx, list) == WOLFSSL_SUCCESS;
}

/* Both versions' suites are one list in wolfSSL, and each list replaces all of the one before; a list for one
 * version leaves the other version its suites. */
static CURLcode set_ciphers(const struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  struct mote_buf both;
  CURLcode rc;
  if(!has_cipher(t, cfg->ciphers))
    return refuse_list(t, cfg->ciphers);
  if(!has_cipher(t, cfg->ciphers13))
    return refuse_list(t, cfg->ciphers13);
  mote_buf_init(&both, t->head.stream.env->account, MOTE_PART_TLS, CIPHERS_MAX);
  rc = mote_buf_addf(&both, "%s:%s", cfg->ciphers13 ? cfg->ciphers13 : CIPHERS_13,
                     cfg->ciphers ? cfg->ciphers : CIPHERS_12);
  if(!rc && !has_cipher(t, both.ptr))
    rc = CURLE_OUT_OF_MEMORY; /* it took each by itself */
  mote_buf_close(&both);
  return rc;
}

/* wolfSSL takes groups that it was built without, and would offer them. */
static const struct {
  word16 group;
  int curve; /* by which wolfCrypt says whether it has it; X25519 is none of these */
} default_groups[] = {
#ifdef HAVE_CURVE25519
  {WOLFSSL_ECC_X25519, ECC_SECP256R1},
#endif
  {WOLFSSL_ECC_SECP256R1, ECC_SECP256R1},
  {WOLFSSL_ECC_SECP384R1, ECC_SECP384R1},
  {WOLFSSL_ECC_SECP521R1, ECC_SECP521R1},
};

static CURLcode set_default_groups(const struct mote_wolfssl *t)
{
  size_t i;
  for(i = 0; i < sizeof default_groups / sizeof *default_groups; i++)
    if(wc_ecc_get_curve_idx(default_groups[i].curve) >= 0 &&
       wolfSSL_CTX_UseSupportedCurve(t->ctx, default_groups[i].group) != WOLFSSL_SUCCESS)
      return CURLE_OUT_OF_MEMORY;
  return CURLE_OK;
}

static CURLcode set_groups(const struct mote_wolfssl *t, const char *curves)
{
  if(!curves)
    return set_default_groups(t);
  return wolfSSL_CTX_set1_groups_list(t->ctx, (char *)(uintptr_t)curves) == WOLFSSL_SUCCESS ?
         CURLE_OK : refuse_list(t, curves);
}

#ifdef NO_DH
static bool set_least_dh(WOLFSSL_CTX *ctx)
{
  (void)ctx;
  return true;
}
#else
static bool set_least_dh(WOLFSSL_CTX *ctx)
{
  return wolfSSL_CTX_SetMinDhKey_Sz(ctx, DH_LEAST) == WOLFSSL_SUCCESS;
}
#endif

/* Each list is set, whether the application gave one or not: wolfSSL's own have suites without encryption,
 * SHA-1 and small groups in them. */
static CURLcode set_lists(const struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  const char *schemes = cfg->sigalgs ? cfg->sigalgs : SCHEMES;
  CURLcode rc = set_ciphers(t, cfg);
  if(!rc)
    rc = set_groups(t, cfg->curves);
  if(rc)
    return rc;
  if(wolfSSL_CTX_set1_sigalgs_list(t->ctx, schemes) != WOLFSSL_SUCCESS)
    return refuse_list(t, schemes);
  return set_least_dh(t->ctx) ? CURLE_OK : CURLE_SSL_CONNECT_ERROR;
}

CURLcode mote_wolfssl_context(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->head.stream.env->report;
  WOLFSSL_METHOD *method;
  CURLcode rc = mote_tls_check_lacking(r, cfg, "wolfSSL");
  if(!rc)
    rc = method_for(&method, r, cfg->version);
  if(rc)
    return rc;
  t->ctx = wolfSSL_CTX_new(method);
  if(!t->ctx)
    return CURLE_OUT_OF_MEMORY;
  if(wolfSSL_CTX_SetMinVersion(t->ctx, WOLFSSL_TLSV1_2) != WOLFSSL_SUCCESS ||
     wolfSSL_CTX_SetDevId(t->ctx, MOTE_WOLFSSL_DEVICE) != WOLFSSL_SUCCESS)
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, r, "wolfSSL refuses TLS 1.2");
  wolfSSL_CTX_SetIORecv(t->ctx, mote_wolfssl_recv);
  wolfSSL_CTX_SetIOSend(t->ctx, mote_wolfssl_send);
  wolfSSL_CTX_set_verify(t->ctx, WOLFSSL_VERIFY_PEER, mote_wolfssl_verify);
  (void)wolfSSL_CTX_set_session_cache_mode(t->ctx, WOLFSSL_SESS_CACHE_NO_INTERNAL);
  return set_lists(t, cfg);
}

/* ---- client certificates ---- */

static int wolfssl_setup_type_of(bool der)
{
  return der ? WOLFSSL_FILETYPE_ASN1 : WOLFSSL_FILETYPE_PEM;
}

/* Why wolfSSL refused: an allocation failed, or the certificate or key is not acceptable. */
static CURLcode wolfssl_setup_why(unsigned refusals)
{
  return mote_wolfssl_refusals() != refusals ? CURLE_OUT_OF_MEMORY : CURLE_SSL_CERTPROBLEM;
}

static int wolfssl_setup_give_password(char *buf, int cap, int writing, void *arg)
{
  const char *text = arg;
  size_t len = text ? strlen(text) : 0;
  (void)writing;
  if(len > (size_t)cap)
    return 0;
  memcpy(buf, text ? text : "", len);
  return (int)len;
}

static CURLcode wolfssl_setup_load_chain(struct mote_tls_head *head, const struct mote_tls_blob *b, bool der)
{
  WOLFSSL_CTX *ctx = mote_wolfssl_of(&head->stream)->ctx;
  unsigned refusals = mote_wolfssl_refusals();
  if(wolfSSL_CTX_use_certificate_chain_buffer_format(ctx, (const unsigned char *)b->ptr, (long)b->len,
                                                     wolfssl_setup_type_of(der)) == WOLFSSL_SUCCESS)
    return CURLE_OK;
  return wolfssl_setup_why(refusals);
}

static CURLcode wolfssl_setup_load_key(struct mote_tls_head *head, const struct mote_tls_blob *b, bool der,
                                       const char *password)
{
  WOLFSSL_CTX *ctx = mote_wolfssl_of(&head->stream)->ctx;
  unsigned refusals = mote_wolfssl_refusals();
  int ret;
  wolfSSL_CTX_set_default_passwd_cb(ctx, wolfssl_setup_give_password);
  wolfSSL_CTX_set_default_passwd_cb_userdata(ctx, (void *)(uintptr_t)password);
  ret = wolfSSL_CTX_use_PrivateKey_buffer(ctx, (const unsigned char *)b->ptr, (long)b->len,
                                          wolfssl_setup_type_of(der));
  wolfSSL_CTX_set_default_passwd_cb_userdata(ctx, NULL);
  return ret == WOLFSSL_SUCCESS ? CURLE_OK : wolfssl_setup_why(refusals);
}

/* Is the EC key of this DER that of the certificate? True for what is no EC key. */
static bool wolfssl_setup_ec_fits(const uint8_t *key_der, unsigned len, const uint8_t *cert, size_t cert_len)
{
  uint8_t point[POINT_MAX];
  word32 point_len = sizeof point;
  word32 at = 0;
  struct mote_der spki;
  ecc_key key;
  bool fits = true;
  if(wc_ecc_init(&key))
    return false;
  if(!wc_EccPrivateKeyDecode(key_der, &at, &key, len))
    fits = !wc_ecc_make_pub(&key, NULL) && !wc_ecc_export_x963(&key, point, &point_len) &&
           mote_der_spki(cert, cert_len, &spki) && spki.whole_len > point_len &&
           !memcmp(spki.whole + spki.whole_len - point_len, point, point_len);
  wc_ecc_free(&key);
  return fits;
}

/* wolfSSL 5.5 compares RSA keys, and of EC keys only that both are some. */
static bool key_fits(const struct mote_wolfssl *t)
{
  WOLFSSL_X509 *x = wolfSSL_CTX_get0_certificate(t->ctx);
  WOLFSSL_EVP_PKEY *key = wolfSSL_CTX_get0_privatekey(t->ctx);
  unsigned char *key_der = NULL;
  const unsigned char *cert;
  int cert_len = 0;
  int len;
  bool fits;
  if(wolfSSL_CTX_check_private_key(t->ctx) != WOLFSSL_SUCCESS || !x || !key)
    return false;
  len = wolfSSL_i2d_PrivateKey(key, &key_der);
  if(len <= 0)
    return false;
  cert = wolfSSL_X509_get_der(x, &cert_len);
  fits = cert && wolfssl_setup_ec_fits(key_der, (unsigned)len, cert, (size_t)cert_len);
  mote_wipe(key_der, (size_t)len);
  wolfSSL_Free(key_der);
  return fits;
}

static CURLcode wolfssl_setup_use(struct mote_tls_head *head)
{
  unsigned refusals = mote_wolfssl_refusals();
  return key_fits(mote_wolfssl_of(&head->stream)) ? CURLE_OK : wolfssl_setup_why(refusals);
}

CURLcode mote_wolfssl_client_cert(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  static const struct mote_tls_client lib = {
    .name = "wolfSSL",
    .keys = "missing, malformed, or CURLOPT_KEYPASSWD is wrong",
    .chain = wolfssl_setup_load_chain,
    .key = wolfssl_setup_load_key,
    .use = wolfssl_setup_use,
  };
  return cfg->cert_file || cfg->cert_blob.ptr ? mote_tls_client_cert(&t->head, cfg, &lib) : CURLE_OK;
}
