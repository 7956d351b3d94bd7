/* transfer/tls_config_few.c: whom to trust, and nothing else (without part tls_options). */
#include "tls/tls.h"
#include "transfer/connect.h"
#include "transfer/transfer.h"

void mote_transfer_tls_config(struct mote_transfer *t, struct mote_tls_config *cfg)
{
  const struct mote_options *o = &t->options;
  struct curl_blob blob;
  mote_tls_config_init(cfg);
  cfg->alpn = "http/1.1";
  cfg->ca_file = mote_opt_str(o, CURLOPT_CAINFO);
  if(mote_opt_blob(o, CURLOPT_CAINFO_BLOB, &blob)) {
    cfg->ca_blob.ptr = blob.data;
    cfg->ca_blob.len = blob.len;
  }
  cfg->easy = t->msg.easy_handle;
  cfg->verify_peer = mote_opt_long(o, CURLOPT_SSL_VERIFYPEER) != 0;
  cfg->verify_host = mote_opt_long(o, CURLOPT_SSL_VERIFYHOST) != 0;
}
