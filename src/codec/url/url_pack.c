/* codec/url/url_pack.c: a parsed URL printed, and as a transfer keeps it. */
#include "codec/url/url_pack.h"

#include <string.h>

#include "base/memory/ceiling.h"
#include "codec/url/percent.h"
#include "codec/url/url_part.h"

/* ---- printed ---- */

static void add_part(struct mote_url_out *s, const struct mote_url *u, enum mote_url_part part)
{
  struct mote_slice slice = mote_url_get(u, part);
  mote_url_add(s, slice.ptr, slice.len);
}

static void url_pack_add_host(struct mote_url_out *s, const struct mote_url *u, unsigned leave_out)
{
  if(u->host_kind != MOTE_HOST_IPV6) {
    bool ace = (leave_out & MOTE_URL_WITH_ACE) && mote_url_has(u, MOTE_URL_ACE);
    add_part(s, u, ace ? MOTE_URL_ACE : MOTE_URL_HOST);
    return;
  }
  mote_url_add(s, "[", 1);
  add_part(s, u, MOTE_URL_HOST);
  if(mote_url_has(u, MOTE_URL_ZONEID) && !(leave_out & MOTE_URL_NO_ZONEID)) {
    mote_url_add(s, "%25", 3);
    add_part(s, u, MOTE_URL_ZONEID);
  }
  mote_url_add(s, "]", 1);
}

static void url_pack_add_login(struct mote_url_out *s, const struct mote_url *u)
{
  add_part(s, u, MOTE_URL_USER);
  if(mote_url_has(u, MOTE_URL_PASSWORD)) {
    mote_url_add(s, ":", 1);
    add_part(s, u, MOTE_URL_PASSWORD);
  }
  if(mote_url_has(u, MOTE_URL_OPTIONS)) {
    mote_url_add(s, ";", 1);
    add_part(s, u, MOTE_URL_OPTIONS);
  }
  mote_url_add(s, "@", 1);
}

size_t mote_url_print(const struct mote_url *u, unsigned leave_out, char *out, size_t cap)
{
  struct mote_url_out s = { out, cap, 0 };
  if(!u->text)
    return 0;
  add_part(&s, u, MOTE_URL_SCHEME);
  mote_url_add(&s, "://", 3);
  if(mote_url_has(u, MOTE_URL_USER) && !(leave_out & MOTE_URL_NO_CREDENTIALS))
    url_pack_add_login(&s, u);
  url_pack_add_host(&s, u, leave_out);
  if(mote_url_has(u, MOTE_URL_PORT)) {
    mote_url_add(&s, ":", 1);
    add_part(&s, u, MOTE_URL_PORT);
  }
  if(leave_out & MOTE_URL_NO_TAIL)
    return s.len;
  add_part(&s, u, MOTE_URL_PATH);
  if(u->part[MOTE_URL_QUERY].len || ((leave_out & MOTE_URL_WITH_EMPTY) && mote_url_has(u, MOTE_URL_QUERY))) {
    mote_url_add(&s, "?", 1);
    add_part(&s, u, MOTE_URL_QUERY);
  }
  if(leave_out & MOTE_URL_NO_FRAGMENT)
    return s.len;
  if(u->part[MOTE_URL_FRAGMENT].len ||
     ((leave_out & MOTE_URL_WITH_EMPTY) && mote_url_has(u, MOTE_URL_FRAGMENT))) {
    mote_url_add(&s, "#", 1);
    add_part(&s, u, MOTE_URL_FRAGMENT);
  }
  return s.len;
}

char *mote_url_text(const struct mote_url *u, unsigned leave_out, struct mote_account *account,
                    enum mote_part part)
{
  size_t len = mote_url_print(u, leave_out, NULL, 0);
  char *text = mote_mem_alloc(account, part, len + 1);
  if(!text)
    return NULL;
  (void)mote_url_print(u, leave_out, text, len);
  text[len] = 0;
  return text;
}

size_t mote_url_target(const struct mote_url *u, char *out, size_t cap)
{
  struct mote_url_out s = { out, cap, 0 };
  if(!u->text)
    return 0;
  s.len = mote_percent_encode(mote_url_get(u, MOTE_URL_PATH), MOTE_PERCENT_LENIENT, NULL,
                              out, cap);
  if(mote_url_has(u, MOTE_URL_QUERY)) {
    mote_url_add(&s, "?", 1);
    add_part(&s, u, MOTE_URL_QUERY);
  }
  return s.len;
}

static unsigned url_pack_default_port(const struct mote_url *u)
{
  struct mote_slice scheme = mote_url_get(u, MOTE_URL_SCHEME);
  const struct mote_scheme_facts *facts = mote_scheme_facts(scheme.ptr, scheme.len);
  return facts ? facts->port : 0;
}

