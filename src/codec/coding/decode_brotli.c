/* codec/coding/decode_brotli.c: br (RFC 7932) by Google's decoder. Its window is at most 16 MB. */
#include <brotli/decode.h>

#include "codec/coding/decode_lib.h"

struct brotli_state {
  BrotliDecoderState *b;
};

static CURLcode br_init(void *state, struct mote_account *account)
{
  struct brotli_state *s = state;
  s->b = BrotliDecoderCreateInstance(mote_decode_alloc, mote_decode_free, account);
  return s->b ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static bool out_of_memory(const BrotliDecoderState *b)
{
  BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(b);
  return code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
         code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
}

static CURLcode br_feed(void *state, struct mote_decode_io *io, bool *done)
{
  struct brotli_state *s = state;
  const uint8_t *in = (const uint8_t *)io->in;
  uint8_t *out = (uint8_t *)io->out;
  BrotliDecoderResult r = BrotliDecoderDecompressStream(s->b, &io->in_len, &in, &io->out_len, &out, NULL);
  io->in = (const char *)in;
  io->out = (char *)out;
  *done = r == BROTLI_DECODER_RESULT_SUCCESS;
  if(r == BROTLI_DECODER_RESULT_ERROR)
    return out_of_memory(s->b) ? CURLE_OUT_OF_MEMORY : CURLE_BAD_CONTENT_ENCODING;
  return CURLE_OK;
}

static void br_end(void *state)
{
  struct brotli_state *s = state;
  BrotliDecoderDestroyInstance(s->b);
}

static uint32_t br_version_number(void)
{
  return BrotliDecoderVersion();
}

const struct mote_decoder mote_decoder_br = {
  .name = "br",
  .library = "brotli",
  .coding = MOTE_CODING_BR,
  .state_size = sizeof(struct brotli_state),
  .init = br_init,
  .feed = br_feed,
  .end = br_end,
  .version_number = br_version_number
};
