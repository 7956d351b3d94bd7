/* tls/bearssl_error.c: BearSSL's errors as CURLE_* and in words. */
#include "base/report.h"
#include "tls/bearssl.h"
#include "tls/common.h"

/* What other libraries say in CURLINFO_SSL_VERIFYRESULT (X509_V_ERR_*). */
enum {
  V_UNSPECIFIED = 1,
  V_BAD_SIGNATURE = 7,
  V_EXPIRED = 10,
  V_NO_ISSUER = 20,
  V_WEAK_KEY = 67,
  V_NOT_CA = 79
};

static const struct {
  uint8_t error;  /* BR_ERR_X509_* */
  uint8_t result; /* X509_V_ERR_* */
} results[] = {
  {BR_ERR_X509_EXPIRED, V_EXPIRED},
  {BR_ERR_X509_NOT_TRUSTED, V_NO_ISSUER},
  {BR_ERR_X509_BAD_SIGNATURE, V_BAD_SIGNATURE},
  {BR_ERR_X509_DN_MISMATCH, V_NO_ISSUER},
  {BR_ERR_X509_NOT_CA, V_NOT_CA},
  {BR_ERR_X509_WEAK_PUBLIC_KEY, V_WEAK_KEY},
};

static const struct {
  uint8_t error; /* BR_ERR_X509_* */
  const char *text;
} certificate_errors[] = {
  {BR_ERR_X509_EXPIRED, "certificate has expired or is not yet valid"},
  {BR_ERR_X509_NOT_TRUSTED, "unable to get local issuer certificate"},
  {BR_ERR_X509_BAD_SIGNATURE, "certificate signature failure"},
  {BR_ERR_X509_DN_MISMATCH, "the certificates of the chain do not follow each other"},
  {BR_ERR_X509_NOT_CA, "invalid CA certificate"},
  {BR_ERR_X509_WEAK_PUBLIC_KEY, "key too small"},
  {BR_ERR_X509_FORBIDDEN_KEY_USAGE, "the key may not be used for this"},
  {BR_ERR_X509_CRITICAL_EXTENSION, "unhandled critical extension"},
  {BR_ERR_X509_UNSUPPORTED, "algorithm not supported"},
  {BR_ERR_X509_LIMIT_EXCEEDED, "key or signature too large"},
  {BR_ERR_X509_EMPTY_CHAIN, "the server sent no certificate"},
  {BR_ERR_X509_TIME_UNKNOWN, "the time is not known"},
};

static const struct {
  uint8_t error; /* BR_ERR_* */
  const char *text;
} engine_errors[] = {
  {BR_ERR_UNSUPPORTED_VERSION, "no TLS, or a version that BearSSL does not speak"},
  {BR_ERR_BAD_VERSION, "a record of another version"},
  {BR_ERR_BAD_LENGTH, "bad record length"},
  {BR_ERR_TOO_LARGE, "record too large"},
  {BR_ERR_BAD_MAC, "bad record MAC"},
  {BR_ERR_NO_RANDOM, "no entropy"},
  {BR_ERR_UNEXPECTED, "unexpected message"},
  {BR_ERR_BAD_CIPHER_SUITE, "the server chose a suite that was not offered"},
  {BR_ERR_BAD_FRAGLEN, "the server answered with another record size"},
  {BR_ERR_BAD_FINISHED, "bad Finished message"},
  {BR_ERR_BAD_SIGNATURE, "bad signature of the key exchange"},
  {BR_ERR_WRONG_KEY_USAGE, "the server's key does not fit the suite"},
  {BR_ERR_NO_CLIENT_AUTH, "no usable client certificate"},
  {BR_ERR_INVALID_ALGORITHM, "algorithm not supported"},
  {BR_ERR_RESUME_MISMATCH, "the resumed session does not match"},
};

static inline const char *certificate_text(int error)
{
  size_t i;
  for(i = 0; i < sizeof certificate_errors / sizeof *certificate_errors; i++)
    if(certificate_errors[i].error == error)
      return certificate_errors[i].text;
  return "malformed certificate";
}

static CURLcode bad_certificate(struct mote_bearssl *t, int error)
{
  size_t i;
  t->head.verify_result = V_UNSPECIFIED;
  for(i = 0; i < sizeof results / sizeof *results; i++)
    if(results[i].error == error)
      t->head.verify_result = results[i].result;
  if(error == BR_ERR_X509_BAD_SERVER_NAME)
    mote_fail(t->head.stream.env->report,
              "SSL: no alternative certificate subject name matches target host name '%s'", t->text);
  else
    mote_fail(t->head.stream.env->report, "SSL certificate problem: %s (%d)", certificate_text(error), error);
  return CURLE_PEER_FAILED_VERIFICATION;
}

static inline const char *engine_text(int error)
{
  size_t i;
  for(i = 0; i < sizeof engine_errors / sizeof *engine_errors; i++)
    if(engine_errors[i].error == error)
      return engine_errors[i].text;
  return "protocol error";
}

CURLcode mote_bearssl_failed(struct mote_bearssl *t, CURLcode otherwise)
{
  int error = br_ssl_engine_last_error(&t->cc.eng);
  struct mote_report *r = t->head.stream.env->report;
  t->head.dead = true;
  if(t->peer && t->peer->rc)
    return t->peer->rc; /* told */
  if(error >= BR_ERR_SEND_FATAL_ALERT)
    mote_fail(r, "BearSSL: we refused: %s (%d)", mote_tls_alert_text(error - BR_ERR_SEND_FATAL_ALERT), error);
  else if(error >= BR_ERR_RECV_FATAL_ALERT)
    mote_fail(r, "BearSSL: the server refused: %s (%d)",
              mote_tls_alert_text(error - BR_ERR_RECV_FATAL_ALERT), error);
  else if(error > BR_ERR_X509_OK)
    return bad_certificate(t, error);
  else if(error)
    mote_fail(r, "BearSSL: %s (%d)", engine_text(error), error);
  else
    mote_fail(r, "TLS: the server closed the connection with close_notify");
  return otherwise;
}
