/* codec/http/http1.c: cuts the head of an HTTP/1 response into lines. */
#include "codec/http/http1.h"

#include <string.h>

#include "codec/line.h"

enum head_state {
  STATE_STATUS = 0, /* a status line is expected, or part of one was seen */
  STATE_FIELDS  /* inside the field section, or after it (fields.ended), until mote_http1_head_next() */
};

static CURLcode http1_refuse(struct mote_http1_event *ev, CURLcode code, enum mote_http1_why why)
{
  ev->why = (uint8_t)why;
  return code;
}

static CURLcode http1_weird(struct mote_http1_event *ev, enum mote_http1_why why)
{
  return http1_refuse(ev, CURLE_WEIRD_SERVER_REPLY, why);
}

static void event_none(struct mote_http1_event *ev)
{
  ev->used = 0;
  ev->kind = MOTE_HTTP1_NEED_MORE;
  ev->why = MOTE_HTTP1_WHY_NONE;
}

static void event_line(struct mote_http1_fields *f, struct mote_http1_event *ev, enum mote_http1_kind kind,
                       const char *bytes, size_t used)
{
  ev->used = used;
  ev->kind = (uint8_t)kind;
  ev->whole.ptr = bytes;
  ev->whole.len = used;
  f->total += (uint32_t)used;
  f->scanned = 0;
  f->folded = 0;
}

/* Longest line that may still come. */
static size_t line_limit(const struct mote_http1_fields *f)
{
  uint32_t left = f->limit - f->total;
  return left < MOTE_HTTP1_MAX_LINE ? left : MOTE_HTTP1_MAX_LINE;
}

static CURLcode http1_too_long(const struct mote_http1_fields *f, struct mote_http1_event *ev)
{
  if(line_limit(f) == MOTE_HTTP1_MAX_LINE)
    return http1_refuse(ev, CURLE_TOO_LARGE, MOTE_HTTP1_WHY_LINE_TOO_LONG);
  return http1_refuse(ev, CURLE_RECV_ERROR, MOTE_HTTP1_WHY_HEAD_TOO_LONG);
}

/* The line goes on after the bytes that are there, of which `pos` need no second search. */
static CURLcode need_more(struct mote_http1_fields *f, size_t pos, size_t len, struct mote_http1_event *ev)
{
  if(len > line_limit(f))
    return http1_too_long(f, ev);
  f->scanned = (uint32_t)pos;
  return CURLE_OK;
}

/* Join continuation lines in place, one space between (RFC 9112 section 5.2). Returns the new length. */
static size_t http1_unfold(char *line, size_t len)
{
  size_t out = 0;
  size_t in = 0;
  while(in < len) {
    size_t end = in + (size_t)((char *)memchr(line + in, '\n', len - in) - (line + in)) + 1;
    size_t text = end - 1;
    if(text > in && line[text - 1] == '\r')
      text--;
    memmove(line + out, line + in, text - in);
    out += text - in;
    if(end == len) {
      memmove(line + out, line + text, end - text);
      return out + (end - text);
    }
    while(out && mote_is_blank(line[out - 1]))
      out--;
    line[out++] = ' ';
    for(in = end; mote_is_blank(line[in]); in++)
      ;
  }
  return out;
}

/* whole is set: find name and value (RFC 9112 section 5.1). */
static CURLcode split_field(struct mote_http1_event *ev)
{
  const char *line = ev->whole.ptr;
  size_t end = ev->whole.len - 1;
  size_t colon = mote_line_name(line, end);
  size_t from;
  if(end && line[end - 1] == '\r')
    end--;
  if(colon >= end || line[colon] != ':') {
    bool any = colon < end && memchr(line + colon, ':', end - colon);
    return http1_weird(ev, any ? MOTE_HTTP1_WHY_BLANK_IN_NAME : MOTE_HTTP1_WHY_NO_COLON);
  }
  if(!colon)
    return http1_weird(ev, MOTE_HTTP1_WHY_EMPTY_NAME);
  ev->name.ptr = line;
  ev->name.len = colon;
  for(from = colon + 1; mote_is_blank(line[from]); from++) /* the line end is no blank */
    ;
  while(end > from && mote_is_blank(line[end - 1]))
    end--;
  ev->value.ptr = line + from;
  ev->value.len = end - from;
  ev->known = mote_http1_name_of(ev->name);
  return CURLE_OK;
}

