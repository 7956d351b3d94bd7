/* protocol/mail/pop3.h: mailboxes by POP3 (RFC 1939, 2449, 2595, 5034), in two files: pop3_greet.c has what
 * a new connection begins with, pop3.c one command and its response.
 *
 * Ownership: the connection owns struct pop3.
 * Errors:    CURLE_LOGIN_DENIED, CURLE_USE_SSL_FAILED, CURLE_WEIRD_SERVER_REPLY (a command was refused),
 *            CURLE_PARTIAL_FILE, and those of protocol/pingpong.h and protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_pop3.py */
#ifndef MOTE_PROTOCOL_MAIL_POP3_H
#define MOTE_PROTOCOL_MAIL_POP3_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/ftp/reply.h"
#include "protocol/mail/mail_session.h"

#define MOTE_POP3_DIGEST 16 /* bytes of an MD5 */

/* The stages that are not those of all mail (enum mote_mail_stage). */
enum mote_pop3_stage {
  MOTE_POP3_APOP = MOTE_MAIL_LOGIN,
  MOTE_POP3_USER,
  MOTE_POP3_PASS,
  MOTE_POP3_COMMAND = MOTE_MAIL_REQUEST,
  MOTE_POP3_BODY /* the lines of its response */
};

/* The state of a connection. */
struct mote_pop3 {
  struct mote_mail mail;
  uint8_t digest[MOTE_POP3_DIGEST]; /* of APOP, when has_apop */
  uint8_t dots;      /* enum mote_dots_at of the response */
  bool has_apop : 1; /* the banner has a timestamp */
};

#define MOTE_POP3_CAN_USER 2u /* a bit of what the server can do: by CAPA, or there is none */

extern const struct mote_protocol mote_protocol_pop3;

/* ---- pop3_greet.c ---- */

/* Chooses between APOP and USER (protocol/mail/mail_session.h). */
unsigned mote_pop3_own_way(const struct mote_mail *m, struct mote_sasl_ways ways);
/* Sends the command of a stage before MOTE_MAIL_READY. */
CURLcode mote_pop3_greet_ask(struct mote_transfer *t, struct mote_pop3 *p);
/* Takes a reply to it. */
CURLcode mote_pop3_greet_reply(struct mote_transfer *t, struct mote_pop3 *p, enum mote_reply_word word,
                               struct mote_slice text);
/* Takes a line of the list of capabilities, while pp->open is set. */
CURLcode mote_pop3_greet_line(struct mote_transfer *t, struct mote_pop3 *p, struct mote_slice line);

#endif
