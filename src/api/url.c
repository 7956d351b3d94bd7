#include "api/url.h"

#include <string.h>

#include "base/memory.h"
#include "codec/percent.h"
#include "codec/url.h"
#include "codec/url_part.h"
#include "transfer/protocol.h"

static size_t offset_of(const CURLU *u, CURLUPart part)
{
  size_t off = 0;
  int i;
  for(i = 0; i < (int)part; i++)
    off += u->len[i];
  return off;
}

struct mote_slice mote_curlu_part(const CURLU *u, CURLUPart part)
{
  struct mote_slice s = { "", u->len[part] };
  if(s.len)
    s.ptr = u->text + offset_of(u, part);
  return s;
}

CURLU *curl_url(void)
{
  return mote_mem_zalloc(mote_mem_process(), MOTE_PART_URL, sizeof(CURLU));
}

void curl_url_cleanup(CURLU *u)
{
  if(!u)
    return;
  mote_mem_free(mote_mem_process(), MOTE_PART_URL, u->text, u->size);
  mote_mem_free(mote_mem_process(), MOTE_PART_URL, u, sizeof *u);
}

CURLU *curl_url_dup(const CURLU *in)
{
  CURLU *u = in ? curl_url() : NULL;
  if(!u)
    return NULL;
  *u = *in;
  u->text = NULL;
  u->size = in->used;
  if(!u->used)
    return u;
  u->text = mote_mem_alloc(mote_mem_process(), MOTE_PART_URL, u->size);
  if(!u->text) {
    mote_mem_free(mote_mem_process(), MOTE_PART_URL, u, sizeof *u);
    return NULL;
  }
  memcpy(u->text, in->text, u->used);
  return u;
}

/* Give a part another length; its first bytes stay (as many as old and new have in common). Returns where it is, or
 * NULL when there is no memory. */
static char *resize(CURLU *u, CURLUPart part, size_t len)
{
  size_t off = offset_of(u, part);
  size_t old = u->len[part];
  size_t tail = u->used - off - old;
  size_t need = off + len + tail;
  char *text = u->text;
  if(need > UINT32_MAX)
    return NULL;
  if(need > u->size) {
    text = mote_mem_alloc(mote_mem_process(), MOTE_PART_URL, need);
    if(!text)
      return NULL;
    if(u->text) {
      memcpy(text, u->text, off + old);
      memcpy(text + off + len, u->text + off + old, tail);
    }
    mote_mem_free(mote_mem_process(), MOTE_PART_URL, u->text, u->size);
    u->text = text;
    u->size = (uint32_t)need;
  }
  else if(tail)
    memmove(text + off + len, text + off + old, tail);
  u->len[part] = (uint32_t)len;
  u->used = (uint32_t)need;
  u->has = (uint16_t)(u->has | 1u << part);
  return text ? text + off : NULL;
}

static void clear(CURLU *u)
{
  mote_mem_free(mote_mem_process(), MOTE_PART_URL, u->text, u->size);
  memset(u, 0, sizeof *u);
}

static void drop(CURLU *u, CURLUPart part)
{
  if(part == CURLUPART_URL) {
    clear(u);
    return;
  }
  if(u->len[part])
    (void)resize(u, part, 0); /* never needs a larger block */
  u->has = (uint16_t)(u->has & ~(1u << part));
  if(part == CURLUPART_SCHEME)
    u->guessed = false;
}

static CURLUcode store(CURLU *u, CURLUPart part, struct mote_slice value)
{
  char *to;
  if(!value.len) {
    drop(u, part);
    u->has = (uint16_t)(u->has | 1u << part);
    return CURLUE_OK;
  }
  to = resize(u, part, value.len);
  if(!to)
    return CURLUE_OUT_OF_MEMORY;
  memcpy(to, value.ptr, value.len);
  return CURLUE_OK;
}

/* Store with everything encoded but unreserved bytes and those in `keep`; behind the first `kept` bytes of the part,
 * after an "&" when `amp`. */
static CURLUcode store_encoded(CURLU *u, CURLUPart part, struct mote_slice value, unsigned how, const char *keep,
                               size_t kept, bool amp)
{
  size_t len = mote_percent_encode(value, how, keep, NULL, 0);
  size_t head = kept + (amp ? 1u : 0u);
  char *to;
  if(!(head + len))
    return store(u, part, value);
  to = resize(u, part, head + len);
  if(!to)
    return CURLUE_OUT_OF_MEMORY;
  if(amp)
    to[kept] = '&';
  mote_percent_encode(value, how, keep, to + head, len);
  return CURLUE_OK;
}

static CURLUcode set_scheme(CURLU *u, struct mote_slice value, unsigned flags)
{
  struct mote_slice colon;
  char text[MOTE_URL_MAX_SCHEME + 1];
  size_t i;
  if(value.len > MOTE_URL_MAX_SCHEME)
    return CURLUE_BAD_SCHEME;
  for(i = 0; i < value.len; i++)
    text[i] = mote_to_lower(value.ptr[i]);
  text[i] = ':';
  colon.ptr = text;
  colon.len = value.len;
  if(!(flags & CURLU_NON_SUPPORT_SCHEME) && !mote_scheme_find(text, value.len))
    return CURLUE_UNSUPPORTED_SCHEME;
  if(mote_url_scheme_len(text, value.len + 1, false) != value.len || !value.len)
    return CURLUE_BAD_SCHEME;
  if(store(u, CURLUPART_SCHEME, colon))
    return CURLUE_OUT_OF_MEMORY;
  u->guessed = false;
  return CURLUE_OK;
}

static CURLUcode set_port(CURLU *u, struct mote_slice value)
{
  uint64_t number;
  char text[21];
  struct mote_slice digits = { text, 0 };
  if(!mote_parse_dec(value, 65535, &number))
    return CURLUE_BAD_PORT_NUMBER;
  digits.len = mote_print_dec(text, number);
  return store(u, CURLUPART_PORT, digits);
}

/* Host and zone id of a parsed or checked host; the zone id goes with the old host. */
static CURLUcode store_host(CURLU *u, const struct mote_host *h, struct mote_slice value)
{
  CURLUcode rc = CURLUE_OK;
  if(h->zone.ptr)
    value.len = h->raw.len + 1; /* all that is before the zone id; a "]" follows */
  if(h->zone.ptr) {
    char text[MOTE_HOST_LITERAL + 2];
    struct mote_slice bracketed = { text, value.len + 1 };
    memcpy(text, value.ptr, value.len);
    text[value.len] = ']';
    /* the zone id first: a host without the room for it would be a change */
    rc = store(u, CURLUPART_ZONEID, h->zone);
    return rc ? rc : store(u, CURLUPART_HOST, bracketed);
  }
  rc = store(u, CURLUPART_HOST, value);
  if(!rc)
    drop(u, CURLUPART_ZONEID);
  return rc;
}
