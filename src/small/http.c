/* small/http.c: GET over HTTP/1.1 (RFC 9110, RFC 9112); other methods with small/upload.
 *
 * The only request has the multi's buffer for itself. The head is built there, and received bytes that are
 * not parsed yet stay at its front, so that a cut line waits for its rest where it lies. The largest line is
 * the smaller of MOTE_HTTP1_MAX_LINE and the buffer.
 *
 * It is as strict as codec/http/http1.h about what two readers may take in two ways, and simpler. A folded
 * line, a control character, and a Content-Length that is no number or differs from another are
 * CURLE_WEIRD_SERVER_REPLY; a Transfer-Encoding other than chunked is CURLE_BAD_CONTENT_ENCODING. After a
 * bare LF, HTTP/1.0, Content-Length beside chunked, or bytes after the response the connection is not
 * reusable.
 * Tests: tests/parts/test_parts.py */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "codec/limits.h"
#include "http/redirect.h"
#include "net/conn.h"
#include "net/stream.h"
#include "small/upload/upload.h"
#include "transfer/download/sink.h"
#include "transfer/multi/schedule.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

enum mote_small_state {
  MOTE_SMALL_SENDING,
  MOTE_SMALL_STATUS,    /* a status line is next */
  MOTE_SMALL_FIELDS,    /* field lines, or the empty one that ends the head */
  MOTE_SMALL_SIZE,      /* size line of a chunk */
  MOTE_SMALL_CHUNK_END, /* the line end after a chunk's data */
  MOTE_SMALL_TRAILERS,
  MOTE_SMALL_BODY,      /* `left` bytes, framed by length or by the end of the connection */
  MOTE_SMALL_CHUNK,     /* `left` bytes of a chunk */
  MOTE_SMALL_DONE
};

#define MOTE_SMALL_HAS_LENGTH 1u
#define MOTE_SMALL_HAS_CHUNKED 2u
#define MOTE_SMALL_UNTIL_CLOSE UINT64_MAX

struct mote_small_http {
  uint64_t left;   /* BODY, CHUNK: bytes still to come; else 0 */
  uint64_t length; /* Content-Length; valid with HAS_LENGTH */
  uint32_t fill;   /* bytes at the buffer's front: of the request; received and not used */
  uint32_t at;     /* SENDING: bytes sent */
  uint32_t head;   /* bytes of all heads and trailers so far */
  uint8_t state;   /* enum mote_small_state */
  uint8_t facts;   /* HAS_*, of this response */
  bool spoiled;    /* the connection is not reusable */
};

static struct mote_small_http *http_state_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

/* ---- the request ---- */

/* The path and the query of a plain URL, which has no fragment. */
static struct mote_slice http_target(const struct mote_url_packed *url)
{
  return (struct mote_slice){url->text + url->path, url->len - url->path};
}

/* The host, and the port when the URL states it. */
static struct mote_slice http_authority(const struct mote_url_packed *url)
{
  return (struct mote_slice){url->text + url->host, (size_t)(url->path - url->host)};
}

