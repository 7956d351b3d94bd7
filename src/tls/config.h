/* tls/config.h: what the back ends of this folder ask of a configuration.
 *
 * Tests: tests/unit/tls/test_tls_config.c, test_tls_verify.c */
#ifndef MOTE_TLS_CONFIG_H
#define MOTE_TLS_CONFIG_H

struct mote_tls_config;

/* A copy of cfg with the system's bundle and directory in their places, NULL where there is to be none. */
void mote_tls_config_resolve(struct mote_tls_config *out, const struct mote_tls_config *cfg);

#endif
