/* api/ssl_alias_gnutls.c: for libcurl-gnutls. */
#include "api/ssl_alias.h"

static const curl_ssl_backend gnutls = {CURLSSLBACKEND_GNUTLS, "gnutls"};

const curl_ssl_backend *const mote_ssl_alias = &gnutls;
