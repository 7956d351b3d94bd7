/* codec/coding/decode_zlib.c: gzip and deflate by zlib.
 *
 * "deflate" is zlib's format (RFC 9110 section 8.4.1.2), but some servers send bare deflate data; the first
 * two bytes differ. A checksum after bare data is ignored, as in libcurl. "gzip" may have several members
 * (RFC 1952 section 2.2); as in libcurl, zlib's format passes under that name too. */
#include <limits.h>
#include <string.h>

#include <zlib.h>

#include "base/text.h"
#include "codec/coding/decode_lib.h"

#define WINDOW_BITS 15
#define GZIP_OR_ZLIB (WINDOW_BITS + 32)
#define RAW_DEFLATE (-WINDOW_BITS)
#define CHECKSUM 4u /* bytes with which zlib's format ends */

struct zlib_state {
  z_stream z;
  uint8_t begun;    /* deflate: the format is known */
  uint8_t raw;      /* deflate: bare data, no header and no checksum */
  uint8_t finished; /* a gzip member or bare data has ended */
  uint8_t tail;     /* bytes ignored after bare data, at most CHECKSUM */
  uint8_t head;     /* deflate: its first byte, when have is 1 */
  uint8_t have;
};

static voidpf zlib_alloc(voidpf opaque, uInt items, uInt size)
{
  if(size && items > SIZE_MAX / size)
    return Z_NULL;
  return mote_decode_alloc(opaque, (size_t)items * size);
}

static void zlib_free(voidpf opaque, voidpf p)
{
  mote_decode_free(opaque, p);
}

static CURLcode zlib_code(int rc)
{
  switch(rc) {
  case Z_OK:
  case Z_STREAM_END:
  case Z_BUF_ERROR: /* no progress without more input or room */
    return CURLE_OK;
  case Z_MEM_ERROR:
    return CURLE_OUT_OF_MEMORY;
  default:
    return CURLE_BAD_CONTENT_ENCODING;
  }
}

static CURLcode zlib_init(struct zlib_state *s, struct mote_account *account, int bits)
{
  s->z.zalloc = zlib_alloc;
  s->z.zfree = zlib_free;
  s->z.opaque = account;
  return inflateInit2(&s->z, bits) == Z_OK ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static CURLcode gzip_init(void *state, struct mote_account *account)
{
  return zlib_init(state, account, GZIP_OR_ZLIB);
}

static CURLcode deflate_init(void *state, struct mote_account *account)
{
  return zlib_init(state, account, WINDOW_BITS);
}

static uInt decode_zlib_clamp(size_t n)
{
  return n > UINT_MAX ? UINT_MAX : (uInt)n;
}

static CURLcode zlib_feed(struct zlib_state *s, struct mote_decode_io *io, bool *done)
{
  uInt in = decode_zlib_clamp(io->in_len);
  uInt out = decode_zlib_clamp(io->out_len);
  int rc;
  s->z.next_in = (z_const Bytef *)(uintptr_t)io->in;
  s->z.avail_in = in;
  s->z.next_out = (Bytef *)io->out;
  s->z.avail_out = out;
  rc = inflate(&s->z, Z_NO_FLUSH);
  in -= s->z.avail_in;
  out -= s->z.avail_out;
  io->in += in;
  io->in_len -= in;
  io->out += out;
  io->out_len -= out;
  *done = rc == Z_STREAM_END;
  return zlib_code(rc);
}

static CURLcode gzip_feed(void *state, struct mote_decode_io *io, bool *done)
{
  struct zlib_state *s = state;
  for(;;) {
    CURLcode rc;
    if(s->finished) {
      *done = true;
      /* The first byte of another member; anything else is left for the chain to refuse. */
      if(!io->in_len || (unsigned char)io->in[0] != 0x1f)
        return CURLE_OK;
      if(inflateReset2(&s->z, WINDOW_BITS + 16) != Z_OK)
        return CURLE_BAD_CONTENT_ENCODING;
      s->finished = 0;
    }
    rc = zlib_feed(s, io, done);
    if(rc || !*done)
      return rc;
    s->finished = 1;
  }
}

/* CMF and FLG of RFC 1950 section 2.2. */
static bool is_zlib(unsigned cmf, unsigned flg)
{
  return (cmf & 15) == 8 && cmf >> 4 <= 7 && (cmf * 256 + flg) % 31 == 0;
}

/* Decides by the first two bytes, and passes the first of them to zlib when it came alone. */
static CURLcode deflate_begin(struct zlib_state *s, struct mote_decode_io *io)
{
  unsigned char first = s->have ? s->head : (unsigned char)io->in[0];
  unsigned char second;
  char none;
  struct mote_decode_io one = { .in = (const char *)&first, .in_len = 1, .out = &none };
  bool done;
  if(!s->have && io->in_len < 2) {
    s->head = first;
    s->have = 1;
    io->in++;
    io->in_len--;
    return CURLE_OK;
  }
  second = (unsigned char)io->in[s->have ? 0 : 1];
  s->begun = 1;
  s->raw = !is_zlib(first, second);
  if(s->raw && inflateReset2(&s->z, RAW_DEFLATE) != Z_OK)
    return CURLE_BAD_CONTENT_ENCODING;
  return s->have ? zlib_feed(s, &one, &done) : CURLE_OK;
}

static CURLcode deflate_feed(void *state, struct mote_decode_io *io, bool *done)
{
  struct zlib_state *s = state;
  CURLcode rc = CURLE_OK;
  *done = false;
  if(!s->begun) {
    if(io->in_len)
      rc = deflate_begin(s, io);
    if(rc || !s->begun)
      return rc;
  }
  if(!s->finished) {
    rc = zlib_feed(s, io, done);
    s->finished = *done && s->raw;
  }
  if(s->finished) { /* what is more than a checksum is left for the chain to refuse */
    size_t n = io->in_len < CHECKSUM - s->tail ? io->in_len : CHECKSUM - s->tail;
    *done = true;
    s->tail = (uint8_t)(s->tail + n);
    io->in += n;
    io->in_len -= n;
  }
  return rc;
}

static void zlib_end(void *state)
{
  struct zlib_state *s = state;
  (void)inflateEnd(&s->z);
}

static uint32_t decode_zlib_number_of(const char *text)
{
  uint32_t parts[3] = { 0, 0, 0 };
  unsigned i = 0;
  for(; *text && i < 3; text++) {
    if(mote_is_digit(*text))
      parts[i] = parts[i] * 10 + (uint32_t)(*text - '0');
    else
      i++;
  }
  return parts[0] << 24 | parts[1] << 12 | parts[2];
}

static uint32_t zlib_version_number(void)
{
  return decode_zlib_number_of(zlibVersion());
}

static const char *zlib_version_text(void)
{
  return zlibVersion();
}

const struct mote_decoder mote_decoder_gzip = {
  .name = "gzip",
  .library = "zlib",
  .coding = MOTE_CODING_GZIP,
  .state_size = sizeof(struct zlib_state),
  .init = gzip_init,
  .feed = gzip_feed,
  .end = zlib_end,
  .version_number = zlib_version_number,
  .version_text = zlib_version_text
};

const struct mote_decoder mote_decoder_deflate = {
  .name = "deflate",
  .library = "zlib",
  .coding = MOTE_CODING_DEFLATE,
  .state_size = sizeof(struct zlib_state),
  .init = deflate_init,
  .feed = deflate_feed,
  .end = zlib_end,
  .version_number = zlib_version_number,
  .version_text = zlib_version_text
};
