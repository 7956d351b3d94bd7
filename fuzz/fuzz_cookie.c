/* Fuzz target of codec/files/cookie.h: a text, line by line, read in each form. What is taken must lie inside the line,
 * and a line that is made from it must give it back; matching must hold for the cookie's own host and path.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_cookie.c src/codec/files/cookie.c src/base/text.c
 *   src/base/text/date.c */
#include <stdio.h>

#include "codec/files/cookie.h"
#include "fuzz.h"

#define NOW 1000000000

static void inside(struct mote_slice part, struct mote_slice line)
{
  must(!part.len || (part.len == 1 && *part.ptr == '/') ||
       (part.ptr >= line.ptr && part.ptr + part.len <= line.ptr + line.len));
}

static void looks_right(const struct mote_cookie_text *c, struct mote_slice line)
{
  const struct mote_slice parts[] = {c->name, c->value, c->domain, c->path};
  size_t i, n;
  for(n = 0; n < sizeof parts / sizeof *parts; n++) {
    inside(parts[n], line);
    for(i = 0; i < parts[n].len; i++)
      must((unsigned char)parts[n].ptr[i] >= 0x20 && parts[n].ptr[i] != 0x7f);
  }
  must(!c->path.len || *c->path.ptr == '/');
  must(!c->path.len || mote_cookie_path_matches(c->path, c->path));
  must(!c->domain.len || mote_cookie_domain_matches(c->domain, c->domain));
  must(c->expires >= 0);
  (void)mote_cookie_prefix_fits(c);
  (void)mote_cookie_is_address(c->domain);
}

/* As the jar writes them. */
static void there_and_back(const struct mote_cookie_text *c)
{
  size_t room = c->domain.len + c->path.len + c->name.len + c->value.len + 80;
  char *line = malloc(room);
  struct mote_cookie_text again;
  int len;
  must(line != NULL);
  len = snprintf(line, room, "%s.%.*s\t%s\t%.*s\t%s\t%lld\t%.*s\t%.*s", c->http_only ? "#HttpOnly_" : "",
                 (int)c->domain.len, c->domain.ptr, c->tail ? "TRUE" : "FALSE", (int)c->path.len, c->path.ptr,
                 c->secure ? "TRUE" : "FALSE", (long long)c->expires, (int)c->name.len, c->name.ptr, (int)c->value.len,
                 c->value.ptr);
  if(len > MOTE_COOKIE_LINE_MAX || *c->domain.ptr == '#' || memchr(line, 0, (size_t)len)) {
    free(line);
    return;
  }
  must(!mote_cookie_read_line(&again, (struct mote_slice){line, (size_t)len}, NOW));
  must(mote_slice_same(again.name, c->name) && mote_slice_same(again.value, c->value));
  must(mote_slice_same(again.domain, c->domain) && again.expires == c->expires);
  must(again.secure == c->secure && again.http_only == c->http_only && again.tail == c->tail);
  free(line);
}

static void read_one(struct mote_slice line)
{
  struct mote_cookie_text c;
  if(!mote_cookie_read_set(&c, line, NOW)) {
    looks_right(&c, line);
    must(c.name.len && c.name.len + c.value.len <= MOTE_COOKIE_PAIR_MAX);
    must(c.expires <= NOW + (MOTE_COOKIE_DAYS_MAX + 1) * 86400LL);
  }
  if(!mote_cookie_read_line(&c, line, NOW)) {
    looks_right(&c, line);
    must(c.domain.len && c.path.len);
    there_and_back(&c);
  }
  if(!mote_cookie_read(&c, line, NOW))
    looks_right(&c, line);
  (void)mote_cookie_default_path(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  while(size) {
    const uint8_t *end = memchr(data, '\n', size);
    size_t len = end ? (size_t)(end - data) : size;
    char *block = copy_of(data, len);
    read_one((struct mote_slice){block, len});
    free(block);
    len += end != NULL;
    data += len;
    size -= len;
  }
  return 0;
}
