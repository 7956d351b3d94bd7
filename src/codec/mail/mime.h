/* codec/mail/mime.h: the texts and encodings of a multipart body (RFC 2045, 2046, 7578).
 *
 * An encoding changes the content of a part, piece by piece: mote_mime_encode() takes all bytes that it gets
 * and keeps back at most MOTE_MIME_CARRY of them, until it knows what follows. A text (struct mote_mime_text)
 * is the part of a longer one that fits into a room, so that a head that was cut by the end of a buffer goes
 * on where it stopped, and a text without room is measured.
 *
 * Ownership: everything is the caller's.
 * Errors:    as each function says.
 * Tests:     tests/unit/codec/test_mime.c, fuzz/fuzz_mime.c */
#ifndef MOTE_CODEC_MAIL_MIME_H
#define MOTE_CODEC_MAIL_MIME_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- encodings (RFC 2045 section 6, curl_mime_encoder(3)) ---- */

#define MOTE_MIME_LINE 76  /* characters of an encoded line, without its CR LF */
#define MOTE_MIME_CARRY 3  /* bytes kept back at most */

/* Bytes that `n` bytes of input and what was kept back become at most. */
#define MOTE_MIME_ENCODED(n) ((size_t)(n) * 4 + 32)

/* Where an encoding stands in the content of one part. All zero at its beginning. */
struct mote_mime_coder {
  char carry[MOTE_MIME_CARRY]; /* bytes that wait for what follows them */
  uint8_t carried;             /* how many, 0 to MOTE_MIME_CARRY */
  uint8_t column;              /* characters in the current line, 0 to MOTE_MIME_LINE */
  bool refused;                /* 7bit has met a byte above 127 */
};

struct mote_mime_coding {
  const char *name; /* in Content-Transfer-Encoding */
  /* Encodes all of in[len], and with `end` what was kept back too. out has MOTE_MIME_ENCODED(len) bytes, and
   * may end where `in` ends. Returns the bytes written. NULL: the content stays as it is. */
  size_t (*encode)(struct mote_mime_coder *c, const char *in, size_t len, bool end, char *out);
  /* Returns the encoded size of so many bytes, -1: unknown. NULL: the same. */
  curl_off_t (*size)(curl_off_t bytes);
};

/* NULL: there is no such encoding. */
const struct mote_mime_coding *mote_mime_coding_find(const char *name);

/* ---- texts ---- */

struct mote_mime_text {
  char *to;       /* room; NULL where `room` is 0 */
  size_t room;    /* bytes that fit */
  size_t skip;    /* bytes of the text to leave out first */
  size_t written; /* bytes in the room */
  size_t total;   /* bytes of the whole text so far */
  bool refused;   /* a name has a line break where no escape stands for one */
};

void mote_mime_put_cut(struct mote_mime_text *t, const char *bytes, size_t len);

/* Most pieces are measured, or fit whole. */
static inline void mote_mime_put(struct mote_mime_text *t, const char *bytes, size_t len)
{
  if(t->room && (t->skip || len > t->room - t->written)) {
    mote_mime_put_cut(t, bytes, len);
    return;
  }
  if(t->room) {
    memcpy(t->to + t->written, bytes, len);
    t->written += len;
  }
  t->total += len;
}

static inline void mote_mime_puts(struct mote_mime_text *t, const char *s)
{
  mote_mime_put(t, s, strlen(s));
}

/* Puts a name in quotes. backslash: quotes and backslashes get a backslash, and a line break is refused;
 * else quotes and line breaks become %22, %0D and %0A, as browsers have it (CURLOPT_MIME_OPTIONS(3)). */
void mote_mime_put_quoted(struct mote_mime_text *t, const char *name, bool backslash);

/* Returns the content type that a file name stands for, or NULL. */
const char *mote_mime_type_of(const char *filename);

/* Returns the value of the first line "Name: value" in the list, without leading blanks, or NULL. */
const char *mote_mime_field(const struct curl_slist *list, const char *name);

#endif
