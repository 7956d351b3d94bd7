/* protocol/sasl_exchange.h: the login of a transfer by SASL (auth/sasl/sasl.h): what its options allow, and
 * the messages that a protocol carries in its own commands and replies.
 *
 * What a server offers is kept as bits in the connection's state. The login itself is a block that exists
 * from mote_sasl_exchange_begin() until the user is in, or the connection is closed.
 *
 * Ownership: the protocol's state in the connection owns the block; its driver's `discard` frees it too.
 * Errors:    those of auth/sasl/sasl.h, and CURLE_OUT_OF_MEMORY.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_imap.py, test_pop3.py, test_smtp.py, test_ldap.py */
#ifndef MOTE_PROTOCOL_SASL_EXCHANGE_H
#define MOTE_PROTOCOL_SASL_EXCHANGE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "auth/sasl/sasl.h"

struct mote_conn;
struct mote_sasl_exchange;
struct mote_transfer;

/* What a protocol is to SASL. */
struct mote_sasl_service {
  const char *name;      /* as SASL has it (IANA): "imap", "pop", "smtp", "ldap" */
  const char *own;       /* CURLOPT_LOGIN_OPTIONS' word for the protocol's own way to log in, or NULL */
  const char *command;   /* what a mechanism's name follows, with a space */
  uint16_t initial_most; /* bytes of a mechanism's name and its first message, 0: no limit */
};

/* Finds user, password and token. False: none of them was set, not even to nothing, so that the client does
 * not log in. */
bool mote_sasl_exchange_login(const struct mote_transfer *t, struct mote_auth_login *login);

/* Checks CURLOPT_LOGIN_OPTIONS, before a connection is made. CURLE_URL_MALFORMAT. */
CURLcode mote_sasl_exchange_check(struct mote_transfer *t, const struct mote_sasl_service *service);

/* Which ways to log in CURLOPT_LOGIN_OPTIONS leaves. */
struct mote_sasl_ways {
  bool wanted; /* there is a user, or EXTERNAL was asked for */
  bool own;    /* the protocol's own way may be used */
  bool named;  /* only what is named may be */
};
struct mote_sasl_ways mote_sasl_exchange_ways(struct mote_transfer *t,
                                              const struct mote_sasl_service *service);

/* Adds the mechanisms of a list to *offered (enum mote_sasl_bit). */
void mote_sasl_exchange_offer(uint16_t *offered, struct mote_slice list);

/* Begins a login. initial: the server takes a first message with the command, even if CURLOPT_SASL_IR does
 * not ask for one. *s is NULL when no mechanism fits. */
CURLcode mote_sasl_exchange_begin(struct mote_transfer *t, struct mote_sasl_exchange **s,
                                  const struct mote_sasl_service *service, uint16_t offered, bool initial);
/* Returns the name of the mechanism in use. */
struct mote_slice mote_sasl_exchange_mechanism(const struct mote_sasl_exchange *s);
/* Reports whether a command comes next. */
bool mote_sasl_exchange_is_command(const struct mote_sasl_exchange *s);
/* Returns what comes next: the name of a mechanism, maybe with a space and its first message ("=": an empty
 * one), or a message. Messages are in base 64; "*" cancels. */
struct mote_slice mote_sasl_exchange_message(const struct mote_sasl_exchange *s);
/* Takes a reply; text: of a challenge. CURLE_OK: the user is in, and *s is NULL. CURLE_AGAIN: something has
 * to be sent. */
CURLcode mote_sasl_exchange_take(struct mote_transfer *t, struct mote_sasl_exchange **s,
                                 enum mote_sasl_reply reply, struct mote_slice text);
/* Frees the block, which may be NULL. */
void mote_sasl_exchange_discard(struct mote_conn *c, struct mote_sasl_exchange *s);

#endif
