/* http/auth.c: Basic and Bearer authentication (RFC 7617, RFC 6750). Decides which origins get
 * credentials and which scheme is used, and writes the Authorization field. */
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/format.h"
#include "codec/percent.h"
#include "codec/url.h"
#include "http/hooks.h"
#include "transfer/protocol.h"

/* Credentials of the current URL or the options. */
struct login {
  struct mote_slice user;
  struct mote_slice password;
  bool user_coded;     /* still percent-encoded, since it is from a URL */
  bool password_coded;
};

/* ---- which scheme, for which origin ---- */

/* The user of the options goes to the first origin only (to all with CURLOPT_UNRESTRICTED_AUTH). Without
 * one, the user of the current URL counts, which relative redirects inherit from the URL before. */
static bool find_login(struct mote_transfer *t, struct login *login)
{
  static const struct mote_slice none = {"", 0};
  bool allowed = mote_http_auth_allowed(t);
  const char *user = allowed ? mote_opt_str(&t->options, CURLOPT_USERNAME) : NULL;
  const char *password = allowed ? mote_opt_str(&t->options, CURLOPT_PASSWORD) : NULL;
  struct mote_slice url_user = none, url_password = {NULL, 0};
  bool by_option = user && *user;
  if(!by_option)
    (void)mote_url_packed_login(&t->run->request.url, &url_user, &url_password);
  login->user = by_option ? mote_slice_of(user) : url_user;
  login->user_coded = !by_option;
  login->password_coded = url_password.ptr != NULL; /* an empty password in the URL counts */
  login->password = url_password.ptr ? url_password : password ? mote_slice_of(password) : none;
  return login->user.len || login->password.len;
}

static bool has_token(struct mote_transfer *t)
{
  const char *token = mote_opt_str(&t->options, CURLOPT_XOAUTH2_BEARER);
  return token && *token && mote_http_auth_allowed(t);
}

static bool has_login(struct mote_transfer *t)
{
  struct login login;
  return find_login(t, &login);
}

static void put_bearer(struct mote_http_writer *w);
static void put_basic(struct mote_http_writer *w);

/* The schemes that a challenge may name, the preferred ones first. */
static const struct scheme {
  const char *name;                       /* lower case */
  uint8_t bit;                            /* CURLAUTH_* */
  bool (*usable)(struct mote_transfer *); /* there are credentials; NULL: the scheme is not built in */
  void (*put)(struct mote_http_writer *); /* writes the field */
} schemes[] = {
  {.name = "bearer", .bit = CURLAUTH_BEARER, .usable = has_token, .put = put_bearer},
  {.name = "basic", .bit = CURLAUTH_BASIC, .usable = has_login, .put = put_basic},
  {.name = "digest", .bit = CURLAUTH_DIGEST},
  {.name = "negotiate", .bit = CURLAUTH_NEGOTIATE},
  {.name = "ntlm", .bit = CURLAUTH_NTLM},
  {.name = NULL},
};

unsigned long mote_http_auth_built(void)
{
  const struct scheme *s;
  unsigned long bits = 0;
  for(s = schemes; s->name; s++)
    bits |= s->usable ? s->bit : 0u;
  return bits;
}

