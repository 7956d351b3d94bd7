/* tls/openssl_init.c: the TLS library itself: initialising it, its version, its errors in words.
 *
 * The system's openssl.cnf is honoured (it sets policies: protocol versions, security level, FIPS);
 * reading it costs some 800 allocations that are given back at once. The texts of libcrypto's errors are not
 * loaded (42 KB for the life of the process); libssl's are (8 KB), so that a failed handshake says why. */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <string.h>

#include "base/format.h"
#include "port/port.h"
#include "tls/openssl.h"

CURLcode mote_openssl_init(void)
{
  static bool ready;
  if(ready)
    return CURLE_OK;
  ready = OPENSSL_init_ssl(OPENSSL_INIT_LOAD_CONFIG | OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS, NULL) == 1 &&
          mote_openssl_bio_init();
  return ready ? CURLE_OK : CURLE_FAILED_INIT;
}

const char *mote_openssl_error(char buf[MOTE_OPENSSL_ERROR])
{
  unsigned long e = ERR_get_error();
  const char *reason = e ? ERR_reason_error_string(e) : NULL;
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

curl_sslbackend mote_tls_backend(void)
{
  return CURLSSLBACKEND_OPENSSL;
}

const char *mote_tls_version(void)
{
  static struct mote_mutex lock;
  static char text[32];
  mote_port_lock(&lock);
  if(!text[0])
    mote_snprintf(text, sizeof text, "OpenSSL/%s", OpenSSL_version(OPENSSL_VERSION_STRING));
  mote_port_unlock(&lock);
  return text;
}
