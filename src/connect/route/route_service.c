/* connect/route/route_service.c: which queries ask for services by HTTP/3 (connect/route/route.h). */
#include "connect/route/route.h"
#include "connect/version.h"
#include "net/names/names.h"
#include "transfer/transfer.h"

/* The origin itself is the first hop. */
void mote_route_ask_service(const struct mote_transfer *t, const struct mote_route *r,
                            struct mote_name_query *q)
{
  q->service = r->hops == 1 && mote_version_may_discover(t);
}
