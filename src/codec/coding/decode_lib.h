/* codec/coding/decode_lib.h: what the decoder files share: the descriptors, and memory for the vendor
 * libraries.
 *
 * The libraries free blocks without the size that base/memory.h needs, so each block begins with it.
 * Tests: tests/unit/codec/test_decode.c */
#ifndef MOTE_CODEC_CODING_DECODE_LIB_H
#define MOTE_CODEC_CODING_DECODE_LIB_H

#include "codec/coding/decode.h"

extern const struct mote_decoder mote_decoder_deflate; /* decode_zlib.c */
extern const struct mote_decoder mote_decoder_gzip;
extern const struct mote_decoder mote_decoder_br;      /* decode_brotli.c */
extern const struct mote_decoder mote_decoder_zstd;    /* decode_zstd.c */

/* The decoders of this build in the order of Accept-Encoding, NULL at the end; in tables.c, which the build
 * writes. */
extern const struct mote_decoder *const mote_decoders[];

/* Aligned as malloc's; NULL when memory or the account has run out. opaque is the account, never NULL. */
void *mote_decode_alloc(void *opaque, size_t size);
void mote_decode_free(void *opaque, void *p); /* p may be NULL */

#endif
