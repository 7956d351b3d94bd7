/* codec/http/chunked.c: decoder of the chunked transfer coding. */
#include "codec/http/chunked.h"

#include <string.h>

#include "codec/line.h"

enum chunked_state {
  STATE_SIZE,      /* hex digits of a chunk size */
  STATE_PAD,       /* blanks after them, tolerated since some servers pad */
  STATE_EXTENSION, /* after a semicolon, until CR or LF */
  STATE_SIZE_LF,   /* LF of the size line */
  STATE_DATA,      /* chunk data; with left == 0 its line end */
  STATE_DATA_LF,   /* LF after chunk data */
  STATE_TRAILERS,  /* field section after the last chunk */
  STATE_DONE
};

static CURLcode chunked_refuse(struct mote_chunked_event *ev, enum mote_http1_why why)
{
  ev->why = (uint8_t)why;
  return CURLE_RECV_ERROR;
}

void mote_chunked_init(struct mote_chunked *c)
{
  memset(c, 0, sizeof *c);
}

/* The size line is complete. */
static void end_of_size(struct mote_chunked *c)
{
  if(c->left) {
    c->state = STATE_DATA;
    return;
  }
  c->state = STATE_TRAILERS;
  mote_http1_fields_init(&c->fields, MOTE_CHUNKED_MAX_TRAILERS);
}

/* Takes a byte after the size digits, or after blanks that follow them. */
static enum mote_http1_why after_size(struct mote_chunked *c, char byte)
{
  switch(byte) {
  case '\r':
    c->state = STATE_SIZE_LF;
    break;
  case '\n':
    c->bare_lf = 1;
    end_of_size(c);
    break;
  case ';':
    c->state = STATE_EXTENSION;
    break;
  case ' ':
  case '\t':
    c->state = STATE_PAD;
    if(++c->fields.total > MOTE_CHUNKED_MAX_EXTENSIONS)
      return MOTE_HTTP1_WHY_CHUNK_EXTENSION;
    break;
  default:
    return MOTE_HTTP1_WHY_CHUNK_LINE;
  }
  return MOTE_HTTP1_WHY_NONE;
}

static enum mote_http1_why size_byte(struct mote_chunked *c, char byte)
{
  int digit = mote_hex_digit(byte);
  if(digit < 0)
    return c->digits ? after_size(c, byte) : MOTE_HTTP1_WHY_CHUNK_SIZE;
  if(c->digits == MOTE_CHUNKED_MAX_DIGITS || c->left > INT64_MAX / 16)
    return MOTE_HTTP1_WHY_CHUNK_TOO_LARGE;
  c->left = c->left * 16 + (unsigned)digit;
  c->digits++;
  return MOTE_HTTP1_WHY_NONE;
}

/* Extensions mean nothing to us (RFC 9112 section 7.1.1). A line feed without CR ends them, as it ends a
 * size. A proxy may see the end of the line elsewhere, so the connection carries no other response. */
static enum mote_http1_why skip_extension(struct mote_chunked *c, const char *bytes, size_t *pos, size_t len)
{
  size_t end = mote_line_control(bytes, *pos, len);
  size_t n = end - *pos + (end < len && bytes[end] == '\t');
  *pos += n;
  if(n > MOTE_CHUNKED_MAX_EXTENSIONS - c->fields.total)
    return MOTE_HTTP1_WHY_CHUNK_EXTENSION;
  c->fields.total += (uint32_t)n;
  if(end == len || bytes[end] == '\t')
    return MOTE_HTTP1_WHY_NONE;
  *pos = end + 1;
  return after_size(c, bytes[end]);
}

/* Takes a byte of the line end after chunk data. */
static enum mote_http1_why data_end_byte(struct mote_chunked *c, char byte)
{
  if(byte == '\r' && c->state == STATE_DATA) {
    c->state = STATE_DATA_LF;
    return MOTE_HTTP1_WHY_NONE;
  }
  if(byte != '\n')
    return MOTE_HTTP1_WHY_CHUNK_END;
  if(c->state == STATE_DATA)
    c->bare_lf = 1;
  c->state = STATE_SIZE;
  c->digits = 0;
  return MOTE_HTTP1_WHY_NONE;
}

