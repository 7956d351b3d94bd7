/* tls/config.h: what the back ends of this folder ask of a configuration.
 *
 * Tests: tests/unit/tls/test_tls_config.c, test_tls_verify.c */
#ifndef MOTE_TLS_CONFIG_H
#define MOTE_TLS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

struct mote_tls_config;

/* A copy of cfg with the system's bundle and directory in their places, NULL where there is to be none. */
void mote_tls_config_resolve(struct mote_tls_config *out, const struct mote_tls_config *cfg);

/* The name without what is not part of it (brackets, a zone id, one trailing dot): *host moves to where it
 * begins; its length. */
size_t mote_tls_bare_host(const char **host);
/* An address, for a bare name. An empty one counts as such: no name is sent for it. */
bool mote_tls_host_is_ip(const char *host);

#endif
