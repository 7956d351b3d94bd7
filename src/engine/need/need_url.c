/* engine/need/need_url.c: the most memory that the URLs of a transfer take. */
#include "engine/need/need_url.h"

#include "codec/limits.h"
#include "codec/url/curlu.h"
#include "codec/url/idn.h"
#include "codec/url/url_pack.h"
#include "engine/need/need.h"
#include "engine/start.h"
#include "transfer/transfer.h"

#define ENCODED 3u /* bytes of one byte as %xx */

CURLcode mote_need_look(struct mote_transfer *t, struct mote_need_first *f)
{
  CURLU *handle = mote_opt_ptr(&t->options, CURLOPT_CURLU);
  struct mote_url_how how;
  CURLUcode rc = handle ? mote_curlu_print(handle, 0, NULL, 0, &f->whole) : CURLUE_OK;
  if(rc)
    return mote_start_url_failed(t, rc);
  mote_start_url_how(t, &how);
  how.account = &f->account;
  return mote_start_read_url(t, mote_opt_str(&t->options, CURLOPT_URL), &how, &f->url);
}

void mote_need_forget(struct mote_need_first *f)
{
  mote_url_close(&f->url);
}

void mote_need_add_first(const struct mote_need_first *f, struct mote_need_sums *sums)
{
  mote_ceiling_add(&sums->easy, f->url.block != 0, f->url.block);
  if(f->whole) /* the whole URL of a CURLU is copied */
    mote_ceiling_add(&sums->easy, 1, f->url.block > f->whole + 1 ? f->url.block : f->whole + 1);
  mote_url_pack_ceiling(&f->url, &sums->easy);
}

/* Any response may have a Location. CURLINFO_REDIRECT_URL is made from it, which takes a text and what it
 * is resolved in. A followed one is also parsed, copied and packed, while the URL before it, a Referer and
 * the first URL (parsed again) exist. */
void mote_need_add_redirect(const struct mote_need_chain *chain, const struct mote_need_first *f,
                            struct mote_ceiling *easy)
{
  size_t text = mote_ceiling_sum(chain->url, ENCODED * MOTE_HTTP1_MAX_LINE + MOTE_IDN_MAX_ASCII + 2);
  mote_ceiling_add(easy, 2, text);
  if(!chain->hops)
    return;
  mote_ceiling_add(easy, 4, mote_ceiling_sum(text, sizeof(struct mote_url)));
  mote_ceiling_add(easy, 1, f->url.block);
}

size_t mote_need_longest(size_t len, size_t hops)
{
  return mote_ceiling_sum(len, mote_ceiling_times(hops, ENCODED * MOTE_HTTP1_MAX_LINE));
}
