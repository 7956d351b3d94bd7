/* transfer/pump/pump_send.c: the loop that sends (transfer/pump/pump.h). */
#include "net/conn.h"
#include "transfer/multi/schedule.h"
#include "transfer/pump/pump.h"
#include "transfer/report/debug.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

#define SENDS_PER_TURN 16 /* then other transfers get theirs */
#define FILE_MOST 1048576 /* bytes that are sent from a file at once; about what a socket takes */
#define SEND_LEAST 16u    /* a reader that adds framing needs room for it (transfer/upload/source.h) */

CURLcode mote_pump_push(struct mote_conn *c, const char *bytes, size_t len, size_t *n)
{
  *n = 0;
  while(*n < len) {
    size_t sent;
    CURLcode rc = mote_conn_send(c, bytes + *n, len - *n, &sent);
    if(rc)
      return rc;
    *n += sent;
  }
  return CURLE_OK;
}

CURLcode mote_pump_flush(struct mote_transfer *t, struct mote_conn *c)
{
  struct mote_kept *k = t->run->unsent;
  size_t n;
  CURLcode rc;
  if(!k)
    return CURLE_OK;
  rc = mote_pump_push(c, k->bytes + k->at, k->len - k->at, &n);
  k->at += (uint32_t)n;
  if(rc)
    return rc;
  mote_kept_free(t, k);
  t->run->unsent = NULL;
  return CURLE_OK;
}

CURLcode mote_pump_put(struct mote_transfer *t, struct mote_conn *c, const char *bytes, size_t len)
{
  size_t n = 0;
  CURLcode rc = mote_conn_send(c, bytes, len, &n);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  if(rc)
    n = 0;
  if(n == len)
    return CURLE_OK;
  t->run->unsent = mote_kept_copy(t, bytes + n, len - n);
  return t->run->unsent ? CURLE_AGAIN : CURLE_OUT_OF_MEMORY;
}

/* Sends from the file that is sent, when nothing has to see its bytes. *sent: some went; else they have to be
 * read. */
static CURLcode pump_send_file(struct mote_transfer *t, struct mote_conn *c, size_t most, bool *sent,
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
  mote_speed_passed_up(t, n);
  t->run->stats.bytes_up += (curl_off_t)n;
  *end = mote_source_moved(t, (curl_off_t)n);
  return CURLE_OK;
}

/* Returns how many bytes of data a piece may have. */
static size_t pump_send_room(const struct mote_transfer *t, size_t most)
{
  long wish = mote_opt_long(&t->options, CURLOPT_UPLOAD_BUFFERSIZE);
  size_t room = wish > 0 && wish < (long)MOTE_PUMP_ROOM ? (size_t)wish : MOTE_PUMP_ROOM;
  return most < room ? most : room;
}

static CURLcode pump_send_piece(struct mote_transfer *t, struct mote_conn *c, size_t most, size_t framing,
                                bool *end)
{
  struct mote_piece p = {.room = mote_schedule_buffer(t->multi, (uint32_t)(MOTE_PUMP_ROOM + framing)),
                         .most = pump_send_room(t, most) + framing};
  size_t data;
  CURLcode rc;
  if(!p.room)
    return CURLE_OUT_OF_MEMORY;
  p.most = p.most < SEND_LEAST ? SEND_LEAST : p.most;
  rc = mote_source_read(t, &p);
  if(rc)
    return rc;
  *end = p.end;
  if(!p.len)
    return CURLE_OK;
  data = p.len - p.front - p.back;
  if(data) {
    mote_debug(t, CURLINFO_DATA_OUT, p.bytes + p.front, data);
    mote_speed_passed_up(t, data);
  }
  t->run->stats.bytes_up += (curl_off_t)p.len;
  return mote_pump_put(t, c, p.bytes, p.len);
}

CURLcode mote_pump_send(struct mote_transfer *t, struct mote_conn *c, mote_time now, size_t framing,
                        bool *end)
{
  CURLcode rc = CURLE_OK;
  int sends;
  *end = false;
  for(sends = 0; !rc && !*end && !t->run->flow.send.paused; sends++) {
    size_t most = mote_speed_allow_up(t, now, FILE_MOST);
    bool sent;
    if(!most)
      return CURLE_AGAIN;
    if(sends == SENDS_PER_TURN) {
      mote_transfer_wake(t);
      return CURLE_AGAIN;
    }
    rc = pump_send_file(t, c, most, &sent, end);
    if(!rc && !sent)
      rc = pump_send_piece(t, c, most, framing, end);
  }
  return rc;
}
