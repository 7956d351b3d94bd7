/* tls/bearssl/bearssl_need.c: the most memory that a stream by BearSSL takes, which is all ours, since the
 * library takes none by itself. */
#include "base/memory/ceiling.h"
#include "tls/bearssl/bearssl.h"
#include "tls/config.h"
#include "tls/session.h"
#include "tls/x509/pin.h"
#include "tls/x509/trust.h"

/* Returns the most bytes of a certificate or key. The bytes of a file are the process's while they are
 * looked at, with the smaller block that they have outgrown. */
static size_t bearssl_need_load(struct mote_slice blob, const char *file, struct mote_ceiling *process)
{
  if(blob.ptr || !file)
    return blob.len;
  mote_ceiling_add(process, 1, MOTE_TLS_FILE_MAX);
  mote_ceiling_add(process, 1, MOTE_TLS_FILE_MAX / 2);
  return MOTE_TLS_FILE_MAX;
}

static void add_client(const struct mote_tls_config *cfg, struct mote_ceiling *conn,
                       struct mote_ceiling *process)
{
  size_t cert = bearssl_need_load(cfg->cert_blob, cfg->cert_file, process), key = cert;
  if(cfg->key_blob.ptr || cfg->key_file)
    key = bearssl_need_load(cfg->key_blob, cfg->key_file, process);
  if(cert)
    mote_bearssl_add_client(cert, key, conn);
}

void mote_bearssl_ceiling(const struct mote_tls_config *cfg, struct mote_ceiling *conn,
                          struct mote_ceiling *process)
{
  static const struct mote_slice none = {NULL, 0};
  mote_bearssl_add_buffers(conn);
  mote_ceiling_add(conn, 1, sizeof(struct mote_bearssl_peer) + MOTE_BEARSSL_ROOM);
  mote_ceiling_add(conn, 2, MOTE_BEARSSL_CERT_MAX); /* the server's own, and the one being received */
  mote_session_ceiling(conn);
  add_client(cfg, conn, process);
  if(cfg->pinned_key && mote_tls_pin_is_file(cfg->pinned_key))
    (void)bearssl_need_load(none, cfg->pinned_key, process);
  if(cfg->verify_peer && (cfg->ca_file || cfg->ca_blob.ptr))
    mote_trust_ceiling(cfg->ca_file, cfg->ca_blob, process);
}
