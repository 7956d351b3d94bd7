/* transfer/report/info_tls.c: stores what is reported of a TLS connection after it is gone. */
#include "net/conn.h"
#include "net/stream.h"
#include "tls/tls.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

static CURLcode info_tls_keep_certificates(struct mote_transfer *t, const struct mote_stream *tls)
{
  struct mote_info *info = mote_info_need(t);
  if(!info)
    return CURLE_OUT_OF_MEMORY;
  mote_tls_certinfo_free(&t->account, info->certinfo);
  info->certinfo = NULL;
  return mote_tls_certinfo(tls, &t->account, &info->certinfo);
}

void mote_info_note_verify(struct mote_transfer *t, const struct mote_stream *tls)
{
  struct mote_tls_info facts;
  mote_tls_get_info(tls, &facts);
  t->run->stats.verify_result = (uint16_t)facts.verify_result;
}

CURLcode mote_info_note_tls(struct mote_transfer *t)
{
  const struct mote_stream *tls = mote_conn_layer(t->run->channel.conn, MOTE_ROLE_TLS);
  if(!tls || mote_transfer_is_internal(t)) /* the application cannot ask it */
    return CURLE_OK;
  mote_info_note_verify(t, tls);
  return mote_opt_long(&t->options, CURLOPT_CERTINFO) ? info_tls_keep_certificates(t, tls) : CURLE_OK;
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
