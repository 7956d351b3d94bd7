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
#include "tls/trust.h"

#define DAYS_TO_1970 719528u /* from 1 January 0, as BearSSL counts */

CURLcode mote_bearssl_trust(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  return mote_tls_bundle_open(&t->trust, cfg, t->stream.env->report);
}

/* One lookup. */
struct wanted {
  struct mote_bearssl_peer *peer;
  const uint8_t *name;
  size_t len;
};

static void copy_key(br_x509_pkey *to, uint8_t *room, const br_x509_pkey *from)
{
  *to = *from;
  if(from->key_type == BR_KEYTYPE_RSA) {
    memcpy(room, from->key.rsa.n, from->key.rsa.nlen);
    memcpy(room + from->key.rsa.nlen, from->key.rsa.e, from->key.rsa.elen);
    to->key.rsa.n = room;
    to->key.rsa.e = room + from->key.rsa.nlen;
  }
  else {
    memcpy(room, from->key.ec.q, from->key.ec.qlen);
    to->key.ec.q = room;
  }
}

static size_t key_size(const br_x509_pkey *k)
{
  return k->key_type == BR_KEYTYPE_RSA ? k->key.rsa.nlen + k->key.rsa.elen : k->key.ec.qlen;
}

static void add_anchor(void *arg, const uint8_t *der, size_t len, bool trusted)
{
  struct wanted *w = arg;
  br_x509_minimal_context *x = &w->peer->u.minimal;
  uint32_t today = (uint32_t)(mote_port_wall() / 86400) + DAYS_TO_1970;
  br_x509_decoder_context d;
  br_x509_trust_anchor *a;
  const br_x509_pkey *key;
  (void)trusted;
  if(x->trust_anchors_num == MOTE_BEARSSL_ANCHORS)
    return;
  br_x509_decoder_init(&d, NULL, NULL);
  br_x509_decoder_push(&d, der, len);
  key = br_x509_decoder_get_pkey(&d);
  if(!key || key_size(key) > BR_X509_BUFSIZE_KEY || today < d.notbefore_days || today > d.notafter_days)
    return;
  a = &w->peer->anchors[x->trust_anchors_num];
  a->dn.data = (unsigned char *)(uintptr_t)w->name;
  a->dn.len = w->len;
  a->flags = br_x509_decoder_isCA(&d) ? BR_X509_TA_CA : 0;
  copy_key(&a->pkey, w->peer->keys[x->trust_anchors_num], key);
  x->trust_anchors_num++;
}

CURLcode mote_bearssl_find_anchors(struct mote_bearssl_peer *p, const uint8_t *name, size_t len)
{
  struct wanted w = {.peer = p, .name = name, .len = len};
  return p->t->trust ? mote_trust_find(p->t->trust, name, len, add_anchor, &w) : CURLE_OK;
}
