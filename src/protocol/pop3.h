/* protocol/pop3.h: mailboxes by POP3 (RFC 1939, 2449, 2595, 5034), in two files: pop3_greet.c has what a new
 * connection begins with, pop3.c one command and its response.
 *
 * Ownership: the connection owns struct pop3.
 * Errors:    CURLE_LOGIN_DENIED, CURLE_USE_SSL_FAILED, CURLE_WEIRD_SERVER_REPLY (a command was refused),
 *            CURLE_PARTIAL_FILE, and those of protocol/pingpong.h and protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_pop3.py */
#ifndef MOTE_PROTOCOL_POP3_H
#define MOTE_PROTOCOL_POP3_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/reply.h"
#include "protocol/pingpong.h"
#include "transfer/protocol.h"

struct mote_mail_sasl;
struct mote_mail_service;

#define MOTE_POP3_DIGEST 16 /* bytes of an MD5 */

enum mote_pop3_stage {
  MOTE_POP3_START,
  MOTE_POP3_BANNER,
  MOTE_POP3_CAPA,
  MOTE_POP3_STLS,
  MOTE_POP3_TLS,     /* the handshake */
  MOTE_POP3_LOGIN,   /* which way of logging in comes next */
  MOTE_POP3_AUTH,    /* SASL */
  MOTE_POP3_APOP,
  MOTE_POP3_USER,
  MOTE_POP3_PASS,
  MOTE_POP3_READY,   /* the greeting is over */
  MOTE_POP3_COMMAND,
  MOTE_POP3_BODY,    /* the lines of its response */
  MOTE_POP3_OVER
};

/* The state of a connection. */
struct mote_pop3 {
  struct mote_pp pp;
  uint16_t offered;  /* mechanisms of SASL, by CAPA (enum mote_sasl_bit) */
  uint8_t digest[MOTE_POP3_DIGEST]; /* of APOP, when has_apop */
  uint8_t dots;      /* enum mote_dots_at of the response */
  bool has_apop : 1; /* the banner has a timestamp */
  bool has_stls : 1; /* by CAPA */
  bool has_user : 1; /* likewise, or there is no CAPA */
  struct mote_mail_sasl *sasl; /* a login under way, or NULL */
};

extern const struct mote_protocol mote_protocol_pop3;

/* ---- pop3_greet.c ---- */

extern const struct mote_mail_service mote_pop3_service;

/* Sends the command of a stage before MOTE_POP3_READY. */
CURLcode mote_pop3_greet_ask(struct mote_transfer *t, struct mote_pop3 *p);
/* Takes a reply to it. */
CURLcode mote_pop3_greet_reply(struct mote_transfer *t, struct mote_pop3 *p, enum mote_reply_word word,
                               struct mote_slice text);
/* Takes a line of the list of capabilities, while p->pp.open is set. */
CURLcode mote_pop3_greet_line(struct mote_transfer *t, struct mote_pop3 *p, struct mote_slice line);
/* Returns `rc` with the server's words as the text of the error. */
CURLcode mote_pop3_refused(struct mote_transfer *t, CURLcode rc, struct mote_slice text);

#endif
