/* protocol/starttls.h: TLS that begins within a conversation (protocol/conversation.h), at a command of the
 * client: AUTH TLS, STLS, STARTTLS, StartTLS (CURLOPT_USE_SSL(3)).
 *
 * A protocol asks whether it is wanted, has stages for the command and for mote_starttls_begin(), and in the
 * reply to the command sees to it that nothing comes after it (mote_talk_take_alone()).
 *
 * Errors:  CURLE_USE_SSL_FAILED, and those of mote_dial_upgrade() (connect/dial/dial.h).
 * Threads: those of the multi.
 * Tests:   tests/e2e/test_ftp_tls.py, test_smtp.py, test_ldap.py */
#ifndef MOTE_PROTOCOL_STARTTLS_H
#define MOTE_PROTOCOL_STARTTLS_H

#include "protocol/conversation.h"

/* Reports whether the connection has no TLS and is to have it. */
bool mote_starttls_is_wanted(const struct mote_transfer *t);
/* Begins TLS, for a stage. */
mote_talk_ask mote_starttls_begin;
/* The server has no TLS or refuses it: the stage follows, unless CURLOPT_USE_SSL requires TLS. */
CURLcode mote_starttls_do_without(struct mote_transfer *t, struct mote_talk *talk, unsigned stage);

#endif
