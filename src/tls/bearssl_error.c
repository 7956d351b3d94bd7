/* tls/bearssl_error.c: BearSSL's errors as CURLE_* and in words. */
#include "base/report.h"
#include "tls/bearssl.h"
#include "tls/common.h"

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
    return mote_bearssl_refuse(t, error);
  else if(error)
    mote_fail(r, "BearSSL: %s (%d)", engine_text(error), error);
  else
    mote_fail(r, "TLS: the server closed the connection with close_notify");
  return otherwise;
}
