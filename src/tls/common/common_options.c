/* tls/common/common_options.c: options that libraries without a trust store refuse. */
#include "base/report.h"
#include "tls/common/common.h"
#include "tls/tls.h"

CURLcode mote_tls_check_version(struct mote_report *r, long version)
{
  long min = version & 0xffff;
  long max = (version >> 16) & 0xffff;
  if(min == CURL_SSLVERSION_SSLv2 || min == CURL_SSLVERSION_SSLv3)
    return mote_fail_as(CURLE_NOT_BUILT_IN, r, "SSLv%ld is not supported", min);
  if(min > CURL_SSLVERSION_TLSv1_3 || max > CURL_SSLVERSION_TLSv1_3)
    return mote_fail_as(CURLE_SSL_CONNECT_ERROR, r, "unrecognized parameter passed via CURLOPT_SSLVERSION");
  return CURLE_OK;
}

static CURLcode check_12(struct mote_report *r, long version, const char *library)
{
  long min = version & 0xffff;
  long max = (version >> 16) & 0xffff;
  CURLcode rc = mote_tls_check_version(r, version);
  if(rc)
    return rc;
  if(min <= CURL_SSLVERSION_TLSv1_2 && (max <= CURL_SSLVERSION_TLSv1 || max >= CURL_SSLVERSION_TLSv1_2))
    return CURLE_OK;
  return mote_fail_as(CURLE_SSL_CONNECT_ERROR, r, "%s speaks TLS 1.2 only, CURLOPT_SSLVERSION excludes it",
                      library);
}

static CURLcode common_options_refuse(struct mote_report *r, const struct mote_tls_config *cfg,
                                      const char *option,
                                      const char *library)
{
  const char *whose = cfg->role == MOTE_ROLE_PROXY_TLS ? "PROXY_" : "";
  return mote_fail_as(CURLE_NOT_BUILT_IN, r, "CURLOPT_%s%s is not supported with %s", whose, option, library);
}

CURLcode mote_tls_check_lacking(struct mote_report *r, const struct mote_tls_config *cfg, const char *library)
{
  const char *what = NULL;
  if(cfg->srp_user || cfg->srp_password)
    what = "TLSAUTH_USERNAME";
  else if(cfg->crl_file)
    what = "CRLFILE";
  else if(cfg->verify_status)
    what = "SSL_VERIFYSTATUS";
  else if(cfg->issuer_file || cfg->issuer_blob.ptr)
    what = "ISSUERCERT";
  return what ? common_options_refuse(r, cfg, what, library) : CURLE_OK;
}

CURLcode mote_tls_check_common(struct mote_report *r, const struct mote_tls_config *cfg, const char *library)
{
  CURLcode rc = mote_tls_check_lacking(r, cfg, library);
  if(rc)
    return rc;
  if(cfg->curves)
    return common_options_refuse(r, cfg, "SSL_EC_CURVES", library);
  if(cfg->sigalgs)
    return common_options_refuse(r, cfg, "SSL_SIGNATURE_ALGORITHMS", library);
  return check_12(r, cfg->version, library);
}
