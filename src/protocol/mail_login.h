/* protocol/mail_login.h: carries a login by SASL (auth/sasl.h) in the commands and replies of a mail
 * protocol.
 *
 * What a server offers is kept as bits in the connection's state. The login itself is a block that exists
 * from mote_mail_sasl_begin() until the user is in, or the connection is closed.
 *
 * Ownership: the protocol's state in the connection owns the block; its driver's `discard` frees it too.
 * Errors:    those of auth/sasl.h, and CURLE_OUT_OF_MEMORY.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_pop3.py, test_smtp.py */
#ifndef MOTE_PROTOCOL_MAIL_LOGIN_H
#define MOTE_PROTOCOL_MAIL_LOGIN_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "auth/sasl.h"

struct mote_conn;
struct mote_mail_sasl;
struct mote_pp;
struct mote_transfer;

/* What a protocol is to SASL. */
struct mote_mail_service {
  const char *name;      /* as SASL has it (IANA): "imap", "pop", "smtp" */
  const char *own;       /* CURLOPT_LOGIN_OPTIONS' word for the protocol's own way to log in, or NULL */
  const char *command;   /* what a mechanism's name follows, with a space */
  uint16_t initial_most; /* bytes of a mechanism's name and its first message, 0: no limit */
};

/* Checks CURLOPT_LOGIN_OPTIONS, before a connection is made. CURLE_URL_MALFORMAT. */
CURLcode mote_mail_check_options(struct mote_transfer *t, const struct mote_mail_service *service);

/* Which ways to log in CURLOPT_LOGIN_OPTIONS leaves. */
struct mote_mail_ways {
  bool wanted; /* there is a user, or EXTERNAL was asked for */
  bool own;    /* the protocol's own way may be used */
  bool named;  /* only what is named may be */
};
struct mote_mail_ways mote_mail_find_ways(struct mote_transfer *t, const struct mote_mail_service *service);

/* Adds the mechanisms of a list to *offered (enum mote_sasl_bit). */
void mote_mail_offer(uint16_t *offered, struct mote_slice list);

/* Begins a login. initial: the server takes a first message with the command, even if CURLOPT_SASL_IR does
 * not ask for one. *s is NULL when no mechanism fits. */
CURLcode mote_mail_sasl_begin(struct mote_transfer *t, struct mote_mail_sasl **s,
                              const struct mote_mail_service *service, uint16_t offered, bool initial);
/* Reports whether a command comes next. */
bool mote_mail_sasl_is_command(const struct mote_mail_sasl *s);
/* Sends what comes next: a command, after `prefix` (IMAP's tag), or an answer. */
CURLcode mote_mail_sasl_send(struct mote_transfer *t, struct mote_pp *pp, struct mote_mail_sasl *s,
                             const char *prefix);
/* Takes a reply; text: of a challenge. CURLE_OK: the user is in, and *s is NULL. CURLE_AGAIN: something has
 * to be sent. */
CURLcode mote_mail_sasl_take(struct mote_transfer *t, struct mote_mail_sasl **s, enum mote_sasl_reply reply,
                             struct mote_slice text);
/* Frees the block, which may be NULL. */
void mote_mail_sasl_discard(struct mote_conn *c, struct mote_mail_sasl *s);

#endif