size_t mote_url_authority(const struct mote_url *u, int with_port, char *out, size_t cap)
{
  struct mote_url_out s = { out, cap, 0 };
  if(!u->text)
    return 0;
  url_pack_add_host(&s, u, MOTE_URL_WITH_ACE | MOTE_URL_NO_ZONEID);
  if(with_port == 2 || (with_port == 1 && u->port != url_pack_default_port(u))) {
    char text[21];
    size_t n = mote_print_dec(text, u->port);
    mote_url_add(&s, ":", 1);
    mote_url_add(&s, text, n);
  }
  return s.len;
}

static struct mote_slice url_pack_host_of(const struct mote_url *u)
{
  return mote_url_get(u, mote_url_has(u, MOTE_URL_ACE) ? MOTE_URL_ACE : MOTE_URL_HOST);
}

bool mote_url_same_origin(const struct mote_url *a, const struct mote_url *b)
{
  return a->text && b->text && a->port == b->port &&
         mote_slice_same(mote_url_get(a, MOTE_URL_SCHEME), mote_url_get(b, MOTE_URL_SCHEME)) &&
         mote_slice_same_nocase(url_pack_host_of(a), url_pack_host_of(b)) &&
         mote_slice_same(mote_url_get(a, MOTE_URL_ZONEID), mote_url_get(b, MOTE_URL_ZONEID));
}

/* ---- kept ---- */

static bool url_pack_fits(const struct mote_url *u)
{
  const struct mote_url_span *host = &u->part[MOTE_URL_HOST], *ace = &u->part[MOTE_URL_ACE];
  bool plain_ace = !ace->len || (ace->off == host->off && ace->len == host->len);
  return plain_ace && u->part[MOTE_URL_WHOLE].len <= UINT16_MAX && u->part[MOTE_URL_SCHEME].len <= UINT8_MAX;
}

static struct mote_url *whole_of(const struct mote_url_packed *p)
{
  return (struct mote_url *)(uintptr_t)p->text - 1;
}

/* Bytes of the text that have parts, since the ACE host may stand after the URL. */
static size_t url_pack_extent(const struct mote_url *u)
{
  size_t end = 0;
  int i;
  for(i = 0; i < MOTE_URL_PARTS; i++)
    if((size_t)u->part[i].off + u->part[i].len > end)
      end = (size_t)u->part[i].off + u->part[i].len;
  return end;
}

static CURLUcode pack_whole(struct mote_url_packed *p, struct mote_url *u, struct mote_account *account)
{
  size_t len = url_pack_extent(u), size = sizeof *u + len + 1;
  struct mote_url *block = mote_mem_alloc(account, MOTE_PART_URL, size);
  char *text = (char *)(block + 1);
  if(!block) {
    mote_url_close(u);
    return CURLUE_OUT_OF_MEMORY;
  }
  memcpy(text, u->text, len);
  text[len] = 0;
  *block = *u;
  block->text = text;
  block->block = 0;
  p->text = text;
  p->block = (uint32_t)size;
  p->whole = true;
  p->port = u->port;
  p->scheme_len = (uint8_t)u->part[MOTE_URL_SCHEME].len;
  p->host_kind = u->host_kind;
  p->len = u->part[MOTE_URL_WHOLE].len;
  mote_url_close(u);
  return CURLUE_OK;
}

void mote_url_pack_ceiling(const struct mote_url *u, struct mote_ceiling *c)
{
  mote_ceiling_add(c, !url_pack_fits(u), sizeof *u + url_pack_extent(u) + 1);
}

static uint16_t offset_if(const struct mote_url *u, enum mote_url_part part)
{
  return u->part[part].len ? (uint16_t)u->part[part].off : 0;
}

CURLUcode mote_url_pack(struct mote_url_packed *p, struct mote_url *u, struct mote_account *account)
{
  memset(p, 0, sizeof *p);
  if(!url_pack_fits(u))
    return pack_whole(p, u, account);
  p->text = u->text;
  p->block = u->block;
  p->len = u->part[MOTE_URL_WHOLE].len;
  p->port = u->port;
  p->has = u->has;
  p->query = offset_if(u, MOTE_URL_QUERY);
  p->fragment = offset_if(u, MOTE_URL_FRAGMENT);
  p->path = offset_if(u, MOTE_URL_PATH);
  p->host = (uint16_t)u->part[MOTE_URL_HOST].off;
  p->host_len = (uint16_t)u->part[MOTE_URL_HOST].len;
  p->zone_len = (uint16_t)u->part[MOTE_URL_ZONEID].len;
  p->port_len = (uint16_t)u->part[MOTE_URL_PORT].len;
  p->user_len = (uint16_t)u->part[MOTE_URL_USER].len;
  p->password_len = (uint16_t)u->part[MOTE_URL_PASSWORD].len;
  p->options_len = (uint16_t)u->part[MOTE_URL_OPTIONS].len;
  p->scheme_len = (uint8_t)u->part[MOTE_URL_SCHEME].len;
  p->host_kind = u->host_kind;
  p->guessed = u->guessed;
  p->ace_is_host = u->part[MOTE_URL_ACE].len != 0;
  memset(u, 0, sizeof *u);
  return CURLUE_OK;
}

