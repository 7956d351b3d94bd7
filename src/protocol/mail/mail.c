/* protocol/mail/mail.c: credentials and words of requests to mail servers (protocol/mail/mail.h). */
#include "protocol/mail/mail.h"

#include <string.h>

#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "http/auth/auth.h"

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

const char *mote_mail_custom(const struct mote_transfer *t)
{
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  return custom && *custom ? custom : NULL;
}

/* ---- credentials ---- */

static CURLcode refuse_control(struct mote_transfer *t, bool coded)
{
  mote_fail(&t->report, "A user name or password contains a control character");
  return coded ? CURLE_URL_MALFORMAT : CURLE_BAD_FUNCTION_ARGUMENT;
}

CURLcode mote_mail_check_words(struct mote_transfer *t)
{
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  struct mote_auth_login login;
  struct mote_url url;
  mote_http_find_login(t, &login);
  if(mote_percent_has_control(login.user, login.user_coded))
    return refuse_control(t, login.user_coded);
  if(mote_percent_has_control(login.password, login.password_coded))
    return refuse_control(t, login.password_coded);
  mote_url_unpack(&t->run->request.url, &url);
  if(!mote_percent_has_control(mote_url_get(&url, MOTE_URL_PATH), true) &&
     !mote_percent_has_control(mote_url_get(&url, MOTE_URL_QUERY), true) &&
     !(custom && mote_percent_has_control(mote_slice_of(custom), true)))
    return CURLE_OK;
  mote_fail(&t->report, "The URL or the command contains a control character");
  return CURLE_URL_MALFORMAT;
}
