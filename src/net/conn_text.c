/* net/conn_text.c: the error text of a call on a socket. */
#include "base/report.h"
#include "net/conn.h"
#include "port/port.h"

void mote_conn_report_failure(struct mote_report *r, const char *what, int err)
{
  char text[80];
  (void)mote_port_error_text(err, text, sizeof text);
  mote_fail(r, "%s: %s", what, text);
}
