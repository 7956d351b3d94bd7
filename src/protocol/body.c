/* protocol/body.c: receives and sends bodies (protocol/body.h). */
#include "protocol/body.h"

#include <string.h>

#include "net/conn.h"
#include "transfer/callback.h"
#include "transfer/download/sink.h"
#include "transfer/report/debug.h"
#include "transfer/report/progress.h"
#include "transfer/schedule.h"
#include "transfer/upload/source.h"

#define READS_PER_STEP 64   /* then other transfers get their turn */
#define READ_UNIT 65536u    /* bytes; a larger read counts as several */
#define SENDS_PER_STEP 16   /* likewise */
#define FILE_MOST 1048576   /* bytes that are sent from a file at once; about what a socket takes */
#define SEND_ROOM 16384u    /* bytes read at once from what is sent */
#define SEND_LEAST 16u      /* a reader that adds framing needs room for it (transfer/upload/source.h) */

/* Waits for the connection, unless the direction is paused or over its speed limit. */
static CURLcode protocol_body_wait_for(struct mote_conn *c, struct mote_direction held, unsigned interest)
{
  CURLcode rc = mote_conn_want(c, held.paused || held.limited ? 0 : interest);
  return rc ? rc : CURLE_AGAIN;
}

/* ---- receiving ---- */

/* A body under way, for the functions of one step. */
struct receipt {
  struct mote_transfer *t;
  struct mote_conn *c;
  curl_off_t *left; /* bytes, -1: until the end */
  const struct mote_body_filter *filter;
  char *buffer;     /* the multi's */
  mote_time now;
  size_t size;      /* bytes that are read at once at most */
  int reads;        /* so far in this step */
  bool over;
};

static size_t protocol_body_most_of(const struct receipt *b, size_t most)
{
  return *b->left >= 0 && *b->left < (curl_off_t)most ? (size_t)*b->left : most;
}

static void protocol_body_count(struct receipt *b, size_t n)
{
  if(*b->left < 0)
    return;
  *b->left -= (curl_off_t)n;
  b->over = !*b->left;
}

static void protocol_body_mark_first(const struct receipt *b)
{
  struct mote_run *r = b->t->run;
  r->response.got_bytes = true;
  if(!r->stats.mark[MOTE_MARK_STARTTRANSFER])
    mote_mark_set(&r->stats, MOTE_MARK_STARTTRANSFER, b->now);
}

CURLcode mote_body_deliver(struct mote_transfer *t, char *bytes, size_t len)
{
  size_t used;
  CURLcode rc = mote_sink_body(t, bytes, len, &used);
  if(rc != CURLE_AGAIN || used == len)
    return rc;
  mote_fail(&t->report, "The rest of a piece of the body cannot be kept during the pause");
  return mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE) > 0 ? CURLE_FILESIZE_EXCEEDED
                                                                   : CURLE_WRITE_ERROR;
}

/* len bytes are lent, which the filter has not used. */
static CURLcode protocol_body_ended(struct receipt *b, char *bytes, size_t len)
{
  if(*b->left < 0 && (!b->filter || b->filter->open_end)) {
    b->over = true;
    if(!len)
      return CURLE_OK;
    mote_conn_take(b->c, len);
    return b->filter && b->filter->drops_rest ? CURLE_OK : mote_body_deliver(b->t, bytes, len);
  }
  mote_fail(&b->t->report, "The connection has ended before the end of the data");
  return CURLE_PARTIAL_FILE;
}

/* What the sink has not used stays with the connection. */
static CURLcode protocol_body_leave(struct receipt *b, CURLcode rc)
{
  CURLcode held = mote_conn_hold(b->c, MOTE_HELD_LIMIT, NULL, 0);
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc;
}

