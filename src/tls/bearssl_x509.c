/* tls/bearssl_x509.c: the class that the engine shows the server's certificates to. It wraps the
 * library's "minimal" one, which looks for an anchor when the last byte of a certificate has passed.
 * That hashes the names by a class of ours: so we see the issuer's as it passes, and what the bundle has
 * of it is put in place at its end. */
#include <string.h>

#include "base/memory.h"
#include "port/port.h"
#include "tls/bearssl.h"
#include "tls/common.h"
#include "tls/der.h"

#define DAY 86400u
#define DAYS_TO_1970 719528u /* from 1 January 0, as BearSSL counts */
#define RSA_MIN 256        /* bytes: 2048 bits */
#define V_NO_ISSUER 20     /* what an empty trust store says (X509_V_ERR_*) */

static const unsigned char dns_name[] = {0, 2}; /* as br_name_element wants it */

static struct mote_bearssl_peer *peer_of(const br_x509_class **ctx)
{
  return mote_container_of(ctx, struct mote_bearssl_peer, vtable);
}

/* ---- names: hashed by the library's SHA-256 ---- */

static struct mote_bearssl_peer *peer_of_name(const br_hash_class *const *ctx)
{
  return mote_container_of(ctx, struct mote_bearssl_peer, u.minimal.dn_hash.vtable);
}

static const br_hash_class *sha256_of(struct mote_bearssl_peer *p)
{
  return br_ssl_engine_get_hash(&p->t->cc.eng, br_sha256_ID);
}

/* The issuer's; of the server's own certificate its subject too, should the bundle not have the issuer. What
 * comes then are the anchors' own. */
static void begin_name(const br_hash_class **ctx)
{
  struct mote_bearssl_peer *p = peer_of_name(ctx);
  p->names++;
  p->gathers = p->names == 1 || (p->names == 2 && !p->count && !p->u.minimal.trust_anchors_num);
  if(p->gathers)
    p->name_len = 0;
  sha256_of(p)->init(ctx);
}

static void pass_name(const br_hash_class **ctx, const void *bytes, size_t len)
{
  struct mote_bearssl_peer *p = peer_of_name(ctx);
  sha256_of(p)->update(ctx, bytes, len);
  if(!p->gathers)
    return;
  p->gathers = len <= MOTE_BEARSSL_NAME - p->name_len;
  if(!p->gathers)
    return;
  memcpy(p->name + p->name_len, bytes, len);
  p->name_len = (uint16_t)(p->name_len + len);
}

static void end_name(const br_hash_class *const *ctx, void *out)
{
  struct mote_bearssl_peer *p = peer_of_name(ctx);
  sha256_of(p)->out(ctx, out);
  if(p->gathers && !p->rc)
    p->rc = mote_bearssl_find_anchors(p);
  p->gathers = false;
}

static const br_hash_class name_class = {
  .context_size = sizeof(br_sha256_context),
  .desc = BR_HASHDESC_ID(br_sha256_ID) | BR_HASHDESC_OUT(br_sha256_SIZE),
  .init = begin_name,
  .update = pass_name,
  .out = end_name,
};

/* ---- the chain ---- */

/* Without verify_peer the key is taken out of it. */
static bool wants_own(const struct mote_bearssl *t)
{
  return !t->head.verify_peer || mote_tls_text_after(t->text)[0] || (t->head.verify_host && t->head.is_ip);
}

static void start_verifying(struct mote_bearssl_peer *p)
{
  struct mote_bearssl *t = p->t;
  br_x509_minimal_context *x = &p->u.minimal;
  uint32_t now = (uint32_t)mote_port_wall(); /* good until 2106, and no long division */
  bool by_library = t->head.verify_host && !t->head.is_ip;
  br_x509_minimal_init(x, &name_class, p->anchors, 0);
  mote_bearssl_x509_algorithms(x, &t->cc.eng);
  br_x509_minimal_set_minrsa(x, RSA_MIN);
  br_x509_minimal_set_time(x, now / DAY + DAYS_TO_1970, now % DAY);
  if(by_library) {
    p->san.oid = dns_name;
    p->san.buf = p->san_text;
    p->san.len = sizeof p->san_text;
    br_x509_minimal_set_name_elements(x, &p->san, 1);
  }
  x->vtable->start_chain(&x->vtable, by_library ? t->text : NULL);
}

static void start_chain(const br_x509_class **ctx, const char *server_name)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  (void)server_name;
  p->t->full = true;
  p->count = 0;
  if(p->t->head.verify_peer)
    start_verifying(p);
}

