/* protocol/http_auth.c: basic and bearer authentication (RFC 7617, RFC 6750), and to whom they may go. */
#include <string.h>

#include "protocol/http.h"
#include "transfer/start.h"

/* The options, for the first origin (or with CURLOPT_UNRESTRICTED_AUTH); else the URL; else what the first
 * URL of the chain said, under the same condition as the options. */
bool mote_http_login(struct mote_transfer *t, struct mote_http_login *login)
{
  const char *user = mote_opt_str(&t->options, CURLOPT_USERNAME);
  const char *password = mote_opt_str(&t->options, CURLOPT_PASSWORD);
  bool allowed = mote_http_auth_allowed(t);
  struct mote_url first;
  login->from_url = false;
  if(user && allowed) {
    login->user = mote_slice_of(user);
    login->password = mote_slice_of(password ? password : "");
    return true;
  }
  login->from_url = mote_url_packed_login(&t->run->url, &login->user, &login->password);
  if(login->from_url || !t->run->redirects || !allowed || mote_start_parse_url(t, &first))
    return login->from_url;
  /* A URL with a block of its own (not in normal form) dies here: its credentials stay behind. */
  if(!first.block && (mote_url_has(&first, MOTE_URL_USER) || mote_url_has(&first, MOTE_URL_PASSWORD))) {
    login->user = mote_url_get(&first, MOTE_URL_USER);
    login->password = mote_url_get(&first, MOTE_URL_PASSWORD);
    login->from_url = true;
  }
  mote_url_close(&first);
  return login->from_url;
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

/* One scheme is used unasked; out of several, the server's challenge chooses (CURLOPT_HTTPAUTH(3)). */
unsigned long mote_http_auth_scheme(struct mote_transfer *t)
{
  unsigned long wanted = wanted_schemes(t);
  bool single = !(wanted & (wanted - 1));
  return usable(t, single ? wanted : t->run->challenged ? wanted & t->run->auth_avail : 0);
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
  r->auth_avail |= (uint8_t)schemes_of(value);
  if(!r->challenged && !r->auth_used && usable(t, wanted_schemes(t) & r->auth_avail))
    mote_http_of(t)->again = true;
}
