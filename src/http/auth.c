/* http/auth.c: decides which authentication scheme a request uses, also after a server's challenge, and has
 * it write the Authorization field (RFC 9110 section 11). The schemes are rows (auth.h). */
#include <string.h>

#include "base/buf.h"
#include "base/format.h"
#include "codec/url.h"
#include "http/auth.h"
#include "http/hooks.h"
#include "transfer/protocol.h"

/* ---- which scheme ---- */

unsigned long mote_http_auth_built(void)
{
  unsigned long bits = 0;
  unsigned i;
  for(i = 0; mote_auth_schemes[i]; i++)
    bits |= mote_auth_schemes[i]->bit;
  return bits;
}

/* Returns the preferred scheme among these that has credentials, or NULL. */
static const struct mote_auth_scheme *usable(struct mote_transfer *t, unsigned long among)
{
  const struct mote_auth_scheme *s, *best = NULL;
  unsigned i;
  for(i = 0; (s = mote_auth_schemes[i]) != NULL; i++)
    if((among & s->bit) && (!best || s->rank > best->rank) && s->usable(t))
      best = s;
  return best;
}

static unsigned long wanted_schemes(const struct mote_transfer *t)
{
  return (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH) & ~(unsigned long)CURLAUTH_ONLY;
}

/* ---- the scheme that a server chose out of several is remembered by the handle, with the server's
 * origin ---- */

#define HEAD_ROOM 64 /* bytes for the scheme and for all of the origin but its host */

static int print_head(const struct mote_transfer *t, unsigned long scheme, char head[HEAD_ROOM])
{
  return mote_snprintf(head, HEAD_ROOM, "%lu %s %u ", scheme, t->run->request.scheme->name,
                       (unsigned)t->run->request.url.port);
}

static bool is_remembered(const struct mote_transfer *t, unsigned long scheme)
{
  const struct mote_option *o = mote_option_find(&t->options, MOTE_OPT_AUTH);
  struct mote_slice host = mote_url_packed_zoned(&t->run->request.url);
  char head[HEAD_ROOM];
  size_t len;
  if(!o)
    return false;
  len = (size_t)print_head(t, scheme, head);
  return o->size == len + host.len + 1 && !memcmp(o->v.str, head, len) &&
         mote_equal_nocase_n(o->v.str + len, host.ptr, host.len);
}

static CURLcode remember(struct mote_transfer *t, unsigned long scheme)
{
  struct mote_slice host = mote_url_packed_zoned(&t->run->request.url);
  bool changed = t->options.changed;
  char head[HEAD_ROOM];
  struct mote_buf text;
  CURLcode rc;
  if(t->run->response.challenge != MOTE_CHALLENGE_ANSWERED || is_remembered(t, scheme))
    return CURLE_OK;
  mote_buf_init(&text, &t->account, MOTE_PART_TRANSFER, HEAD_ROOM + host.len + 1);
  rc = mote_buf_add(&text, head, (size_t)print_head(t, scheme, head));
  rc = rc ? rc : mote_buf_add(&text, host.ptr, host.len);
  rc = rc ? rc : mote_option_set_str(&t->options, MOTE_OPT_AUTH, text.ptr, text.len);
  t->options.changed = changed;
  mote_buf_close(&text);
  return rc;
}

static unsigned long recall(const struct mote_transfer *t)
{
  const struct mote_auth_scheme *s;
  unsigned i;
  if(!mote_option_find(&t->options, MOTE_OPT_AUTH))
    return 0;
  for(i = 0; (s = mote_auth_schemes[i]) != NULL; i++)
    if(is_remembered(t, s->bit))
      return s->bit;
  return 0;
}

/* A single scheme is used without asking, unless CURLAUTH_ONLY demands a challenge. Out of several, the
 * server's challenge chooses (CURLOPT_HTTPAUTH(3)), from this transfer or an earlier one. */
static const struct mote_auth_scheme *auth_scheme(struct mote_transfer *t)
{
  unsigned long wanted = wanted_schemes(t);
  bool probes = (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH) & CURLAUTH_ONLY;
  if(probes || (wanted & (wanted - 1)))
    wanted &= t->run->response.challenge == MOTE_CHALLENGE_ANSWERED ? t->run->response.auth_avail : recall(t);
  return usable(t, wanted);
}

