/* codec/mail/imap.h: lines of an IMAP server (RFC 3501, RFC 9051), strings that a client sends, and what an
 * imap: URL says (RFC 5092).
 *
 * A line is a slice without its end. Where it ends with a literal, the literal's bytes follow, and then the
 * rest of the line.
 *
 * Ownership: slices lie in the caller's text.
 * Errors:    as each function says.
 * Tests:     tests/unit/codec/test_imap.c, fuzz/fuzz_imap.c */
#ifndef MOTE_CODEC_MAIL_IMAP_H
#define MOTE_CODEC_MAIL_IMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum mote_imap_kind {
  MOTE_IMAP_OTHER,
  MOTE_IMAP_TAGGED,   /* the end of the command with this tag */
  MOTE_IMAP_UNTAGGED, /* "* " */
  MOTE_IMAP_GO_ON     /* "+" */
};

enum mote_imap_status { /* the places of its words in mote_imap_read() */
  MOTE_IMAP_NONE,
  MOTE_IMAP_OK,
  MOTE_IMAP_NO,
  MOTE_IMAP_BAD,
  MOTE_IMAP_BYE,
  MOTE_IMAP_PREAUTH
};

#define MOTE_IMAP_NO_LITERAL (-1)
#define MOTE_IMAP_BAD_LITERAL (-2) /* its length is 2^63 or more */

struct mote_imap_line {
  uint8_t kind;           /* enum mote_imap_kind */
  uint8_t status;         /* enum mote_imap_status, of a tagged or untagged line */
  struct mote_slice word; /* tagged or untagged: the first word that is no number */
  struct mote_slice rest; /* what follows it, or "+", without a blank in front */
  int64_t literal;        /* bytes of the literal that follows, or MOTE_IMAP_*_LITERAL */
};

/* Reads a line. tag: of the command under way. */
void mote_imap_read(struct mote_imap_line *l, struct mote_slice line, const char *tag);

/* Finds a response code, "[NAME value]", at the beginning of a status line's rest. */
bool mote_imap_code(struct mote_slice rest, const char *name, struct mote_slice *value);

/* Takes the next word off *rest, which blanks separate. False: there is none. */
bool mote_imap_next_word(struct mote_slice *rest, struct mote_slice *word);

/* Bytes that mote_imap_put_string() writes at most. */
static inline size_t mote_imap_string_most(size_t len)
{
  return 2 * len + 2;
}

/* Writes a text as an atom where it can be one, and else, or if `quoted`, as a quoted string. The text has no
 * CR, LF and NUL. Returns the bytes written. */
size_t mote_imap_put_string(char *to, struct mote_slice text, bool quoted);

/* What a URL's path says, percent-encoded as it came; absent parts are empty. */
struct mote_imap_url {
  struct mote_slice mailbox;
  struct mote_slice uidvalidity;
  struct mote_slice uid;
  struct mote_slice mailindex;
  struct mote_slice section;
  struct mote_slice partial;
};

/* Reads a path without its first slash. False: it has a parameter that is unknown or stands twice. */
bool mote_imap_read_url(struct mote_imap_url *u, struct mote_slice path);

#endif
