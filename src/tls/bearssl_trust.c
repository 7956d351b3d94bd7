/* tls/bearssl_trust.c: from the process's index of a bundle (trust.h) to trust anchors, one certificate at a
 * time.
 *
 * An anchor bears the name as the certificate that asks writes it, and the key of the root that was found:
 * that the two names are equal is what the index says by its hash, and a name that only seems equal is of no
 * use without a signature by that very key. */
#include <string.h>

#include "tls/bearssl.h"
#include "tls/common.h"
#include "tls/der.h"
#include "tls/trust.h"

CURLcode mote_bearssl_trust(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  return mote_tls_bundle_open(&t->trust, cfg, t->head.stream.env->report);
}

void mote_bearssl_key_of(br_x509_pkey *out, const struct mote_der_key *key)
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
static uint8_t *room_for(struct mote_bearssl_peer *p, size_t size)
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

/* Called for each certificate of the bundle with that name. The server's own certificate is trusted for
 * itself if it is in the bundle. */
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
  (void)trusted;
  if(x->trust_anchors_num == MOTE_BEARSSL_ANCHORS)
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
  room = room_for(p, (size_t)key.len + key.exponent_len);
  if(!room)
    return;
  key.bytes = memcpy(room, key.bytes, key.len);
  if(key.exponent)
    key.exponent = memcpy(room + key.len, key.exponent, key.exponent_len);
  mote_bearssl_key_of(&a->pkey, &key);
  a->dn.data = (unsigned char *)(uintptr_t)s->name.whole;
  a->dn.len = s->name.whole_len;
  a->flags = itself ? 0 : BR_X509_TA_CA;
  x->trust_anchors_num++;
}

static CURLcode find(struct search *s)
{
  return mote_trust_find(s->peer->t->trust, s->name.whole, s->name.whole_len, add_anchor, s);
}

CURLcode mote_bearssl_find_anchors(struct mote_bearssl_peer *p)
{
  struct search s = {.peer = p};
  CURLcode rc = CURLE_OK;
  p->used = 0;
  p->u.minimal.trust_anchors_num = 0;
  if(!p->t->trust)
    return CURLE_OK;
  if(mote_der_issuer(p->cert.der, p->cert.len, &s.name))
    rc = find(&s);
  if(!rc && !p->count && !p->u.minimal.trust_anchors_num &&
     mote_der_subject(p->cert.der, p->cert.len, &s.name))
    rc = find(&s);
  return rc;
}
