/* tls/mbedtls_client.c: client certificates: PEM or DER, keys RSA or EC, encrypted ones too. They go with the
 * handshake. */
#include <mbedtls/pk.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/text.h"
#include "tls/blob.h"
#include "tls/mbedtls.h"

struct mote_mbedtls_client {
  mbedtls_x509_crt chain;
  mbedtls_pk_context key;
};

/* What is read of a file or blob: with a NUL behind it, which the library wants of PEM. */
struct text {
  unsigned char *ptr;
  size_t len; /* of what the library is to see */
  size_t size;
};

static const char *name_of(struct mote_slice blob, const char *file)
{
  return blob.ptr ? "(memory blob)" : file ? file : "(no file)";
}

void mote_mbedtls_client_free(struct mote_mbedtls *t)
{
  struct mote_mbedtls_client *c = t->client;
  if(!c)
    return;
  mbedtls_x509_crt_free(&c->chain);
  mbedtls_pk_free(&c->key);
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, c, sizeof *c);
  t->client = NULL;
}

static CURLcode load(struct mote_mbedtls *t, struct text *x, struct mote_slice blob, const char *file,
                     bool der)
{
  struct mote_tls_blob b;
  CURLcode rc = mote_tls_blob_load(&b, blob, file);
  if(rc)
    return rc;
  x->size = b.len + 1;
  x->len = der ? b.len : x->size;
  x->ptr = mote_mem_alloc(t->head.stream.env->account, MOTE_PART_TLS, x->size);
  if(x->ptr) {
    memcpy(x->ptr, b.ptr, b.len);
    x->ptr[b.len] = 0;
  }
  mote_tls_blob_free(&b);
  return x->ptr ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static void unload(struct mote_mbedtls *t, struct text *x)
{
  mote_tls_wipe(x->ptr, x->size);
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, x->ptr, x->size);
}

static CURLcode code_of(int ret)
{
  return mote_mbedtls_no_memory(ret) ? CURLE_OUT_OF_MEMORY : ret < 0 ? CURLE_SSL_CERTPROBLEM : CURLE_OK;
}

/* The certificate, then those that lead to its root. */
static CURLcode load_chain(struct mote_mbedtls *t, const struct mote_tls_config *cfg, bool der)
{
  struct text x;
  int ret;
  CURLcode rc = load(t, &x, cfg->cert_blob, cfg->cert_file, der);
  if(rc)
    return rc;
  if(der)
    ret = mbedtls_x509_crt_parse_der(&t->client->chain, x.ptr, x.len);
  else
    ret = mbedtls_x509_crt_parse(&t->client->chain, x.ptr, x.len);
  unload(t, &x);
  return code_of(ret);
}

/* Without a key of its own the certificate's file has it. */
static CURLcode load_key(struct mote_mbedtls *t, const struct mote_tls_config *cfg, bool der)
{
  bool separate = cfg->key_blob.ptr || cfg->key_file;
  const char *password = cfg->key_password;
  struct text x;
  int ret;
  CURLcode rc = load(t, &x, separate ? cfg->key_blob : cfg->cert_blob,
                     separate ? cfg->key_file : cfg->cert_file, der);
  if(rc)
    return rc;
  ret = mbedtls_pk_parse_key(&t->client->key, x.ptr, x.len, (const unsigned char *)password,
                             password ? strlen(password) : 0);
  unload(t, &x);
  return code_of(ret);
}

/* The key and the certificate belong together, and both are put to use. */
static CURLcode use(struct mote_mbedtls *t)
{
  struct mote_mbedtls_client *c = t->client;
  CURLcode rc = code_of(mbedtls_pk_check_pair(&c->chain.pk, &c->key));
  return rc ? rc : code_of(mbedtls_ssl_conf_own_cert(&t->conf, &c->chain, &c->key));
}

/* PEM, or DER; else told. */
static bool type_is_der(struct mote_report *r, const char *type, const char *what, bool *der)
{
  *der = type && mote_equal_nocase(type, "DER");
  if(!type || *der || mote_equal_nocase(type, "PEM"))
    return true;
  mote_fail(r, "not supported file type '%s' for %s with mbedTLS", type, what);
  return false;
}

static CURLcode load_both(struct mote_mbedtls *t, const struct mote_tls_config *cfg, bool cert_der,
                          bool key_der)
{
  struct mote_report *r = t->head.stream.env->report;
  bool separate = cfg->key_blob.ptr || cfg->key_file;
  CURLcode rc = load_chain(t, cfg, cert_der);
  if(rc == CURLE_OUT_OF_MEMORY)
    return rc;
  if(rc) {
    mote_fail(r, "could not load client certificate from %s", name_of(cfg->cert_blob, cfg->cert_file));
    return CURLE_SSL_CERTPROBLEM;
  }
  rc = load_key(t, cfg, key_der);
  if(rc == CURLE_OUT_OF_MEMORY)
    return rc;
  if(rc) {
    mote_fail(r, "unable to set private key file: '%s' (missing, malformed, or CURLOPT_KEYPASSWD is wrong)",
              separate ? name_of(cfg->key_blob, cfg->key_file) : name_of(cfg->cert_blob, cfg->cert_file));
    return CURLE_SSL_CERTPROBLEM;
  }
  rc = use(t);
  if(rc == CURLE_SSL_CERTPROBLEM)
    mote_fail(r, "Private key does not match the certificate public key");
  return rc;
}

CURLcode mote_mbedtls_client_cert(struct mote_mbedtls *t, const struct mote_tls_config *cfg)
{
  struct mote_report *r = t->head.stream.env->report;
  bool cert_der;
  bool key_der;
  if(!cfg->cert_file && !cfg->cert_blob.ptr)
    return CURLE_OK;
  if(!type_is_der(r, cfg->cert_type, "certificate", &cert_der) ||
     !type_is_der(r, cfg->key_type, "private key", &key_der))
    return CURLE_SSL_CERTPROBLEM;
  t->client = mote_mem_zalloc(t->head.stream.env->account, MOTE_PART_TLS, sizeof *t->client);
  if(!t->client)
    return CURLE_OUT_OF_MEMORY;
  mbedtls_x509_crt_init(&t->client->chain);
  mbedtls_pk_init(&t->client->key);
  t->head.client_cert = true;
  return load_both(t, cfg, cert_der, key_der);
}