static CURLcode http_build_head(struct mote_transfer *t, struct mote_small_http *h)
{
  const struct mote_url_packed *url = &t->run->request.url;
  const char *agent = mote_opt_str(&t->options, CURLOPT_USERAGENT);
  size_t agent_len = agent && !mote_upload_replaces(t, "User-Agent") ? strlen(agent) : 0;
  bool own_host = mote_upload_replaces(t, "Host");
  struct mote_slice host = http_authority(url);
  const struct mote_slice parts[] = {
    mote_upload_method(t),
    http_target(url),
    {" HTTP/1.1\r\nHost: ", own_host ? 9 : 17},
    {host.ptr, own_host ? 0 : host.len},
    {"\r\nUser-Agent: ", agent_len ? 14 : 0},
    {agent, agent_len},
    {"\r\nAccept: */*", mote_upload_replaces(t, "Accept") ? 0 : 13},
    {"\r\n", 2},
  };
  size_t need = (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  size_t sum = mote_upload_fields(t, NULL) + 2;
  unsigned i;
  char *to;
  for(i = 0; i < sizeof parts / sizeof parts[0]; i++)
    sum += parts[i].len;
  to = mote_schedule_buffer(t->multi, (uint32_t)(sum > need ? sum : need));
  if(!to)
    return CURLE_OUT_OF_MEMORY;
  h->fill = (uint32_t)sum;
  for(i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if(parts[i].len)
      memcpy(to, parts[i].ptr, parts[i].len);
    to += parts[i].len;
  }
  to += mote_upload_fields(t, to);
  to[0] = '\r';
  to[1] = '\n';
  return mote_upload_begin(t);
}

static CURLcode http_wait_for(struct mote_transfer *t, unsigned interest)
{
  CURLcode rc = mote_conn_want(t->run->channel.conn, interest);
  return rc ? rc : CURLE_AGAIN;
}

/* The head, and after it the body by pieces that fit into the buffer. */
static CURLcode http_send_request(struct mote_transfer *t, struct mote_small_http *h)
{
  CURLcode rc = h->fill ? CURLE_OK : http_build_head(t, h);
  while(!rc && h->at < h->fill) {
    char *bytes = mote_schedule_buffer(t->multi, 1);
    size_t n;
    rc = mote_conn_send(t->run->channel.conn, bytes + h->at, h->fill - h->at, &n);
    if(rc)
      break;
    h->at += (uint32_t)n;
    if(h->at < h->fill)
      continue;
    h->at = 0;
    rc = mote_upload_next(t, bytes, mote_schedule_buffer_size(t->multi), &h->fill);
  }
  if(rc)
    return rc == CURLE_AGAIN ? http_wait_for(t, MOTE_WANT_OUT) : rc;
  h->state = MOTE_SMALL_STATUS;
  return CURLE_OK;
}

/* ---- the head of the response ---- */

static CURLcode http_take_status(struct mote_transfer *t, struct mote_small_http *h, const char *p,
                                 size_t len)
{
  if(len < 12 || memcmp(p, "HTTP/1.", 7) || (p[7] != '0' && p[7] != '1') || p[8] != ' ' || p[9] < '1' ||
     !mote_is_digit(p[9]) || !mote_is_digit(p[10]) || !mote_is_digit(p[11]) || (len > 12 && p[12] != ' '))
    return CURLE_UNSUPPORTED_PROTOCOL;
  h->spoiled = h->spoiled || p[7] == '0';
  h->facts = 0;
  h->state = MOTE_SMALL_FIELDS;
  t->run->response.code = (uint16_t)((p[9] - '0') * 100 + (p[10] - '0') * 10 + (p[11] - '0'));
  return CURLE_OK;
}

static CURLcode http_take_length(struct mote_small_http *h, struct mote_slice value)
{
  uint64_t length;
  bool again = h->facts & MOTE_SMALL_HAS_LENGTH;
  if(!mote_parse_dec(value, INT64_MAX, &length) || (again && length != h->length))
    return CURLE_WEIRD_SERVER_REPLY;
  h->length = length;
  h->facts |= MOTE_SMALL_HAS_LENGTH;
  return CURLE_OK;
}

static CURLcode http_take_field(struct mote_transfer *t, struct mote_small_http *h, const char *line,
                                size_t len)
{
  struct mote_slice name = {line, 0};
  struct mote_slice value;
  while(name.len < len && line[name.len] > ' ' && line[name.len] != ':')
    name.len++;
  if(!name.len || name.len == len || line[name.len] != ':')
    return CURLE_WEIRD_SERVER_REPLY;
  value.ptr = line + name.len + 1;
  value.len = len - name.len - 1;
  value = mote_slice_trim(value);
  if(mote_slice_is(name, "content-length"))
    return http_take_length(h, value);
  if(mote_slice_is(name, "transfer-encoding")) {
    if((h->facts & MOTE_SMALL_HAS_CHUNKED) || !mote_slice_is(value, "chunked"))
      return CURLE_BAD_CONTENT_ENCODING;
    h->facts |= MOTE_SMALL_HAS_CHUNKED;
  }
  else if(mote_slice_is(name, "connection"))
    h->spoiled = h->spoiled || mote_list_has_token(value, "close");
  else if(mote_slice_is(name, "location"))
    return mote_redirect_note(t, value, t->run->response.code);
  return CURLE_OK;
}

static CURLcode http_end_head(struct mote_transfer *t, struct mote_small_http *h)
{
  struct mote_run *r = t->run;
  h->state = MOTE_SMALL_STATUS;
  if(r->response.code < 200) { /* has no body, though other readers may wait for one */
    h->spoiled = h->spoiled || h->facts;
    return CURLE_OK;
  }
  if(r->response.code >= 400 && mote_opt_long(&t->options, CURLOPT_FAILONERROR))
    return CURLE_HTTP_RETURNED_ERROR;
  h->state = MOTE_SMALL_DONE;
  if(r->response.code == 204 || r->response.code == 304)
    return CURLE_OK;
  h->spoiled = h->spoiled || (h->facts != MOTE_SMALL_HAS_LENGTH && h->facts != MOTE_SMALL_HAS_CHUNKED);
  if(h->facts & MOTE_SMALL_HAS_CHUNKED) {
    h->state = MOTE_SMALL_SIZE;
    return CURLE_OK;
  }
  if(h->facts)
    mote_response_announce(&r->response, (curl_off_t)h->length);
  else if(r->response.body_ignored) /* is not delivered, and the connection closes anyway */
    h->length = 0;
  else
    h->length = MOTE_SMALL_UNTIL_CLOSE;
  h->left = h->length;
  if(h->left)
    h->state = MOTE_SMALL_BODY;
  return CURLE_OK;
}

/* ---- chunks ---- */

static CURLcode http_take_size(struct mote_small_http *h, const char *line, size_t len)
{
  struct mote_slice s = {line, len};
  size_t used;
  if(!mote_parse_hex_prefix(s, INT64_MAX, &h->left, &used) ||
     (used < len && line[used] != ';' && !mote_is_blank(line[used])))
    return CURLE_RECV_ERROR;
  h->state = h->left ? MOTE_SMALL_CHUNK : MOTE_SMALL_TRAILERS;
  return CURLE_OK;
}

/* ---- what was received ---- */

/* Takes a line without its LF. */
static CURLcode http_take_line(struct mote_transfer *t, struct mote_small_http *h, const char *line,
                               size_t len)
{
  size_t i;
  if(h->state != MOTE_SMALL_SIZE && h->state != MOTE_SMALL_CHUNK_END)
    h->head += (uint32_t)len;
  if(h->head > MOTE_HTTP1_MAX_HEAD)
    return CURLE_RECV_ERROR;
  if(len && line[len - 1] == '\r')
    len--;
  else
    h->spoiled = true;
  for(i = 0; i < len; i++)
    if((unsigned char)line[i] < ' ' && line[i] != '\t')
      return CURLE_WEIRD_SERVER_REPLY;
  switch(h->state) {
  case MOTE_SMALL_STATUS:
    return http_take_status(t, h, line, len);
  case MOTE_SMALL_FIELDS:
    return len ? http_take_field(t, h, line, len) : http_end_head(t, h);
  case MOTE_SMALL_SIZE:
    return http_take_size(h, line, len);
  case MOTE_SMALL_CHUNK_END:
    h->state = MOTE_SMALL_SIZE;
    return len ? CURLE_RECV_ERROR : CURLE_OK;
  default:
    h->state = len ? MOTE_SMALL_TRAILERS : MOTE_SMALL_DONE;
    return CURLE_OK;
  }
}

static CURLcode http_take_body(struct mote_transfer *t, struct mote_small_http *h, char *bytes, size_t len,
                               size_t *used)
{
  CURLcode rc;
  if(len > h->left)
    len = (size_t)h->left;
  rc = mote_sink_body(t, bytes, len, used);
  if(h->left != MOTE_SMALL_UNTIL_CLOSE)
    h->left -= *used;
  if(!h->left)
    h->state = h->state == MOTE_SMALL_CHUNK ? MOTE_SMALL_CHUNK_END : MOTE_SMALL_DONE;
  return rc;
}

/* Takes in the h->fill bytes of the buffer as far as they are complete, and moves the rest to its front. */
static CURLcode http_take(struct mote_transfer *t, struct mote_small_http *h, char *bytes, size_t size)
{
  size_t at = 0;
  CURLcode rc = CURLE_OK;
  while(!rc && h->state != MOTE_SMALL_DONE && at < h->fill) {
    size_t len = h->fill - at, used;
    const char *lf;
    if(h->left)
      rc = http_take_body(t, h, bytes + at, len, &used);
    else {
      lf = memchr(bytes + at, '\n', len);
      used = lf ? (size_t)(lf - bytes) - at : len;
      if(used >= MOTE_HTTP1_MAX_LINE || (!lf && used == size))
        return CURLE_TOO_LARGE;
      if(!lf)
        break;
      rc = http_take_line(t, h, bytes + at, used++);
    }
    at += used;
  }
  h->fill -= (uint32_t)at;
  memmove(bytes, bytes + at, h->fill);
  return rc;
}

/* The result of a response whose connection has ended. */
static CURLcode http_ended(const struct mote_small_http *h)
{
  if(h->state == MOTE_SMALL_STATUS)
    return CURLE_GOT_NOTHING;
  if(h->state == MOTE_SMALL_FIELDS)
    return CURLE_RECV_ERROR;
  return h->left == MOTE_SMALL_UNTIL_CLOSE ? CURLE_OK : CURLE_PARTIAL_FILE;
}

/* ---- the steps of an exchange ---- */

/* Reads once per step, so that deadlines are checked in between. */
static CURLcode small_step(struct mote_transfer *t, mote_time now)
{
  struct mote_small_http *h = http_state_of(t);
  char *bytes;
  size_t n;
  CURLcode rc = h->state == MOTE_SMALL_SENDING ? http_send_request(t, h) : CURLE_OK;
  (void)now;
  if(rc)
    return rc;
  bytes = mote_schedule_buffer(t->multi, 1);
  rc = mote_conn_receive(t->run->channel.conn, bytes + h->fill, mote_schedule_buffer_size(t->multi) - h->fill,
                         &n);
  if(rc)
    return rc == CURLE_AGAIN ? http_wait_for(t, MOTE_WANT_IN) : rc;
  if(!n)
    return http_ended(h);
  mote_response_arrive(&t->run->response);
  h->fill += (uint32_t)n;
  rc = http_take(t, h, bytes, mote_schedule_buffer_size(t->multi));
  if(rc || h->state == MOTE_SMALL_DONE)
    return rc;
  mote_transfer_wake(t);
  return CURLE_AGAIN;
}

/* ---- the descriptor ---- */

static CURLcode small_prepare(struct mote_transfer *t)
{
  (void)t;
  return CURLE_OK;
}

static CURLcode small_begin(struct mote_transfer *t)
{
  memset(http_state_of(t), 0, sizeof(struct mote_small_http));
  return CURLE_OK;
}

static void small_end(struct mote_transfer *t, CURLcode rc)
{
  const struct mote_small_http *h;
  if(!t->run->channel.conn)
    return;
  h = http_state_of(t);
  mote_conn_set_reusable(t->run->channel.conn, !rc && h->state == MOTE_SMALL_DONE && !h->spoiled && !h->fill);
}

const struct mote_protocol mote_protocol_http = {
  .conn_size = sizeof(struct mote_small_http),
  .prepare = small_prepare,
  .begin = small_begin,
  .step = small_step,
  .end = small_end,
};
