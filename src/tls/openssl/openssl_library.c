/* tls/openssl/openssl_library.c: the TLS library in the process: initialising it, its version, its errors in
 * words, its secrets in SSLKEYLOGFILE.
 *
 * The system's openssl.cnf is honoured (it sets policies: protocol versions, security level, FIPS); reading
 * it costs some 800 allocations that are given back at once. The texts of libcrypto's errors are not loaded
 * (42 KB for the life of the process); libssl's are (8 KB), so that a failed handshake says why. */
#include <openssl/crypto.h>
#include <openssl/asn1err.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <string.h>

#include "base/text/format.h"
#include "port/env.h"
#include "port/file.h"
#include "port/lock.h"
#include "tls/openssl/openssl.h"

CURLcode mote_openssl_init(void)
{
  static struct mote_mutex lock;
  static bool ready;
  CURLcode rc;
  mote_port_lock(&lock);
  if(!ready)
    ready = OPENSSL_init_ssl(OPENSSL_INIT_LOAD_CONFIG | OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS, NULL) == 1 &&
            mote_openssl_bio_init() && mote_openssl_quic_init();
  rc = ready ? CURLE_OK : CURLE_FAILED_INIT;
  mote_port_unlock(&lock);
  return rc;
}

/* The reasons of libcrypto that a wrong file or password leads to; its own texts are not loaded. */
static const char *reason_of(unsigned long e)
{
  static const struct {
    int library;
    int reason;
    const char *text;
  } known[] = {
    { ERR_LIB_PEM, PEM_R_NO_START_LINE, "no start line" },
    { ERR_LIB_PEM, PEM_R_BAD_BASE64_DECODE, "bad base64 decode" },
    { ERR_LIB_PEM, PEM_R_BAD_END_LINE, "bad end line" },
    { ERR_LIB_PEM, PEM_R_BAD_DECRYPT, "bad decrypt" },
    { ERR_LIB_EVP, EVP_R_BAD_DECRYPT, "bad decrypt" },
    { ERR_LIB_PKCS12, PKCS12_R_MAC_VERIFY_FAILURE, "mac verify failure" },
    { ERR_LIB_ASN1, ASN1_R_NOT_ENOUGH_DATA, "not enough data" },
    { ERR_LIB_ASN1, ASN1_R_WRONG_TAG, "wrong tag" },
    { ERR_LIB_X509, X509_R_KEY_VALUES_MISMATCH, "key values mismatch" },
  };
  size_t i;
  for(i = 0; i < sizeof known / sizeof *known; i++)
    if(ERR_GET_LIB(e) == known[i].library && ERR_GET_REASON(e) == known[i].reason)
      return known[i].text;
  return e ? ERR_reason_error_string(e) : NULL;
}

const char *mote_openssl_error(char buf[MOTE_OPENSSL_ERROR])
{
  unsigned long e = ERR_get_error();
  const char *reason = reason_of(e);
  const char *library = e && ERR_GET_LIB(e) == ERR_LIB_SSL ? "SSL routines" : NULL;
  char number[32];
  if(!library)
    library = e ? ERR_lib_error_string(e) : NULL;
  if(!reason) {
    mote_snprintf(number, sizeof number, "reason(%d)", ERR_GET_REASON(e));
    reason = number;
  }
  if(e)
    mote_snprintf(buf, MOTE_OPENSSL_ERROR, "error:%08lX:%s::%s", e, library ? library : "", reason);
  else
    mote_snprintf(buf, MOTE_OPENSSL_ERROR, "unknown error");
  ERR_clear_error();
  return buf;
}

const char *mote_openssl_version(void)
{
  static struct mote_mutex lock;
  static char text[32];
  mote_port_lock(&lock);
  if(!text[0])
    mote_snprintf(text, sizeof text, "OpenSSL/%s", OpenSSL_version(OPENSSL_VERSION_STRING));
  mote_port_unlock(&lock);
  return text;
}

/* Appends one line at a time, so that processes may share the file. A line that cannot be written is lost. */
static void log_secret(const SSL *ssl, const char *line)
{
  char text[512];
  const char *path = mote_port_getenv("SSLKEYLOGFILE");
  size_t len = strlen(line);
  int file;
  (void)ssl;
  if(!path || len >= sizeof text || mote_port_file_open(path, MOTE_FILE_APPEND, 0600, &file))
    return;
  memcpy(text, line, len);
  text[len] = '\n';
  (void)mote_port_file_write(file, text, len + 1);
  (void)mote_port_file_close(file);
  OPENSSL_cleanse(text, sizeof text);
}

void mote_openssl_log_secrets(SSL_CTX *c)
{
  const char *path = mote_port_getenv("SSLKEYLOGFILE");
  if(path && path[0])
    SSL_CTX_set_keylog_callback(c, log_secret);
}
