/* tests/toys/login.h: a protocol of commands and replies, which no user ever sees (tests/toys/README.md).
 *
 * It is a worked example of protocol/conversation.h and protocol/body.h. Lines end in CR LF; the server may
 * leave out the CR. It begins:
 *
 *   HELLO                                   the banner
 *   STARTTLS         OK                     only with logintls://; then both go on with TLS
 *   LOGIN user pass  OK | NO                what the options say, else the URL; without both: anonymous guest
 *   SIZE file        OK bytes | NO          before each GET
 *   GET file         PORT number | NO       the file comes on a connection to that port, until its end
 *   PUT file         PORT number | NO       the file goes there
 *                    DONE | NO              after either: the server has all, or had not
 *   CALL addr port   OK | NO                with CURLOPT_CUSTOMREQUEST, before GET or PUT: the server
 *   GET, PUT         GO | NO                connects there, and answers this in the place of PORT
 *   QUIT             BYE                    when the connection is discarded
 *
 * CURLOPT_CUSTOMREQUEST has the text that CURLOPT_FTPPORT has for FTP.
 * The data connection has TLS where the control connection has it. logins:// has TLS from the first byte.
 *
 * Ownership:  the connection owns struct login, and the exchange the data connection in it.
 * Errors:     CURLE_WEIRD_SERVER_REPLY, CURLE_USE_SSL_FAILED, CURLE_LOGIN_DENIED, CURLE_PARTIAL_FILE,
 *             CURLE_REMOTE_FILE_NOT_FOUND, CURLE_UPLOAD_FAILED, CURLE_RECV_ERROR (a connection that ended),
 *             CURLE_FTP_PORT_FAILED (the server does not call).
 * Tests:      tests/toys/test_login.py, test_active.py */
#ifndef MOTE_TOYS_LOGIN_H
#define MOTE_TOYS_LOGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "port/addr.h"
#include "protocol/conversation.h"
#include "transfer/protocol.h"

struct mote_conn;

#define LOGIN_LINE_MOST 128u /* bytes of a reply, its end included */

/* What comes next. A transfer begins at SIZE or PUT. */
enum login_stage {
  LOGIN_HELLO,
  LOGIN_STARTTLS,
  LOGIN_UPGRADE, /* the handshake */
  LOGIN_LOGIN,
  LOGIN_GREETED,
  LOGIN_SIZE,
  LOGIN_LISTEN,  /* for the server's data connection */
  LOGIN_CALL,
  LOGIN_GET,
  LOGIN_PUT,
  LOGIN_OPEN,    /* the data connection */
  LOGIN_RECEIVE,
  LOGIN_SEND,
  LOGIN_FINISH,  /* the end of what was sent */
  LOGIN_LAST,    /* DONE */
  LOGIN_OVER
};

/* The state of a connection. */
struct login {
  struct mote_talk talk;
  struct mote_conn *data; /* of the exchange, or NULL */
  struct mote_addr call;  /* where the server connects to; family NONE: the client connects */
  uint16_t port;          /* of the data connection that the client begins */
  bool done;              /* DONE has come already */
};

#endif
