/* tls/bearssl/bearssl_client.c: client certificates, PEM or DER, with keys of RSA or EC that are not
 * encrypted. Everything is in one block, which is freed after the handshake. */
#include <string.h>

#include "base/memory/ceiling.h"
#include "base/memory.h"
#include "tls/bearssl/bearssl.h"
#include "tls/config.h"
#include "tls/common/common.h"
#include "tls/x509/pem.h"

#define CHAIN_MAX 8     /* certificates that are sent */
#define MODULUS_MAX 512 /* bytes: 4096 bits */

struct mote_bearssl_client {
  br_skey_decoder_context key;
  br_x509_certificate chain[CHAIN_MAX];
  uint32_t count;
  uint32_t room; /* bytes at der */
  uint8_t der[];
};

void mote_bearssl_client_free(struct mote_bearssl *t)
{
  struct mote_bearssl_client *c = t->client;
  if(!c)
    return;
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, c, sizeof *c + c->room);
  t->client = NULL;
}

/* The certificate, then those that lead to its root. */
static void take_chain(struct mote_bearssl_client *c, const char *text, size_t len)
{
  struct mote_pem pem;
  size_t used;
  mote_pem_init(&pem, NULL, c->der, c->room);
  while(c->count < CHAIN_MAX) {
    bool found = len ? mote_pem_feed(&pem, text, len, &used) : mote_pem_end(&pem);
    if(found) {
      c->chain[c->count].data = pem.der;
      c->chain[c->count++].data_len = pem.der_len;
      pem.der += pem.der_len;
      pem.der_cap -= pem.der_len;
      pem.der_len = 0;
    }
    if(!len)
      break;
    text += used;
    len -= used;
  }
}

static CURLcode bearssl_client_load_chain(struct mote_tls_head *head, const struct mote_tls_blob *b, bool der)
{
  struct mote_bearssl *t = mote_bearssl_of(&head->stream);
  struct mote_bearssl_client *c;
  c = mote_mem_zalloc(head->stream.env->account, MOTE_PART_TLS, sizeof *c + b->len);
  if(!c)
    return CURLE_OUT_OF_MEMORY;
  t->client = c;
  c->room = (uint32_t)b->len;
  if(!der)
    take_chain(c, b->ptr, b->len);
  else {
    memcpy(c->der, b->ptr, b->len);
    c->chain[0].data = c->der;
    c->chain[c->count++].data_len = b->len;
  }
  return c->count ? CURLE_OK : CURLE_SSL_CERTPROBLEM;
}

static bool decode_pem_key(br_skey_decoder_context *key, const struct mote_tls_blob *b, uint8_t *der)
{
  static const char *const labels[] = {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"};
  struct mote_pem pem;
  size_t used;
  size_t i;
  for(i = 0; i < sizeof labels / sizeof *labels; i++) {
    mote_pem_init(&pem, labels[i], der, b->len);
    if(!mote_pem_feed(&pem, b->ptr, b->len, &used) && !mote_pem_end(&pem))
      continue;
    br_skey_decoder_init(key);
    br_skey_decoder_push(key, der, pem.der_len);
    return !br_skey_decoder_last_error(key);
  }
  return false;
}

static CURLcode bearssl_client_load_key(struct mote_tls_head *head, const struct mote_tls_blob *b, bool der,
                                        const char *password)
{
  struct mote_account *a = head->stream.env->account;
  br_skey_decoder_context *key = &mote_bearssl_of(&head->stream)->client->key;
  uint8_t *room;
  bool ok;
  (void)password;
  if(der) {
    br_skey_decoder_init(key);
    br_skey_decoder_push(key, b->ptr, b->len);
    return br_skey_decoder_last_error(key) ? CURLE_SSL_CERTPROBLEM : CURLE_OK;
  }
  room = mote_mem_alloc(a, MOTE_PART_TLS, b->len);
  if(!room)
    return CURLE_OUT_OF_MEMORY;
  ok = decode_pem_key(key, b, room);
  mote_mem_free(a, MOTE_PART_TLS, room, b->len);
  return ok ? CURLE_OK : CURLE_SSL_CERTPROBLEM;
}

static bool rsa_fits(const br_rsa_private_key *sk, const br_x509_pkey *pk)
{
  br_rsa_compute_modulus modulus = br_rsa_compute_modulus_get_default();
  uint8_t n[MODULUS_MAX];
  size_t len = modulus(NULL, sk);
  if(pk->key_type != BR_KEYTYPE_RSA || !len || len > sizeof n || len != pk->key.rsa.nlen)
    return false;
  return modulus(n, sk) == len && !memcmp(n, pk->key.rsa.n, len);
}

static bool bearssl_client_ec_fits(const br_ec_private_key *sk, const br_x509_pkey *pk)
{
  uint8_t q[BR_EC_KBUF_PUB_MAX_SIZE];
  br_ec_public_key mine;
  if(pk->key_type != BR_KEYTYPE_EC || !br_ec_compute_pub(br_ec_get_default(), &mine, q, sk))
    return false;
  return mine.qlen == pk->key.ec.qlen && !memcmp(mine.q, pk->key.ec.q, mine.qlen);
}

/* Checks that key and certificate belong together, and sets both. */
static CURLcode bearssl_client_use(struct mote_tls_head *head)
{
  struct mote_bearssl *t = mote_bearssl_of(&head->stream);
  struct mote_bearssl_client *c = t->client;
  const br_rsa_private_key *rsa = br_skey_decoder_get_rsa(&c->key);
  const br_ec_private_key *ec = br_skey_decoder_get_ec(&c->key);
  br_x509_decoder_context d;
  const br_x509_pkey *pk;
  br_x509_decoder_init(&d, NULL, NULL);
  br_x509_decoder_push(&d, c->chain[0].data, c->chain[0].data_len);
  pk = br_x509_decoder_get_pkey(&d);
  if(!pk)
    return CURLE_SSL_CERTPROBLEM;
  if(rsa && rsa_fits(rsa, pk)) {
    br_ssl_client_set_single_rsa(&t->cc, c->chain, c->count, rsa, br_rsa_pkcs1_sign_get_default());
    return CURLE_OK;
  }
  if(!ec || !bearssl_client_ec_fits(ec, pk))
    return CURLE_SSL_CERTPROBLEM;
  br_ssl_client_set_single_ec(&t->cc, c->chain, c->count, ec, BR_KEYTYPE_SIGN, 0, br_ec_get_default(),
                              br_ecdsa_sign_asn1_get_default());
  return CURLE_OK;
}

void mote_bearssl_add_client(size_t cert, size_t key, struct mote_ceiling *c)
{
  mote_ceiling_add(c, 1, sizeof(struct mote_bearssl_client) + cert);
  mote_ceiling_add(c, 1, key);
}

CURLcode mote_bearssl_client_cert(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  static const struct mote_tls_client lib = {
    .name = "BearSSL",
    .keys = "BearSSL takes RSA and EC, not encrypted",
    .chain = bearssl_client_load_chain,
    .key = bearssl_client_load_key,
    .use = bearssl_client_use,
  };
  return cfg->cert_file || cfg->cert_blob.ptr ? mote_tls_client_cert(&t->head, cfg, &lib) : CURLE_OK;
}
