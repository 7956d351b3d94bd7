/* connect/data/data_proxy.c: a data connection by the proxies of its control connection
 * (connect/data/data.h).
 *
 * The first proxy is reached at the address that the control connection has found, without a lookup. From
 * there on its layers are those of a dial (connect/dial/dial_phases.h). */
#include "connect/data/data_way.h"
#include "connect/dial/dial.h"
#include "connect/dial/dial_phases.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "transfer/transfer.h"

struct relayed {
  struct mote_data data;
  struct mote_dial_relay relay;
  char host[MOTE_ADDR_TEXT_MAX]; /* that the server has named, for relay.host */
  bool at_once;                  /* the socket was connected when it was made */
  bool connected;                /* it is */
};

/* A callback may have set an option. What is for the proxies of others must not go to these. */
static CURLcode data_proxy_layers(struct mote_transfer *t, struct mote_dial *d, mote_time now)
{
  bool more = true;
  CURLcode rc = CURLE_OK;
  while(!rc && more) {
    rc = mote_connect_compare(t);
    if(!rc)
      rc = mote_dial_proxies(d, now, &more);
  }
  return rc;
}

static CURLcode connect_relayed(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  struct relayed *r = mote_conn_state(c);
  CURLcode rc = r->connected ? CURLE_OK : mote_data_continue(t, c, r->at_once);
  r->connected = !rc;
  return rc ? rc : data_proxy_layers(t, &r->relay.dial, now);
}

static void data_proxy_abandon(struct mote_transfer *t, struct mote_conn *c)
{
  (void)t;
  mote_dial_stop_race(&((struct relayed *)mote_conn_state(c))->relay.dial);
}

static const struct mote_data_way relayed = {
  .size = MOTE_DATA_SIZE(struct relayed), .ours = true, .connect = connect_relayed,
  .abandon = data_proxy_abandon,
};

const struct mote_data_way *const mote_data_relayed = &relayed;

CURLcode mote_data_relay(struct mote_transfer *t, struct mote_conn *c, const struct mote_addr *to)
{
  struct relayed *r = mote_conn_state(c);
  r->relay.dial.owner = t;
  r->relay.dial.drive.conn = c;
  r->relay.dial.relayed = true;
  r->relay.port = to->port;
  r->relay.host.ptr = r->host;
  r->relay.host.len = mote_addr_print(to, r->host);
  c->remote = t->run->channel.conn->remote;
  return mote_data_start(t, c, &r->at_once);
}
