/* api/ssl_alias.c: no other name. */
#include "api/ssl_alias.h"

const curl_ssl_backend *const mote_ssl_alias = NULL;
