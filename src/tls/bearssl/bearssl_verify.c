/* tls/bearssl/bearssl_verify.c: verifies the server's certificates, as the class that receives them from the
 * engine. It wraps the library's "minimal" class, which checks few extensions, and none of a root. So each
 * certificate is received as a whole, checked by path.c, and given to the library after its issuer's roots
 * are in place as anchors. The server's own certificate is kept until the end, because name constraints and
 * the host name are checked against it. */
#include <string.h>

#include "base/memory.h"
#include "port/port.h"
#include "tls/bearssl/bearssl.h"
#include "tls/x509/der.h"
#include "tls/x509/hostname.h"
#include "tls/x509/trust.h"

#define DAY 86400u
#define DAYS_TO_1970 719528u /* from 1 January 0, as BearSSL counts */
#define V_NO_ISSUER 20     /* what an empty trust store says (X509_V_ERR_*) */

/* ---- trust anchors ----
 *
 * They come from the process's index of the bundle (trust.h), one certificate at a time. An anchor bears
 * the name as the certificate that asks writes it, and the key of the root that was found. The index says
 * by a hash that the two names are equal. A name that only seems equal does no harm without a signature by
 * that very key. */

static void bearssl_verify_use_key(br_x509_pkey *out, const struct mote_der_key *key)
{
  uint8_t *bytes = (uint8_t *)(uintptr_t)key->bytes;
  if(key->curve) {
    out->key_type = BR_KEYTYPE_EC;
    out->key.ec.curve = key->curve;
    out->key.ec.q = bytes;
    out->key.ec.qlen = key->len;
    return;
  }
  out->key_type = BR_KEYTYPE_RSA;
  out->key.rsa.n = bytes;
  out->key.rsa.nlen = key->len;
  out->key.rsa.e = (uint8_t *)(uintptr_t)key->exponent;
  out->key.rsa.elen = key->exponent_len;
}

/* Where the next anchor's key may lie; NULL: there is no room. */
static uint8_t *bearssl_verify_room_for(struct mote_bearssl_peer *p, size_t size)
{
  uint8_t *room = p->room + p->used;
  if(!p->u.minimal.trust_anchors_num)
    return size <= MOTE_BEARSSL_KEY ? p->key : NULL;
  if(size > (size_t)MOTE_BEARSSL_ROOM - p->used)
    return NULL;
  p->used = (uint16_t)(p->used + size);
  return room;
}

/* The name that the anchors get, as the received certificate has it. */
struct search {
  struct mote_bearssl_peer *peer;
  struct mote_der name;
};

/* Called for each certificate of the bundle with that name. One with trust settings, which are not read, is
 * no root. The server's own certificate is trusted for itself if it is in the bundle. */
static void add_anchor(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  const struct search *s = arg;
  struct mote_bearssl_peer *p = s->peer;
  br_x509_minimal_context *x = &p->u.minimal;
  br_x509_trust_anchor *a = &p->anchors[x->trust_anchors_num];
  const struct mote_path_cert root = {der, len};
  bool itself = !p->count && len == p->cert.len && !memcmp(der, p->cert.der, len);
  struct mote_der_key key;
  uint8_t *room;
  if(trusted || x->trust_anchors_num == MOTE_BEARSSL_ANCHORS)
    return;
  if(!itself) {
    enum mote_path_fault fault = mote_path_check(&root, p->count + 1, p->count ? &p->own : &p->cert, 1);
    p->root_fault = (uint8_t)fault;
    if(fault)
      return;
  }
  if(!mote_der_key(der, len, &key) || (!key.curve && key.len < MOTE_BEARSSL_RSA_MIN)) {
    p->root_fault = MOTE_PATH_WEAK_KEY;
    return;
  }
  room = bearssl_verify_room_for(p, (size_t)key.len + key.exponent_len);
  if(!room)
    return;
  key.bytes = memcpy(room, key.bytes, key.len);
  if(key.exponent)
    key.exponent = memcpy(room + key.len, key.exponent, key.exponent_len);
  bearssl_verify_use_key(&a->pkey, &key);
  a->dn.data = (unsigned char *)(uintptr_t)s->name.whole;
  a->dn.len = s->name.whole_len;
  a->flags = itself ? 0 : BR_X509_TA_CA;
  x->trust_anchors_num++;
}

static CURLcode bearssl_verify_find(struct search *s)
{
  return mote_trust_find(s->peer->t->trust, s->name.whole, s->name.whole_len, add_anchor, s);
}

static CURLcode find_anchors(struct mote_bearssl_peer *p)
{
  struct search s = {.peer = p};
  CURLcode rc = CURLE_OK;
  p->used = 0;
  p->u.minimal.trust_anchors_num = 0;
  if(!p->t->trust)
    return CURLE_OK;
  if(mote_der_issuer(p->cert.der, p->cert.len, &s.name))
    rc = bearssl_verify_find(&s);
  if(!rc && !p->count && !p->u.minimal.trust_anchors_num &&
     mote_der_subject(p->cert.der, p->cert.len, &s.name))
    rc = bearssl_verify_find(&s);
  return rc;
}

/* ---- the class ---- */

static struct mote_bearssl_peer *peer_of(const br_x509_class **ctx)
{
  return mote_container_of(ctx, struct mote_bearssl_peer, vtable);
}

static struct mote_account *account_of(const struct mote_bearssl_peer *p)
{
  return p->t->head.stream.env->account;
}

