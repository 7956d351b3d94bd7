/* tls/bearssl_trust.c: from the process's index of a bundle (trust.h) to trust anchors, one certificate at a
 * time.
 *
 * An anchor bears the name as the certificate that asks writes it, and the key of the root that was found:
 * that the two names are equal is what the index says by its hash, and a name that only seems equal is of no
 * use without a signature by that very key. */
#include <string.h>

#include "port/port.h"
#include "tls/bearssl.h"
#include "tls/common.h"
#include "tls/der.h"
#include "tls/trust.h"

#define DAY 86400u

CURLcode mote_bearssl_trust(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  return mote_tls_bundle_open(&t->trust, cfg, t->head.stream.env->report);
}

void mote_bearssl_key_of(br_x509_pkey *out, const struct mote_der_root *root)
{
  uint8_t *bytes = (uint8_t *)(uintptr_t)root->key;
  if(root->curve) {
    out->key_type = BR_KEYTYPE_EC;
    out->key.ec.curve = root->curve;
    out->key.ec.q = bytes;
    out->key.ec.qlen = root->key_len;
    return;
  }
  out->key_type = BR_KEYTYPE_RSA;
  out->key.rsa.n = bytes;
  out->key.rsa.nlen = root->key_len;
  out->key.rsa.e = (uint8_t *)(uintptr_t)root->exponent;
  out->key.rsa.elen = root->exponent_len;
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

static void add_anchor(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  struct mote_bearssl_peer *p = arg;
  br_x509_minimal_context *x = &p->u.minimal;
  br_x509_trust_anchor *a = &p->anchors[x->trust_anchors_num];
  int32_t today = (int32_t)((uint32_t)mote_port_wall() / DAY);
  struct mote_der_root root;
  uint8_t *room;
  (void)trusted;
  if(x->trust_anchors_num == MOTE_BEARSSL_ANCHORS || !mote_der_root(der, len, &root) ||
     today < root.first_day || today > root.last_day)
    return;
  room = room_for(p, (size_t)root.key_len + root.exponent_len);
  if(!room)
    return;
  root.key = memcpy(room, root.key, root.key_len);
  if(root.exponent)
    root.exponent = memcpy(room + root.key_len, root.exponent, root.exponent_len);
  mote_bearssl_key_of(&a->pkey, &root);
  a->dn.data = p->name;
  a->dn.len = p->name_len;
  a->flags = root.ca ? BR_X509_TA_CA : 0;
  x->trust_anchors_num++;
}

CURLcode mote_bearssl_find_anchors(struct mote_bearssl_peer *p)
{
  p->used = 0;
  return p->t->trust ? mote_trust_find(p->t->trust, p->name, p->name_len, add_anchor, p) : CURLE_OK;
}
