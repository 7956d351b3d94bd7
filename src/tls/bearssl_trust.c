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

#define DAY 86400

CURLcode mote_bearssl_trust(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  return mote_tls_bundle_open(&t->trust, cfg, t->stream.env->report);
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

static const uint8_t *keep(struct mote_bearssl_peer *p, const uint8_t *bytes, uint32_t len)
{
  uint8_t *to = p->room + p->used;
  p->used = (uint16_t)(p->used + len);
  return memcpy(to, bytes, len);
}

static void add_anchor(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  struct mote_bearssl_peer *p = arg;
  br_x509_minimal_context *x = &p->u.minimal;
  br_x509_trust_anchor *a = &p->anchors[x->trust_anchors_num];
  int32_t today = (int32_t)(mote_port_wall() / DAY);
  struct mote_der_root root;
  (void)trusted;
  if(x->trust_anchors_num == MOTE_BEARSSL_ANCHORS || !mote_der_root(der, len, &root) ||
     today < root.first_day || today > root.last_day ||
     root.key_len + root.exponent_len > sizeof p->room - p->used)
    return;
  root.key = keep(p, root.key, root.key_len);
  if(root.exponent)
    root.exponent = keep(p, root.exponent, root.exponent_len);
  mote_bearssl_key_of(&a->pkey, &root);
  a->dn.data = p->room;
  a->dn.len = p->name_len;
  a->flags = root.ca ? BR_X509_TA_CA : 0;
  x->trust_anchors_num++;
}

CURLcode mote_bearssl_find_anchors(struct mote_bearssl_peer *p)
{
  p->used = p->name_len;
  return p->t->trust ? mote_trust_find(p->t->trust, p->room, p->name_len, add_anchor, p) : CURLE_OK;
}
