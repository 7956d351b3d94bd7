/* base/hmac.c: HMAC with SHA-256. */
#include "base/hmac.h"

#include <string.h>

#define BLOCK 64 /* bytes, of SHA-256 */

void mote_hmac_init(struct mote_hmac *h, const void *key, size_t len)
{
  uint8_t block[BLOCK] = {0};
  size_t i;
  if(len > BLOCK)
    mote_sha256(key, len, block);
  else if(len)
    memcpy(block, key, len);
  for(i = 0; i < BLOCK; i++)
    block[i] ^= 0x36;
  mote_sha256_init(&h->inner);
  mote_sha256_add(&h->inner, block, BLOCK);
  for(i = 0; i < BLOCK; i++)
    block[i] ^= 0x36 ^ 0x5c;
  mote_sha256_init(&h->outer);
  mote_sha256_add(&h->outer, block, BLOCK);
  memset(block, 0, sizeof block);
}

void mote_hmac_add(struct mote_hmac *h, const void *bytes, size_t len)
{
  mote_sha256_add(&h->inner, bytes, len);
}

void mote_hmac_end(struct mote_hmac *h, uint8_t out[MOTE_SHA256_SIZE])
{
  mote_sha256_end(&h->inner, out);
  mote_sha256_add(&h->outer, out, MOTE_SHA256_SIZE);
  mote_sha256_end(&h->outer, out);
  memset(h, 0, sizeof *h);
}

void mote_hmac(const void *key, size_t key_len, const void *bytes, size_t len, uint8_t out[MOTE_SHA256_SIZE])
{
  struct mote_hmac h;
  mote_hmac_init(&h, key, key_len);
  mote_hmac_add(&h, bytes, len);
  mote_hmac_end(&h, out);
}
