/* connect/report.c: writes the verbose lines of connecting. */
#include "base/report.h"
#include "connect/route.h"
#include "connect/socket.h"
#include "net/address.h"
#include "port/port.h"
#include "transfer/transfer.h"

/* Returns the path of the Unix socket, or "" without one. */
static const char *unix_name(const struct mote_transfer *t)
{
  struct mote_hop hop;
  return mote_route_unix(t, &hop) ? hop.host.ptr : "";
}

void mote_route_report(struct mote_transfer *t)
{
  struct mote_slice host = mote_url_packed_host(&t->run->request.url);
  char address[MOTE_ADDR_TEXT_MAX], local[MOTE_ADDR_TEXT_MAX];
  if(!t->report.verbose)
    return;
  if(!t->run->stats.primary.family) {
    mote_info(&t->report, "Established connection to %.*s (%s)", (int)host.len, host.ptr, unix_name(t));
    return;
  }
  (void)mote_addr_print(&t->run->stats.primary, address);
  (void)mote_addr_print(&t->run->stats.local, local);
  mote_info(&t->report, "Established connection to %.*s (%s port %u) from %s port %u", (int)host.len,
            host.ptr, address, (unsigned)t->run->stats.primary.port, local,
            (unsigned)t->run->stats.local.port);
}

void mote_socket_report_failed(struct mote_transfer *t, const struct mote_addr *to, int err)
{
  char text[80], address[MOTE_ADDR_TEXT_MAX] = "";
  (void)mote_port_error_text(err, text, sizeof text);
  if(to)
    (void)mote_addr_print(to, address);
  mote_info(&t->report, "connect to %s port %u failed: %s", to ? address : unix_name(t),
            to ? (unsigned)to->port : 0u, text);
}

void mote_socket_report_trying(struct mote_transfer *t, const struct mote_addr *to)
{
  char address[MOTE_ADDR_TEXT_MAX];
  if(!t->report.verbose)
    return;
  if(!to) {
    mote_info(&t->report, "  Trying %s...", unix_name(t));
    return;
  }
  (void)mote_addr_print(to, address);
  mote_info(&t->report, to->family == MOTE_FAMILY_IP6 ? "  Trying [%s]:%u..." : "  Trying %s:%u...", address,
            (unsigned)to->port);
}
