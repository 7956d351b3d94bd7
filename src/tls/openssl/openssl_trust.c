/* tls/openssl/openssl_trust.c: the trust index (trust.h) as a lookup method of the TLS library's
 * certificate store.
 *
 * The store asks for certificates by subject only when a chain needs them; what is found stays in the store,
 * as X509_LOOKUP_meth_new(3) wants it, so that the next connection finds it parsed. */
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "base/report.h"
#include "tls/openssl/openssl.h"
#include "tls/x509/trust.h"

static X509_LOOKUP_METHOD *method; /* made once, under the lock of the contexts */

/* Why a lookup of this thread failed (no memory, the bundle cannot be read): "no such certificate", which is
 * all that it can answer, would be the wrong reason. */
static _Thread_local CURLcode lookup_failed;

CURLcode mote_openssl_lookup_failed(void)
{
  CURLcode was = lookup_failed;
  lookup_failed = CURLE_OK;
  return was;
}

/* One lookup. */
struct wanted {
  X509_STORE *store;
  const X509_NAME *name;
  struct mote_tls_ctx *ctx;
};

static void add_if_wanted(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  struct wanted *w = arg;
  const unsigned char *p = der;
  X509 *x = trusted ? d2i_X509_AUX(NULL, &p, (long)len) : d2i_X509(NULL, &p, (long)len);
  if(x && !X509_NAME_cmp(X509_get_subject_name(x), w->name) && X509_STORE_add_cert(w->store, x) == 1)
    atomic_fetch_add(&w->ctx->trusted, 1);
  X509_free(x); /* the store has its own reference */
}

/* The store's certificate of that name. It ups the reference that X509_OBJECT_set1_X509 would leave over. */
static int take_from_store(X509_STORE *store, const X509_NAME *name, X509_OBJECT *ret)
{
  X509_OBJECT *found;
  X509 *x;
  int ok = 0;
  if(!X509_STORE_lock(store))
    return 0;
  found = X509_OBJECT_retrieve_by_subject(X509_STORE_get0_objects(store), X509_LU_X509, name);
  x = found ? X509_OBJECT_get0_X509(found) : NULL;
  if(x && X509_OBJECT_set1_X509(ret, x)) {
    X509_free(x);
    ok = 1;
  }
  X509_STORE_unlock(store);
  return ok;
}

static int by_subject(X509_LOOKUP *lookup, X509_LOOKUP_TYPE type, const X509_NAME *name, X509_OBJECT *ret)
{
  struct wanted w;
  const unsigned char *der;
  size_t len;
  CURLcode rc;
  if(type != X509_LU_X509 || !name)
    return 0;
  w.ctx = X509_LOOKUP_get_method_data(lookup);
  w.store = X509_LOOKUP_get_store(lookup);
  w.name = name;
  if(X509_NAME_get0_der(name, &der, &len) != 1)
    return 0;
  rc = mote_trust_find(w.ctx->trust, der, len, add_if_wanted, &w);
  if(rc) {
    lookup_failed = rc;
    return 0;
  }
  ERR_clear_error(); /* of certificates that could not be parsed */
  return take_from_store(w.store, name, ret);
}

static bool openssl_trust_make_method(void)
{
  X509_LOOKUP_METHOD *m;
  if(method)
    return true;
  m = X509_LOOKUP_meth_new("mote trust index");
  if(m && X509_LOOKUP_meth_set_get_by_subject(m, by_subject)) {
    method = m;
    return true;
  }
  X509_LOOKUP_meth_free(m);
  return false;
}

static CURLcode add_bundle(struct mote_tls_ctx *ctx, X509_STORE *store, const struct mote_tls_config *cfg,
                           struct mote_report *r)
{
  X509_LOOKUP *lookup;
  CURLcode rc;
  if(!cfg->ca_file && !cfg->ca_blob.ptr)
    return CURLE_OK;
  rc = mote_trust_open(&ctx->trust, cfg->ca_file, cfg->ca_blob, cfg->ca_cache_timeout);
  if(rc == CURLE_SSL_CACERT_BADFILE && cfg->ca_blob.ptr)
    mote_fail(r, "error adding trust anchors from certificate blob");
  else if(rc == CURLE_SSL_CACERT_BADFILE)
    mote_fail(r, "error setting certificate file: %s", cfg->ca_file);
  if(rc)
    return rc;
  lookup = openssl_trust_make_method() ? X509_STORE_add_lookup(store, method) : NULL;
  if(!lookup || !X509_LOOKUP_set_method_data(lookup, ctx))
    return CURLE_OUT_OF_MEMORY;
  return CURLE_OK;
}

static CURLcode add_crls(X509_STORE *store, const struct mote_tls_config *cfg, struct mote_report *r)
{
  BIO *bio = BIO_new_file(cfg->crl_file, "r");
  unsigned count = 0;
  X509_CRL *crl;
  while(bio && (crl = PEM_read_bio_X509_CRL(bio, NULL, NULL, NULL)) != NULL) {
    count += X509_STORE_add_crl(store, crl) == 1;
    X509_CRL_free(crl);
  }
  BIO_free(bio);
  ERR_clear_error();
  if(count)
    return CURLE_OK;
  return mote_fail_as(CURLE_SSL_CRL_BADFILE, r, "error loading CRL file: %s", cfg->crl_file);
}

CURLcode mote_openssl_trust(struct mote_tls_ctx *ctx, const struct mote_tls_config *cfg,
                            struct mote_report *r)
{
  X509_STORE *store = SSL_CTX_get_cert_store(ctx->ssl_ctx);
  unsigned long flags = X509_V_FLAG_TRUSTED_FIRST;
  CURLcode rc;
  if(!cfg->verify_peer)
    return CURLE_OK;
  rc = add_bundle(ctx, store, cfg, r);
  if(!rc && cfg->ca_path && !X509_STORE_load_path(store, cfg->ca_path)) {
    mote_fail(r, "error setting certificate path: %s", cfg->ca_path);
    rc = CURLE_SSL_CACERT_BADFILE;
  }
  if(!rc && cfg->crl_file) {
    rc = add_crls(store, cfg, r);
    flags |= X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL;
  }
  else if(!(cfg->options & CURLSSLOPT_NO_PARTIALCHAIN))
    flags |= X509_V_FLAG_PARTIAL_CHAIN;
  if(!rc && !X509_STORE_set_flags(store, flags))
    rc = CURLE_OUT_OF_MEMORY;
  return rc;
}
