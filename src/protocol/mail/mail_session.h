/* protocol/mail/mail_session.h: what IMAP, POP3 and SMTP have in common: the stages of a greeting and both
 * ends of a request (protocol/conversation.h).
 *
 * A protocol of mail is a row, whose driver its struct mote_protocol names; by that the functions here find
 * the row. The first stages are the same for all: banner, TLS, the choice of a login, SASL. A protocol's own
 * table begins with those that differ in a word (MOTE_MAIL_HELLO, MOTE_MAIL_STARTTLS), then come its own way
 * to log in and its requests. Its `read` says what a reply means in words that all have.
 *
 * Invariants: struct mote_mail is the first member of the protocol's state of a connection.
 * Ownership:  the connection owns the state and the login in it.
 * Errors:     CURLE_LOGIN_DENIED, CURLE_USE_SSL_FAILED, CURLE_WEIRD_SERVER_REPLY, and those of
 *             protocol/mail/mail.h, protocol/conversation.h, protocol/body.h, http/auth/netrc.h and
 *             transfer/upload/source.h.
 * Threads:    those of the multi.
 * Tests:      tests/e2e/test_imap.py, test_pop3.py, test_smtp.py */
#ifndef MOTE_PROTOCOL_MAIL_MAIL_SESSION_H
#define MOTE_PROTOCOL_MAIL_MAIL_SESSION_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/conn.h"
#include "net/driver.h"
#include "protocol/conversation.h"
#include "protocol/sasl_exchange.h"
#include "transfer/transfer.h"

struct mote_sasl_exchange;

/* The stages of a connection. */
enum mote_mail_stage {
  MOTE_MAIL_BANNER,
  MOTE_MAIL_TLS,        /* the handshake */
  MOTE_MAIL_CHOOSE,     /* a way to log in */
  MOTE_MAIL_AUTH,       /* SASL */
  MOTE_MAIL_HELLO,      /* the client asks what the server can do. From here on in the protocol's table */
  MOTE_MAIL_STARTTLS,
  MOTE_MAIL_OWN,        /* the first of those that only one protocol has */
  MOTE_MAIL_READY = 62, /* the greeting is over */
  MOTE_MAIL_OVER        /* the request is */
};

/* Where a stage is in the table of a protocol. */
#define MOTE_MAIL_AT(stage) [(unsigned)(stage) - (unsigned)MOTE_MAIL_HELLO]

/* What a reply says. */
enum mote_mail_says {
  MOTE_MAIL_GO_ON = MOTE_SASL_CHALLENGE, /* the server waits for more */
  MOTE_MAIL_OK = MOTE_SASL_ACCEPTED,
  MOTE_MAIL_NO = MOTE_SASL_REJECTED
};

#define MOTE_MAIL_CAN_TLS 1u /* a bit of `can` */

/* The head of a protocol's state of a connection. */
struct mote_mail {
  struct mote_talk talk;
  struct mote_sasl_exchange *sasl; /* a login under way, or NULL */
  uint16_t offered;            /* mechanisms of SASL that the server has named (enum mote_sasl_bit) */
  uint16_t open;               /* not 0 while the last line of a reply is still to come; SMTP: its code */
  uint8_t can;                 /* what else it can do: MOTE_MAIL_CAN_TLS, and bits of the protocol's own */
  bool no_login;               /* the server asks for none */
  bool logged_in;              /* by SASL */
};

/* What a protocol is to the functions below. */
struct mote_mail_row {
  struct mote_driver driver;   /* with mote_mail_discard() */
  struct mote_talk_row talk;   /* with MOTE_MAIL_SHARED */
  struct mote_sasl_service service;
  uint8_t initial;             /* the bit of `can` for a first message with the command of SASL, 0: none */
  const char *words;           /* by which servers say what they can do (mote_slice_among()), in the order of
                                  the bits of `can` */
  /* Returns the stage of the protocol's own way to log in, MOTE_MAIL_CHOOSE: there is none that may be used.
   * NULL: there is never one. */
  unsigned (*own_way)(const struct mote_mail *m, struct mote_sasl_ways ways);
};

extern const struct mote_stage mote_mail_stages[MOTE_MAIL_HELLO];
#define MOTE_MAIL_SHARED .shared = mote_mail_stages, .own_from = MOTE_MAIL_HELLO

/* The protocol's state of the transfer's connection, which begins with struct mote_mail. */
static inline void *mote_mail_state(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* ---- struct mote_protocol and struct mote_driver ---- */

/* Checks what all three have, and opens what is sent (CURLOPT_UPLOAD, CURLOPT_MIMEPOST). */
CURLcode mote_mail_prepare(struct mote_transfer *t);
/* Goes on until MOTE_MAIL_READY. */
CURLcode mote_mail_greet(struct mote_transfer *t, mote_time now);
/* Goes on until MOTE_MAIL_OVER, and ends the body. */
CURLcode mote_mail_step(struct mote_transfer *t, mote_time now);
void mote_mail_end(struct mote_transfer *t, CURLcode rc);
/* Frees a login that was under way. */
void mote_mail_discard(struct mote_conn *c);

/* ---- the greeting ---- */

/* Takes a word that says what the server can do. Returns its bit of `can`, 0: it has none. */
unsigned mote_mail_learn(struct mote_mail *m, struct mote_slice word);
/* Forgets what it has said it can do. */
void mote_mail_forget(struct mote_mail *m);
/* Moves on from MOTE_MAIL_HELLO, after the whole reply. CURLE_USE_SSL_FAILED. */
CURLcode mote_mail_take_hello(struct mote_transfer *t, struct mote_mail *m);
/* The reply to the command that begins TLS (mote_talk_take_alone()). CURLE_WEIRD_SERVER_REPLY,
 * CURLE_USE_SSL_FAILED. */
mote_talk_take mote_mail_take_tls;
/* The reply to the last command of the protocol's own login. CURLE_LOGIN_DENIED. */
mote_talk_take mote_mail_take_login;

/* ---- a request ---- */

/* Takes the reply that ends a request: `rc`, unless it is `ok`. */
CURLcode mote_mail_take_last(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r,
                             bool ok, CURLcode rc);
/* Delivers a line of a reply as a part of the body. It is the line that is lent; its end still follows it. */
CURLcode mote_mail_deliver(struct mote_transfer *t, struct mote_slice line);
/* Sends the mail. CURLE_OK: all of it was sent. CURLE_AGAIN, and those of protocol/body.h. */
mote_talk_ask mote_mail_send;

#endif
