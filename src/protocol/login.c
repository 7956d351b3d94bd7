#include "protocol/login.h"

#include "auth/scheme.h"
#include "base/report.h"
#include "codec/url/percent.h"
#include "codec/url/url_pack.h"
#include "http/auth/auth.h"
#include "transfer/transfer.h"

bool mote_login_given(const struct mote_transfer *t, struct mote_auth_login *login)
{
  struct mote_slice none;
  mote_http_find_login(t, login);
  return login->user.len || login->password.len ||
         mote_url_packed_login(&t->run->request.url, &none, &none) ||
         (mote_transfer_may_log_in(t) && (mote_opt_str(&t->options, CURLOPT_USERNAME) ||
                                        mote_opt_str(&t->options, CURLOPT_PASSWORD)));
}

CURLcode mote_login_check(struct mote_transfer *t)
{
  struct mote_auth_login l;
  mote_http_find_login(t, &l);
  if(!mote_percent_has_control(l.user, l.user_coded) &&
     !mote_percent_has_control(l.password, l.password_coded))
    return CURLE_OK;
  mote_fail(&t->report, "The user name or password has a control character");
  return l.user_coded ? CURLE_URL_MALFORMAT : CURLE_BAD_FUNCTION_ARGUMENT;
}
