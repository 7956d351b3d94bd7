/* protocol/mail/smtp.h: mail by SMTP (RFC 5321), in two files: smtp_greet.c has what a new connection
 * begins with, smtp.c a mail, or commands with their responses.
 *
 * With PIPELINING (RFC 2920) MAIL, the recipients and DATA go in groups, each in one segment. The next group
 * follows when all replies to one have come, and so does the end of a transfer that was refused, so that the
 * connection stays in order.
 *
 * Ownership: the connection owns struct mote_smtp; the application the list of recipients.
 * Errors:    CURLE_LOGIN_DENIED, CURLE_USE_SSL_FAILED, CURLE_REMOTE_ACCESS_DENIED (EHLO and HELO were
 *            refused), CURLE_SEND_ERROR (MAIL, RCPT or DATA was refused), CURLE_WEIRD_SERVER_REPLY (the mail
 *            or another command was), CURLE_BAD_FUNCTION_ARGUMENT (an address with an end of line), and those
 *            of protocol/pingpong.h and protocol/body.h.
 * Threads:   those of the multi.
 * Tests:     tests/e2e/test_smtp.py */
#ifndef MOTE_PROTOCOL_MAIL_SMTP_H
#define MOTE_PROTOCOL_MAIL_SMTP_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/mail/mail_session.h"

struct curl_slist;

/* The stages that are not those of all mail (enum mote_mail_stage). */
enum mote_smtp_stage {
  MOTE_SMTP_HELO = MOTE_MAIL_LOGIN, /* to a server without EHLO */
  MOTE_SMTP_COMMAND = MOTE_MAIL_REQUEST, /* VRFY, HELP or a command of the application */
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
  uint16_t failed;                /* the last code with which a recipient was refused, 0: none was */
  uint16_t ahead;                 /* commands that were sent before their stage (PIPELINING) */
  uint8_t refused;                /* the mail's CURLcode, while replies to such commands still come */
  bool accepted : 1;              /* a recipient was accepted */
  bool begun : 1;                 /* MAIL was accepted, and no mail has followed */
  bool utf8 : 1;                  /* an address of this mail has to be sent in UTF-8 */
  bool logged_in : 1;             /* by AUTH */
};

/* Bits of what the server can do, by EHLO. */
#define MOTE_SMTP_CAN_SIZE 2u
#define MOTE_SMTP_CAN_UTF8 4u
#define MOTE_SMTP_CAN_PIPELINING 8u
#define MOTE_SMTP_CAN_AUTH 16u

extern const struct mote_protocol mote_protocol_smtp;

/* ---- smtp_greet.c ---- */

/* Sends the command of a stage before MOTE_MAIL_READY. */
CURLcode mote_smtp_greet_ask(struct mote_transfer *t, struct mote_smtp *s);
/* Takes a line of the reply to it; code: 0, or the reply's when this is its last line. */
CURLcode mote_smtp_greet_line(struct mote_transfer *t, struct mote_smtp *s, unsigned code,
                              struct mote_slice line);
/* Returns `rc`, with a text: what failed, and the code. */
CURLcode mote_smtp_refused(struct mote_transfer *t, CURLcode rc, const char *what, unsigned code);

#endif
