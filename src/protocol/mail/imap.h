/* protocol/mail/imap.h: mailboxes by IMAP (RFC 3501, RFC 9051), in three files: imap_greet.c has what a new
 * connection begins with, imap_fetch.c messages that are fetched and appended, imap.c the rest.
 *
 * Ownership: the connection owns struct mote_imap.
 * Errors:    CURLE_LOGIN_DENIED (also a mailbox that cannot be selected, as by libcurl),
 *            CURLE_USE_SSL_FAILED, CURLE_REMOTE_FILE_NOT_FOUND (no such message, or another UIDVALIDITY),
 *            CURLE_UPLOAD_FAILED, CURLE_QUOTE_ERROR (another command was refused),
 *            CURLE_WEIRD_SERVER_REPLY, and those of protocol/pingpong.h and protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_imap.py */
#ifndef MOTE_PROTOCOL_MAIL_IMAP_H
#define MOTE_PROTOCOL_MAIL_IMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/mail/imap.h"
#include "protocol/mail/mail_session.h"

#define MOTE_IMAP_TAG 5     /* bytes: a letter, three digits and a NUL */
#define MOTE_IMAP_DIGEST 16 /* bytes of a SHA-256 that stand for a mailbox's name */

/* The stages that are not those of all mail (enum mote_mail_stage). */
enum mote_imap_stage {
  MOTE_IMAP_LOGIN = MOTE_MAIL_LOGIN,
  MOTE_IMAP_SELECT = MOTE_MAIL_REQUEST,
  MOTE_IMAP_COMMAND,  /* LIST, SEARCH or a command of the application */
  MOTE_IMAP_LITERAL,  /* the bytes of one in its response */
  MOTE_IMAP_FETCH,
  MOTE_IMAP_MESSAGE,  /* the bytes of it */
  MOTE_IMAP_APPEND,
  MOTE_IMAP_UPLOAD,   /* the bytes of the message */
  MOTE_IMAP_UPLOADED
};

/* The state of a connection. */
struct mote_imap {
  struct mote_mail mail;
  int64_t left;                /* bytes of a literal that are still to come */
  uint32_t uidvalidity;        /* of the selected mailbox, 0: unknown */
  uint16_t command;            /* number of the last command, in its tag */
  bool selected : 1;           /* a mailbox is */
  bool inside : 1;             /* the line that comes is the rest of one with a literal */
  bool fetched : 1;            /* the message has come */
  bool drops : 1;              /* the literal is not delivered */
  uint8_t mailbox[MOTE_IMAP_DIGEST]; /* of its name as the URL has it */
};

/* Bits of what the server can do, by CAPABILITY. */
#define MOTE_IMAP_CAN_INITIAL 2u /* SASL-IR */
#define MOTE_IMAP_NO_LOGIN 4u    /* LOGINDISABLED */

extern const struct mote_protocol mote_protocol_imap;

/* ---- imap_greet.c ---- */

/* Returns MOTE_IMAP_LOGIN where it may be used (protocol/mail/mail_session.h). */
unsigned mote_imap_own_way(const struct mote_mail *m, struct mote_sasl_ways ways);
/* Sends the command of a stage before MOTE_MAIL_READY, and takes a line of its response. */
CURLcode mote_imap_greet_ask(struct mote_transfer *t, struct mote_imap *i);
CURLcode mote_imap_greet_line(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l);

/* Reads the transfer's URL. False, before a connection is made: it is not understood. */
bool mote_imap_url(const struct mote_transfer *t, struct mote_imap_url *u);
/* Prints the tag of the command under way. */
void mote_imap_tag(const struct mote_imap *i, int32_t connection, char out[MOTE_IMAP_TAG]);
/* Writes the tag of a new command and a blank (protocol/mail/mail_session.h). */
char *mote_imap_put_tag(struct mote_transfer *t, char *at);

/* ---- imap_fetch.c ---- */

/* The stages from MOTE_IMAP_LITERAL on. */
CURLcode mote_imap_fetch_ask(struct mote_transfer *t, struct mote_imap *i, mote_time now);
CURLcode mote_imap_fetch_line(struct mote_transfer *t, struct mote_imap *i, const struct mote_imap_line *l);

#endif
