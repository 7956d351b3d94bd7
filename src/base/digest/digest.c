/* base/digest/digest.c: blocks and padding of digests; digests as texts. */
#include "base/digest/digest.h"

#include <string.h>

void mote_digest_init(struct mote_digest_state *s, const struct mote_digest *digest)
{
  s->digest = digest;
  s->total = 0;
  s->words = *digest->start;
}

void mote_digest_add(struct mote_digest_state *s, const void *bytes, size_t len)
{
  const struct mote_digest *d = s->digest;
  const uint8_t *p = bytes;
  size_t used = (size_t)s->total & (d->block - 1u);
  s->total += len;
  while(len >= d->block - used) {
    const uint8_t *block = p;
    size_t some = d->block - used;
    if(used) {
      block = s->block;
      memcpy(s->block + used, p, some);
    }
    d->compress(&s->words, block);
    p += some;
    len -= some;
    used = 0;
  }
  if(len)
    memcpy(s->block + used, p, len);
}

static void base_digest_put(uint8_t *p, uint64_t v, unsigned bytes, bool little)
{
  if(little)
    for(; bytes; bytes--, v >>= 8)
      *p++ = (uint8_t)v;
  else
    for(; bytes; v >>= 8)
      p[--bytes] = (uint8_t)v;
}

/* The last block ends with the length in bits, of two words. The upper half of the 128 bits of SHA-512's is
 * always zero. */
void mote_digest_end(struct mote_digest_state *s, uint8_t *out)
{
  const struct mote_digest *d = s->digest;
  unsigned i, word = d->block / 16;
  size_t used = (size_t)s->total & (d->block - 1u);
  s->block[used++] = 0x80;
  if(used > d->block - 2 * word) {
    memset(s->block + used, 0, d->block - used);
    d->compress(&s->words, s->block);
    used = 0;
  }
  memset(s->block + used, 0, d->block - used);
  base_digest_put(s->block + d->block - 8, s->total * 8, 8, d->little);
  d->compress(&s->words, s->block);
  for(i = 0; i * word < d->size; i++)
    base_digest_put(out + i * word, word == 4 ? s->words.of32[i] : s->words.of64[i], word, d->little);
}

struct mote_slice mote_digest_hex(const uint8_t *bytes, size_t len, char *hex)
{
  static const char digits[] = "0123456789abcdef";
  struct mote_slice text = {hex, 2 * len};
  size_t i;
  for(i = 0; i < len; i++) {
    hex[2 * i] = digits[bytes[i] >> 4];
    hex[2 * i + 1] = digits[bytes[i] & 15];
  }
  return text;
}

void mote_digest_pieces(const struct mote_digest *digest, const struct mote_slice *pieces, unsigned count,
                        uint8_t *out)
{
  struct mote_digest_state s;
  unsigned i;
  mote_digest_init(&s, digest);
  for(i = 0; i < count; i++) {
    if(i)
      mote_digest_add(&s, ":", 1);
    mote_digest_add(&s, pieces[i].ptr, pieces[i].len);
  }
  mote_digest_end(&s, out);
}

struct mote_slice mote_digest_pieces_hex(const struct mote_digest *digest, const struct mote_slice *pieces,
                                         unsigned count, char hex[MOTE_DIGEST_HEX_MAX])
{
  uint8_t out[MOTE_DIGEST_HEX_MAX / 2];
  mote_digest_pieces(digest, pieces, count, out);
  return mote_digest_hex(out, digest->size, hex);
}
