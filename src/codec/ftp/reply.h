/* codec/ftp/reply.h: the replies of protocols whose server answers each command with lines of text (FTP,
 * SMTP, POP3), and what FTP's replies carry.
 *
 * FTP and SMTP begin the lines with three digits (RFC 959 section 4.2, RFC 5321 section 4.2). After
 * "220-text" any text may follow, until a line with the same digits and a space. A line that should begin a
 * reply and does not is passed over, as libcurl does. POP3 has a word in front (RFC 1939 section 3, RFC 5034
 * section 4). A line is a slice without its end.
 *
 * Ownership: nothing is kept; the code of an unfinished reply is the caller's.
 * Errors:    as each function says. The caller limits how much of a reply there may be.
 * Tests:     tests/unit/codec/test_reply.c, fuzz/fuzz_reply.c */
#ifndef MOTE_CODEC_FTP_REPLY_H
#define MOTE_CODEC_FTP_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Takes a line of a reply with digits. Returns its code, 100 to 999, when the line ends the reply, else 0.
 * *open is the code of a reply that has begun with other lines, 0 when none has. */
unsigned mote_reply_take(uint16_t *open, struct mote_slice line);

/* Returns what follows the code of a line. */
static inline struct mote_slice mote_reply_text(struct mote_slice line)
{
  size_t code = line.len > 4 ? 4 : line.len;
  struct mote_slice text = {line.ptr + code, line.len - code};
  return text;
}

/* What a line of POP3 says. */
enum mote_reply_word {
  MOTE_REPLY_OK,   /* "+OK" */
  MOTE_REPLY_ERR,  /* "-ERR" */
  MOTE_REPLY_GO_ON, /* "+" and a challenge of AUTH */
  MOTE_REPLY_OTHER
};

/* Sets *text to what follows the word and a space. */
enum mote_reply_word mote_reply_word(struct mote_slice line, struct mote_slice *text);

/* ---- FTP; text is what follows the code ---- */

/* Reads the six numbers of 227 wherever they stand (RFC 1123 section 4.1.2.6): the address, then the port.
 * False: there are none. */
bool mote_reply_passive(struct mote_slice text, uint8_t address[4], uint16_t *port);

/* Reads the port of 229, "(|||port|)" with any delimiter (RFC 2428 section 3). False: there is none. The port
 * may be 0, which cannot be connected to. */
bool mote_reply_extended(struct mote_slice text, uint16_t *port);

/* Decodes the path of 257 into out, which has room for text.len bytes, and sets *len, to 0 where there is no
 * path. The path is in quotes, and each of its own is doubled (RFC 959 appendix II). False: its last quote is
 * missing, or it has a control character, which would be in the application's CURLINFO_FTP_ENTRY_PATH. */
bool mote_reply_path(struct mote_slice text, char *out, size_t *len);

/* Reads the size of 213, the last number of the text. False: there is none below 2^63. */
bool mote_reply_size(struct mote_slice text, int64_t *size);

/* Reads the time of 213, YYYYMMDDhhmmss in UTC (RFC 3659 section 2.3), as seconds since 1970. False: it is
 * none. */
bool mote_reply_time(struct mote_slice text, int64_t *seconds);

#endif