/* Returns the preferred scheme among these that has credentials, or NULL. */
static const struct scheme *usable(struct mote_transfer *t, unsigned long among)
{
  const struct scheme *s;
  for(s = schemes; s->name; s++)
    if((among & s->bit) && s->usable && s->usable(t))
      return s;
  return NULL;
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

/* Failure is ignored, since without the memory the next transfer only has to ask the server again. */
static void remember(struct mote_transfer *t, unsigned long scheme)
{
  struct mote_slice host = mote_url_packed_zoned(&t->run->request.url);
  bool changed = t->options.changed;
  char head[HEAD_ROOM];
  struct mote_buf text;
  CURLcode rc;
  if(t->run->response.challenge != MOTE_CHALLENGE_ANSWERED || is_remembered(t, scheme))
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
  const struct scheme *s;
  if(!mote_option_find(&t->options, MOTE_OPT_AUTH))
    return 0;
  for(s = schemes; s->name; s++)
    if(s->usable && is_remembered(t, s->bit))
      return s->bit;
  return 0;
}

/* A single scheme is used without asking, unless CURLAUTH_ONLY demands a challenge. Out of several, the
 * server's challenge chooses (CURLOPT_HTTPAUTH(3)), from this transfer or an earlier one. */
static const struct scheme *auth_scheme(struct mote_transfer *t)
{
  unsigned long wanted = wanted_schemes(t);
  bool probes = (unsigned long)mote_opt_long(&t->options, CURLOPT_HTTPAUTH) & CURLAUTH_ONLY;
  if(probes || (wanted & (wanted - 1)))
    wanted &= t->run->response.challenge == MOTE_CHALLENGE_ANSWERED ? t->run->response.auth_avail : recall(t);
  return usable(t, wanted);
}

static unsigned long scheme_bit(struct mote_slice name)
{
  const struct scheme *s;
  for(s = schemes; s->name; s++)
    if(mote_slice_is(name, s->name))
      return s->bit;
  return 0;
}

/* A scheme name starts the field or follows a comma. A word followed by "=" is a parameter. */
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
  r->response.auth_avail |= (uint8_t)schemes_of(value);
  if(r->response.challenge != MOTE_CHALLENGE_ANSWERED && !auth_scheme(t) &&
     usable(t, wanted_schemes(t) & r->response.auth_avail))
    mote_http_of(t)->again = true;
  return CURLE_OK;
}

/* ---- the field ---- */

static void add_part(struct mote_http_writer *w, struct mote_buf *plain, struct mote_slice s, bool encoded)
{
  size_t n = s.len;
  if(w->rc || !s.len)
    return;
  w->rc = mote_buf_reserve(plain, s.len);
  if(w->rc)
    return;
  if(encoded)
    w->rc = mote_percent_decode(s, 0, plain->ptr + plain->len, s.len, &n);
  else
    memcpy(plain->ptr + plain->len, s.ptr, s.len);
  if(!w->rc)
    plain->len += n;
}

static void put_bearer(struct mote_http_writer *w)
{
  mote_http_begin_field(w, "Authorization", "Bearer ");
  mote_http_put_text(w, mote_opt_str(&w->t->options, CURLOPT_XOAUTH2_BEARER));
  mote_http_end_field(w);
}

static void put_basic(struct mote_http_writer *w)
{
  struct login login;
  struct mote_buf plain;
  char *to;
  (void)find_login(w->t, &login);
  mote_buf_init(&plain, &w->t->account, MOTE_PART_TRANSFER, 2 * MOTE_URL_MAX_INPUT);
  add_part(w, &plain, login.user, login.user_coded);
  if(!w->rc)
    w->rc = mote_buf_add(&plain, ":", 1);
  add_part(w, &plain, login.password, login.password_coded);
  mote_http_begin_field(w, "Authorization", "Basic ");
  to = mote_http_room(w, MOTE_BASE64_SIZE(plain.len));
  if(to)
    w->len += mote_base64_encode(to, plain.ptr, plain.len);
  mote_http_end_field(w);
  mote_buf_close(&plain);
}

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
  const struct scheme *scheme;
  if(mote_http_has_own(t, "Authorization"))
    return;
  scheme = auth_scheme(t);
  if(!scheme) {
    if(t->run->stats.auth_used)
      forget_used(t);
    return;
  }
  t->run->stats.auth_used = scheme->bit;
  remember(t, scheme->bit);
  scheme->put(w);
}

const struct mote_http_hook mote_http_auth = {
  .name = "auth",
  .options = MOTE_HTTP_WHEN(CURLOPT_USERNAME) | MOTE_HTTP_WHEN(CURLOPT_PASSWORD) |
             MOTE_HTTP_WHEN(CURLOPT_XOAUTH2_BEARER),
  .login = true,
  .place = MOTE_HTTP_AFTER_HOST,
  .fields = MOTE_HTTP_READS(MOTE_FIELD_WWW_AUTHENTICATE),
  .request = put_authorization,
  .field = read_challenge,
};
