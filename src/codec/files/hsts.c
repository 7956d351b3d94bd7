/* codec/files/hsts.c: reads and prints HSTS fields and lines (codec/files/hsts.h). */
#include "codec/files/hsts.h"

#include <string.h>

#include "base/out.h"

/* ---- the field ---- */

static bool ends_word(char c)
{
  return mote_is_blank(c) || c == ';';
}

static struct mote_slice files_hsts_take_word(struct mote_slice *s, bool name)
{
  struct mote_slice word = {s->ptr, 0};
  while(s->len && !ends_word(*s->ptr) && !(name && *s->ptr == '=')) {
    word.len++;
    mote_slice_skip(s, 1);
  }
  return word;
}

/* Takes a value, quoted or not, and what follows it up to a blank or semicolon. A backslash in quotes hides
 * the byte after it (RFC 9110 section 5.6.4). False: a quote has no end. */
static bool take_value(struct mote_slice *s, struct mote_slice *value)
{
  size_t len = 0;
  if(!s->len || *s->ptr != '"') {
    *value = files_hsts_take_word(s, false);
    return true;
  }
  mote_slice_skip(s, 1);
  while(len < s->len && s->ptr[len] != '"')
    len += s->ptr[len] == '\\' ? 2 : 1;
  if(len >= s->len)
    return false;
  value->ptr = s->ptr;
  value->len = len;
  mote_slice_skip(s, len + 1);
  (void)files_hsts_take_word(s, false);
  return true;
}

struct directives {
  bool has_age, has_tail;
};

static bool read_age(struct mote_slice value, struct mote_hsts_field *out)
{
  size_t used = 0;
  int64_t age = 0;
  for(; used < value.len && mote_is_digit(value.ptr[used]); used++) {
    age = age * 10 + (value.ptr[used] - '0');
    if(age > MOTE_HSTS_AGE_MAX)
      age = MOTE_HSTS_AGE_MAX;
  }
  out->max_age = age;
  return used > 0;
}

/* Takes one directive. False: the field is refused, or *ended: the rest cannot be read. */
static bool take_directive(struct mote_slice *s, struct mote_hsts_field *out, struct directives *seen,
                           bool *ended)
{
  struct mote_slice name = files_hsts_take_word(s, true), value = {NULL, 0};
  mote_slice_skip_blanks(s);
  *ended = !name.len;
  if(s->len && *s->ptr == '=') {
    mote_slice_skip(s, 1);
    mote_slice_skip_blanks(s);
    *ended = *ended || !take_value(s, &value);
  }
  if(*ended)
    return true;
  if(mote_slice_is(name, "max-age")) {
    if(seen->has_age || !read_age(value, out))
      return false;
    seen->has_age = true;
  }
  else if(mote_slice_is(name, "includesubdomains")) {
    if(seen->has_tail)
      return false;
    seen->has_tail = true;
  }
  return true;
}

bool mote_hsts_read_field(struct mote_slice value, struct mote_hsts_field *out)
{
  struct directives seen = {false, false};
  bool ended = false;
  while(!ended) {
    while(value.len && ends_word(*value.ptr))
      mote_slice_skip(&value, 1);
    if(!value.len)
      break;
    if(!take_directive(&value, out, &seen, &ended))
      return false;
  }
  out->tail = seen.has_tail;
  return seen.has_age;
}

/* ---- lines ---- */

bool mote_hsts_host(struct mote_slice *host)
{
  if(host->len && host->ptr[host->len - 1] == '.')
    host->len--;
  return host->len && host->len <= MOTE_HSTS_HOST_MAX;
}

/* host "stamp" */
bool mote_hsts_read_line(struct mote_slice line, struct mote_hsts_line *out)
{
  struct mote_slice stamp;
  size_t len = 0;
  mote_slice_skip_blanks(&line);
  if(line.len && line.ptr[line.len - 1] == '\r')
    line.len--;
  if(!line.len || *line.ptr == '#')
    return false;
  while(len < line.len && !mote_is_blank(line.ptr[len]))
    len++;
  out->host = (struct mote_slice){line.ptr, len};
  mote_slice_skip(&line, len);
  if(line.len < 3 || line.ptr[0] != ' ' || line.ptr[1] != '"' || line.ptr[line.len - 1] != '"')
    return false;
  out->tail = *out->host.ptr == '.';
  if(out->tail)
    mote_slice_skip(&out->host, 1);
  stamp = (struct mote_slice){line.ptr + 2, line.len - 3};
  out->expires = MOTE_STAMP_NEVER;
  return mote_hsts_host(&out->host) &&
         (mote_slice_same(stamp, mote_slice_of("unlimited")) || mote_stamp_read(stamp, &out->expires));
}

void mote_hsts_print(const struct mote_hsts_line *line, struct mote_out *out)
{
  mote_out_text(out, line->tail ? "." : "");
  mote_out_slice(out, line->host);
  mote_out_text(out, " \"");
  mote_stamp_print(line->expires, out);
  mote_out_text(out, "\"\n");
}
