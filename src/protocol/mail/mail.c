/* protocol/mail/mail.c: credentials and words of requests to mail servers (protocol/mail/mail.h). */
#include "protocol/mail/mail.h"

#include <string.h>

#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "protocol/login.h"
#include "transfer/transfer.h"

/* ---- words ---- */

struct mote_slice mote_mail_path(const struct mote_transfer *t)
{
  return mote_url_packed_path(&t->run->request.url);
}

const char *mote_mail_custom(const struct mote_transfer *t)
{
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  return custom && *custom ? custom : NULL;
}

CURLcode mote_mail_check_words(struct mote_transfer *t)
{
  const char *custom = mote_opt_str(&t->options, CURLOPT_CUSTOMREQUEST);
  struct mote_url url;
  CURLcode rc = mote_login_check(t);
  if(rc)
    return rc;
  mote_url_unpack(&t->run->request.url, &url);
  if(!mote_percent_has_control(mote_url_get(&url, MOTE_URL_PATH), true) &&
     !mote_percent_has_control(mote_url_get(&url, MOTE_URL_QUERY), true) &&
     !(custom && mote_percent_has_control(mote_slice_of(custom), true)))
    return CURLE_OK;
  return mote_fail_as(CURLE_URL_MALFORMAT, &t->report, "The URL or the command contains a control character");
}
