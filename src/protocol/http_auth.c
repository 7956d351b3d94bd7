/* protocol/http_auth.c: basic and bearer authentication (RFC 7617, RFC 6750), and to whom they may go. */
#include <string.h>

#include "base/buf.h"
#include "base/format.h"
#include "protocol/http.h"
#include "transfer/protocol.h"

/* The user of the options, for the first origin (or with CURLOPT_UNRESTRICTED_AUTH); without one, that of
 * the URL. What the URL of a chain's first request says is for relative redirects, which take it along. */
bool mote_http_login(struct mote_transfer *t, struct mote_http_login *login)
{
  static const struct mote_slice none = {"", 0};
  bool allowed = mote_http_auth_allowed(t);
  const char *user = allowed ? mote_opt_str(&t->options, CURLOPT_USERNAME) : NULL;
  const char *password = allowed ? mote_opt_str(&t->options, CURLOPT_PASSWORD) : NULL;
  struct mote_slice url_user = none, url_password = {NULL, 0};
  bool by_option = user && *user;
  if(!by_option)
    (void)mote_url_packed_login(&t->run->url, &url_user, &url_password);
  login->user = by_option ? mote_slice_of(user) : url_user;
  login->user_coded = !by_option;
  login->password_coded = url_password.ptr != NULL; /* an empty one in the URL is one */
  login->password = url_password.ptr ? url_password : password ? mote_slice_of(password) : none;
  return login->user.len || login->password.len;
}

/* Out of these schemes the one that we can use and prefer; 0: none. */
static unsigned long usable(struct mote_transfer *t, unsigned long schemes)
{
  struct mote_http_login login;
  if((schemes & CURLAUTH_BEARER) && mote_opt_str(&t->options, CURLOPT_XOAUTH2_BEARER) &&
     mote_http_auth_allowed(t))
    return CURLAUTH_BEARER;
  return (schemes & CURLAUTH_BASIC) && mote_http_login(t, &login) ? CURLAUTH_BASIC : 0;
}

static unsigned long wanted_schemes(const struct mote_transfer *t)
{
  return (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH) & ~(unsigned long)CURLAUTH_ONLY;
}

/* ---- the scheme that a server chose out of several is remembered by the handle, with the server's
 * origin ---- */

#define HEAD_ROOM 64 /* bytes: the scheme, and of the origin what is not the host */

static int print_head(const struct mote_transfer *t, unsigned long scheme, char head[HEAD_ROOM])
{
  return mote_snprintf(head, HEAD_ROOM, "%lu %s %u ", scheme, t->run->scheme->name,
                       (unsigned)t->run->url.port);
}

static bool is_remembered(const struct mote_transfer *t, unsigned long scheme)
{
  const struct mote_option *o = mote_option_find(&t->options, MOTE_OPT_AUTH);
  struct mote_slice host = mote_url_packed_zoned(&t->run->url);
  char head[HEAD_ROOM];
  size_t len;
  if(!o)
    return false;
  len = (size_t)print_head(t, scheme, head);
  return o->size == len + host.len + 1 && !memcmp(o->v.str, head, len) &&
         mote_equal_nocase_n(o->v.str + len, host.ptr, host.len);
}

/* Without memory the server is asked again next time, which is no error. */
void mote_http_remember(struct mote_transfer *t, unsigned long scheme)
{
  struct mote_slice host = mote_url_packed_zoned(&t->run->url);
  bool changed = t->options.changed;
  char head[HEAD_ROOM];
  struct mote_buf text;
  CURLcode rc;
  if(!t->run->challenged || is_remembered(t, scheme))
    return;
  mote_buf_init(&text, &t->account, MOTE_PART_TRANSFER, HEAD_ROOM + host.len + 1);
  rc = mote_buf_add(&text, head, (size_t)print_head(t, scheme, head));
  rc = rc ? rc : mote_buf_add(&text, host.ptr, host.len);
  if(!rc)
    (void)mote_option_set_str(&t->options, MOTE_OPT_AUTH, text.ptr, text.len);
  t->options.changed = changed;
  mote_buf_close(&text);
}

static unsigned long recall(const struct mote_transfer *t)
{
  if(!mote_option_find(&t->options, MOTE_OPT_AUTH))
    return 0;
  if(is_remembered(t, CURLAUTH_BASIC))
    return CURLAUTH_BASIC;
  return is_remembered(t, CURLAUTH_BEARER) ? CURLAUTH_BEARER : 0;
}

/* One scheme is used unasked, unless CURLAUTH_ONLY says that the server is to be asked; out of several,
 * the server's challenge chooses (CURLOPT_HTTPAUTH(3)), this time's or an earlier one's. */
unsigned long mote_http_auth_scheme(struct mote_transfer *t)
{
  unsigned long wanted = wanted_schemes(t);
  bool probes = (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH) & CURLAUTH_ONLY;
  if(probes || (wanted & (wanted - 1)))
    wanted &= t->run->challenged ? t->run->auth_avail : recall(t);
  return usable(t, wanted);
}

static unsigned long scheme_bit(struct mote_slice name)
{
  static const struct {
    const char *name;
    unsigned long bit;
  } known[] = {
    {"basic", CURLAUTH_BASIC}, {"digest", CURLAUTH_DIGEST}, {"ntlm", CURLAUTH_NTLM},
    {"negotiate", CURLAUTH_NEGOTIATE}, {"bearer", CURLAUTH_BEARER},
  };
  size_t i;
  for(i = 0; i < sizeof known / sizeof known[0]; i++)
    if(mote_slice_is(name, known[i].name))
      return known[i].bit;
  return 0;
}

/* A scheme name stands at the start or after a comma, and is no parameter: no "=" behind it. */
static unsigned long schemes_of(struct mote_slice v)
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

void mote_http_challenge(struct mote_transfer *t, struct mote_slice value)
{
  struct mote_run *r = t->run;
  if(r->other_challenge) {
    r->other_challenge = false;
    r->auth_avail = 0;
  }
  r->auth_avail |= (uint8_t)schemes_of(value);
  if(!r->challenged && !mote_http_auth_scheme(t) && usable(t, wanted_schemes(t) & r->auth_avail))
    mote_http_of(t)->again = true;
}
