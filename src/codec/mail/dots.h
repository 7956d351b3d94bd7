/* codec/mail/dots.h: the end of a mail in a stream of lines, and the dots that keep its own lines from
 * looking like that end.
 *
 * POP3 ends a multi-line response, and SMTP a mail, with a line that is a single dot (RFC 1939 section 3, RFC
 * 5321 section 4.5.2). A line of the mail that begins with a dot is sent with a second one in front. A line
 * ends with CRLF alone: LF without CR is a byte like any other, in both directions, so that client and server
 * agree where a mail ends.
 *
 * A received line that begins with a single dot and goes on is left as it is, as by libcurl: a sender that
 * keeps to the RFC makes none.
 *
 * One byte of the caller's says where the bytes so far have left the line; zero at the beginning. Pieces may
 * be cut anywhere.
 *
 * Ownership: the bytes are the caller's.
 * Errors:    none.
 * Tests:     tests/unit/codec/test_dots.c, fuzz/fuzz_dots.c */
#ifndef MOTE_CODEC_MAIL_DOTS_H
#define MOTE_CODEC_MAIL_DOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum mote_dots_at {
  MOTE_DOTS_LINE, /* at the beginning of a line */
  MOTE_DOTS_TEXT, /* in a line */
  MOTE_DOTS_CR,   /* in a line, after CR */
  MOTE_DOTS_OVER  /* after the line that is a dot; only mote_dots_undo() gets there */
};

/* Longest text of mote_dots_end(). */
#define MOTE_DOTS_END_MOST 5u

/* Undoes the framing of received bytes in place. *out is how many bytes of the mail lie at `bytes` then.
 * Returns how many of the bytes were used: all, or all up to and with the end of the mail, or all but the
 * beginning of a line that may be that end (at most two bytes), which the caller gives again with what
 * follows. */
size_t mote_dots_undo(uint8_t *at, char *bytes, size_t len, size_t *out);

/* Returns how many bytes of a mail can be sent before a dot has to be put in, or len. *at is where they leave
 * the line. */
size_t mote_dots_plain(uint8_t *at, const char *bytes, size_t len);

/* Copies bytes of a mail with the dots that have to be put in. `from` may lie in `to`, at least
 * from.len / 3 + 1 after its beginning. Returns how many bytes were written, at most `room`; *used is how
 * many were read: all if `room` is from.len + from.len / 3 + 2. */
size_t mote_dots_put(uint8_t *at, char *to, size_t room, struct mote_slice from, size_t *used);

/* Returns the text that ends a mail whose bytes have left the line there. */
static inline const char *mote_dots_end(uint8_t at)
{
  return at == MOTE_DOTS_LINE ? ".\r\n" : "\r\n.\r\n";
}

/* Copies text with CR put before each LF that has none. *cr: the last byte was CR. `from` may lie in `to`, at
 * least from.len after its beginning. Returns how many bytes were written, at most `room`; *used is how many
 * were read: all if `room` is 2 * from.len. */
size_t mote_dots_crlf(bool *cr, char *to, size_t room, struct mote_slice from, size_t *used);

#endif
