/* transfer/aim.c: the connection goes to another address than the one that was tried (without part race). */
#include "net/conn.h"
#include "transfer/connect.h"
#include "transfer/socket.h"
#include "transfer/transfer.h"

bool mote_connect_under_way(const struct mote_transfer *t)
{
  return mote_conn_fd(t->run->conn) != CURL_SOCKET_BAD;
}

void mote_connect_aim(struct mote_transfer *t, const struct mote_addr *to)
{
  struct mote_conn *c = t->run->conn;
  curl_socket_t fd = mote_conn_fd(c);
  if(fd != CURL_SOCKET_BAD) {
    mote_watch_remove(c->set, &c->tcp.watch);
    mote_socket_abandon(t, fd);
  }
  c->remote = *to;
}