/* CURLINFO_HTTPAUTH_AVAIL names schemes that are not built in, too. */
static unsigned long scheme_bit(struct mote_slice name)
{
  static const struct {
    const char *name;
    unsigned long bit;
  } others[] = {{"digest", CURLAUTH_DIGEST}, {"negotiate", CURLAUTH_NEGOTIATE}, {"ntlm", CURLAUTH_NTLM}};
  size_t i;
  for(i = 0; mote_auth_schemes[i]; i++)
    if(mote_slice_is(name, mote_auth_schemes[i]->name))
      return mote_auth_schemes[i]->bit;
  for(i = 0; i < sizeof others / sizeof others[0]; i++)
    if(mote_slice_is(name, others[i].name))
      return others[i].bit;
  return 0;
}

/* A scheme name starts the field or follows a comma. A word followed by "=" is a parameter. */
unsigned long mote_http_auth_named(struct mote_slice v)
{
  unsigned long bits = 0;
  size_t i = 0;
  while(i < v.len) {
    struct mote_slice word;
    bool quoted = false;
    while(i < v.len && (mote_is_blank(v.ptr[i]) || v.ptr[i] == ','))
      i++;
    word.ptr = v.ptr + i;
    word.len = 0;
    while(i < v.len && !mote_is_blank(v.ptr[i]) && v.ptr[i] != ',' && v.ptr[i] != '=') {
      i++;
      word.len++;
    }
    if(i >= v.len || v.ptr[i] != '=')
      bits |= scheme_bit(word);
    while(i < v.len && (quoted || v.ptr[i] != ',')) {
      if(v.ptr[i] == '"')
        quoted = !quoted;
      i++;
    }
  }
  return bits;
}

/* Notes the schemes of WWW-Authenticate and decides whether to send the request again. */
static CURLcode read_challenge(struct mote_transfer *t, struct mote_slice value)
{
  struct mote_run *r = t->run;
  if(mote_http_of(t)->code != 401)
    return CURLE_OK;
  if(r->response.challenge == MOTE_CHALLENGE_ELSEWHERE) {
    r->response.challenge = MOTE_CHALLENGE_NONE;
    r->response.auth_avail = 0;
  }
  r->response.auth_avail |= (uint8_t)mote_http_auth_named(value);
  if(r->response.challenge != MOTE_CHALLENGE_ANSWERED && !auth_scheme(t) &&
     usable(t, wanted_schemes(t) & r->response.auth_avail))
    mote_http_of(t)->again = true;
  return CURLE_OK;
}

/* ---- the field ---- */

/* CURLINFO_HTTPAUTH_USED keeps the scheme of an earlier request of the chain until a request has
 * credentials, even empty ones, but no scheme for them. */
static void forget_used(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  bool given = mote_opt_str(o, CURLOPT_USERNAME) || mote_opt_str(o, CURLOPT_PASSWORD) ||
               mote_opt_str(o, CURLOPT_XOAUTH2_BEARER);
  struct mote_url url;
  mote_url_unpack(&t->run->request.url, &url);
  if(mote_url_has(&url, MOTE_URL_USER) || (given && mote_http_auth_allowed(t)))
    t->run->stats.auth_used = 0;
}

static void put_authorization(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  const struct mote_auth_scheme *scheme;
  if(mote_http_has_own(t, "Authorization"))
    return;
  scheme = auth_scheme(t);
  if(!scheme) {
    if(t->run->stats.auth_used)
      forget_used(t);
    return;
  }
  t->run->stats.auth_used = scheme->bit;
  w->rc = w->rc ? w->rc : remember(t, scheme->bit);
  scheme->put(w);
}

const struct mote_http_hook mote_http_auth = {
  .name = "auth",
  .options = MOTE_HTTP_WHEN(CURLOPT_USERNAME) | MOTE_HTTP_WHEN(CURLOPT_PASSWORD) |
             MOTE_HTTP_WHEN(CURLOPT_XOAUTH2_BEARER) | MOTE_HTTP_WHEN(CURLOPT_NETRC),
  .login = true,
  .place = MOTE_HTTP_AFTER_HOST,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_WWW_AUTHENTICATE),
  .request = put_authorization,
  .field = read_challenge,
};
