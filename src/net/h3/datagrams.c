/* net/h3/datagrams.c: takes datagrams from the socket and sends those of all streams, few system calls for
 * many of them (net/h3/session.h). */
#include <string.h>

#include "base/memory.h"
#include "net/conn.h"
#include "net/h3/early.h"
#include "net/h3/session.h"
#include "port/burst.h"
#include "port/port.h"

#define CALLS_PER_TURN 16  /* then other connections have their turn */
#define LARGE (MOTE_PORT_BURSTS * MOTE_PORT_DATAGRAM) /* bytes of a room that one call does not empty into */
#define SEGMENTS_MOST 60   /* of a batch; Linux takes 64 */
#define VECS 8             /* pieces of a stream that go into a packet */

/* ---- what comes ---- */

static void datagrams_take(struct mote_h3_session *s, const uint8_t *bytes, size_t len, size_t segment,
                           ngtcp2_tstamp at)
{
  const ngtcp2_path *path = ngtcp2_conn_get_path(s->quic);
  const ngtcp2_pkt_info info = {0};
  while(len && !s->broken) {
    size_t n = len < segment ? len : segment;
    int rc = ngtcp2_conn_read_pkt(s->quic, path, &info, bytes, n, at);
    if(rc)
      mote_h3_fail(s, rc);
    bytes += n;
    len -= n;
  }
}

static void datagrams_do_what_is_due(struct mote_h3_session *s, ngtcp2_tstamp at)
{
  int rc = 0;
  mote_h3_path_judge(s);
  if(s->broken)
    return;
  if(ngtcp2_conn_get_expiry(s->quic) <= at)
    rc = ngtcp2_conn_handle_expiry(s->quic, at);
  if(!rc && s->late && mote_h3_close_late(s))
    rc = NGTCP2_ERR_NOMEM;
  if(rc)
    mote_h3_fail(s, rc);
}

/* One call to the system. Returns whether more may have come. */
static bool datagrams_take_some(struct mote_h3_session *s, void *room, size_t size, ngtcp2_tstamp at)
{
  struct mote_burst bursts[MOTE_PORT_BURSTS];
  unsigned count, i;
  int error = mote_port_burst_recv(s->watch->fd, room, size, s->gathered, bursts, &count);
  if(error) {
    if(error != MOTE_PORT_AGAIN)
      mote_h3_path_receive_failed(s, error);
    return false;
  }
  mote_h3_path_heard(s);
  for(i = 0; i < count && !s->broken; i++)
    datagrams_take(s, bursts[i].bytes, bursts[i].len, bursts[i].segment, at);
  return s->gathered || (count + 1) * MOTE_PORT_DATAGRAM > size || count == MOTE_PORT_BURSTS;
}

bool mote_h3_take(struct mote_h3_session *s, void *room, size_t size)
{
  ngtcp2_tstamp at = mote_h3_now();
  bool more = true;
  int calls;
  s->starved = false;
  for(calls = 0; calls < CALLS_PER_TURN && more && !s->broken; calls++)
    more = datagrams_take_some(s, room, size, at);
  if(s->many && !s->gathered && calls > 1 && size >= LARGE) /* a large body flows */
    s->gathered = mote_port_burst_gather(s->watch->fd);
  return more;
}

/* ---- what goes ---- */

/* Packets of one call to the system. */
struct batch {
  char *room;
  size_t size;    /* bytes of the room */
  size_t len;     /* bytes of packets */
  size_t segment; /* bytes of each but the last; 0: there is none */
  ngtcp2_tstamp at; /* time of the turn */
};

static void datagrams_drop_rest(struct mote_h3_session *s)
{
  mote_mem_free(s->memory.account, MOTE_PART_CONN, s->rest, s->rest_len);
  s->rest = NULL;
}

/* What the socket refuses now is sent when it takes more. Without memory it is lost, as packets may be. */
static void datagrams_keep(struct mote_h3_session *s, const char *bytes, size_t len, size_t segment)
{
  s->rest = mote_mem_alloc(s->memory.account, MOTE_PART_CONN, len);
  if(!s->rest)
    return;
  memcpy(s->rest, bytes, len);
  s->rest_len = (uint32_t)len;
  s->rest_at = 0;
  s->rest_segment = (uint32_t)segment;
}

