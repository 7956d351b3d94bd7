/* tls/openssl/openssl_cert.c: client certificates and keys, and the issuer to check against.
 *
 * Files are read into memory and parsed like blobs, so that there is one way for both. No passphrase is asked
 * for: the callback gives the configured one, or an empty one, which fails. */
#include <limits.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <string.h>

#include "base/report.h"
#include "tls/config.h"
#include "tls/openssl/openssl.h"

enum format {
  FORMAT_PEM,
  FORMAT_DER,
  FORMAT_P12,
  FORMAT_OTHER
};

/* An empty text is the default, as in libcurl. */
static enum format format_of(const char *type)
{
  if(!type || !type[0] || mote_equal_nocase(type, "PEM"))
    return FORMAT_PEM;
  if(mote_equal_nocase(type, "DER"))
    return FORMAT_DER;
  return mote_equal_nocase(type, "P12") ? FORMAT_P12 : FORMAT_OTHER;
}

static void refuse_type(struct mote_report *r, const char *type, const char *what)
{
  if(mote_equal_nocase(type, "ENG"))
    mote_fail(r, "crypto engine not set, can't load %s", what);
  else
    mote_fail(r, "not supported file type '%s' for %s", type, what);
}

/* What to call it in a text. */
static const char *openssl_cert_name_of(struct mote_slice blob, const char *file)
{
  return blob.ptr ? "(memory blob)" : file ? file : "(no file)";
}

static int openssl_cert_give_password(char *buf, int cap, int writing, void *arg)
{
  const char *password = arg;
  size_t len = password ? strlen(password) : 0;
  (void)writing;
  if(len > (size_t)cap)
    return -1;
  if(len)
    memcpy(buf, password, len);
  return (int)len;
}

static BIO *bio_of(const struct mote_tls_blob *b)
{
  return b->len > INT_MAX ? NULL : BIO_new_mem_buf(b->ptr, (int)b->len);
}

/* A PEM file ends where no further block begins; any other error is one. */
static bool ended_well(void)
{
  unsigned long e = ERR_peek_last_error();
  bool ok = ERR_GET_LIB(e) == ERR_LIB_PEM && ERR_GET_REASON(e) == PEM_R_NO_START_LINE;
  if(ok)
    ERR_clear_error();
  return ok;
}

/* The certificate, then those that lead to its root. */
static bool use_pem_chain(SSL_CTX *c, BIO *bio, void *password)
{
  X509 *x = PEM_read_bio_X509_AUX(bio, NULL, openssl_cert_give_password, password);
  bool ok = x && SSL_CTX_use_certificate(c, x) == 1;
  X509_free(x);
  if(ok)
    SSL_CTX_clear_chain_certs(c);
  while(ok) {
    x = PEM_read_bio_X509(bio, NULL, openssl_cert_give_password, password);
    if(!x)
      return ended_well();
    ok = SSL_CTX_add0_chain_cert(c, x) == 1;
    if(!ok)
      X509_free(x);
  }
  return false;
}

static bool use_der_cert(SSL_CTX *c, BIO *bio)
{
  X509 *x = d2i_X509_bio(bio, NULL);
  bool ok = x && SSL_CTX_use_certificate(c, x) == 1;
  X509_free(x);
  return ok;
}

static bool openssl_cert_use_key(SSL_CTX *c, BIO *bio, enum format format, void *password)
{
  EVP_PKEY *key = format == FORMAT_DER ? d2i_PrivateKey_bio(bio, NULL) :
                  PEM_read_bio_PrivateKey(bio, NULL, openssl_cert_give_password, password);
  bool ok = key && SSL_CTX_use_PrivateKey(c, key) == 1;
  EVP_PKEY_free(key);
  return ok;
}

/* Certificate, key and chain in one. */
static CURLcode use_p12(SSL_CTX *c, BIO *bio, const char *password, const char *name, struct mote_report *r)
{
  PKCS12 *p12 = d2i_PKCS12_bio(bio, NULL);
  STACK_OF(X509) *chain = NULL;
  EVP_PKEY *key = NULL;
  X509 *x = NULL;
  CURLcode rc = CURLE_SSL_CERTPROBLEM;
  char text[MOTE_OPENSSL_ERROR];
  if(!p12)
    mote_fail(r, "error reading PKCS12 file '%s'", name);
  else if(!PKCS12_parse(p12, password, &key, &x, &chain))
    mote_fail(r, "could not parse PKCS12 file, check password, OpenSSL error %s", mote_openssl_error(text));
  else if(!x || !key || SSL_CTX_use_cert_and_key(c, x, key, chain, 1) != 1)
    mote_fail(r, "could not load PKCS12 client certificate, OpenSSL error %s", mote_openssl_error(text));
  else
    rc = CURLE_OK;
  sk_X509_pop_free(chain, X509_free);
  EVP_PKEY_free(key);
  X509_free(x);
  PKCS12_free(p12);
  return rc;
}

