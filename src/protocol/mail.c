/* protocol/mail.c: what IMAP, POP3 and SMTP have in common (protocol/mail.h). */
#include "protocol/mail.h"

#include <string.h>

#include "codec/percent.h"
#include "codec/url.h"
#include "http/auth.h"
#include "http/netrc.h"
#include "transfer/source.h"

/* ---- words ---- */

struct mote_slice mote_mail_path(const struct mote_transfer *t)
{
  const struct mote_url_packed *p = &t->run->request.url;
  struct mote_slice path = mote_slice_of("");
  struct mote_url url;
  mote_url_unpack(p, &url);
  path = mote_url_get(&url, MOTE_URL_PATH);
  if(path.len) {
    path.ptr++;
    path.len--;
  }
  return path;
}

char *mote_mail_put(char *at, struct mote_slice word, bool coded)
{
  size_t len = word.len;
  if(!len)
    return at;
  if(!coded)
    memcpy(at, word.ptr, len);
  else
    (void)mote_percent_decode(word, 0, at, len, &len);
  return at + len;
}

char *mote_mail_text(char *at, const char *text)
{
  return mote_mail_put(at, mote_slice_of(text), false);
}

/* Reports whether the word, decoded, has a control character. */
static bool has_control(struct mote_slice word, bool coded)
{
  const char *at = word.ptr, *end = at + word.len;
  for(; at < end; at++) {
    int byte = coded && *at == '%' ? mote_percent_byte(at, end) : (unsigned char)*at;
    if(byte >= 0 && byte < 32)
      return true;
  }
  return false;
}

/* ---- credentials ---- */

bool mote_mail_login(const struct mote_transfer *t, struct mote_auth_login *login)
{
  const struct mote_options *o = &t->options;
  struct mote_url url;
  mote_http_find_login(t, login);
  mote_url_unpack(&t->run->request.url, &url);
  login->given = login->user.len || mote_opt_str(o, CURLOPT_USERNAME) || mote_opt_str(o, CURLOPT_PASSWORD) ||
                 mote_url_has(&url, MOTE_URL_USER);
  return login->given || login->token.len;
}

struct mote_slice mote_mail_options(const struct mote_transfer *t)
{
  const char *option = mote_opt_str(&t->options, CURLOPT_LOGIN_OPTIONS);
  struct mote_url url;
  if(option)
    return mote_slice_of(option);
  mote_url_unpack(&t->run->request.url, &url);
  return mote_url_get(&url, MOTE_URL_OPTIONS);
}

static CURLcode refuse_control(struct mote_transfer *t, bool coded)
{
  mote_fail(&t->report, "A user name or password contains a control character");
  return coded ? CURLE_URL_MALFORMAT : CURLE_BAD_FUNCTION_ARGUMENT;
}

static CURLcode check_words(struct mote_transfer *t)
{
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  struct mote_auth_login login;
  struct mote_url url;
  mote_http_find_login(t, &login);
  if(has_control(login.user, login.user_coded))
    return refuse_control(t, login.user_coded);
  if(has_control(login.password, login.password_coded))
    return refuse_control(t, login.password_coded);
  mote_url_unpack(&t->run->request.url, &url);
  if(!has_control(mote_url_get(&url, MOTE_URL_PATH), true) &&
     !has_control(mote_url_get(&url, MOTE_URL_QUERY), true) &&
     !(custom && has_control(mote_slice_of(custom), true)))
    return CURLE_OK;
  mote_fail(&t->report, "The URL or the command contains a control character");
  return CURLE_URL_MALFORMAT;
}

/* ---- before a connection ---- */

CURLcode mote_mail_prepare(struct mote_transfer *t)
{
  CURLcode rc = CURLE_OK;
  if(MOTE_HAS_NETRC && mote_option_maybe(&t->options, MOTE_OPT_ID(CURLOPT_NETRC)))
    rc = mote_netrc_find(t);
  if(!rc)
    rc = check_words(t);
  t->run->request.size_up = -1;
  if(rc)
    return rc;
  if(t->run->request.method == MOTE_METHOD_MIME)
    return mote_mail_open_parts(t);
  return t->run->request.method == MOTE_METHOD_PUT ? mote_source_open(t) : CURLE_OK;
}

/* ---- TLS ---- */

bool mote_mail_wants_tls(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_USE_SSL) != CURLUSESSL_NONE &&
         !mote_conn_has_tls(t->run->channel.conn);
}

bool mote_mail_has_more(const struct mote_transfer *t)
{
  const struct mote_conn *c = t->run->channel.conn;
  const char *end = c->lent_len ? memchr(c->lent, '\n', c->lent_len) : NULL;
  return end && end + 1 < c->lent + c->lent_len;
}

CURLcode mote_mail_out_of_turn(struct mote_transfer *t)
{
  mote_fail(&t->report, "The server has sent answers that were not asked for");
  return CURLE_WEIRD_SERVER_REPLY;
}

CURLcode mote_mail_take_tls(struct mote_transfer *t, bool granted)
{
  if(mote_mail_has_more(t))
    return mote_mail_out_of_turn(t);
  return granted ? CURLE_OK : mote_mail_without_tls(t);
}

CURLcode mote_mail_without_tls(struct mote_transfer *t)
{
  if(mote_opt_long(&t->options, CURLOPT_USE_SSL) <= CURLUSESSL_TRY)
    return CURLE_OK;
  mote_fail(&t->report, "The server does not begin TLS, which CURLOPT_USE_SSL requires");
  return CURLE_USE_SSL_FAILED;
}