/* Sends a batch. When its datagrams are too long for the path the last one may be shorter. */
static int datagrams_put(struct mote_h3_session *s, const char *bytes, size_t len, size_t segment, size_t *n)
{
  size_t last = len % segment;
  int error = mote_port_burst_send(s->watch->fd, bytes, len, segment, n);
  if(error != EMSGSIZE)
    return error;
  mote_h3_path_is_narrow(s, segment);
  error = last ? mote_port_burst_send(s->watch->fd, bytes + len - last, last, last, n) : 0;
  *n += len - last;
  return error;
}

static bool datagrams_send_rest(struct mote_h3_session *s)
{
  size_t n;
  int error;
  if(!s->rest)
    return true;
  error = datagrams_put(s, s->rest + s->rest_at, s->rest_len - s->rest_at, s->rest_segment, &n);
  s->rest_at += (uint32_t)n;
  if(error == MOTE_PORT_AGAIN)
    return false;
  datagrams_drop_rest(s);
  return true;
}

/* Returns whether the socket takes more. */
static bool datagrams_flush(struct mote_h3_session *s, struct batch *b)
{
  size_t n = 0;
  int error = 0;
  if(b->len)
    error = datagrams_put(s, b->room, b->len, b->segment, &n);
  if(error == MOTE_PORT_AGAIN)
    datagrams_keep(s, b->room + n, b->len - n, b->segment);
  else if(error)
    mote_h3_path_send_failed(s, error, b->at);
  else if(b->len)
    s->unsent = false;
  b->len = b->segment = 0;
  return error != MOTE_PORT_AGAIN && !s->broken;
}

/* Bytes of a stream go into a packet. */
static void datagrams_note_early(struct mote_h3_session *s, int64_t id)
{
  if(!s->shaken && mote_h3_early_holds(s->early, id))
    s->early->sent = true;
}

/* What ngtcp2 says of a stream that nghttp3 has chosen. Returns whether it goes on with another one. */
static bool datagrams_is_refused(struct mote_h3_session *s, ngtcp2_ssize n, int64_t id, ngtcp2_ssize taken)
{
  int rc = 0;
  switch(n) {
  case NGTCP2_ERR_STREAM_DATA_BLOCKED:
    nghttp3_conn_block_stream(s->http, id);
    return true;
  case NGTCP2_ERR_STREAM_SHUT_WR:
  case NGTCP2_ERR_STREAM_NOT_FOUND: /* it is to be closed later, and its upload goes on */
    nghttp3_conn_shutdown_stream_write(s->http, id);
    return true;
  case NGTCP2_ERR_WRITE_MORE:
    datagrams_note_early(s, id);
    rc = nghttp3_conn_add_write_offset(s->http, id, (size_t)taken);
    if(rc) {
      mote_h3_fail_http(s, rc);
      mote_h3_fail(s, NGTCP2_ERR_CALLBACK_FAILURE);
    }
    return !rc;
  default:
    return false;
  }
}

/* Writes one packet. 0: there is nothing to send, or not now. */
static size_t datagrams_write_packet(struct mote_h3_session *s, uint8_t *to, size_t most, ngtcp2_tstamp at)
{
  for(;;) {
    nghttp3_vec vec[VECS];
    ngtcp2_pkt_info info;
    int64_t id = -1;
    int end = 0;
    nghttp3_ssize count = 0;
    ngtcp2_ssize taken = -1, n;
    uint32_t flags = NGTCP2_WRITE_STREAM_FLAG_MORE;
    if(s->http && ngtcp2_conn_get_max_data_left(s->quic))
      count = nghttp3_conn_writev_stream(s->http, &id, &end, vec, VECS);
    if(count < 0) {
      mote_h3_fail_http(s, (int)count);
      mote_h3_fail(s, NGTCP2_ERR_CALLBACK_FAILURE);
      return 0;
    }
    if(end)
      flags |= NGTCP2_WRITE_STREAM_FLAG_FIN;
    n = ngtcp2_conn_writev_stream(s->quic, NULL, &info, to, most, &taken, flags, id, (const ngtcp2_vec *)vec,
                                  (size_t)count, at);
    if(n < 0 && datagrams_is_refused(s, n, id, taken))
      continue;
    if(n < 0 && !s->broken)
      mote_h3_fail(s, (int)n);
    s->limited = n <= 0 && id >= 0;
    if(n < 0)
      return 0;
    if(taken >= 0) {
      datagrams_note_early(s, id);
      (void)nghttp3_conn_add_write_offset(s->http, id, (size_t)taken);
    }
    return (size_t)n;
  }
}

