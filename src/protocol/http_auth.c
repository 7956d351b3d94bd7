/* protocol/http_auth.c: basic and bearer authentication (RFC 7617, RFC 6750), and to whom they may go. */
#include <string.h>

#include "protocol/http.h"
#include "transfer/start.h"

bool mote_http_auth_allowed(const struct mote_transfer *t)
{
  return !t->run->other_origin || mote_opt_long(&t->options, CURLOPT_UNRESTRICTED_AUTH);
}

/* The options, for the first origin (or with CURLOPT_UNRESTRICTED_AUTH); else the URL; else what the first URL of
 * the chain said, under the same condition as the options. */
bool mote_http_login(struct mote_transfer *t, struct mote_http_login *login)
{
  const char *user = mote_opt_str(&t->options, CURLOPT_USERNAME);
  const char *password = mote_opt_str(&t->options, CURLOPT_PASSWORD);
  bool allowed = mote_http_auth_allowed(t);
  struct mote_url first;
  login->from_url = false;
  if((user || password) && allowed) {
    login->user = mote_slice_of(user ? user : "");
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

/* One scheme is used unasked; out of several, basic waits for the server's challenge (CURLOPT_HTTPAUTH(3)). */
bool mote_http_sends_basic(struct mote_transfer *t)
{
  unsigned long wanted = (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH);
  if(!(wanted & CURLAUTH_BASIC))
    return false;
  if((wanted & ~(unsigned long)CURLAUTH_ONLY) == CURLAUTH_BASIC)
    return true;
  return t->run->challenged;
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
  unsigned long wanted = (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH);
  unsigned long offered = schemes_of(value);
  struct mote_http_login login;
  r->auth_avail |= (uint16_t)offered;
  if((offered & wanted & CURLAUTH_BASIC) && !r->challenged && !mote_http_sends_basic(t) && mote_http_login(t, &login))
    mote_http_of(t)->again = true;
}
