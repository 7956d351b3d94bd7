/* protocol/h2.h: HTTP/2 (RFC 9113), which carries the exchanges of http/http.h as streams of one connection.
 *
 * Ownership: the connection owns the session, which is its driver's state. The engine owns the state of each
 *            exchange.
 * Tests:     tests/e2e */
#ifndef MOTE_PROTOCOL_H2_H
#define MOTE_PROTOCOL_H2_H

#include "net/driver.h"
#include "transfer/protocol.h"

extern const struct mote_protocol mote_protocol_h2;
extern const struct mote_driver mote_h2_driver;

#endif