static void bearssl_verify_drop(const struct mote_bearssl_peer *p, struct mote_path_cert *c)
{
  mote_mem_free(account_of(p), MOTE_PART_TLS, (void *)(uintptr_t)c->der, c->len);
  *c = (struct mote_path_cert){0};
}

/* The engine's own, so that no second implementation is linked. */
static void bearssl_verify_set_algorithms(br_x509_minimal_context *x, br_ssl_engine_context *eng)
{
  int id;
  for(id = br_sha256_ID; id <= br_sha512_ID; id++)
    br_x509_minimal_set_hash(x, id, br_ssl_engine_get_hash(eng, id));
  br_x509_minimal_set_rsa(x, br_ssl_engine_get_rsavrfy(eng));
  br_x509_minimal_set_ecdsa(x, br_ssl_engine_get_ec(eng), br_ssl_engine_get_ecdsa(eng));
}

static void start_chain(const br_x509_class **ctx, const char *server_name)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  br_x509_minimal_context *x = &p->u.minimal;
  uint32_t now = (uint32_t)mote_port_wall(); /* good until 2106, and no long division */
  (void)server_name;
  p->t->full = true;
  p->count = 0;
  if(!p->t->head.verify_peer)
    return;
  br_x509_minimal_init(x, br_ssl_engine_get_hash(&p->t->cc.eng, br_sha256_ID), p->anchors, 0);
  bearssl_verify_set_algorithms(x, &p->t->cc.eng);
  br_x509_minimal_set_minrsa(x, MOTE_BEARSSL_RSA_MIN);
  br_x509_minimal_set_time(x, now / DAY + DAYS_TO_1970, now % DAY);
  x->vtable->start_chain(&x->vtable, NULL);
}

/* The remaining certificates do not matter: there is an error, or the chain has reached an anchor (the
 * library's error is then BR_ERR_X509_OK). */
static bool is_decided(const struct mote_bearssl_peer *p)
{
  return p->rc || p->fault || !p->t->head.verify_peer || p->u.minimal.err;
}

static void start_cert(const br_x509_class **ctx, uint32_t length)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  if(p->count && is_decided(p))
    return;
  bearssl_verify_drop(p, &p->cert);
  if(p->count == MOTE_BEARSSL_CHAIN) {
    p->fault = MOTE_PATH_TOO_MANY;
    return;
  }
  if(!length || length > MOTE_BEARSSL_CERT_MAX) {
    p->fault = MOTE_PATH_MALFORMED;
    return;
  }
  p->cert.der = mote_mem_alloc(account_of(p), MOTE_PART_TLS, length);
  if(p->cert.der)
    p->cert.len = p->left = length;
  else
    p->rc = CURLE_OUT_OF_MEMORY;
}

static void bearssl_verify_append(const br_x509_class **ctx, const unsigned char *buf, size_t len)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  if(len > p->left)
    return;
  memcpy((uint8_t *)(uintptr_t)p->cert.der + p->cert.len - p->left, buf, len);
  p->left -= (uint32_t)len;
}

/* Anchors first, because the library looks for one at the end of each certificate. */
static void bearssl_verify_pass(struct mote_bearssl_peer *p)
{
  br_x509_minimal_context *x = &p->u.minimal;
  p->depth = p->count;
  p->fault = (uint8_t)mote_path_check(&p->cert, p->count, &p->own, p->count != 0);
  if(p->fault)
    return;
  p->rc = find_anchors(p);
  if(p->rc)
    return;
  x->vtable->start_cert(&x->vtable, (uint32_t)p->cert.len);
  x->vtable->append(&x->vtable, p->cert.der, p->cert.len);
  x->vtable->end_cert(&x->vtable);
}

static void end_cert(const br_x509_class **ctx)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  if(!is_decided(p))
    bearssl_verify_pass(p);
  if(!p->count) {
    p->own = p->cert;
    p->cert = (struct mote_path_cert){0};
  }
  p->count++;
}

/* Without verify_peer. */
static unsigned take_key(struct mote_bearssl_peer *p)
{
  struct mote_der_key key;
  p->t->head.verify_result = V_NO_ISSUER;
  if(!mote_der_key(p->own.der, p->own.len, &key))
    return BR_ERR_X509_INVALID_VALUE;
  bearssl_verify_use_key(&p->u.key, &key);
  return 0;
}

static unsigned bearssl_verify_end_chain(const br_x509_class **ctx)
{
  struct mote_bearssl_peer *p = peer_of(ctx);
  struct mote_tls_head *head = &p->t->head;
  unsigned error;
  if(p->rc || p->fault)
    return BR_ERR_X509_NOT_TRUSTED;
  error = head->verify_peer ? p->u.minimal.vtable->end_chain(&p->u.minimal.vtable) : take_key(p);
  if(error)
    return error;
  if(head->verify_host && !mote_tls_name_matches(p->own.der, p->own.len, p->t->text, head->is_ip))
    return BR_ERR_X509_BAD_SERVER_NAME;
  bearssl_verify_drop(p, &p->cert);
  if(!head->verify_peer)
    return 0;
  head->verify_result = 0;
  if(!mote_tls_text_after(p->t->text)[0]) /* no pin */
    bearssl_verify_drop(p, &p->own);
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
  .append = bearssl_verify_append,
  .end_cert = end_cert,
  .end_chain = bearssl_verify_end_chain,
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
  bearssl_verify_drop(p, &p->cert);
  bearssl_verify_drop(p, &p->own);
  mote_mem_free(t->head.stream.env->account, MOTE_PART_TLS, p, sizeof *p + MOTE_BEARSSL_ROOM);
  t->peer = NULL;
}
