/* protocol/mail/smtp.h: mail by SMTP (RFC 5321).
 *
 * With PIPELINING (RFC 2920) MAIL, the recipients and DATA go in groups, each in one segment. The next group
 * follows when all replies to one have come, and so does the end of a transfer that was refused, so that the
 * connection stays in order.
 *
 * Ownership: the connection owns struct mote_smtp; the application the list of recipients.
 * Errors:    CURLE_LOGIN_DENIED, CURLE_USE_SSL_FAILED, CURLE_REMOTE_ACCESS_DENIED (EHLO and HELO were
 *            refused), CURLE_SEND_ERROR (MAIL, RCPT or DATA was refused), CURLE_WEIRD_SERVER_REPLY (the mail
 *            or another command was), CURLE_BAD_FUNCTION_ARGUMENT (an address with an end of line), and those
 *            of protocol/conversation.h and protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_smtp.py */
#ifndef MOTE_PROTOCOL_MAIL_SMTP_H
#define MOTE_PROTOCOL_MAIL_SMTP_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/mail/mail_session.h"

struct curl_slist;
struct mote_protocol;

/* The stages that are not those of all mail (enum mote_mail_stage). */
enum mote_smtp_stage {
  MOTE_SMTP_HELO = MOTE_MAIL_OWN, /* to a server without EHLO */
  MOTE_SMTP_COMMAND,  /* VRFY, HELP or a command of the application */
  MOTE_SMTP_RSET,     /* of a mail that was refused */
  MOTE_SMTP_MAIL,
  MOTE_SMTP_RCPT,
  MOTE_SMTP_DATA,
  MOTE_SMTP_BODY,
  MOTE_SMTP_SENT,     /* the reply to the mail */
  MOTE_SMTP_REFUSED   /* replies to what was sent ahead of a refusal */
};

/* The state of a connection. */
struct mote_smtp {
  struct mote_mail mail;
  const struct curl_slist *rcpt;  /* the recipient that is next, or whose reply is owed; or NULL */
  uint16_t ahead;                 /* commands that were sent before their stage (PIPELINING) */
  uint8_t refused;                /* the mail's CURLcode, while replies to such commands still come */
  bool single;                    /* there is one recipient */
  bool accepted;                  /* it was accepted, or one of them */
  bool begun;                     /* MAIL was accepted, and no mail has followed */
};

/* Bits of what the server can do, by EHLO. */
#define MOTE_SMTP_CAN_SIZE 2u
#define MOTE_SMTP_CAN_UTF8 4u
#define MOTE_SMTP_CAN_PIPELINING 8u
#define MOTE_SMTP_CAN_AUTH 16u

extern const struct mote_protocol mote_protocol_smtp;

#endif
