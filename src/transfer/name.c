/* transfer/name.c: which address: none for a Unix socket, the literal in the URL, or those of a name. */
#include "net/address.h"
#include "net/conn.h"
#include "transfer/connect.h"
#include "transfer/target.h"
#include "transfer/transfer.h"

/* Not a name that does not exist: as /usr/bin/curl has it. */
static CURLcode other_family(struct mote_transfer *t, const struct mote_target_host *target)
{
  mote_fail(&t->report, "%.*s is an address of the other IP version", (int)target->host.len,
            target->host.ptr);
  return CURLE_COULDNT_CONNECT;
}

CURLcode mote_connect_name(struct mote_transfer *t, mote_time now)
{
  struct mote_run *r = t->run;
  struct mote_target_host target;
  CURLcode rc;
  if(mote_target_unix(t))
    return CURLE_OK;
  rc = mote_target_host(t, &target);
  if(!rc && !r->race)
    rc = mote_connect_preset(t, now);
  if(rc)
    return rc;
  if(!r->race && mote_addr_parse(target.host, &r->conn->remote) &&
     !mote_connect_is_preset(t, &target, now)) {
    uint8_t family = mote_connect_family(t);
    r->conn->remote.port = target.port;
    if(family && family != r->conn->remote.family)
      return other_family(t, &target);
    return mote_connect_resolver_start(t, NULL);
  }
  return mote_connect_resolve(t, &target, now);
}
