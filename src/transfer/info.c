/* transfer/info.c: answers of curl_easy_getinfo() that need a place. */
#include "transfer/info.h"

#include "base/memory.h"
#include "net/conn.h"
#include "tls/tls.h"
#include "transfer/transfer.h"

struct mote_info *mote_info_need(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(!r->info)
    r->info = mote_mem_zalloc(&t->account, MOTE_PART_TRANSFER, sizeof *r->info);
  return r->info;
}

static CURLcode note(struct mote_transfer *t, const struct mote_stream *tls, long verify_result)
{
  struct mote_info *info = mote_info_need(t);
  if(!info)
    return CURLE_OUT_OF_MEMORY;
  info->verify_result = verify_result;
  if(!mote_opt_long(&t->options, CURLOPT_CERTINFO))
    return CURLE_OK;
  mote_tls_certinfo_free(&t->account, info->certinfo);
  info->certinfo = NULL;
  return mote_tls_certinfo(tls, &t->account, &info->certinfo);
}

CURLcode mote_info_note_tls(struct mote_transfer *t)
{
  const struct mote_stream *tls = t->run->conn->tls;
  struct mote_tls_info facts;
  if(!tls)
    return CURLE_OK;
  mote_tls_get_info(tls, &facts);
  /* Most often there is nothing to note, and no block to be made for it. */
  if(!facts.verify_result && !t->run->info && !mote_opt_long(&t->options, CURLOPT_CERTINFO))
    return CURLE_OK;
  return note(t, tls, facts.verify_result);
}

void mote_info_forget(struct mote_transfer *t, const struct mote_run *r)
{
  struct mote_info *info = r->info;
  if(!info)
    return;
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, info->url, info->url_size);
  mote_tls_certinfo_free(&t->account, info->certinfo);
  info->url = NULL;
  info->url_size = 0;
  info->certinfo = NULL;
  info->verify_result = 0;
}

void mote_info_close(struct mote_transfer *t)
{
  mote_info_forget(t, t->run);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, t->run->info, sizeof *t->run->info);
  t->run->info = NULL;
}
