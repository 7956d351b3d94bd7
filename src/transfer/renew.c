/* transfer/renew.c: a run used again: what the next transfer needs once more stays. */
#include <string.h>

#include "transfer/info.h"
#include "transfer/start.h"
#include "transfer/transfer.h"

static void reset_run(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_run old = *r;
  /* What a CURLU holds may have changed without our notice. */
  bool same_url = !t->options.changed && !old.redirects && old.url.text &&
                  !mote_opt_ptr(&t->options, CURLOPT_CURLU);
  mote_info_forget(t, &old);
  if(!same_url)
    mote_url_packed_close(&old.url, &t->account);
  mote_text_free(t, old.redirect);
  mote_text_free(t, old.referer);
  mote_options_drop_url(&t->options);
  memset(r, 0, sizeof *r);
  r->owner = t;
  if(same_url) {
    r->url = old.url;
    r->scheme = old.conn_id >= 0 ? old.scheme : NULL; /* it had passed check_scheme() */
    r->own_pool = old.own_pool && old.conn_id >= 0;
  }
  r->headers = old.headers;
  r->handed = old.handed;
  r->info = old.info;
  r->speed = old.speed;
  mote_headers_clear(&r->headers, &t->account);
}

CURLcode mote_run_renew(struct mote_transfer *t)
{
  if(!t->run)
    return mote_run_make(t);
  reset_run(t);
  return CURLE_OK;
}
