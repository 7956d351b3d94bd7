/* protocol/imap.h: mailboxes by IMAP (RFC 3501, RFC 9051), in three files: imap_greet.c has what a new
 * connection begins with, imap_fetch.c messages that are fetched and appended, imap.c the rest.
 *
 * Ownership: the connection owns struct mote_imap.
 * Errors:    CURLE_LOGIN_DENIED (also a mailbox that cannot be selected, as by libcurl),
 *            CURLE_USE_SSL_FAILED, CURLE_REMOTE_FILE_NOT_FOUND (no such message, or another UIDVALIDITY),
 *            CURLE_UPLOAD_FAILED, CURLE_QUOTE_ERROR (another command was refused),
 *            CURLE_WEIRD_SERVER_REPLY, and those of protocol/pingpong.h and protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_imap.py */
#ifndef MOTE_PROTOCOL_IMAP_H
#define MOTE_PROTOCOL_IMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/imap.h"
#include "protocol/pingpong.h"
#include "transfer/protocol.h"

struct mote_conn;
struct mote_mail_sasl;

#define MOTE_IMAP_TAG 8     /* bytes: a letter, up to three digits and a NUL */
#define MOTE_IMAP_DIGEST 16 /* bytes of a SHA-256 that stand for a mailbox's name */

enum mote_imap_stage {
  MOTE_IMAP_START,
  MOTE_IMAP_BANNER,
  MOTE_IMAP_CAPABILITY,
  MOTE_IMAP_STARTTLS,
  MOTE_IMAP_TLS,      /* the handshake */
  MOTE_IMAP_CHOOSE,   /* a way to log in */
  MOTE_IMAP_AUTH,     /* SASL */
  MOTE_IMAP_LOGIN,
  MOTE_IMAP_READY,    /* the greeting is over */
  MOTE_IMAP_SELECT,
  MOTE_IMAP_COMMAND,  /* LIST, SEARCH or a command of the application */
  MOTE_IMAP_LITERAL,  /* the bytes of one in its response */
  MOTE_IMAP_FETCH,
  MOTE_IMAP_MESSAGE,  /* the bytes of it */
  MOTE_IMAP_APPEND,
  MOTE_IMAP_UPLOAD,   /* the bytes of the message */
  MOTE_IMAP_UPLOADED,
  MOTE_IMAP_OVER
};

/* The state of a connection. */
struct mote_imap {
  struct mote_pp pp;
  uint16_t offered;            /* mechanisms of SASL, by CAPABILITY (enum mote_sasl_bit) */
  uint16_t command;            /* number of the last command, in its tag */
  uint32_t uidvalidity;        /* of the selected mailbox, 0: unknown */
  bool has_tls : 1;            /* by CAPABILITY, like those that follow */
  bool has_initial : 1;        /* SASL-IR */
  bool no_login : 1;           /* LOGINDISABLED */
  bool logged_in : 1;          /* PREAUTH */
  bool selected : 1;           /* a mailbox is */
  bool inside : 1;             /* the line that comes is the rest of one with a literal */
  bool fetched : 1;            /* the message has come */
  bool drops : 1;              /* the literal is not delivered */
  uint8_t mailbox[MOTE_IMAP_DIGEST]; /* of its name as the URL has it */
  int64_t left;                /* bytes of a literal that are still to come */
  struct mote_mail_sasl *sasl; /* a login under way, or NULL */
};

extern const struct mote_protocol mote_protocol_imap;

/* ---- imap_greet.c ---- */

CURLcode mote_imap_prepare(struct mote_transfer *t);
void mote_imap_discard(struct mote_conn *c);
/* Sends the command of a stage before MOTE_IMAP_READY, and takes a line of its response. */
CURLcode mote_imap_greet_ask(struct mote_transfer *t, struct mote_imap *i);
CURLcode mote_imap_greet_line(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l);

/* Prints the tag of the command under way. */
void mote_imap_tag(const struct mote_imap *i, int32_t connection, char out[MOTE_IMAP_TAG]);
/* Returns room for a command of `most` bytes after its new tag, and the place after that. NULL: *rc. */
char *mote_imap_begin(struct mote_transfer *t, struct mote_imap *i, size_t most, CURLcode *rc);
/* Sends the command that ends at `end`. */
CURLcode mote_imap_send(struct mote_transfer *t, struct mote_imap *i, const char *end);
/* Writes a word of the URL or of an option as a string of IMAP. */
char *mote_imap_put(char *at, struct mote_slice word, bool coded, bool quoted);
/* Returns `rc` with the server's words as the text of the error. */
CURLcode mote_imap_refused(struct mote_transfer *t, CURLcode rc, const struct mote_imap_line *l);

/* ---- imap_fetch.c ---- */

/* The stages from MOTE_IMAP_LITERAL on. */
CURLcode mote_imap_fetch_ask(struct mote_transfer *t, struct mote_imap *i, mote_time now);
CURLcode mote_imap_fetch_line(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l);

#endif
