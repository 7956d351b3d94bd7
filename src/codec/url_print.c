/* codec/url_print.c: text from a parsed URL. */
#include "codec/url.h"

#include <string.h>

#include "codec/percent.h"

/* Text that may be longer than its room. */
struct sink {
  char *out;
  size_t cap; /* bytes at out */
  size_t len; /* bytes that were to be written so far */
};

static void add(struct sink *s, const char *p, size_t n)
{
  if(s->len < s->cap && n)
    memcpy(s->out + s->len, p, n < s->cap - s->len ? n : s->cap - s->len);
  s->len += n;
}

static void add_part(struct sink *s, const struct mote_url *u, enum mote_url_part part)
{
  struct mote_slice slice = mote_url_get(u, part);
  add(s, slice.ptr, slice.len);
}

static void add_host(struct sink *s, const struct mote_url *u, unsigned leave_out)
{
  if(u->host_kind != MOTE_HOST_IPV6) {
    bool ace = (leave_out & MOTE_URL_WITH_ACE) && mote_url_has(u, MOTE_URL_ACE);
    add_part(s, u, ace ? MOTE_URL_ACE : MOTE_URL_HOST);
    return;
  }
  add(s, "[", 1);
  add_part(s, u, MOTE_URL_HOST);
  if(mote_url_has(u, MOTE_URL_ZONEID) && !(leave_out & MOTE_URL_NO_ZONEID)) {
    add(s, "%25", 3);
    add_part(s, u, MOTE_URL_ZONEID);
  }
  add(s, "]", 1);
}

static void add_login(struct sink *s, const struct mote_url *u)
{
  add_part(s, u, MOTE_URL_USER);
  if(mote_url_has(u, MOTE_URL_PASSWORD)) {
    add(s, ":", 1);
    add_part(s, u, MOTE_URL_PASSWORD);
  }
  if(mote_url_has(u, MOTE_URL_OPTIONS)) {
    add(s, ";", 1);
    add_part(s, u, MOTE_URL_OPTIONS);
  }
  add(s, "@", 1);
}

size_t mote_url_print(const struct mote_url *u, unsigned leave_out, char *out, size_t cap)
{
  struct sink s = { out, cap, 0 };
  if(!u->text)
    return 0;
  add_part(&s, u, MOTE_URL_SCHEME);
  add(&s, "://", 3);
  if(mote_url_has(u, MOTE_URL_USER) && !(leave_out & MOTE_URL_NO_CREDENTIALS))
    add_login(&s, u);
  add_host(&s, u, leave_out);
  if(mote_url_has(u, MOTE_URL_PORT)) {
    add(&s, ":", 1);
    add_part(&s, u, MOTE_URL_PORT);
  }
  if(leave_out & MOTE_URL_NO_TAIL)
    return s.len;
  add_part(&s, u, MOTE_URL_PATH);
  if(u->part[MOTE_URL_QUERY].len || ((leave_out & MOTE_URL_WITH_EMPTY) && mote_url_has(u, MOTE_URL_QUERY))) {
    add(&s, "?", 1);
    add_part(&s, u, MOTE_URL_QUERY);
  }
  if(leave_out & MOTE_URL_NO_FRAGMENT)
    return s.len;
  if(u->part[MOTE_URL_FRAGMENT].len ||
     ((leave_out & MOTE_URL_WITH_EMPTY) && mote_url_has(u, MOTE_URL_FRAGMENT))) {
    add(&s, "#", 1);
    add_part(&s, u, MOTE_URL_FRAGMENT);
  }
  return s.len;
}

size_t mote_url_target(const struct mote_url *u, char *out, size_t cap)
{
  struct sink s = { out, cap, 0 };
  if(!u->text)
    return 0;
  s.len = mote_percent_encode(mote_url_get(u, MOTE_URL_PATH), MOTE_PERCENT_LENIENT, NULL,
                              out, cap);
  if(mote_url_has(u, MOTE_URL_QUERY)) {
    add(&s, "?", 1);
    add_part(&s, u, MOTE_URL_QUERY);
  }
  return s.len;
}

static unsigned default_port(const struct mote_url *u)
{
  struct mote_slice scheme = mote_url_get(u, MOTE_URL_SCHEME);
  const struct mote_scheme_facts *facts = mote_scheme_facts(scheme.ptr, scheme.len);
  return facts ? facts->port : 0;
}

size_t mote_url_authority(const struct mote_url *u, int with_port, char *out, size_t cap)
{
  struct sink s = { out, cap, 0 };
  if(!u->text)
    return 0;
  add_host(&s, u, MOTE_URL_WITH_ACE | MOTE_URL_NO_ZONEID);
  if(with_port == 2 || (with_port == 1 && u->port != default_port(u))) {
    char text[21];
    size_t n = mote_print_dec(text, u->port);
    add(&s, ":", 1);
    add(&s, text, n);
  }
  return s.len;
}

static bool same_nocase(struct mote_slice a, struct mote_slice b)
{
  return a.len == b.len && mote_equal_nocase_n(a.ptr, b.ptr, a.len);
}

static struct mote_slice host_of(const struct mote_url *u)
{
  return mote_url_get(u, mote_url_has(u, MOTE_URL_ACE) ? MOTE_URL_ACE : MOTE_URL_HOST);
}

bool mote_url_same_origin(const struct mote_url *a, const struct mote_url *b)
{
  return a->text && b->text && a->port == b->port &&
         mote_slice_same(mote_url_get(a, MOTE_URL_SCHEME), mote_url_get(b, MOTE_URL_SCHEME)) &&
         same_nocase(host_of(a), host_of(b)) &&
         mote_slice_same(mote_url_get(a, MOTE_URL_ZONEID), mote_url_get(b, MOTE_URL_ZONEID));
}
