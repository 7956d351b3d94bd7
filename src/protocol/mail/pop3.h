/* protocol/mail/pop3.h: mailboxes by POP3 (RFC 1939, 2449, 2595, 5034).
 *
 * Ownership: the connection owns struct pop3.
 * Errors:    CURLE_LOGIN_DENIED, CURLE_USE_SSL_FAILED, CURLE_WEIRD_SERVER_REPLY (a command was refused),
 *            CURLE_PARTIAL_FILE, and those of protocol/conversation.h and protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_pop3.py */
#ifndef MOTE_PROTOCOL_MAIL_POP3_H
#define MOTE_PROTOCOL_MAIL_POP3_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/mail/mail_session.h"

struct mote_protocol;

#define MOTE_POP3_DIGEST 16 /* bytes of an MD5 */

/* The stages that are not those of all mail (enum mote_mail_stage). */
enum mote_pop3_stage {
  MOTE_POP3_APOP = MOTE_MAIL_OWN,
  MOTE_POP3_USER,
  MOTE_POP3_PASS,
  MOTE_POP3_COMMAND,
  MOTE_POP3_BODY /* the lines of its response */
};

/* The state of a connection. */
struct mote_pop3 {
  struct mote_mail mail;
  uint8_t digest[MOTE_POP3_DIGEST]; /* of APOP, when has_apop */
  uint8_t dots;      /* enum mote_dots_at of the response */
  bool has_apop;     /* the banner has a timestamp */
};

#define MOTE_POP3_CAN_USER 2u /* a bit of what the server can do: by CAPA, or there is none */

extern const struct mote_protocol mote_protocol_pop3;

#endif