CURLcode mote_http1_fields_feed(struct mote_http1_fields *f, char *bytes, size_t len,
                                struct mote_http1_event *ev)
{
  size_t limit = line_limit(f);
  size_t end = len > limit ? limit + 1 : len; /* one more, which shows whether the line is folded */
  size_t pos = f->scanned;
  event_none(ev);
  if(!pos && end && (unsigned char)bytes[0] <= ' ' && mote_is_blank(bytes[0]))
    return http1_weird(ev, MOTE_HTTP1_WHY_FOLD_FIRST);
  for(;;) {
    enum mote_http1_why why;
    if(!pos || bytes[pos - 1] != '\n') {
      if(!mote_line_end(bytes, &pos, end, &why))
        return why ? http1_weird(ev, why) : need_more(f, pos, len, ev);
      if(pos > limit)
        return http1_too_long(f, ev);
      if((unsigned char)bytes[0] < ' ' && (bytes[0] == '\n' || (bytes[0] == '\r' && pos == 2))) {
        event_line(f, ev, MOTE_HTTP1_END, bytes, pos);
        f->ended = 1;
        return CURLE_OK;
      }
    }
    if(pos == end)
      return need_more(f, pos, len, ev);
    if(!mote_is_blank(bytes[pos]))
      break;
    f->folded = 1;
    pos++;
  }
  {
    size_t whole = f->folded ? http1_unfold(bytes, pos) : pos;
    event_line(f, ev, MOTE_HTTP1_HEADER, bytes, pos);
    ev->whole.len = whole;
  }
  return split_field(ev);
}

/* "name: value", its CR LF, and the byte after it, no blank. */
bool mote_http1_feed_plain(struct mote_http1_head *h, const char *bytes, size_t len,
                           struct mote_http1_event *ev)
{
  struct mote_http1_fields *f = &h->fields;
  size_t limit = line_limit(f);
  size_t end = len < limit ? len : limit;
  size_t colon, from, to;
  if(h->state != STATE_FIELDS || f->scanned || !len || (unsigned char)bytes[0] <= ':')
    return false;
  colon = mote_line_name(bytes, end);
  from = colon + 1;
  if(from >= end || bytes[colon] != ':')
    return false;
  from += bytes[from] == ' ';
  to = mote_line_control(bytes, from, end);
  if(end - to < 3 || bytes[to] != '\r' || bytes[to + 1] != '\n' || mote_is_blank(bytes[to + 2]))
    return false;
  ev->name.ptr = bytes;
  ev->name.len = colon;
  ev->value.ptr = bytes + from;
  ev->value.len = to - from;
  ev->why = MOTE_HTTP1_WHY_NONE;
  event_line(f, ev, MOTE_HTTP1_HEADER, bytes, to + 2);
  /* Calls come last, so that nothing but ev has to outlive them. */
  if(*ev->value.ptr == ' ' || bytes[to - 1] == ' ')
    ev->value = mote_slice_trim(ev->value);
  ev->known = mote_http1_name_of(ev->name);
  return true;
}

void mote_http1_head_next(struct mote_http1_head *h)
{
  h->fields.scanned = 0;
  h->fields.folded = 0;
  h->fields.ended = 0;
  h->state = STATE_STATUS;
}

enum match { MATCH_NO, MATCH_PART, MATCH_YES };

/* Does the text begin with word, as far as it is there? */
static enum match http1_begins(const char *bytes, size_t len, const char *word, size_t word_len)
{
  if(len >= word_len && !memcmp(bytes, word, word_len))
    return MATCH_YES;
  if(!mote_equal_nocase_n(bytes, word, len < word_len ? len : word_len))
    return MATCH_NO;
  return len < word_len ? MATCH_PART : MATCH_YES;
}

static enum match begins_with_alias(const struct curl_slist *alias, const char *bytes, size_t len,
                                    size_t *used)
{
  enum match best = MATCH_NO;
  for(; alias; alias = alias->next) {
    size_t word_len = alias->data ? strlen(alias->data) : 0;
    enum match m = word_len ? http1_begins(bytes, len, alias->data, word_len) : MATCH_NO;
    if(m == MATCH_YES) {
      *used = word_len;
      return m;
    }
    if(m)
      best = m;
  }
  return best;
}

