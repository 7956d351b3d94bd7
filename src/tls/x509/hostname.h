/* tls/x509/hostname.h: the name of the host that a stream connects to.
 *
 * Tests: tests/unit/tls/common_tests.h, test_tls_verify.c */
#ifndef MOTE_TLS_X509_HOSTNAME_H
#define MOTE_TLS_X509_HOSTNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Returns the host without what is not part of its name: brackets, a zone id, one trailing dot. */
struct mote_slice mote_tls_bare_host(struct mote_slice host);

/* Whether a bare name is an IP address. An empty one counts as such, because no name is sent for it. */
bool mote_tls_host_is_ip(const char *host);

/* Whether the certificate (DER) is for the host, by a dNSName or an iPAddress of its subjectAltName. */
bool mote_tls_name_matches(const uint8_t *cert, size_t len, const char *host, bool is_ip);

#endif