static void url_pack_set(struct mote_url *u, enum mote_url_part part, uint32_t off, uint32_t len)
{
  u->part[part].off = len ? off : 0;
  u->part[part].len = len;
}

/* scheme "://" [ user [ ":" password ] [ ";" options ] "@" ] host */
static void unpack_front(const struct mote_url_packed *p, struct mote_url *u)
{
  uint32_t at = p->scheme_len + 3u;
  url_pack_set(u, MOTE_URL_SCHEME, 0, p->scheme_len);
  url_pack_set(u, MOTE_URL_USER, at, p->user_len);
  at += p->user_len;
  if(mote_url_has(u, MOTE_URL_PASSWORD)) {
    at++;
    url_pack_set(u, MOTE_URL_PASSWORD, at, p->password_len);
    at += p->password_len;
  }
  if(mote_url_has(u, MOTE_URL_OPTIONS))
    url_pack_set(u, MOTE_URL_OPTIONS, at + 1, p->options_len);
}

/* host [ "%25" zone "]" | "]" ] [ ":" port ] */
static void unpack_host(const struct mote_url_packed *p, struct mote_url *u)
{
  uint32_t at = (uint32_t)p->host + p->host_len;
  url_pack_set(u, MOTE_URL_HOST, p->host, p->host_len);
  if(p->ace_is_host)
    u->part[MOTE_URL_ACE] = u->part[MOTE_URL_HOST];
  if(p->zone_len) {
    at += 3;
    url_pack_set(u, MOTE_URL_ZONEID, at, p->zone_len);
    at += p->zone_len;
  }
  if(p->host_kind == MOTE_HOST_IPV6)
    at++;
  if(p->port_len)
    url_pack_set(u, MOTE_URL_PORT, at + 1, p->port_len);
}

void mote_url_unpack(const struct mote_url_packed *p, struct mote_url *u)
{
  uint32_t end = p->len;
  if(p->whole) {
    *u = *whole_of(p);
    u->port = p->port;
    return;
  }
  memset(u, 0, sizeof *u);
  u->text = p->text;
  u->port = p->port;
  u->has = p->has;
  u->host_kind = p->host_kind;
  u->guessed = p->guessed;
  url_pack_set(u, MOTE_URL_WHOLE, 0, p->len);
  unpack_front(p, u);
  unpack_host(p, u);
  if(p->fragment) {
    url_pack_set(u, MOTE_URL_FRAGMENT, p->fragment, end - p->fragment);
    end = p->fragment - 1u;
  }
  if(p->query) {
    url_pack_set(u, MOTE_URL_QUERY, p->query, end - p->query);
    end = p->query - 1u;
  }
  if(p->path)
    url_pack_set(u, MOTE_URL_PATH, p->path, end - p->path);
}

struct mote_slice mote_url_packed_host(const struct mote_url_packed *p)
{
  struct mote_slice s = {p->text + p->host, p->host_len};
  return p->whole ? mote_url_get(whole_of(p), MOTE_URL_HOST) : s;
}

struct mote_slice mote_url_packed_ace(const struct mote_url_packed *p)
{
  struct mote_slice ace = {NULL, 0};
  if(p->whole)
    ace = mote_url_get(whole_of(p), MOTE_URL_ACE);
  return ace.len ? ace : mote_url_packed_host(p);
}

struct mote_slice mote_url_packed_zoned(const struct mote_url_packed *p)
{
  struct mote_slice host = mote_url_packed_ace(p);
  size_t zone = p->whole ? mote_url_get(whole_of(p), MOTE_URL_ZONEID).len : p->zone_len;
  if(zone)
    host.len += 3 + zone; /* "%25" */
  return host;
}

struct mote_slice mote_url_packed_path(const struct mote_url_packed *p)
{
  struct mote_slice path;
  struct mote_url u;
  mote_url_unpack(p, &u);
  path = mote_url_get(&u, MOTE_URL_PATH);
  if(path.len)
    mote_slice_skip(&path, 1);
  return path;
}

bool mote_url_packed_login(const struct mote_url_packed *p, struct mote_slice *user,
                           struct mote_slice *password)
{
  struct mote_url u;
  unsigned has = p->whole ? whole_of(p)->has : p->has;
  if(!(has & (1u << MOTE_URL_USER | 1u << MOTE_URL_PASSWORD)))
    return false;
  mote_url_unpack(p, &u);
  *user = mote_url_get(&u, MOTE_URL_USER);
  *password = mote_url_get(&u, MOTE_URL_PASSWORD);
  if(!(has & 1u << MOTE_URL_PASSWORD))
    password->ptr = NULL;
  return true;
}

void mote_url_packed_close(struct mote_url_packed *p, struct mote_account *account)
{
  void *block = p->whole ? (void *)whole_of(p) : (void *)(uintptr_t)p->text;
  if(p->block)
    mote_mem_free(account, MOTE_PART_URL, block, p->block);
  memset(p, 0, sizeof *p);
}
