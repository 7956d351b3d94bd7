/* protocol/mail/imap.h: mailboxes by IMAP (RFC 3501, RFC 9051), in three files: imap_greet.c has what a new
 * connection begins with and how commands are written, imap_fetch.c messages that are fetched and appended,
 * imap.c the rest.
 *
 * Ownership: the connection owns struct mote_imap.
 * Errors:    CURLE_LOGIN_DENIED (also a mailbox that cannot be selected, as by libcurl),
 *            CURLE_USE_SSL_FAILED, CURLE_REMOTE_FILE_NOT_FOUND (no such message, or another UIDVALIDITY),
 *            CURLE_UPLOAD_FAILED, CURLE_QUOTE_ERROR (another command was refused),
 *            CURLE_WEIRD_SERVER_REPLY, and those of protocol/conversation.h and protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_imap.py */
#ifndef MOTE_PROTOCOL_MAIL_IMAP_H
#define MOTE_PROTOCOL_MAIL_IMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/mail/mail_session.h"

struct mote_imap_url;
struct mote_out;
struct mote_protocol;

#define MOTE_IMAP_TAG 5     /* bytes: a letter, three digits and a NUL */
#define MOTE_IMAP_DIGEST 16 /* bytes of a SHA-256 that stand for a mailbox's name */

/* The stages that are not those of all mail (enum mote_mail_stage). */
enum mote_imap_stage {
  MOTE_IMAP_LOGIN = MOTE_MAIL_OWN,
  MOTE_IMAP_SELECT,
  MOTE_IMAP_COMMAND,  /* FETCH, LIST, SEARCH or a command of the application */
  MOTE_IMAP_LITERAL,  /* the bytes of one in its response: a message, for FETCH */
  MOTE_IMAP_APPEND,
  MOTE_IMAP_UPLOAD,   /* the bytes of the message */
  MOTE_IMAP_UPLOADED
};

/* What a request asks for, of which all but the first are words of responses (MOTE_IMAP_WORDS). */
enum mote_imap_asks {
  MOTE_IMAP_CUSTOM, /* a command of the application */
  MOTE_IMAP_FETCH,  /* a message, which is the body; else lines of the response are */
  MOTE_IMAP_SEARCH,
  MOTE_IMAP_LIST
};
#define MOTE_IMAP_WORDS "FETCH\0SEARCH\0LIST\0"

/* The state of a connection. */
struct mote_imap {
  struct mote_mail mail;
  int64_t left;                /* bytes of a literal that are still to come */
  uint32_t uidvalidity;        /* of the selected mailbox, 0: unknown */
  uint16_t command;            /* commands that were answered; the next one has the next number in its tag */
  uint8_t asks;                /* enum mote_imap_asks */
  bool selected;               /* a mailbox is */
  bool inside;                 /* the line that comes is the rest of one with a literal */
  bool fetched;                /* the message has come */
  bool drops;                  /* the literal is not delivered */
  uint8_t mailbox[MOTE_IMAP_DIGEST]; /* of its name as the URL has it */
};

/* Bits of what the server can do, by CAPABILITY. */
#define MOTE_IMAP_CAN_INITIAL 2u /* SASL-IR */
#define MOTE_IMAP_NO_LOGIN 4u    /* LOGINDISABLED */

extern const struct mote_protocol mote_protocol_imap;

/* ---- imap_greet.c ---- */
mote_talk_ask mote_imap_send_login;
mote_talk_take mote_imap_take_hello;

/* Returns MOTE_IMAP_LOGIN where it may be used (protocol/mail/mail_session.h). */
unsigned mote_imap_own_way(const struct mote_mail *m, struct mote_sasl_ways ways);
/* Prints the tag of the command under way, or of the next one. */
void mote_imap_tag(const struct mote_imap *i, int32_t connection, char out[MOTE_IMAP_TAG]);
/* Writes it and a blank (struct mote_talk_row.front). */
void mote_imap_put_tag(const struct mote_transfer *t, struct mote_out *out);
/* Reads the transfer's URL. False, before a connection is made: it is not understood. */
bool mote_imap_url(const struct mote_transfer *t, struct mote_imap_url *u);
/* Writes a word as a string of IMAP (mote_imap_put_string()). */
void mote_imap_string(struct mote_out *out, struct mote_slice word, bool coded, bool quoted);

/* ---- imap_fetch.c ---- */
mote_talk_ask mote_imap_send_fetch, mote_imap_receive, mote_imap_send_append, mote_imap_end_append;
mote_talk_take mote_imap_take_append;

/* Reports whether such a line is to have a literal, and has none. */
bool mote_imap_lacks_message(const struct mote_reply *r);

#endif
