/* tls/wolfssl_client.c: client certificates: PEM or DER; keys of PEM may be encrypted. */
#include <string.h>

#include "base/report.h"
#include "tls/blob.h"
#include "tls/der.h"
#include "tls/wolfssl.h"

#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/ecc.h>

#define POINT_MAX 140 /* bytes of a public EC key: P-521 */

static const char *name_of(struct mote_slice blob, const char *file)
{
  return blob.ptr ? "(memory blob)" : file ? file : "(no file)";
}

/* PEM, or DER; else told. */
static bool type_of(struct mote_report *r, const char *type, const char *what, int *out)
{
  *out = type && mote_equal_nocase(type, "DER") ? WOLFSSL_FILETYPE_ASN1 : WOLFSSL_FILETYPE_PEM;
  if(!type || *out == WOLFSSL_FILETYPE_ASN1 || mote_equal_nocase(type, "PEM"))
    return true;
  mote_fail(r, "not supported file type '%s' for %s with wolfSSL", type, what);
  return false;
}

static int password(char *buf, int cap, int writing, void *arg)
{
  const char *text = arg;
  size_t len = text ? strlen(text) : 0;
  (void)writing;
  if(len > (size_t)cap)
    return 0;
  memcpy(buf, text ? text : "", len);
  return (int)len;
}

static CURLcode load_chain(struct mote_wolfssl *t, const struct mote_tls_config *cfg, int type)
{
  struct mote_tls_blob b;
  CURLcode rc = mote_tls_blob_load(&b, cfg->cert_blob, cfg->cert_file);
  if(rc)
    return rc;
  if(wolfSSL_CTX_use_certificate_chain_buffer_format(t->ctx, (const unsigned char *)b.ptr, (long)b.len,
                                                     type) != WOLFSSL_SUCCESS)
    rc = CURLE_SSL_CERTPROBLEM;
  mote_tls_blob_free(&b);
  return rc;
}

/* Without a key of its own the certificate's file has it. */
static CURLcode load_key(struct mote_wolfssl *t, const struct mote_tls_config *cfg, int type)
{
  bool separate = cfg->key_blob.ptr || cfg->key_file;
  struct mote_tls_blob b;
  CURLcode rc = mote_tls_blob_load(&b, separate ? cfg->key_blob : cfg->cert_blob,
                                   separate ? cfg->key_file : cfg->cert_file);
  if(rc)
    return rc;
  wolfSSL_CTX_set_default_passwd_cb(t->ctx, password);
  wolfSSL_CTX_set_default_passwd_cb_userdata(t->ctx, (void *)(uintptr_t)cfg->key_password);
  if(wolfSSL_CTX_use_PrivateKey_buffer(t->ctx, (const unsigned char *)b.ptr, (long)b.len, type) !=
     WOLFSSL_SUCCESS)
    rc = CURLE_SSL_CERTPROBLEM;
  wolfSSL_CTX_set_default_passwd_cb_userdata(t->ctx, NULL);
  mote_tls_blob_free(&b);
  return rc;
}

/* Is the EC key of this DER that of the certificate? True for what is no EC key. */
static bool ec_fits(const uint8_t *key_der, unsigned len, const uint8_t *cert, size_t cert_len)
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
  fits = cert && ec_fits(key_der, (unsigned)len, cert, (size_t)cert_len);
  mote_tls_wipe(key_der, (size_t)len);
  wolfSSL_Free(key_der);
  return fits;
}

static CURLcode told(const struct mote_wolfssl *t, CURLcode rc, unsigned refusals, const char *what,
                     const char *where)
{
  if(rc == CURLE_OUT_OF_MEMORY || mote_wolfssl_refusals() != refusals)
    return CURLE_OUT_OF_MEMORY;
  mote_fail(t->head.stream.env->report, "%s%s", what, where);
  return CURLE_SSL_CERTPROBLEM;
}

CURLcode mote_wolfssl_client_cert(struct mote_wolfssl *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->head.stream.env->report;
  bool separate = cfg->key_blob.ptr || cfg->key_file;
  unsigned refusals = mote_wolfssl_refusals();
  int cert_type;
  int key_type;
  CURLcode rc;
  if(!cfg->cert_file && !cfg->cert_blob.ptr)
    return CURLE_OK;
  if(!type_of(r, cfg->cert_type, "certificate", &cert_type) ||
     !type_of(r, cfg->key_type, "private key", &key_type))
    return CURLE_SSL_CERTPROBLEM;
  t->head.client_cert = true;
  rc = load_chain(t, cfg, cert_type);
  if(rc)
    return told(t, rc, refusals, "could not load client certificate from ",
                name_of(cfg->cert_blob, cfg->cert_file));
  rc = load_key(t, cfg, key_type);
  if(rc)
    return told(t, rc, refusals, "unable to set private key file: ",
                separate ? name_of(cfg->key_blob, cfg->key_file) : name_of(cfg->cert_blob, cfg->cert_file));
  if(!key_fits(t))
    return told(t, CURLE_SSL_CERTPROBLEM, refusals, "Private key does not match the certificate public key",
                "");
  return CURLE_OK;
}
