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

bool mote_conn_has_event(const struct mote_conn *c)
{
  return c->events != 0;
}

void mote_conn_clear_events(struct mote_conn *c)
{
  c->events = 0;
}

size_t mote_conn_held(const struct mote_conn *c)
{
  return c->held_len;
}

bool mote_conn_has_tls(const struct mote_conn *c)
{
  return c->tls != NULL;
}

bool mote_conn_at_end(const struct mote_conn *c)
{
  return c->saw_end;
}

void mote_conn_set_reusable(struct mote_conn *c, bool reusable)
{
  c->reusable = reusable;
}
