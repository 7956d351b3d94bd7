/* tls/common/common_keys.c: pinned keys and client certificates, for libraries that bring no trust store
 * (part tls_keys). */
#include "base/report.h"
#include "base/text.h"
#include "tls/backend.h"
#include "tls/common/common.h"
#include "tls/config.h"
#include "tls/tls.h"
#include "tls/x509/der.h"
#include "tls/x509/pin.h"

CURLcode mote_tls_check_pinned(const struct mote_tls_head *t, const uint8_t *cert, size_t len)
{
  const char *pinned = mote_tls_text_after(mote_tls_host(t));
  struct mote_der spki;
  if(!pinned[0])
    return CURLE_OK;
  if(cert && mote_der_spki(cert, len, &spki))
    return mote_tls_pin_check(pinned, spki.whole, spki.whole_len, t->stream.env->report);
  return mote_fail_as(CURLE_SSL_PINNEDPUBKEYNOTMATCH, t->stream.env->report,
                      "SSL: couldn't get peer certificate");
}

/* ---- client certificates ---- */

struct source {
  struct mote_slice blob;
  const char *file;
  bool der;
};

static const char *common_keys_name_of(const struct source *s)
{
  return s->blob.ptr ? "(memory blob)" : s->file ? s->file : "(no file)";
}

/* Only PEM and DER are supported; another type is reported. An empty text is PEM, as in libcurl. */
static bool take_type(struct source *s, struct mote_report *r, const char *type, const char *what,
                      const char *library)
{
  s->der = type && mote_equal_nocase(type, "DER");
  if(!type || !type[0] || s->der || mote_equal_nocase(type, "PEM"))
    return true;
  mote_fail(r, "not supported file type '%s' for %s with %s", type, what, library);
  return false;
}

static CURLcode common_keys_load_chain(struct mote_tls_head *t, const struct source *s,
                                       const struct mote_tls_client *lib)
{
  struct mote_tls_blob b;
  CURLcode rc = mote_tls_blob_load(&b, s->blob, s->file);
  if(!rc)
    rc = lib->chain(t, &b, s->der);
  mote_tls_blob_free(&b);
  if(!rc || rc == CURLE_OUT_OF_MEMORY)
    return rc;
  return mote_fail_as(CURLE_SSL_CERTPROBLEM, t->stream.env->report,
                      "could not load client certificate from %s", common_keys_name_of(s));
}

static CURLcode common_keys_load_key(struct mote_tls_head *t, const struct source *s,
                                     const struct mote_tls_client *lib,
                                     const char *password)
{
  struct mote_tls_blob b;
  CURLcode rc = mote_tls_blob_load(&b, s->blob, s->file);
  if(!rc)
    rc = lib->key(t, &b, s->der, password);
  mote_tls_blob_free(&b);
  if(!rc || rc == CURLE_OUT_OF_MEMORY)
    return rc;
  return mote_fail_as(CURLE_SSL_CERTPROBLEM, t->stream.env->report,
                      "unable to set private key file: '%s' (%s)", common_keys_name_of(s), lib->keys);
}

CURLcode mote_tls_client_cert(struct mote_tls_head *t, const struct mote_tls_config *cfg,
                              const struct mote_tls_client *lib)
{
  struct mote_report *r = t->stream.env->report;
  bool separate = cfg->key_blob.ptr || cfg->key_file;
  struct source cert = {cfg->cert_blob, cfg->cert_file, false};
  struct source key = cert; /* without one of its own the certificate's file has it */
  CURLcode rc;
  if(separate) {
    key.blob = cfg->key_blob;
    key.file = cfg->key_file;
  }
  if(!take_type(&cert, r, cfg->cert_type, "certificate", lib->name) ||
     !take_type(&key, r, cfg->key_type, "private key", lib->name))
    return CURLE_SSL_CERTPROBLEM;
  t->client_cert = true;
  rc = common_keys_load_chain(t, &cert, lib);
  if(!rc)
    rc = common_keys_load_key(t, &key, lib, cfg->key_password);
  if(rc)
    return rc;
  rc = lib->use(t);
  if(rc == CURLE_SSL_CERTPROBLEM)
    mote_fail(r, "Private key does not match the certificate public key");
  return rc;
}
