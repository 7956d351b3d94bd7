/* codec/coding/decode_zstd.c: zstd (RFC 8878) by Meta's decoder, with the window that RFC 9659 allows.
 * Frames may follow one another. */

/* This declares the allocator functions, which have not changed since 1.0. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#include "codec/coding/decode_lib.h"
#include "codec/limits.h"

struct zstd_state {
  ZSTD_DStream *z;
};

static CURLcode zstd_init(void *state, struct mote_account *account)
{
  struct zstd_state *s = state;
  ZSTD_customMem memory = { mote_decode_alloc, mote_decode_free, account };
  s->z = ZSTD_createDStream_advanced(memory);
  if(!s->z)
    return CURLE_OUT_OF_MEMORY;
  if(ZSTD_isError(ZSTD_DCtx_setParameter(s->z, ZSTD_d_windowLogMax, MOTE_ZSTD_MAX_WINDOW_LOG))) {
    (void)ZSTD_freeDStream(s->z);
    return CURLE_OUT_OF_MEMORY;
  }
  return CURLE_OK;
}

static CURLcode zstd_feed(void *state, struct mote_decode_io *io, bool *done)
{
  struct zstd_state *s = state;
  ZSTD_inBuffer in = { io->in, io->in_len, 0 };
  ZSTD_outBuffer out = { io->out, io->out_len, 0 };
  size_t rc = ZSTD_decompressStream(s->z, &out, &in);
  io->in += in.pos;
  io->in_len -= in.pos;
  io->out += out.pos;
  io->out_len -= out.pos;
  *done = !rc;
  if(!ZSTD_isError(rc))
    return CURLE_OK;
  return ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation ? CURLE_OUT_OF_MEMORY
                                                               : CURLE_BAD_CONTENT_ENCODING;
}

static void zstd_end(void *state)
{
  struct zstd_state *s = state;
  (void)ZSTD_freeDStream(s->z);
}

static uint32_t zstd_version_number(void)
{
  uint32_t v = ZSTD_versionNumber();
  return v / 10000 << 24 | v / 100 % 100 << 12 | v % 100;
}

static const char *zstd_version_text(void)
{
  return ZSTD_versionString();
}

const struct mote_decoder mote_decoder_zstd = {
  .name = "zstd",
  .library = "zstd",
  .coding = MOTE_CODING_ZSTD,
  .state_size = sizeof(struct zstd_state),
  .init = zstd_init,
  .feed = zstd_feed,
  .end = zstd_end,
  .version_number = zstd_version_number,
  .version_text = zstd_version_text
};