/* Delivers lent bytes until they are used, the body is over, or the application pauses. */
static CURLcode protocol_body_deliver(struct receipt *b, char *bytes, size_t len)
{
  CURLcode rc = CURLE_OK;
  protocol_body_mark_first(b);
  while(!rc && !b->over && len) {
    struct mote_body_cut cut =
      {.bytes = bytes, .len = protocol_body_most_of(b, len), .used = 0, .over = false};
    if(cut.len > CURL_MAX_WRITE_SIZE)
      cut.len = CURL_MAX_WRITE_SIZE; /* so that a pause keeps all of it */
    cut.used = cut.len;
    if(b->filter)
      rc = b->filter->cut(b->filter->state, bytes, cut.len, &cut);
    if(rc || !cut.used)
      break;
    if(cut.len)
      rc = b->filter ? mote_body_deliver(b->t, cut.bytes, cut.len)
                     : mote_sink_body(b->t, cut.bytes, cut.len, &cut.used);
    if(rc && rc != CURLE_AGAIN)
      break;
    mote_conn_take(b->c, cut.used);
    if(b->filter && b->filter->counts_all)
      b->t->run->stats.bytes_down += (curl_off_t)(cut.used - cut.len);
    protocol_body_count(b, cut.used);
    b->over = b->over || cut.over;
    bytes += cut.used;
    len -= cut.used;
  }
  return rc;
}

/* Bytes that are there already come before those of the socket. */
static CURLcode deliver_early(struct receipt *b)
{
  char *bytes = (char *)(uintptr_t)b->c->lent;
  size_t len = b->c->lent_len;
  if(!len && mote_conn_held(b->c))
    len = mote_conn_lend_held(b->c, b->buffer, &bytes);
  return len ? protocol_body_leave(b, protocol_body_deliver(b, bytes, len)) : CURLE_OK;
}

/* Nothing looks at the bytes or counts them but the write callback and the limit on all of them. */
static bool protocol_body_is_straight(const struct receipt *b)
{
  const struct mote_run *r = b->t->run;
  return !b->filter && !r->speed && !r->response.body_ignored && !r->decode && !b->t->report.verbose &&
         !b->t->options.changed && !mote_conn_held(b->c);
}

/* Reads and delivers until a read has emptied the socket. What all reads share is looked up once, when the
 * first has brought something. */
static CURLcode protocol_body_read_straight(struct receipt *b)
{
  struct mote_transfer *t = b->t;
  bool plain = mote_conn_is_plain(b->c), open_end = *b->left < 0, begun = false;
  struct mote_callback_guard g = {0};
  struct mote_sink_target to;
  CURLcode rc = CURLE_OK;
  size_t n = 1, used = 0, size = b->size;
  uint64_t left = open_end ? UINT64_MAX : (uint64_t)*b->left;
  int reads = b->reads;
  while(!rc && left && reads < READS_PER_STEP && !t->options.changed) {
    size_t most = left > size ? size : (size_t)left;
    rc = mote_conn_receive(b->c, b->buffer, most, &n);
    if(rc || !n)
      break;
    if(!begun) {
      begun = true;
      if(!reads)
        protocol_body_mark_first(b);
      to.whole = false;
      mote_sink_target(t, &to);
      g = mote_callback_enter(t);
    }
    reads += 1 + (int)(n / READ_UNIT);
    rc = mote_sink_write(t, &to, b->buffer, n, &used);
    t->run->stats.bytes_down += (curl_off_t)used;
    left -= used;
    if(n < most && plain && !rc && left)
      rc = CURLE_AGAIN;
  }
  b->reads = reads;
  b->over = !left;
  if(!open_end)
    *b->left = (curl_off_t)left;
  if(begun)
    mote_callback_leave(t, g);
  if(!rc && !n)
    return protocol_body_ended(b, NULL, 0);
  if(used < n)
    mote_conn_unread(b->c, b->buffer + used, n - used);
  return protocol_body_leave(b, rc);
}

/* Reads once. */
static CURLcode protocol_body_read_once(struct receipt *b)
{
  struct mote_transfer *t = b->t;
  size_t before = mote_conn_held(b->c), len,
  most = mote_speed_allow_down(t, b->now, protocol_body_most_of(b, b->size));
  char *bytes;
  bool end;
  CURLcode rc;
  t->run->flow.recv.limited = !most;
  if(!most)
    return CURLE_AGAIN;
  rc = mote_conn_read(b->c, b->buffer, mote_schedule_buffer_size(t->multi), most, &bytes, &len, &end);
  if(rc)
    return rc;
  if(end)
    return protocol_body_leave(b, protocol_body_ended(b, bytes, len));
  b->reads += 1 + (int)((len - before) / READ_UNIT);
  mote_speed_passed_down(t, len - before);
  rc = protocol_body_leave(b, protocol_body_deliver(b, bytes, len));
  return !rc && !b->over && mote_conn_is_plain(b->c) && len - before < most ? CURLE_AGAIN : rc;
}

