/* protocol/plain/query.c: sends the request and receives the answer (protocol/plain/query.h). */
#include "protocol/plain/query.h"

#include <string.h>

#include "base/out.h"
#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "net/conn.h"
#include "protocol/body.h"
#include "transfer/multi/schedule.h"
#include "transfer/report/debug.h"
#include "transfer/upload/source.h"

CURLcode mote_query_prepare(struct mote_transfer *t)
{
  mote_source_close(t);
  mote_request_announce(&t->run->request, -1);
  return CURLE_OK;
}

CURLcode mote_query_begin(struct mote_transfer *t)
{
  struct mote_query *q = mote_conn_state(t->run->channel.conn);
  q->sent = false;
  return CURLE_OK;
}

/* The server closes the connection at the end of its answer. */
void mote_query_end(struct mote_transfer *t, CURLcode rc)
{
  (void)t;
  (void)rc;
}

/* ---- the request ---- */

/* The path without its beginning, and the query where that belongs to it. They are neighbours in the URL. An
 * empty query has no bytes there: `*mark` says that its "?" is missing. */
static struct mote_slice asked_for(const struct mote_transfer *t, const struct mote_query_row *row,
                                   bool *mark)
{
  struct mote_slice path, query;
  struct mote_url url;
  size_t skip;
  mote_url_unpack(&t->run->request.url, &url);
  path = mote_url_get(&url, MOTE_URL_PATH);
  query = mote_url_get(&url, MOTE_URL_QUERY);
  *mark = row->query_belongs && mote_url_has(&url, MOTE_URL_QUERY) && !query.len && path.len >= row->skips;
  if(row->query_belongs && query.len)
    path.len = (size_t)(query.ptr + query.len - path.ptr);
  skip = row->skips < path.len ? row->skips : path.len;
  path.ptr += skip;
  path.len -= skip;
  return path;
}

/* No byte may end the line, so that a URL cannot give the server a second request. */
static bool query_is_allowed(const struct mote_query_row *row, struct mote_slice decoded)
{
  size_t i;
  for(i = 0; i < decoded.len; i++) {
    unsigned char c = (unsigned char)decoded.ptr[i];
    if(row->takes_controls ? !c || c == '\r' || c == '\n' : c < ' ')
      return false;
  }
  return true;
}

/* Writes the request into a buffer of `size` bytes, at whose end the path is decoded. CURLE_AGAIN: it needs
 * more. */
static CURLcode query_write(struct mote_transfer *t, const struct mote_query_row *row, size_t size,
                            struct mote_out *out)
{
  bool mark;
  struct mote_slice coded = asked_for(t, row, &mark), path;
  size_t most = coded.len + mark;
  char *buffer;
  if(size < most)
    return CURLE_AGAIN;
  buffer = mote_schedule_buffer(t->multi, (uint32_t)size);
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  path.ptr = buffer + size - most;
  (void)mote_percent_decode(coded, 0, buffer + size - most, coded.len, &path.len);
  if(mark)
    buffer[size - most + path.len++] = '?';
  if(!query_is_allowed(row, path))
    return mote_fail_as(CURLE_URL_MALFORMAT, &t->report, "The URL contains a control character");
  *out = mote_out_in(buffer, size - most);
  row->write(out, path);
  return out->cut ? CURLE_AGAIN : CURLE_OK;
}

static CURLcode write_request(struct mote_transfer *t, const struct mote_query_row *row, struct mote_out *out)
{
  CURLcode rc = query_write(t, row, (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE), out);
  if(rc == CURLE_AGAIN)
    rc = query_write(t, row, 2 * MOTE_QUERY_MOST, out);
  if(rc != CURLE_AGAIN && (rc || out->len <= MOTE_QUERY_MOST))
    return rc;
  return mote_fail_as(CURLE_TOO_LARGE, &t->report, "The request would be longer than %u bytes",
                      MOTE_QUERY_MOST);
}

static CURLcode query_send_request(struct mote_transfer *t, const struct mote_query_row *row)
{
  struct mote_query *q = mote_conn_state(t->run->channel.conn);
  struct mote_out out;
  CURLcode rc;
  if(q->sent)
    return mote_body_flush(t, t->run->channel.conn);
  rc = write_request(t, row, &out);
  if(rc)
    return rc;
  q->sent = true;
  t->run->request.bytes += (uint32_t)out.len;
  if(row->shows)
    mote_debug(t, CURLINFO_DATA_OUT, out.ptr, out.len);
  mote_conn_look_again(t->run->channel.conn);
  return mote_body_put(t, t->run->channel.conn, out.ptr, out.len);
}

/* ---- the answer ---- */

CURLcode mote_query_step(struct mote_transfer *t, const struct mote_query_row *row, mote_time now)
{
  struct mote_conn *c = t->run->channel.conn;
  curl_off_t left = -1;
  CURLcode rc = query_send_request(t, row);
  if(!rc && t->run->request.method != MOTE_METHOD_HEAD)
    rc = mote_body_receive(t, c, &left, NULL, now);
  return rc ? rc : mote_body_finish(t, c);
}
