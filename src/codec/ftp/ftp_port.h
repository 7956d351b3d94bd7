/* codec/ftp/ftp_port.h: reads what CURLOPT_FTPPORT(3) says about the address that an FTP server connects to.
 *
 *   -                      what the control connection uses here
 *   eth0  host  192.0.2.1  an interface, a name or an address
 *   2001:db8::1            with two colons or more, without ports
 *   [2001:db8::1]          likewise
 *
 * ":port" or ":first-last" may follow, but for the address without brackets. A port that is none is ignored,
 * and so is a range that ends ahead of its beginning, as the manual page says.
 *
 * Ownership: the slice is borrowed from the text.
 * Tests:     tests/unit/codec/test_ftp_port.c, fuzz/fuzz_ftp_port.c */
#ifndef MOTE_CODEC_FTP_FTP_PORT_H
#define MOTE_CODEC_FTP_FTP_PORT_H

#include <stdint.h>

#include "base/text.h"

struct mote_ftp_port {
  struct mote_slice host; /* without brackets; empty: what the control connection uses */
  uint16_t first;         /* port to begin with; 0: the system chooses one */
  uint16_t last;          /* port to end with, at least first */
};

/* There is no text that this refuses. What is no host fails when it is looked up. */
void mote_ftp_port_read(const char *text, struct mote_ftp_port *out);

#endif
