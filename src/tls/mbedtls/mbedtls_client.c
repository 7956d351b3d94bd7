/* tls/mbedtls/mbedtls_client.c: client certificates, PEM or DER, with keys of RSA or EC, encrypted ones
 * too. They are freed after the handshake. */
#include <mbedtls/pk.h>
#include <string.h>

#include "base/memory.h"
#include "tls/config.h"
#include "tls/common/common.h"
#include "tls/mbedtls/mbedtls.h"

struct mote_mbedtls_client {
  mbedtls_x509_crt chain;
  mbedtls_pk_context key;
};

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

static CURLcode mbedtls_client_code_of(int ret)
{
  return mote_mbedtls_no_memory(ret) ? CURLE_OUT_OF_MEMORY : ret < 0 ? CURLE_SSL_CERTPROBLEM : CURLE_OK;
}

/* Copies the bytes and adds a NUL, which the library needs after PEM. NULL: out of memory. */
static unsigned char *as_text(struct mote_tls_head *t, const struct mote_tls_blob *b)
{
  unsigned char *p = mote_mem_alloc(t->stream.env->account, MOTE_PART_TLS, b->len + 1);
  if(!p)
    return NULL;
  memcpy(p, b->ptr, b->len);
  p[b->len] = 0;
  return p;
}

static void drop_text(struct mote_tls_head *t, unsigned char *p, size_t len)
{
  mote_mem_free(t->stream.env->account, MOTE_PART_TLS, p, len + 1);
}

/* The certificate, then those that lead to its root. */
static CURLcode mbedtls_client_load_chain(struct mote_tls_head *head, const struct mote_tls_blob *b, bool der)
{
  mbedtls_x509_crt *chain = &mote_mbedtls_of(&head->stream)->client->chain;
  unsigned char *text;
  int ret;
  if(der)
    return mbedtls_client_code_of(mbedtls_x509_crt_parse_der(chain, (const unsigned char *)b->ptr, b->len));
  text = as_text(head, b);
  if(!text)
    return CURLE_OUT_OF_MEMORY;
  ret = mbedtls_x509_crt_parse(chain, text, b->len + 1);
  drop_text(head, text, b->len);
  return mbedtls_client_code_of(ret);
}

static CURLcode mbedtls_client_load_key(struct mote_tls_head *head, const struct mote_tls_blob *b, bool der,
                                        const char *password)
{
  mbedtls_pk_context *key = &mote_mbedtls_of(&head->stream)->client->key;
  unsigned char *text = as_text(head, b);
  int ret;
  if(!text)
    return CURLE_OUT_OF_MEMORY;
  ret = mbedtls_pk_parse_key(key, text, b->len + !der, (const unsigned char *)password,
                             password ? strlen(password) : 0);
  drop_text(head, text, b->len);
  return mbedtls_client_code_of(ret);
}

/* Checks that key and certificate belong together, and sets both. */
static CURLcode mbedtls_client_use(struct mote_tls_head *head)
{
  struct mote_mbedtls *t = mote_mbedtls_of(&head->stream);
  struct mote_mbedtls_client *c = t->client;
  CURLcode rc = mbedtls_client_code_of(mbedtls_pk_check_pair(&c->chain.pk, &c->key));
  return rc ? rc : mbedtls_client_code_of(mbedtls_ssl_conf_own_cert(&t->conf, &c->chain, &c->key));
}

CURLcode mote_mbedtls_client_cert(struct mote_mbedtls *t, const struct mote_tls_config *cfg)
{
  static const struct mote_tls_client lib = {
    .name = "mbedTLS",
    .keys = "missing, malformed, or CURLOPT_KEYPASSWD is wrong",
    .chain = mbedtls_client_load_chain,
    .key = mbedtls_client_load_key,
    .use = mbedtls_client_use,
  };
  if(!cfg->cert_file && !cfg->cert_blob.ptr)
    return CURLE_OK;
  t->client = mote_mem_zalloc(t->head.stream.env->account, MOTE_PART_TLS, sizeof *t->client);
  if(!t->client)
    return CURLE_OUT_OF_MEMORY;
  mbedtls_x509_crt_init(&t->client->chain);
  mbedtls_pk_init(&t->client->key);
  return mote_tls_client_cert(&t->head, cfg, &lib);
}
