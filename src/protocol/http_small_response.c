/* protocol/http_small_response.c: a response out of the buffer. */
#include <string.h>

#include "codec/limits.h"
#include "protocol/http_small.h"
#include "transfer/redirect.h"
#include "transfer/sink.h"
#include "transfer/transfer.h"

/* ---- the head of the response ---- */

static CURLcode take_status(struct mote_transfer *t, struct mote_small_http *h, const char *p,
                            size_t len)
{
  if(len < 12 || memcmp(p, "HTTP/1.", 7) || (p[7] != '0' && p[7] != '1') || p[8] != ' ' || p[9] < '1' ||
     !mote_is_digit(p[9]) || !mote_is_digit(p[10]) || !mote_is_digit(p[11]) || (len > 12 && p[12] != ' '))
    return CURLE_UNSUPPORTED_PROTOCOL;
  h->spoiled = h->spoiled || p[7] == '0';
  h->facts = 0;
  h->state = MOTE_SMALL_FIELDS;
  t->run->response_code = (uint16_t)((p[9] - '0') * 100 + (p[10] - '0') * 10 + (p[11] - '0'));
  return CURLE_OK;
}

static CURLcode take_length(struct mote_small_http *h, struct mote_slice value)
{
  uint64_t length;
  bool again = h->facts & MOTE_SMALL_HAS_LENGTH;
  if(!mote_parse_dec(value, INT64_MAX, &length) || (again && length != h->length))
    return CURLE_WEIRD_SERVER_REPLY;
  h->length = length;
  h->facts |= MOTE_SMALL_HAS_LENGTH;
  return CURLE_OK;
}

static CURLcode take_field(struct mote_transfer *t, struct mote_small_http *h, const char *line,
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
    return take_length(h, value);
  if(mote_slice_is(name, "transfer-encoding")) {
    if((h->facts & MOTE_SMALL_HAS_CHUNKED) || !mote_slice_is(value, "chunked"))
      return CURLE_BAD_CONTENT_ENCODING;
    h->facts |= MOTE_SMALL_HAS_CHUNKED;
  }
  else if(mote_slice_is(name, "connection"))
    h->spoiled = h->spoiled || mote_list_has_token(value, "close");
  else if(mote_slice_is(name, "location"))
    return mote_redirect_note(t, value, t->run->response_code);
  return CURLE_OK;
}

static CURLcode end_head(struct mote_transfer *t, struct mote_small_http *h)
{
  struct mote_run *r = t->run;
  h->state = MOTE_SMALL_STATUS;
  if(r->response_code < 200) { /* has no body; others may wait for one */
    h->spoiled = h->spoiled || h->facts;
    return CURLE_OK;
  }
  if(r->response_code >= 400 && mote_opt_long(&t->options, CURLOPT_FAILONERROR))
    return CURLE_HTTP_RETURNED_ERROR;
  h->state = MOTE_SMALL_DONE;
  if(r->response_code == 204 || r->response_code == 304)
    return CURLE_OK;
  h->spoiled = h->spoiled || (h->facts != MOTE_SMALL_HAS_LENGTH && h->facts != MOTE_SMALL_HAS_CHUNKED);
  if(h->facts & MOTE_SMALL_HAS_CHUNKED) {
    h->state = MOTE_SMALL_SIZE;
    return CURLE_OK;
  }
  if(h->facts)
    r->size_down = (curl_off_t)h->length;
  else if(r->body_ignored) /* nobody needs it, and the connection is closed anyway */
    h->length = 0;
  else
    h->length = MOTE_SMALL_UNTIL_CLOSE;
  h->left = h->length;
  if(h->left)
    h->state = MOTE_SMALL_BODY;
  return CURLE_OK;
}

/* ---- chunks ---- */

static CURLcode take_size(struct mote_small_http *h, const char *line, size_t len)
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

/* A line without its LF. */
static CURLcode take_line(struct mote_transfer *t, struct mote_small_http *h, const char *line, size_t len)
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
    return take_status(t, h, line, len);
  case MOTE_SMALL_FIELDS:
    return len ? take_field(t, h, line, len) : end_head(t, h);
  case MOTE_SMALL_SIZE:
    return take_size(h, line, len);
  case MOTE_SMALL_CHUNK_END:
    h->state = MOTE_SMALL_SIZE;
    return len ? CURLE_RECV_ERROR : CURLE_OK;
  default:
    h->state = len ? MOTE_SMALL_TRAILERS : MOTE_SMALL_DONE;
    return CURLE_OK;
  }
}

static CURLcode take_body(struct mote_transfer *t, struct mote_small_http *h, char *bytes, size_t len,
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

CURLcode mote_small_take(struct mote_transfer *t, struct mote_small_http *h, char *bytes, size_t size)
{
  size_t at = 0;
  CURLcode rc = CURLE_OK;
  while(!rc && h->state != MOTE_SMALL_DONE && at < h->fill) {
    size_t len = h->fill - at, used;
    const char *lf;
    if(h->left)
      rc = take_body(t, h, bytes + at, len, &used);
    else {
      lf = memchr(bytes + at, '\n', len);
      used = lf ? (size_t)(lf - bytes) - at : len;
      if(used >= MOTE_HTTP1_MAX_LINE || (!lf && used == size))
        return CURLE_TOO_LARGE;
      if(!lf)
        break;
      rc = take_line(t, h, bytes + at, used++);
    }
    at += used;
  }
  h->fill -= (uint32_t)at;
  memmove(bytes, bytes + at, h->fill);
  return rc;
}