/* Reads until nothing is there, or others get their turn. */
static CURLcode protocol_body_receive(struct receipt *b)
{
  CURLcode rc = b->c->events || mote_conn_pending(b->c) ? CURLE_OK : CURLE_AGAIN;
  mote_conn_clear_events(b->c);
  while(!rc && !b->over) {
    if(b->reads >= READS_PER_STEP) { /* more may be there, for which no event will come */
      mote_conn_look_again(b->c);
      mote_transfer_wake(b->t);
      return CURLE_AGAIN;
    }
    rc = protocol_body_is_straight(b) ? protocol_body_read_straight(b) : protocol_body_read_once(b);
  }
  return rc;
}

CURLcode mote_body_receive(struct mote_transfer *t, struct mote_conn *c, curl_off_t *left,
                           const struct mote_body_filter *filter, mote_time now)
{
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  struct receipt b = {.t = t, .c = c, .left = left, .filter = filter, .size = size, .now = now,
                      .over = !*left};
  struct mote_run *r = t->run;
  CURLcode rc;
  if(r->flow.recv.paused)
    return protocol_body_wait_for(c, r->flow.recv, MOTE_WANT_IN);
  r->flow.recv.limited = false;
  rc = mote_sink_resume(t);
  if(!rc) {
    b.buffer = mote_schedule_buffer(t->multi, size);
    rc = b.buffer ? deliver_early(&b) : CURLE_OUT_OF_MEMORY;
  }
  if(!rc && !b.over)
    rc = protocol_body_receive(&b);
  if(b.over && (!rc || rc == CURLE_AGAIN))
    return CURLE_OK; /* a pause holds back the last bytes; mote_sink_finish() waits for them */
  return rc == CURLE_AGAIN ? protocol_body_wait_for(c, r->flow.recv, MOTE_WANT_IN) : rc;
}

CURLcode mote_body_finish(struct mote_transfer *t, struct mote_conn *c)
{
  CURLcode rc = t->run->flow.recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  rc = rc ? rc : mote_sink_finish(t);
  if(rc == CURLE_AGAIN && mote_conn_want(c, 0))
    return CURLE_OUT_OF_MEMORY;
  return rc;
}

/* ---- sending ---- */

CURLcode mote_body_flush(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_kept *k = t->run->unsent;
  while(k && k->at < k->len) {
    size_t n;
    CURLcode rc = mote_conn_send(c, k->bytes + k->at, k->len - k->at, &n);
    if(rc == CURLE_AGAIN && mote_conn_want(c, MOTE_WANT_OUT))
      return CURLE_OUT_OF_MEMORY;
    if(rc)
      return rc;
    k->at += (uint32_t)n;
  }
  mote_kept_free(t, k);
  t->run->unsent = NULL;
  return CURLE_OK;
}

CURLcode mote_body_put(struct mote_transfer *t, struct mote_conn *c, const char *bytes, size_t len)
{
  size_t n = 0;
  CURLcode rc = mote_conn_send(c, bytes, len, &n);
  if(rc == CURLE_AGAIN)
    n = 0;
  else if(rc || n == len)
    return rc;
  t->run->unsent = mote_kept_copy(t, bytes + n, len - n);
  if(!t->run->unsent || mote_conn_want(c, MOTE_WANT_OUT))
    return CURLE_OUT_OF_MEMORY;
  return CURLE_AGAIN;
}

static void count_sent(struct mote_transfer *t, size_t n)
{
  mote_speed_passed_up(t, n);
  t->run->stats.bytes_up += (curl_off_t)n;
}

/* Sends from the file that is sent, when nothing has to see its bytes. *sent: some went, or the file waits
 * for the connection; else they have to be read. */
static CURLcode protocol_body_send_file(struct mote_transfer *t, struct mote_conn *c, size_t most, bool *sent,
                                        bool *end)
{
  curl_off_t len = 0;
  bool may = MOTE_HAS_SENDFILE && mote_conn_is_plain(c) && !t->report.verbose;
  int file = may ? mote_source_file(t, &len) : -1;
  size_t n;
  CURLcode rc;
  *sent = false;
  if(file < 0)
    return CURLE_OK;
  rc = mote_conn_send_file(c, file, len < (curl_off_t)most ? (size_t)len : most, &n);
  if(rc || !n)
    return rc;
  *sent = true;
  count_sent(t, n);
  *end = mote_source_moved(t, (curl_off_t)n);
  return CURLE_OK;
}

