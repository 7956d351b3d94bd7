/* http/cookies/cookie_text.c: CURLOPT_COOKIE alone, for a build without the cookie engine
 * (http/cookies/cookies.c). */
#include "http/hooks.h"
#include "http/request.h"

/* The application's cookies are for the first origin, as its credentials are. */
static void cookie_text_put_cookies(struct mote_http_writer *w)
{
  if(mote_transfer_may_log_in(w->t))
    mote_http_put_optional(w, "Cookie", mote_opt_str(&w->t->options, CURLOPT_COOKIE));
}

const struct mote_http_hook mote_http_cookies = {
  .name = "cookies",
  .options = MOTE_HTTP_WHEN(CURLOPT_COOKIE),
  .place = MOTE_HTTP_AFTER_REFERER,
  .request = cookie_text_put_cookies,
};
