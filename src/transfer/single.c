/* transfer/single.c: connecting to one address: the connection's own watch does the work. */
#include "net/conn.h"
#include "net/conn_io.h"
#include "transfer/connect.h"
#include "transfer/socket.h"
#include "transfer/transfer.h"

CURLcode mote_connect_won(struct mote_transfer *t, const struct mote_addr *to, curl_socket_t fd)
{
  struct mote_conn *c = t->run->conn;
  c->remote = *to;
  mote_watch_add(c->set, &c->tcp.watch, fd);
  return mote_conn_want(c, MOTE_WANT_OUT);
}

CURLcode mote_connect_single(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->conn;
  const struct mote_addr *to = c->remote.family ? &c->remote : NULL; /* NULL: a Unix socket */
  if(mote_conn_fd(c) == CURL_SOCKET_BAD) {
    curl_socket_t fd;
    bool done;
    CURLcode rc = mote_socket_start(t, to, &fd, &done);
    if(rc)
      return rc;
    mote_watch_add(c->set, &c->tcp.watch, fd);
    if(done)
      return CURLE_OK;
    rc = mote_conn_want(c, MOTE_WANT_OUT);
    return rc ? rc : CURLE_AGAIN;
  }
  return mote_socket_result(t, to, mote_conn_fd(c));
}
