/* protocol/http_straight.c: a body that goes from the socket to the write callback without a look at it. */
#include "net/conn.h"
#include "protocol/http.h"
#include "transfer/callback.h"
#include "transfer/sink.h"

/* What was read last, and how much of it is used; len 0: nothing came. */
struct piece {
  char *bytes;
  size_t len;
  size_t used;
};

/* Read and deliver until a read brings less than `enough`, the body is complete, or something is in the
 * way. */
static CURLcode deliver_reads(struct mote_transfer *t, size_t size, struct piece *p, int *reads, bool *more)
{
  struct mote_http *h = mote_http_of(t);
  struct mote_conn *c = t->run->conn;
  size_t enough = c->tls ? 1 : size; /* a read that brings less has emptied the socket */
  int each = size > MOTE_HTTP_READ_UNIT ? (int)(size / MOTE_HTTP_READ_UNIT) : 1;
  struct mote_sink_target to;
  CURLcode rc;
  to.whole = false;
  mote_sink_target(t, &to);
  do {
    size_t n, body, used;
    *reads += each;
    rc = mote_conn_receive(c, p->bytes, size, &n);
    *more = !rc && n >= enough;
    p->len = rc ? 0 : n;
    if(!p->len)
      return rc;
    body = n < h->left ? n : (size_t)h->left;
    rc = mote_sink_write(t, &to, p->bytes, body, &used);
    t->run->bytes_down += (curl_off_t)used;
    h->left -= used;
    p->used = used;
  } while(!rc && h->left && *more && *reads < MOTE_HTTP_READS_PER_STEP && !t->options.changed);
  return rc;
}

/* As read_once(), again and again: what is the same for all reads is looked up once. */
CURLcode mote_http_read_straight(struct mote_transfer *t, mote_time now, char *buffer, size_t size,
                                 int *reads, bool *more)
{
  struct mote_http *h = mote_http_of(t);
  struct piece p = {buffer, 0, 0};
  struct mote_callback_guard g;
  CURLcode rc;
  g = mote_callback_enter(t);
  rc = deliver_reads(t, size, &p, reads, more);
  mote_callback_leave(t, g);
  if(!p.len && rc == CURLE_RECV_ERROR && mote_http_tls_truncated(t))
    return mote_http_truncated(t);
  if(!p.len)
    return rc ? rc : mote_http_ended(t);
  if(!h->left)
    mote_http_body_complete(t);
  mote_conn_unread(t->run->conn, p.bytes + p.used, p.len - p.used);
  return mote_http_settle(t, rc ? rc : mote_http_eat(t, p.bytes + p.used, p.len - p.used, now));
}
