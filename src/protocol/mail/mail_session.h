/* protocol/mail/mail_session.h: what IMAP, POP3 and SMTP have in common: the stages of a greeting (TLS, the
 * login) and both ends of a request.
 *
 * A protocol of mail is a row, whose driver its struct mote_protocol names; by that the functions here find
 * the row. It writes the commands and reads the replies of all stages but those of mote_mail_greet_ask(), and
 * calls the functions here for what the replies mean.
 *
 * Invariants: struct mote_mail is the first member of the protocol's state of a connection.
 * Ownership:  the connection owns the state and the login in it.
 * Errors:     CURLE_LOGIN_DENIED, CURLE_USE_SSL_FAILED, CURLE_WEIRD_SERVER_REPLY, and those of
 *             protocol/mail/mail.h, protocol/pingpong.h, protocol/body.h, http/auth/netrc.h and
 * transfer/upload/source.h.
 * Threads:    those of the multi.
 * Tests:      tests/e2e/test_imap.py, test_pop3.py, test_smtp.py */
#ifndef MOTE_PROTOCOL_MAIL_MAIL_SESSION_H
#define MOTE_PROTOCOL_MAIL_MAIL_SESSION_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/conn.h"
#include "protocol/sasl_exchange.h"
#include "protocol/pingpong.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

/* The stages of a connection. */
enum mote_mail_stage {
  MOTE_MAIL_START,
  MOTE_MAIL_BANNER,
  MOTE_MAIL_HELLO,      /* the client asks what the server can do */
  MOTE_MAIL_STARTTLS,
  MOTE_MAIL_TLS,        /* the handshake */
  MOTE_MAIL_CHOOSE,     /* a way to log in */
  MOTE_MAIL_AUTH,       /* SASL */
  MOTE_MAIL_LOGIN,      /* the protocol's own ways, from here on */
  MOTE_MAIL_READY = 16, /* the greeting is over */
  MOTE_MAIL_REQUEST,    /* the protocol's own requests, from here on */
  MOTE_MAIL_OVER = 64
};

#define MOTE_MAIL_CAN_TLS 1u /* a bit of `can` */
#define MOTE_MAIL_TAG 8      /* bytes of what is before a command at most */

/* The head of a protocol's state of a connection. */
struct mote_mail {
  struct mote_pp pp;
  struct mote_sasl_exchange *sasl; /* a login under way, or NULL */
  uint16_t offered;            /* mechanisms of SASL that the server has named (enum mote_sasl_bit) */
  uint8_t can;                 /* what else it can do: MOTE_MAIL_CAN_TLS, and bits of the protocol's own */
  bool no_login : 1;           /* the server asks for none */
};

/* What a protocol is to the functions below. */
struct mote_mail_row {
  struct mote_driver driver;   /* with mote_mail_discard() */
  struct mote_pp_row commands;
  struct mote_sasl_service service;
  uint8_t initial;             /* the bit of `can` for a first message with the command of SASL, 0: none */
  const char *words;           /* by which servers say what they can do (mote_slice_among()), in the order of
                                  the bits of `can` */
  /* Returns the stage of the protocol's own way to log in, MOTE_MAIL_CHOOSE: there is none that may be used.
   * NULL: there is never one. */
  unsigned (*own_way)(const struct mote_mail *m, struct mote_sasl_ways ways);
  /* Writes what is before each command, and returns the place after it, MOTE_MAIL_TAG bytes at most. NULL:
   * nothing is. */
  char *(*tag)(struct mote_transfer *t, char *at);
  /* Writes a string of the protocol (mote_imap_put_string()). NULL: it has none. */
  size_t (*string)(char *to, struct mote_slice text, bool quoted);
};

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

/* Does what all three do at MOTE_MAIL_START, TLS, CHOOSE and AUTH. */
CURLcode mote_mail_greet_ask(struct mote_transfer *t, struct mote_mail *m);
/* Takes a word that says what the server can do. Returns its bit of `can`, 0: it has none. */
unsigned mote_mail_learn(const struct mote_transfer *t, struct mote_mail *m, struct mote_slice word);
/* Forgets what it has said it can do. */
void mote_mail_forget(struct mote_mail *m);
/* Moves on from MOTE_MAIL_HELLO, after the whole reply. CURLE_USE_SSL_FAILED. */
CURLcode mote_mail_take_hello(struct mote_transfer *t, struct mote_mail *m);
/* Takes the reply to the command that begins TLS (mote_pp_take_alone()). CURLE_WEIRD_SERVER_REPLY,
 * CURLE_USE_SSL_FAILED. */
CURLcode mote_mail_take_tls(struct mote_transfer *t, bool granted);
/* Takes a reply at MOTE_MAIL_AUTH; text: of a challenge. CURLE_LOGIN_DENIED, and those of auth/sasl/sasl.h.
 * */
CURLcode mote_mail_take_auth(struct mote_transfer *t, struct mote_mail *m, enum mote_sasl_reply reply,
                             struct mote_slice text);
/* Reports whether the connection has no TLS and is to have it (CURLOPT_USE_SSL). */
bool mote_mail_wants_tls(const struct mote_transfer *t);

/* ---- a request ---- */

/* Sends a command, after its tag. The format has %s for a text and %d for a curl_off_t. A slice is given by
 * its address and the bool that it is percent-encoded, and %w writes it as it is, %q as a string of the
 * protocol, %Q as a quoted one. CURLE_TOO_LARGE, and those of mote_pp_send_room(). */
CURLcode mote_mail_command(struct mote_transfer *t, const char *format, ...);

/* Returns `rc` with the server's words as the text of the error. */
CURLcode mote_mail_refused(struct mote_transfer *t, CURLcode rc, struct mote_slice text);
/* Takes the reply that ends a request: `rc`, unless it is `ok`. */
CURLcode mote_mail_take_last(struct mote_transfer *t, struct mote_mail *m, bool ok, CURLcode rc,
                             struct mote_slice text);
/* Delivers a line of a reply as a part of the body. It is the line that is lent; its end still follows it. */
CURLcode mote_mail_deliver(struct mote_transfer *t, struct mote_slice line);
/* Sends the mail. CURLE_OK: all of it was sent. CURLE_AGAIN, and those of protocol/body.h. */
CURLcode mote_mail_send(struct mote_transfer *t, mote_time now);

#endif
