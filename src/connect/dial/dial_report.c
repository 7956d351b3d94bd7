/* connect/dial/dial_report.c: says that no address could be reached. */
#include "connect/dial/dial_phases.h"
#include "connect/route/route.h"
#include "port/port.h"
#include "transfer/transfer.h"

/* Each attempt had its info line. This text is for the failure of all of them, which went to the first proxy
 * or to a Unix socket if there is one. */
void mote_dial_report_failed(struct mote_transfer *t, mote_time now)
{
  struct mote_slice host = mote_url_packed_host(&t->run->request.url), path = {"", 0};
  unsigned port = t->run->request.url.port;
  char text[80] = "no usable address";
  struct mote_route route;
  if(!mote_route_make(t, &route)) {
    const struct mote_hop *first = mote_route_first(&route);
    if(first->path)
      path = first->host;
    else {
      host = first->host;
      port = first->port;
    }
  }
  if(t->run->stats.os_errno)
    (void)mote_port_error_text(t->run->stats.os_errno, text, sizeof text);
  mote_fail(&t->report, "Failed to connect to %.*s port %u%s%.*s after %ld ms: %s", (int)host.len, host.ptr,
            port, path.len ? " over unix://" : "", (int)path.len, path.ptr,
            (long)((now - t->run->stats.started) / MOTE_MS), text);
}
