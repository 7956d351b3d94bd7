/* auth/scheme.c: which scheme there is and which is preferred, and how a challenge is taken apart
 * (auth/scheme.h). */
#include "auth/scheme.h"

#include <curl/curl.h>

#include "base/buf.h"
#include "codec/url/percent.h"

/* ---- which scheme ---- */

unsigned long mote_auth_built(void)
{
  unsigned long bits = 0;
  unsigned i;
  for(i = 0; mote_auth_schemes[i]; i++)
    bits |= mote_auth_schemes[i]->bit;
  return bits;
}

static bool is_enough(const struct mote_auth_scheme *s, const struct mote_auth_login *login)
{
  if(s->token)
    return login->token.len > 0;
  if(s->binds)
    return login->ticket;
  return login->user.len || login->password.len;
}

const struct mote_auth_scheme *mote_auth_choose(unsigned long among, const struct mote_auth_login *login)
{
  const struct mote_auth_scheme *s, *best = NULL;
  unsigned i;
  for(i = 0; (s = mote_auth_schemes[i]) != NULL; i++)
    if((among & s->bit) && (!best || s->rank > best->rank) && is_enough(s, login))
      best = s;
  return best;
}

/* ---- challenges ---- */

/* Getinfo names these schemes as offered although they are not in every build. */
static void identify(struct mote_auth_challenge *c)
{
  static const struct {
    const char *name;
    unsigned long bit;
  } others[] = {{"digest", CURLAUTH_DIGEST}, {"negotiate", CURLAUTH_NEGOTIATE}, {"ntlm", CURLAUTH_NTLM}};
  size_t i;
  c->scheme = NULL;
  c->bit = 0;
  for(i = 0; mote_auth_schemes[i]; i++)
    if(mote_slice_is(c->name, mote_auth_schemes[i]->name)) {
      c->scheme = mote_auth_schemes[i];
      c->bit = c->scheme->bit;
      return;
    }
  for(i = 0; i < sizeof others / sizeof others[0]; i++)
    if(mote_slice_is(c->name, others[i].name))
      c->bit = others[i].bit;
}

static void skip_blanks(struct mote_slice *s, bool commas)
{
  while(s->len && (mote_is_blank(*s->ptr) || (commas && *s->ptr == ',')))
    mote_slice_skip(s, 1);
}

static struct mote_slice scheme_take_word(struct mote_slice *s)
{
  struct mote_slice word = {s->ptr, 0};
  while(s->len && !mote_is_blank(*s->ptr) && *s->ptr != ',' && *s->ptr != '=') {
    mote_slice_skip(s, 1);
    word.len++;
  }
  return word;
}

/* A word that "=" follows is the name of a parameter. */
static bool is_param(struct mote_slice s)
{
  (void)scheme_take_word(&s);
  skip_blanks(&s, false);
  return s.len && *s.ptr == '=';
}

/* Some servers leave out the comma after a quoted value. */
static bool lacks_comma(const struct mote_slice *s, size_t i)
{
  struct mote_slice rest = *s;
  if(!i || s->ptr[i - 1] != '"' || !mote_is_blank(s->ptr[i]))
    return false;
  mote_slice_skip(&rest, i);
  skip_blanks(&rest, false);
  return is_param(rest);
}

/* Takes what is up to the next comma outside of quotes. A backslash quotes the next character. */
static struct mote_slice take_item(struct mote_slice *s)
{
  struct mote_slice item = {s->ptr, 0};
  bool quoted = false;
  size_t i = 0;
  for(; i < s->len && (quoted || s->ptr[i] != ','); i++) {
    if(!quoted && lacks_comma(s, i))
      break;
    if(s->ptr[i] == '"')
      quoted = !quoted;
    else if(quoted && s->ptr[i] == '\\' && i + 1 < s->len)
      i++;
  }
  item.len = i;
  mote_slice_skip(s, i);
  return item;
}

bool mote_auth_next_challenge(struct mote_slice *rest, struct mote_auth_challenge *out)
{
  skip_blanks(rest, true);
  while(rest->len && is_param(*rest)) { /* of no scheme */
    (void)take_item(rest);
    skip_blanks(rest, true);
  }
  if(!rest->len)
    return false;
  out->name = scheme_take_word(rest);
  skip_blanks(rest, false);
  out->params = *rest;
  if(rest->len && *rest->ptr != ',')
    (void)take_item(rest);
  for(;;) {
    struct mote_slice next = *rest;
    skip_blanks(&next, true);
    if(!next.len || !is_param(next))
      break;
    (void)take_item(&next);
    *rest = next;
  }
  out->params.len = (size_t)(rest->ptr - out->params.ptr);
  identify(out);
  return true;
}

bool mote_auth_next_param(struct mote_slice *rest, struct mote_slice *name, struct mote_slice *value)
{
  struct mote_slice item;
  skip_blanks(rest, true);
  if(!rest->len)
    return false;
  item = take_item(rest);
  *name = scheme_take_word(&item);
  skip_blanks(&item, false);
  if(item.len && *item.ptr == '=')
    mote_slice_skip(&item, 1);
  *value = mote_slice_trim(item);
  return true;
}

bool mote_auth_unquote(struct mote_slice *v)
{
  size_t i;
  bool quoted = v->len && *v->ptr == '"';
  for(i = 0; i < v->len; i++)
    if(mote_auth_is_control(v->ptr[i]))
      return false;
  if(quoted) {
    v->ptr++;
    v->len--;
    for(i = 0; i < v->len && v->ptr[i] != '"'; i++)
      if(v->ptr[i] == '\\')
        i++;
    if(i + 1 != v->len) /* the other quote is the last character */
      return false;
    v->len = i;
    return true;
  }
  for(i = 0; i < v->len; i++)
    if(v->ptr[i] == '"' || v->ptr[i] == '\\')
      return false;
  return true;
}

/* ---- credentials ---- */

CURLcode mote_auth_put_plain(struct mote_buf *out, struct mote_slice text, bool coded)
{
  size_t n;
  CURLcode rc;
  if(!text.len)
    return CURLE_OK;
  if(!coded)
    return mote_buf_add(out, text.ptr, text.len);
  rc = mote_buf_reserve(out, text.len);
  if(!rc)
    rc = mote_percent_decode(text, MOTE_PERCENT_REJECT_NUL, out->ptr + out->len, text.len, &n);
  if(!rc) {
    out->len += n;
    out->ptr[out->len] = 0;
  }
  return rc;
}
