/* transfer/report/info_tls.c: stores what is reported of a TLS connection after it is gone. */
#include "net/conn.h"
#include "tls/tls.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

static CURLcode info_tls_note(struct mote_transfer *t, const struct mote_stream *tls, long verify_result)
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
  const struct mote_stream *tls = mote_conn_layer(t->run->channel.conn, MOTE_ROLE_TLS);
  struct mote_tls_info facts;
  if(!tls || mote_transfer_is_internal(t)) /* the application cannot ask it */
    return CURLE_OK;
  mote_tls_get_info(tls, &facts);
  /* Usually there is nothing to store, and the block is not allocated. */
  if(!facts.verify_result && !t->run->info && !mote_opt_long(&t->options, CURLOPT_CERTINFO))
    return CURLE_OK;
  return info_tls_note(t, tls, facts.verify_result);
}

void mote_info_note_proxy_tls(struct mote_transfer *t, const struct mote_conn *c)
{
  const struct mote_stream *tls = mote_conn_layer(c, MOTE_ROLE_PROXY_TLS);
  struct mote_tls_info facts;
  struct mote_info *info;
  if(!tls)
    return;
  mote_tls_get_info(tls, &facts);
  info = facts.verify_result ? mote_info_need(t) : NULL;
  if(info)
    info->proxy_verify_result = facts.verify_result;
}