/* Takes what stands between most chunks when all of it is there: CRLF, at most 7 digits, CRLF. Returns its
 * length, or 0 for anything else, when nothing has changed. */
static size_t plain_size(struct mote_chunked *c, const char *bytes, size_t len)
{
  unsigned size = 0;
  size_t i;
  if(len < 11 || bytes[0] != '\r' || bytes[1] != '\n')
    return 0;
  for(i = 2; i < 9; i++) {
    unsigned digit = (unsigned char)bytes[i] - (unsigned)'0';
    if(digit > 9) {
      digit = ((unsigned char)bytes[i] | 0x20u) - 'a';
      if(digit > 5)
        break;
      digit += 10;
    }
    size = size * 16 + digit;
  }
  if(!size || bytes[i] != '\r' || bytes[i + 1] != '\n')
    return 0;
  c->left = size;
  return i + 2;
}

/* One step outside of data and trailers. */
static enum mote_http1_why framing_step(struct mote_chunked *c, const char *bytes, size_t *pos, size_t len)
{
  if(c->state == STATE_EXTENSION)
    return skip_extension(c, bytes, pos, len);
  switch(c->state) {
  case STATE_SIZE:
    return size_byte(c, bytes[(*pos)++]);
  case STATE_PAD:
    return after_size(c, bytes[(*pos)++]);
  case STATE_SIZE_LF:
    if(bytes[(*pos)++] != '\n')
      return MOTE_HTTP1_WHY_CHUNK_LINE;
    end_of_size(c);
    return MOTE_HTTP1_WHY_NONE;
  default:
    return data_end_byte(c, bytes[(*pos)++]);
  }
}

static void give_data(struct mote_chunked *c, const char *bytes, size_t pos, size_t len,
                      struct mote_chunked_event *ev)
{
  size_t n = len - pos;
  if(n > c->left)
    n = (size_t)c->left;
  c->left -= n;
  ev->kind = MOTE_CHUNKED_DATA;
  ev->data.ptr = bytes + pos;
  ev->data.len = n;
  ev->used = pos + n;
}

static CURLcode feed_trailers(struct mote_chunked *c, char *bytes, size_t pos, size_t len,
                              struct mote_chunked_event *ev)
{
  CURLcode rc = mote_http1_fields_feed(&c->fields, bytes + pos, len - pos, &ev->line);
  ev->why = ev->line.why;
  ev->used = pos + ev->line.used;
  if(ev->line.kind == MOTE_HTTP1_END) {
    c->state = STATE_DONE;
    ev->kind = MOTE_CHUNKED_DONE;
  }
  else if(ev->line.kind == MOTE_HTTP1_HEADER)
    ev->kind = MOTE_CHUNKED_TRAILER;
  return rc;
}

CURLcode mote_chunked_feed(struct mote_chunked *c, char *bytes, size_t len, struct mote_chunked_event *ev)
{
  size_t pos = 0;
  ev->used = 0;
  ev->kind = MOTE_CHUNKED_NEED_MORE;
  ev->why = MOTE_HTTP1_WHY_NONE;
  while(pos < len) {
    enum mote_http1_why why;
    if(c->state == STATE_DATA && !c->left)
      pos += plain_size(c, bytes + pos, len - pos);
    if(c->state == STATE_DATA && c->left) {
      give_data(c, bytes, pos, len, ev);
      return CURLE_OK;
    }
    if(c->state == STATE_TRAILERS)
      return feed_trailers(c, bytes, pos, len, ev);
    if(c->state == STATE_DONE)
      break;
    why = framing_step(c, bytes, &pos, len);
    if(why)
      return chunked_refuse(ev, why);
  }
  if(c->state == STATE_DONE)
    ev->kind = MOTE_CHUNKED_DONE;
  ev->used = pos;
  return CURLE_OK;
}

CURLcode mote_chunked_closed(const struct mote_chunked *c)
{
  return c->state == STATE_DONE ? CURLE_OK : CURLE_PARTIAL_FILE;
}