static CURLcode load_cert(SSL_CTX *c, const struct mote_tls_config *cfg, enum format format,
                          struct mote_report *r)
{
  const char *name = openssl_cert_name_of(cfg->cert_blob, cfg->cert_file);
  void *password = (void *)(uintptr_t)cfg->key_password;
  struct mote_tls_blob b;
  char text[MOTE_OPENSSL_ERROR];
  BIO *bio;
  CURLcode rc = mote_tls_blob_load(&b, cfg->cert_blob, cfg->cert_file);
  if(rc == CURLE_OUT_OF_MEMORY)
    return rc;
  if(rc)
    return mote_fail_as(CURLE_SSL_CERTPROBLEM, r,
                        "could not load client certificate from %s, the file cannot be read", name);
  bio = bio_of(&b);
  if(!bio)
    rc = CURLE_OUT_OF_MEMORY;
  else if(format == FORMAT_P12)
    rc = use_p12(c, bio, cfg->key_password, name, r);
  else if(format == FORMAT_DER ? !use_der_cert(c, bio) : !use_pem_chain(c, bio, password)) {
    mote_fail(r, "could not load %s client certificate from %s, OpenSSL error %s, (no key found, wrong pass "
              "phrase, or wrong file format?)", format == FORMAT_DER ? "DER" : "PEM", name,
              mote_openssl_error(text));
    rc = CURLE_SSL_CERTPROBLEM;
  }
  BIO_free(bio);
  mote_tls_blob_free(&b);
  return rc;
}

/* Without a key of its own the certificate's file has it. */
static CURLcode openssl_cert_load_key(SSL_CTX *c, const struct mote_tls_config *cfg, struct mote_report *r)
{
  bool separate = cfg->key_blob.ptr || cfg->key_file;
  struct mote_slice blob = separate ? cfg->key_blob : cfg->cert_blob;
  const char *file = separate ? cfg->key_file : cfg->cert_file;
  const char *type = cfg->key_type ? cfg->key_type : "PEM";
  enum format format = format_of(type);
  struct mote_tls_blob b;
  BIO *bio;
  CURLcode rc;
  if(format != FORMAT_PEM && format != FORMAT_DER) {
    refuse_type(r, type, "private key");
    return CURLE_SSL_CERTPROBLEM;
  }
  rc = mote_tls_blob_load(&b, blob, file);
  if(rc == CURLE_OUT_OF_MEMORY)
    return rc;
  bio = rc ? NULL : bio_of(&b);
  rc = CURLE_OK;
  if(!bio || !openssl_cert_use_key(c, bio, format, (void *)(uintptr_t)cfg->key_password)) {
    mote_fail(r, "unable to set private key file: '%s' type %s", openssl_cert_name_of(blob, file), type);
    rc = CURLE_SSL_CERTPROBLEM;
  }
  BIO_free(bio);
  mote_tls_blob_free(&b);
  return rc;
}

CURLcode mote_openssl_client_cert(SSL_CTX *c, const struct mote_tls_config *cfg, struct mote_report *r)
{
  enum format format = format_of(cfg->cert_type);
  CURLcode rc;
  if(!cfg->cert_file && !cfg->cert_blob.ptr)
    return CURLE_OK;
  if(format == FORMAT_OTHER) {
    refuse_type(r, cfg->cert_type, "certificate");
    return CURLE_SSL_CERTPROBLEM;
  }
  rc = load_cert(c, cfg, format, r);
  if(!rc && format != FORMAT_P12)
    rc = openssl_cert_load_key(c, cfg, r);
  if(!rc && SSL_CTX_check_private_key(c) != 1) {
    mote_fail(r, "Private key does not match the certificate public key");
    rc = CURLE_SSL_CERTPROBLEM;
  }
  ERR_clear_error();
  return rc;
}

CURLcode mote_openssl_issuer(X509 **out, const struct mote_tls_config *cfg, struct mote_report *r)
{
  const char *name = openssl_cert_name_of(cfg->issuer_blob, cfg->issuer_file);
  struct mote_tls_blob b;
  BIO *bio;
  CURLcode rc;
  *out = NULL;
  if(!cfg->issuer_file && !cfg->issuer_blob.ptr)
    return CURLE_OK;
  rc = mote_tls_blob_load(&b, cfg->issuer_blob, cfg->issuer_file);
  if(rc == CURLE_OUT_OF_MEMORY)
    return rc;
  bio = rc ? NULL : bio_of(&b);
  rc = CURLE_OK;
  if(bio)
    *out = PEM_read_bio_X509(bio, NULL, openssl_cert_give_password, NULL);
  if(!*out) {
    mote_fail(r, "SSL: Unable to read issuer cert (%s)", name);
    rc = CURLE_SSL_ISSUER_ERROR;
  }
  BIO_free(bio);
  mote_tls_blob_free(&b);
  ERR_clear_error();
  return rc;
}