static void start_cert(const br_x509_class **ctx, uint32_t length)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  p->names = 0;
  if(p->t->head.verify_peer) {
    p->u.minimal.trust_anchors_num = 0;
    p->u.minimal.vtable->start_cert(&p->u.minimal.vtable, length);
  }
  if(p->count || !wants_own(p->t) || !length || length > MOTE_BEARSSL_CERT_MAX || p->own)
    return;
  p->own = mote_mem_alloc(p->t->head.stream.env->account, MOTE_PART_TLS, length);
  if(p->own)
    p->own_size = length;
  else
    p->rc = CURLE_OUT_OF_MEMORY;
}

static void append(const br_x509_class **ctx, const unsigned char *buf, size_t len)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  if(!p->count && p->own && len <= p->own_size - p->own_len) {
    memcpy(p->own + p->own_len, buf, len);
    p->own_len += (uint32_t)len;
  }
  if(p->t->head.verify_peer)
    p->u.minimal.vtable->append(&p->u.minimal.vtable, buf, len);
}

static void end_cert(const br_x509_class **ctx)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  if(p->t->head.verify_peer)
    p->u.minimal.vtable->end_cert(&p->u.minimal.vtable);
  if(!p->count && p->own && p->t->head.verify_host)
    p->name_ok = mote_tls_name_matches(p->own, p->own_len, p->t->text, p->t->head.is_ip);
  p->count++;
}

/* The library falls back to the common name where there is no dNSName; we do not. */
static bool name_fits(const struct mote_bearssl_peer *p)
{
  const struct mote_bearssl *t = p->t;
  if(!t->head.verify_host)
    return true;
  return t->head.verify_peer && !t->head.is_ip ? p->san.status != 0 : p->name_ok;
}

/* Without verify_peer. */
static unsigned take_key(struct mote_bearssl_peer *p)
{
  struct mote_der_root own;
  p->t->head.verify_result = V_NO_ISSUER;
  if(!p->own || !mote_der_root(p->own, p->own_len, &own))
    return BR_ERR_X509_INVALID_VALUE;
  mote_bearssl_key_of(&p->u.key, &own);
  return 0;
}

static unsigned end_chain(const br_x509_class **ctx)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  struct mote_bearssl *t = p->t;
  unsigned error = t->head.verify_peer ? p->u.minimal.vtable->end_chain(&p->u.minimal.vtable) : take_key(p);
  if(p->rc)
    return BR_ERR_X509_NOT_TRUSTED;
  if(error)
    return error;
  if(!name_fits(p))
    return BR_ERR_X509_BAD_SERVER_NAME;
  if(t->head.verify_peer)
    t->head.verify_result = 0;
  return 0;
}

static const br_x509_pkey *get_pkey(const br_x509_class *const *ctx, unsigned *usages)
{
  struct mote_bearssl_peer *p = peer_of((const br_x509_class **)(uintptr_t)ctx);
  if(p->t->head.verify_peer)
    return p->u.minimal.vtable->get_pkey(&p->u.minimal.vtable, usages);
  if(usages)
    *usages = BR_KEYTYPE_KEYX | BR_KEYTYPE_SIGN;
  return &p->u.key;
}

static const br_x509_class peer_class = {
  .context_size = sizeof(struct mote_bearssl_peer),
  .start_chain = start_chain,
  .start_cert = start_cert,
  .append = append,
  .end_cert = end_cert,
  .end_chain = end_chain,
  .get_pkey = get_pkey,
};

CURLcode mote_bearssl_peer_new(struct mote_bearssl *t)
{
  struct mote_bearssl_peer *p =
    mote_mem_zalloc(t->head.stream.env->account, MOTE_PART_TLS, sizeof *p + MOTE_BEARSSL_ROOM);
  if(!p)
    return CURLE_OUT_OF_MEMORY;
  p->vtable = &peer_class;
  p->t = t;
  p->name = (uint8_t *)&t->cc.eng.out + sizeof t->cc.eng.out.vtable;
  p->key = (uint8_t *)&t->cc.eng.in;
  t->peer = p;
  br_ssl_engine_set_x509(&t->cc.eng, &p->vtable);
  return CURLE_OK;
}

void mote_bearssl_peer_free(struct mote_bearssl *t)
{
  struct mote_bearssl_peer *p = t->peer;
  if(!p)
    return;
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, p->own, p->own_size);
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, p, sizeof *p + MOTE_BEARSSL_ROOM);
  t->peer = NULL;
}