/* Line from `at` to its end, trimmed. */
static struct mote_slice rest_of_line(struct mote_slice line, size_t at)
{
  struct mote_slice s = { line.ptr + at, line.len - at };
  while(s.len && (s.ptr[s.len - 1] == '\n' || s.ptr[s.len - 1] == '\r'))
    s.len--;
  return mote_slice_trim(s);
}

/* "HTTP/1.1 200 OK" (RFC 9112 section 4). As libcurl: the letters in any case. The line ends in LF, which
 * stops every scan. */
static CURLcode parse_status(struct mote_http1_event *ev)
{
  const char *p = ev->whole.ptr + 5;
  if(!mote_is_digit(p[0]))
    return http1_refuse(ev, CURLE_UNSUPPORTED_PROTOCOL, MOTE_HTTP1_WHY_STATUS_LINE);
  if((p[0] == '2' || p[0] == '3') && mote_is_space(p[1])) /* as a gateway might pass it on */
    return http1_weird(ev, MOTE_HTTP1_WHY_VERSION);
  if(p[0] != '1' || p[1] != '.' || !mote_is_digit(p[2]) || p[2] > '1')
    return http1_refuse(ev, CURLE_UNSUPPORTED_PROTOCOL, MOTE_HTTP1_WHY_VERSION);
  ev->major = 1;
  ev->minor = (uint8_t)(p[2] - '0');
  p += 3;
  if(*p++ != ' ')
    return http1_refuse(ev, CURLE_UNSUPPORTED_PROTOCOL, MOTE_HTTP1_WHY_STATUS_LINE);
  if(*p < '1' || *p > '9' || !mote_is_digit(p[1]) || !mote_is_digit(p[2]) || !mote_is_space(p[3]))
    return http1_refuse(ev, CURLE_UNSUPPORTED_PROTOCOL, MOTE_HTTP1_WHY_STATUS_LINE);
  ev->code = (uint16_t)((p[0] - '0') * 100 + (p[1] - '0') * 10 + (p[2] - '0'));
  ev->value = rest_of_line(ev->whole, (size_t)(p + 3 - ev->whole.ptr));
  return CURLE_OK;
}

static CURLcode feed_status(struct mote_http1_head *h, char *bytes, size_t len, struct mote_http1_event *ev)
{
  struct mote_http1_fields *f = &h->fields;
  size_t limit = line_limit(f);
  size_t end = len > limit ? limit + 1 : len;
  size_t pos = f->scanned;
  size_t alias = 0;
  enum match match = http1_begins(bytes, len, "HTTP/", 5);
  enum mote_http1_why why;
  event_none(ev);
  if(!match && MOTE_HAS_OLD_SERVERS)
    match = begins_with_alias(h->aliases, bytes, len, &alias);
  if(!match) {
    ev->kind = MOTE_HTTP1_NOT_HTTP;
    return CURLE_OK;
  }
  if(!mote_line_end(bytes, &pos, end, &why))
    return why ? http1_weird(ev, why) : need_more(f, pos, len, ev);
  if(pos > limit)
    return http1_too_long(f, ev);
  event_line(f, ev, MOTE_HTTP1_STATUS, bytes, pos);
  h->state = STATE_FIELDS;
  if(!alias)
    return parse_status(ev);
  ev->major = 1;
  ev->minor = 0;
  ev->code = 200;
  ev->value = rest_of_line(ev->whole, alias);
  return CURLE_OK;
}

CURLcode mote_http1_feed(struct mote_http1_head *h, char *bytes, size_t len, struct mote_http1_event *ev)
{
  if(!len || h->fields.ended) {
    event_none(ev);
    return CURLE_OK;
  }
  if(h->state == STATE_STATUS)
    return feed_status(h, bytes, len, ev);
  return mote_http1_fields_feed(&h->fields, bytes, len, ev);
}

CURLcode mote_http1_closed(const struct mote_http1_head *h, enum mote_http1_why *why)
{
  if(h->state == STATE_FIELDS && !h->fields.ended) {
    *why = MOTE_HTTP1_WHY_CLOSED_IN_HEAD;
    return CURLE_RECV_ERROR;
  }
  *why = MOTE_HTTP1_WHY_NOTHING;
  return CURLE_GOT_NOTHING;
}
