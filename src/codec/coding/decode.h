/* codec/coding/decode.h: decoders of content codings (RFC 9110 section 8.4.1): deflate, gzip, br, zstd.
 *
 * Each vendor library has one file and each coding one const descriptor; the build's table lists them.
 * A chain decodes a list of codings, last applied first. It exists from the beginning of a coded body to its
 * end. It pulls: each call gets input and room and returns how much of either it has used. It holds no input,
 * so that a paused transfer keeps only what it has not passed yet. It works in turns, since codings in
 * codings can make terabytes out of kilobytes, and a million bytes between two stages out of none.
 *
 * Invariants: never more output per call than there is room; every byte that the vendor libraries hold is
 *             charged to the account, as MOTE_PART_CODEC.
 * Ownership:  the chain is the caller's until mote_decode_close(). Input and output are borrowed per call.
 * Failure:    CURLE_BAD_CONTENT_ENCODING for codings that are unknown, too many or malformed, for bytes after
 *             the coded data, and for data that ends too early; CURLE_OUT_OF_MEMORY. After either the chain
 *             can only be closed.
 * Tests:      tests/unit/codec/test_decode.c */
#ifndef MOTE_CODEC_CODING_DECODE_H
#define MOTE_CODEC_CODING_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "codec/coding/coding.h"

struct mote_account;

/* One call's input and output. */
struct mote_decode_io {
  const char *in; /* coded bytes; moved past what was used */
  size_t in_len;  /* bytes left there */
  char *out;      /* room for decoded bytes; moved past what was made */
  size_t out_len; /* room left there */
  uint32_t turn;  /* what the chain may still spend (MOTE_DECODE_TURN); decoders ignore it */
};

/* A coding. The functions get the state: `state_size` bytes, zeroed before init. */
struct mote_decoder {
  const char *name;    /* as in Accept-Encoding */
  const char *library; /* vendor library as curl_version() names it; the same text for all of one library */
  uint8_t coding;      /* enum mote_coding */
  uint16_t state_size; /* bytes */
  /* After CURLE_OUT_OF_MEMORY there is nothing to end. The account outlives the state. */
  CURLcode (*init)(void *state, struct mote_account *account);
  /* Uses input and makes output until one of them is exhausted or the coded data is complete (*done). More of
   * the same coding may follow where its format says so (gzip members, zstd frames). */
  CURLcode (*feed)(void *state, struct mote_decode_io *io, bool *done);
  void (*end)(void *state);
  /* The vendor library's version, a.b.c as a << 24 | b << 12 | c. */
  uint32_t (*version_number)(void);
  /* The version's text, static. NULL: the library has none, and the number stands for it. */
  const char *(*version_text)(void);
};

/* NULL when this build cannot decode it. */
const struct mote_decoder *mote_decoder_find(enum mote_coding coding);

/* i-th decoder of the table, NULL after the last. */
const struct mote_decoder *mote_decoder_at(unsigned i);

/* What CURLOPT_ACCEPT_ENCODING "" stands for: "deflate, gzip, br, zstd" in a full build, "identity" without
 * any decoder. NUL-terminated into out, at most cap bytes (40 are enough); returns its length. */
size_t mote_decode_accept(char *out, size_t cap);

struct mote_decode_chain;

/* Makes a chain for codings in the order in which they were applied (as in the header), 1 to
 * MOTE_MAX_CODINGS.
 * Errors: CURLE_BAD_CONTENT_ENCODING (this build cannot decode one of them, or count is out of range),
 *         CURLE_OUT_OF_MEMORY. *out is NULL then. */
CURLcode mote_decode_open(struct mote_decode_chain **out, const uint8_t *codings, unsigned count,
                          struct mote_account *account);

/* Decodes until room, input or turn is used up; the turn may be overdrawn by one call of one decoder. When
 * room and some of the turn are left after CURLE_OK, all input was used and has no more output. Otherwise
 * there may be more output, even with in_len 0, for a call with new room or a new turn. */
CURLcode mote_decode_pull(struct mote_decode_chain *c, struct mote_decode_io *io);

/* Takes len > 0 decoded bytes, which it may overwrite. CURLE_AGAIN: it has taken them, but decoding stops
 * here (paused). Any other code but CURLE_OK ends the decoding with that code. */
typedef CURLcode (*mote_decode_write)(void *user, char *bytes, size_t len);

/* Where decoded bytes go. */
struct mote_decode_out {
  char *room;              /* bytes lie there until they are written */
  size_t cap;              /* of it */
  mote_decode_write write;
  void *user;              /* for write */
};

/* Calls mote_decode_pull() in a loop through out's room, until *turn is 0. *used is the number of input bytes
 * used, also after an error. Bytes decoded before an error are delivered first.
 * CURLE_OK: all input is used and its output delivered. CURLE_AGAIN: the writer has returned it, or the turn
 * is over; the caller repeats with the unused input, possibly none. Otherwise the writer's code, or
 * mote_decode_pull's. */
CURLcode mote_decode_push(struct mote_decode_chain *c, struct mote_slice in, size_t *used, uint32_t *turn,
                          const struct mote_decode_out *out);

/* The body has ended and all output was pulled. CURLE_BAD_CONTENT_ENCODING when the coded data is not
 * complete; a body without a single byte is complete. */
CURLcode mote_decode_finish(const struct mote_decode_chain *c);

void mote_decode_close(struct mote_decode_chain *c); /* NULL is fine */

#endif
