/* base/digest.c: digests as texts. */
#include "base/digest.h"

#include "base/md5.h"
#include "base/sha1.h"
#include "base/sha256.h"
#include "base/sha512.h"

union state {
  struct mote_md5 md5;
  struct mote_sha1 sha1;
  struct mote_sha256 sha256;
  struct mote_sha512_256 sha512;
};

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
  union state s;
  unsigned i;
  digest->init(&s);
  for(i = 0; i < count; i++) {
    if(i)
      digest->add(&s, ":", 1);
    digest->add(&s, pieces[i].ptr, pieces[i].len);
  }
  digest->end(&s, out);
}

struct mote_slice mote_digest_pieces_hex(const struct mote_digest *digest, const struct mote_slice *pieces,
                                         unsigned count, char hex[MOTE_DIGEST_HEX_MAX])
{
  uint8_t out[MOTE_DIGEST_HEX_MAX / 2];
  mote_digest_pieces(digest, pieces, count, out);
  return mote_digest_hex(out, digest->size, hex);
}
