/* api/ssl_alias.h: one name more for curl_global_sslset(3). Each shared library has its own file of data:
 * programs built for libcurl-gnutls insist on "gnutls"; TLS is another library's all the same.
 *
 * Tests: tests/e2e/test_explored.py */
#ifndef MOTE_API_SSL_ALIAS_H
#define MOTE_API_SSL_ALIAS_H

#include <curl/curl.h>

extern const curl_ssl_backend *const mote_ssl_alias; /* NULL: none */

#endif