static CURLcode protocol_body_send_piece(struct mote_transfer *t, struct mote_conn *c, size_t most, bool *end)
{
  struct mote_piece p;
  CURLcode rc;
  p.most = most < SEND_LEAST ? SEND_LEAST : most < SEND_ROOM ? most : SEND_ROOM;
  p.room = mote_schedule_buffer(t->multi, SEND_ROOM);
  if(!p.room)
    return CURLE_OUT_OF_MEMORY;
  rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  *end = p.end;
  if(!p.len)
    return CURLE_OK;
  mote_debug(t, CURLINFO_DATA_OUT, p.bytes, p.len);
  count_sent(t, p.len);
  return mote_body_put(t, c, p.bytes, p.len);
}

CURLcode mote_body_take_small(struct mote_transfer *t, char *room, size_t most, size_t *len)
{
  const struct mote_run *r = t->run;
  struct mote_piece p = {.room = room, .most = most};
  curl_off_t size = mote_source_at_hand(t) ? mote_source_size(t) : -1;
  CURLcode rc;
  *len = 0;
  if(size < 0 || size > (curl_off_t)most || (r->speed && r->speed->max_up))
    return CURLE_OK;
  rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  if(p.bytes != p.room)
    memcpy(room, p.bytes, p.len);
  count_sent(t, p.len);
  *len = p.len;
  return CURLE_OK;
}

static CURLcode protocol_body_send_some(struct mote_transfer *t, struct mote_conn *c, mote_time now,
                                        bool *end)
{
  size_t most = mote_speed_allow_up(t, now, FILE_MOST);
  bool sent;
  CURLcode rc;
  t->run->flow.send.limited = !most;
  if(!most)
    return CURLE_AGAIN;
  rc = protocol_body_send_file(t, c, most, &sent, end);
  return rc || sent ? rc : protocol_body_send_piece(t, c, most, end);
}

CURLcode mote_body_send(struct mote_transfer *t, struct mote_conn *c, mote_time now)
{
  struct mote_run *r = t->run;
  CURLcode rc = mote_body_flush(t, c);
  bool end = false;
  int sends;
  if(rc)
    return rc;
  mote_conn_clear_events(c);
  r->flow.send.limited = false;
  for(sends = 0; !rc && !end && !r->flow.send.paused; sends++) {
    if(sends == SENDS_PER_STEP) {
      mote_transfer_wake(t);
      return CURLE_AGAIN;
    }
    rc = protocol_body_send_some(t, c, now, &end);
  }
  if(!rc && end)
    return CURLE_OK;
  return rc && rc != CURLE_AGAIN ? rc : protocol_body_wait_for(c, r->flow.send, MOTE_WANT_OUT);
}

/* ---- about a file ---- */

/* Takes a number off the front. -1: there is none that fits. */
static curl_off_t protocol_body_take_number(struct mote_slice *s, uint64_t most)
{
  uint64_t number;
  size_t used;
  if(!mote_parse_dec_prefix(*s, most, &number, &used))
    return -1;
  mote_slice_skip(s, used);
  return (curl_off_t)number;
}

bool mote_body_range(const char *text, curl_off_t *first, curl_off_t *last)
{
  struct mote_slice s = mote_slice_of(text);
  *first = protocol_body_take_number(&s, INT64_MAX);
  if(!s.len || *s.ptr != '-')
    return false;
  mote_slice_skip(&s, 1);
  /* a length, or the place before one */
  *last = protocol_body_take_number(&s, *first < 0 ? INT64_MAX : INT64_MAX - 1);
  return true;
}

/* CURLINFO_FILETIME looks for the field there. Its origin is 0, which hides it from curl_easy_header(). */
CURLcode mote_body_note_time(struct mote_transfer *t, int64_t time)
{
  char text[24] = "-";
  struct mote_slice value = {text, time < 0};
  value.len += mote_print_dec(text + value.len, time < 0 ? 0 - (uint64_t)time : (uint64_t)time);
  return mote_headers_add(&t->run->response.headers, &t->account, 0, 0, mote_slice_of("Last-Modified"),
                          value);
}
