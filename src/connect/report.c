/* connect/report.c: writes the verbose lines of connecting. */
#include "base/report.h"
#include "connect/route/route.h"
#include "connect/socket.h"
#include "net/names/address.h"
#include "port/port.h"
#include "transfer/transfer.h"

/* Makes the route and returns the path of the Unix socket that is its first hop, or "" without one. */
static const char *unix_name(struct mote_transfer *t, struct mote_route *r)
{
  return !mote_route_make(t, r) && mote_route_first(r)->path ? mote_route_first(r)->host.ptr : "";
}

void mote_route_report(struct mote_transfer *t)
{
  char address[MOTE_ADDR_TEXT_MAX], local[MOTE_ADDR_TEXT_MAX];
  struct mote_slice host;
  struct mote_route route;
  if(mote_route_make(t, &route))
    return;
  if(!t->run->stats.primary.family) {
    host = mote_url_packed_host(&t->run->request.url);
    mote_info(&t->report, "Established connection to %.*s (%s)", (int)host.len, host.ptr,
              unix_name(t, &route));
    return;
  }
  host = mote_route_first(&route)->host;
  (void)mote_addr_print(&t->run->stats.primary, address);
  (void)mote_addr_print(&t->run->stats.local, local);
  mote_info(&t->report, "Established connection to %.*s (%s port %u) from %s port %u", (int)host.len,
            host.ptr, address, (unsigned)t->run->stats.primary.port, local,
            (unsigned)t->run->stats.local.port);
}

void mote_socket_report_failed(struct mote_transfer *t, const struct mote_addr *to, int err)
{
  char text[80], address[MOTE_ADDR_TEXT_MAX] = "";
  struct mote_route route;
  (void)mote_port_error_text(err, text, sizeof text);
  if(to)
    (void)mote_addr_print(to, address);
  mote_info(&t->report, "connect to %s port %u failed: %s", to ? address : unix_name(t, &route),
            to ? (unsigned)to->port : 0u, text);
}

void mote_socket_report_trying(struct mote_transfer *t, const struct mote_addr *to)
{
  char address[MOTE_ADDR_TEXT_MAX];
  struct mote_route route;
  if(!to) {
    mote_info(&t->report, "  Trying %s...", unix_name(t, &route));
    return;
  }
  (void)mote_addr_print(to, address);
  mote_info(&t->report, to->family == MOTE_FAMILY_IP6 ? "  Trying [%s]:%u..." : "  Trying %s:%u...", address,
            (unsigned)to->port);
}