/* Adds a packet to the batch. One that is longer than the others begins another one. */
static bool datagrams_add(struct mote_h3_session *s, struct batch *b, size_t n)
{
  const char *packet = b->room + b->len;
  if(b->segment && n > b->segment) {
    if(!datagrams_flush(s, b))
      return false; /* it is lost, as packets may be */
    memmove(b->room, packet, n);
    b->len = b->segment = n;
    return true;
  }
  if(!b->segment)
    b->segment = n;
  b->len += n;
  return n == b->segment || datagrams_flush(s, b);
}

/* ngtcp2's next deadline is often that of pacing, a microsecond away, which matters where bytes wait for it.
 * Other deadlines are kept no more closely than a wait can, a millisecond: the turn would be for nothing. */
void mote_h3_set_timer(struct mote_h3_session *s, ngtcp2_tstamp now)
{
  ngtcp2_tstamp at = s->broken ? UINT64_MAX : ngtcp2_conn_get_expiry(s->quic);
  if(s->answer_by && s->answer_by < at && !s->broken)
    at = s->answer_by;
  if(!s->limited && at < now + NGTCP2_MILLISECONDS)
    at = now + NGTCP2_MILLISECONDS;
  if(at == UINT64_MAX)
    mote_timers_cancel(s->timers, &s->timer);
  else
    mote_timers_set(s->timers, &s->timer, (mote_time)(at / 1000 + 1));
}

bool mote_h3_send(struct mote_h3_session *s, char *room, size_t size)
{
  ngtcp2_tstamp at = mote_h3_now();
  struct batch b = {.room = room, .size = size, .at = at};
  size_t most = CALLS_PER_TURN * ngtcp2_conn_get_send_quantum(s->quic) + MOTE_PORT_BURST_MOST, sent = 0, n;
  bool early = false;
  s->limited = false;
  s->starved = false;
  if(s->migrates)
    mote_h3_path_migrate(s, at);
  datagrams_do_what_is_due(s, at);
  if(s->broken || !datagrams_send_rest(s))
    return false;
  for(;;) {
    if(b.size - b.len < MOTE_H3_DATAGRAM || (b.len && b.len / b.segment >= SEGMENTS_MOST)) {
      sent += b.len;
      if(!datagrams_flush(s, &b))
        break;
    }
    early = sent + b.len >= most;
    if(early)
      break;
    n = datagrams_write_packet(s, (uint8_t *)b.room + b.len, s->most, at);
    if(!n || !datagrams_add(s, &b, n))
      break;
  }
  if(!s->broken && !s->rest)
    (void)datagrams_flush(s, &b);
  if(!s->broken)
    ngtcp2_conn_update_pkt_tx_time(s->quic, at);
  mote_h3_set_timer(s, at);
  return early;
}

void mote_h3_goodbye(struct mote_h3_session *s, const ngtcp2_ccerr *why)
{
  ngtcp2_ccerr without;
  ngtcp2_pkt_info info;
  uint8_t packet[MOTE_H3_DATAGRAM];
  ngtcp2_ssize n;
  size_t sent;
  if(s->over)
    return;
  s->over = true;
  if(!why) {
    ngtcp2_ccerr_default(&without);
    ngtcp2_ccerr_set_application_error(&without, NGHTTP3_H3_NO_ERROR, NULL, 0);
    why = &without;
  }
  n = ngtcp2_conn_write_connection_close(s->quic, NULL, &info, packet, sizeof packet, why,
                                         mote_h3_now());
  if(n > 0)
    (void)mote_port_burst_send(s->watch->fd, packet, (size_t)n, (size_t)n, &sent);
}
