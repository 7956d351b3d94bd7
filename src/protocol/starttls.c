/* protocol/starttls.c: TLS that begins within a conversation (protocol/starttls.h). */
#include "protocol/starttls.h"

#include "connect/dial/dial.h"
#include "net/conn.h"
#include "transfer/transfer.h"

bool mote_starttls_is_wanted(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_USE_SSL) != CURLUSESSL_NONE &&
         !mote_conn_has_tls(t->run->channel.conn);
}

CURLcode mote_starttls_begin(struct mote_transfer *t, struct mote_talk *talk)
{
  (void)talk;
  return mote_dial_upgrade(t);
}

CURLcode mote_starttls_do_without(struct mote_transfer *t, struct mote_talk *talk, unsigned stage)
{
  if(mote_opt_long(&t->options, CURLOPT_USE_SSL) <= CURLUSESSL_TRY)
    return mote_talk_go(talk, stage);
  return mote_talk_failed(t, CURLE_USE_SSL_FAILED,
                          "The server does not begin TLS, which CURLOPT_USE_SSL requires");
}
