/* transfer/run_reuse.c: prepares a run for the next transfer and keeps what that would build again.
 * Closes the bodies of the last one. */
#include <string.h>

#include "transfer/download/headers.h"
#include "transfer/download/sink.h"
#include "transfer/report/info.h"
#include "transfer/run.h"
#include "transfer/transfer.h"
#include "transfer/upload/source.h"

/* What survives a reset. Nothing else is copied. */
struct remains {
  struct mote_url_packed url;
  struct mote_header_store headers;
  struct curl_header *handed;
  struct mote_info *info;
  struct mote_speed *speed;
};

CURLcode mote_run_reset(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct remains old = {
    .url = r->request.url, .headers = r->response.headers, .handed = r->response.handed,
    .info = r->info, .speed = r->speed,
  };
  /* The application may have changed the CURLU without notice. */
  bool same_url = !t->options.changed && !r->request.redirects && !r->request.upgraded &&
                  r->request.url.text && !mote_opt_ptr(&t->options, CURLOPT_CURLU);
  bool same_way = same_url && r->stats.conn_id >= 0;
  bool own_pool = same_way && r->lease.own_pool;
  struct mote_lease lease = r->lease;
  const struct mote_scheme *scheme = same_way ? r->request.scheme : NULL; /* check_scheme() has accepted it */
  mote_info_forget(t, r);
  if(!same_url)
    mote_url_packed_close(&r->request.url, &t->account);
  mote_text_free(t, r->request.redirect);
  mote_text_free(t, r->request.referer);
  mote_options_drop_url(&t->options);
  memset(mote_run_block_of(r), 0, sizeof(struct mote_run_block));
  r->owner = t;
  if(same_url) {
    r->request.url = old.url;
    r->request.same_url = true;
  }
  r->request.scheme = scheme;
  r->lease.own_pool = own_pool;
  if(own_pool && lease.proxied) {
    r->lease.proxied = true;
    r->lease.forwarded = lease.forwarded;
  }
  r->response.headers = old.headers;
  r->response.handed = old.handed;
  r->info = old.info;
  r->speed = old.speed;
  mote_headers_clear(&r->response.headers, &t->account);
  return CURLE_OK;
}

void mote_run_close_bodies(struct mote_transfer *t)
{
  mote_source_close(t);
  mote_sink_close(t);
}
