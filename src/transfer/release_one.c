/* transfer/release_one.c: the only connection is left: kept or closed (without part pool). */
#include "net/conn.h"
#include "net/pool.h"
#include "port/port.h"
#include "transfer/connect.h"
#include "transfer/engine.h"
#include "transfer/transfer.h"

void mote_connect_release(struct mote_transfer *t, CURLcode rc)
{
  struct mote_conn *c = t->run->conn;
  curl_socket_t fd;
  if(!c)
    return;
  t->run->conn = NULL;
  if(c->env.os_errno)
    t->run->os_errno = (uint16_t)c->env.os_errno;
  if(rc || !mote_pool_may_keep(c)) {
    mote_pool_close(mote_multi_pool(t->multi));
    return;
  }
  fd = mote_conn_fd(c);
  mote_watch_remove(c->set, &c->tcp.watch); /* nobody waits for it */
  c->tcp.watch.fd = fd;
  c->tcp.watch.user = NULL;
  c->env.report = NULL;
  c->last_used = mote_conn_seconds(mote_port_now());
  if(c->top->ops->idle)
    c->top->ops->idle(c->top);
}
