/* base/digest/hmac.c: HMAC, PBKDF2. */
#include "base/digest/hmac.h"

#include <string.h>

#include "base/wipe.h"

#define BLOCK 64 /* bytes, of each digest that is used here */

void mote_hmac_init(struct mote_hmac *h, const struct mote_digest *digest, const void *key, size_t len)
{
  uint8_t block[BLOCK] = {0};
  size_t i;
  if(len > BLOCK) {
    mote_digest_init(&h->inner, digest);
    mote_digest_add(&h->inner, key, len);
    mote_digest_end(&h->inner, block);
  }
  else if(len)
    memcpy(block, key, len);
  for(i = 0; i < BLOCK; i++)
    block[i] ^= 0x36;
  mote_digest_init(&h->inner, digest);
  mote_digest_add(&h->inner, block, BLOCK);
  for(i = 0; i < BLOCK; i++)
    block[i] ^= 0x36 ^ 0x5c;
  mote_digest_init(&h->outer, digest);
  mote_digest_add(&h->outer, block, BLOCK);
  mote_wipe(block, sizeof block);
}

void mote_hmac_add(struct mote_hmac *h, const void *bytes, size_t len)
{
  mote_digest_add(&h->inner, bytes, len);
}

void mote_hmac_end(struct mote_hmac *h, uint8_t *out)
{
  mote_digest_end(&h->inner, out);
  mote_digest_add(&h->outer, out, h->outer.digest->size);
  mote_digest_end(&h->outer, out);
  mote_wipe(h, sizeof *h);
}

void mote_hmac(const struct mote_digest *digest, struct mote_slice key, struct mote_slice text, uint8_t *out)
{
  struct mote_hmac h;
  mote_hmac_init(&h, digest, key.ptr, key.len);
  mote_hmac_add(&h, text.ptr, text.len);
  mote_hmac_end(&h, out);
}

void mote_hmac_pbkdf2(const struct mote_digest *digest, struct mote_slice key, struct mote_slice salt,
                      uint32_t rounds, uint8_t *out)
{
  static const uint8_t first[4] = {0, 0, 0, 1}; /* block */
  uint8_t u[MOTE_HMAC_SIZE];
  struct mote_hmac keyed, h;
  unsigned i;
  mote_hmac_init(&keyed, digest, key.ptr, key.len);
  h = keyed;
  mote_hmac_add(&h, salt.ptr, salt.len);
  mote_hmac_add(&h, first, sizeof first);
  mote_hmac_end(&h, u);
  memcpy(out, u, digest->size);
  while(--rounds) {
    h = keyed;
    mote_hmac_add(&h, u, digest->size);
    mote_hmac_end(&h, u);
    for(i = 0; i < digest->size; i++)
      out[i] ^= u[i];
  }
  mote_wipe(&keyed, sizeof keyed);
  mote_wipe(u, sizeof u);
}
