/* connect/data/data_open.c: a data connection that this side begins (connect/data/data.h; RFC 959 section
 * 4.1.2, RFC 2428). */
#include "connect/data/data.h"
#include "connect/data/data_way.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "transfer/transfer.h"

struct direct {
  struct mote_data data;
  bool at_once; /* the socket was connected when it was made */
};

static CURLcode connect_direct(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  (void)now;
  return mote_data_continue(t, c, ((const struct direct *)mote_conn_state(c))->at_once);
}

static const struct mote_data_way direct = {
  .size = MOTE_DATA_SIZE(struct direct), .ours = true, .connect = connect_direct,
};

/* What a proxy reaches may have no address here. */
static CURLcode start_direct(struct mote_transfer *t, struct mote_conn *c, const struct mote_addr *to)
{
  c->remote = *to;
  if(!to->family) {
    c->remote = t->run->channel.conn->remote;
    c->remote.port = to->port;
  }
  if(c->remote.family)
    return mote_data_start(t, c, &((struct direct *)mote_conn_state(c))->at_once);
  mote_fail(&t->report, "The data connection has no address"); /* the control connection is a Unix socket */
  return CURLE_COULDNT_CONNECT;
}

CURLcode mote_data_open(struct mote_transfer *t, struct mote_conn **out, const struct mote_addr *to,
                        bool tls)
{
  bool proxied = t->run->lease.proxied;
  struct mote_conn *c;
  CURLcode rc;
  *out = NULL;
  if(t->run->deadline[MOTE_TIMER_CONNECT])
    mote_timer_set(t, MOTE_TIMER_CONNECT, 0); /* of an earlier attempt */
  if(proxied && !mote_data_relayed)
    return mote_fail_as(CURLE_NOT_BUILT_IN, &t->report, "Data connections by proxies are not built in");
  rc = mote_data_new(t, &c, proxied ? mote_data_relayed : &direct, tls);
  if(rc)
    return rc;
  rc = proxied ? mote_data_relay(t, c, to) : start_direct(t, c, to);
  if(rc)
    mote_data_close(t, &c);
  *out = c;
  return rc;
}
