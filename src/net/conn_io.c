/* net/conn_io.c: a connection as protocols see it. */
#include "net/conn_io.h"

#include "net/conn.h"

curl_socket_t mote_conn_socket(const struct mote_conn *c)
{
  return mote_conn_fd(c);
}

void mote_conn_look_again(struct mote_conn *c)
{
  c->events |= MOTE_WANT_IN;
}
