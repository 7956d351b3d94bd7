/* connect/data/data_listen.c: a data connection that the server begins (connect/data/data.h; RFC 959
 * section 4.1.2, RFC 2428, CURLOPT_FTPPORT(3), CURLOPT_ACCEPTTIMEOUT_MS(3)). */
#include "codec/ftp/ftp_port.h"
#include "connect/data/data.h"
#include "connect/data/data_way.h"
#include "connect/dial/dial_phases.h"
#include "connect/route/route.h"
#include "connect/socket.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "transfer/transfer.h"

#define ACCEPT_MS 60000 /* for CURLOPT_ACCEPTTIMEOUT_MS 0 */

struct listening {
  struct mote_data data;
  mote_time give_up;     /* 0: the server has not been asked yet */
  struct mote_dial dial; /* for the lookup alone */
};

static struct mote_conn *control(const struct mote_transfer *t)
{
  return t->run->channel.conn;
}

static void stop_listening(struct mote_transfer *t, struct mote_conn *c)
{
  curl_socket_t fd = mote_conn_fd(c);
  if(fd == CURL_SOCKET_BAD)
    return;
  mote_watch_remove(c->set, &c->tcp.watch);
  mote_socket_abandon(t, fd);
}

static void data_listen_abandon(struct mote_transfer *t, struct mote_conn *c)
{
  mote_dial_stop_race(&((struct listening *)mote_conn_state(c))->dial);
  stop_listening(t, c);
}

/* The server begins where its control connection ends. A proxy's server may be reached by its own address,
 * which is only known when it is in the URL. */
static struct mote_addr server_of(const struct mote_transfer *t)
{
  struct mote_addr from = control(t)->remote;
  if(t->run->lease.proxied)
    (void)mote_addr_parse(mote_url_packed_host(&t->run->request.url), &from);
  return from;
}

static CURLcode wait_longer(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  const struct listening *l = mote_conn_state(c);
  CURLcode rc;
  if(now >= l->give_up)
    return mote_fail_as(CURLE_FTP_ACCEPT_TIMEOUT, &t->report,
                        "The server has not begun the data connection in time");
  rc = mote_conn_want(c, MOTE_WANT_IN);
  return rc ? rc : CURLE_AGAIN;
}

static CURLcode connect_back(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  struct listening *l = mote_conn_state(c);
  long ms = mote_opt_long(&t->options, CURLOPT_ACCEPTTIMEOUT_MS);
  curl_socket_t fd;
  CURLcode rc;
  if(!l->give_up) {
    l->give_up = now + (mote_time)(ms > 0 ? ms : ACCEPT_MS) * MOTE_MS;
    mote_timer_set(t, MOTE_TIMER_STATE, l->give_up);
  }
  c->remote = server_of(t);
  rc = mote_socket_accept(t, mote_conn_fd(c), &c->remote, &fd);
  if(rc == CURLE_AGAIN)
    return wait_longer(t, c, now);
  if(rc)
    return rc;
  mote_timer_set(t, MOTE_TIMER_STATE, 0);
  stop_listening(t, c);
  return mote_data_watch(t, c, fd, 0);
}

static const struct mote_data_way listening = {
  .size = MOTE_DATA_SIZE(struct listening), .connect = connect_back, .abandon = data_listen_abandon,
};

static CURLcode other_version(struct mote_transfer *t)
{
  return mote_fail_as(CURLE_FTP_PORT_FAILED, &t->report,
                      "The address for the server to connect to is of another IP version than its own");
}

static CURLcode find_address(struct mote_transfer *t, struct listening *l, struct mote_slice host,
                             mote_time now, struct mote_addr *out)
{
  const struct mote_addr *like = &control(t)->local;
  struct mote_hop hop = {.host = host};
  struct mote_route limited;
  *out = *like;
  if(!host.len || mote_socket_interface(host, like, out)) {
    mote_dial_stop_race(&l->dial); /* an interface may come up while its name is looked up as a host's */
    return CURLE_OK;
  }
  if(mote_addr_parse(host, out))
    return out->family == like->family ? CURLE_OK : other_version(t);
  limited.hops = 0; /* it has no more than a family */
  limited.family = like->family;
  return mote_dial_resolve_hop(&l->dial, &limited, &hop, now, out);
}

static CURLcode data_listen_start(struct mote_transfer *t, struct mote_conn *c, const char *where,
                                  mote_time now,
                                  struct mote_addr *named)
{
  struct listening *l = mote_conn_state(c);
  struct mote_ftp_port p;
  struct mote_addr local;
  curl_socket_t fd;
  CURLcode rc;
  mote_ftp_port_read(where, &p);
  rc = find_address(t, l, p.host, now, &local);
  if(rc)
    return rc;
  local.port = p.first;
  *named = local;
  rc = mote_socket_listen(t, &local, p.last, &control(t)->local, &fd);
  if(rc)
    return rc;
  named->port = local.port;
  return mote_data_watch(t, c, fd, 0);
}

static CURLcode data_listen_begin(struct mote_transfer *t, struct mote_conn **out, bool tls)
{
  struct listening *l;
  CURLcode rc;
  if(control(t)->local.family < MOTE_FAMILY_IP4)
    return mote_fail_as(CURLE_FTP_PORT_FAILED, &t->report,
                        "The control connection has no address that the server could connect to");
  rc = mote_data_new(t, out, &listening, tls);
  if(rc)
    return rc;
  l = mote_conn_state(*out);
  l->dial.owner = t;
  l->dial.drive.conn = *out;
  return CURLE_OK;
}

CURLcode mote_data_listen(struct mote_transfer *t, struct mote_conn **out, const char *where, bool tls,
                          mote_time now, struct mote_addr *named)
{
  CURLcode rc = *out ? CURLE_OK : data_listen_begin(t, out, tls);
  if(rc)
    return rc;
  rc = data_listen_start(t, *out, where, now, named);
  if(rc && rc != CURLE_AGAIN)
    mote_data_close(t, out);
  return rc;
}
