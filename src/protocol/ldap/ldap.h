/* protocol/ldap/ldap.h: ldap: and ldaps: URLs (RFC 4516, CURLOPT_URL(3)).
 *
 * The path is the distinguished name at which a search begins. Attributes, scope, filter and extensions
 * follow, with "?" in front of each. The body is the entries as text (codec/ldap/ldap.h). The search is
 * written and read by a codec of ours, so that it waits in the multi like any other transfer: libldap would
 * take a thread and a TLS of its own for it.
 *
 * The greeting is StartTLS (RFC 4511 section 4.14) where CURLOPT_USE_SSL asks for it, and a bind. That is a
 * simple one where there is a login, or one by SASL where CURLOPT_LOGIN_OPTIONS has "AUTH=" and the names of
 * mechanisms or "*" (ldap_sasl.c). A connection is kept for further searches of the same user, and says
 * unbind at its end. References to other servers are not followed.
 *
 * Ownership: the connection owns the state; its buffers are freed at the end of each exchange.
 * Errors:    CURLE_URL_MALFORMAT (scope, number of parts, NUL, an extension that is marked as critical),
 *            CURLE_LDAP_CANNOT_BIND, CURLE_LOGIN_DENIED, CURLE_REMOTE_ACCESS_DENIED, CURLE_USE_SSL_FAILED,
 *            CURLE_LDAP_SEARCH_FAILED (refused, or a wrong filter), those of auth/sasl/sasl.h,
 *            CURLE_SETOPT_OPTION_SYNTAX (CURLOPT_LOGIN_OPTIONS is not understood),
 *            CURLE_WEIRD_SERVER_REPLY, CURLE_TOO_LARGE, CURLE_RECV_ERROR (the connection ends too early).
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_ldap.py */
#ifndef MOTE_PROTOCOL_LDAP_LDAP_H
#define MOTE_PROTOCOL_LDAP_LDAP_H

#include "base/buf.h"
#include "net/conn.h"
#include "protocol/conversation.h"
#include "protocol/starttls.h"
#include "transfer/transfer.h"

struct mote_ldap_result;
struct mote_protocol;
struct mote_sasl_exchange;

#define MOTE_LDAP_REQUEST_MOST 262144u /* bytes of a request */
#define MOTE_LDAP_ENTRY_MOST 16777216u /* bytes of a reply, and of an entry as text */

/* The stages (protocol/conversation.h). */
enum mote_ldap_stage {
  MOTE_LDAP_NEW,      /* nothing is sent */
  MOTE_LDAP_STARTTLS, /* the request for TLS */
  MOTE_LDAP_TLS,      /* TLS begins */
  MOTE_LDAP_LOGIN,    /* the way to log in is chosen */
  MOTE_LDAP_MECHANISMS, /* the search for the server's mechanisms of SASL */
  MOTE_LDAP_SASL,     /* a message of SASL */
  MOTE_LDAP_BINDING,  /* the simple bind */
  MOTE_LDAP_READY,    /* between exchanges */
  MOTE_LDAP_ASK,      /* an exchange begins */
  MOTE_LDAP_LISTEN,   /* the search is sent, or its rest is in run->unsent */
  MOTE_LDAP_OVER      /* all that is left is to deliver what a pause has kept */
};

struct mote_ldap {
  struct mote_talk talk;
  struct mote_buf in;  /* the message that is arriving; MOTE_LDAP_ENTRY_MOST at most */
  struct mote_buf out; /* an entry as text; likewise */
  size_t given;        /* bytes of `out` that are delivered */
  struct mote_sasl_exchange *sasl; /* a login under way, or NULL */
  uint16_t offered;    /* mechanisms of SASL that the server has named (enum mote_sasl_bit) */
  uint8_t heard;       /* messages that came after the search for mechanisms */
  uint32_t id;         /* of the last message that was sent */
  bool whole;          /* `in` is a message */
};

extern const struct mote_protocol mote_protocol_ldap;

static inline struct mote_ldap *mote_ldap_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* ---- ldap_messages.c ---- */

/* The buffers are empty, and the connection's account pays for them. */
void mote_ldap_open_buffers(struct mote_conn *c);
/* Frees them (struct mote_driver.discard). */
void mote_ldap_discard(struct mote_conn *c);
/* Adds bytes to the message in `in`, up to its end. Sets *used to their number. CURLE_WEIRD_SERVER_REPLY,
 * CURLE_TOO_LARGE, CURLE_OUT_OF_MEMORY. */
CURLcode mote_ldap_collect(struct mote_transfer *t, struct mote_ldap *l, const char *bytes, size_t len,
                           size_t *used);
/* Sends a request, and frees it. `failed` is the writer's. CURLE_AGAIN: its rest is in run->unsent. */
CURLcode mote_ldap_send(struct mote_transfer *t, struct mote_buf *request, CURLcode failed);
/* Returns rc, with this text and what the server says. */
CURLcode mote_ldap_refused(struct mote_transfer *t, CURLcode rc, const char *what,
                           const struct mote_ldap_result *r);

/* Returns the code for a bind that is refused, with a text. */
CURLcode mote_ldap_bind_refused(struct mote_transfer *t, const struct mote_ldap_result *r);

/* Reads the answer to the last request (struct mote_talk_row.hear), which is in `in` while the stage takes
 * it, and no byte more: what follows the answer to StartTLS must be TLS. CURLE_WEIRD_SERVER_REPLY too. */
mote_talk_ask mote_ldap_hear;
/* Reads such an answer as a result, whose tag is `op`. CURLE_WEIRD_SERVER_REPLY. */
CURLcode mote_ldap_read_reply(struct mote_transfer *t, const struct mote_reply *reply, uint8_t op,
                              struct mote_ldap_result *r);

/* ---- ldap_sasl.c ---- */

/* Reports whether CURLOPT_LOGIN_OPTIONS asks for SASL. */
bool mote_ldap_wants_sasl(const struct mote_transfer *t);
/* Checks it, before a connection is made. CURLE_SETOPT_OPTION_SYNTAX. */
CURLcode mote_ldap_sasl_check(struct mote_transfer *t);
/* The stages MECHANISMS and SASL. */
mote_talk_ask mote_ldap_ask_mechanisms, mote_ldap_send_message;
mote_talk_take mote_ldap_take_mechanisms, mote_ldap_take_answer;

/* ---- ldap_greet.c ---- */

mote_talk_ask mote_ldap_begin, mote_ldap_ask_for_tls, mote_ldap_log_in, mote_ldap_send_bind;
mote_talk_take mote_ldap_take_tls, mote_ldap_take_bind;

#endif
