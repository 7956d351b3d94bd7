/* tls/config.h: what the back ends of this folder ask of a configuration.
 *
 * Tests: tests/unit/tls/test_tls_config.c, test_tls_verify.c */
#ifndef MOTE_TLS_CONFIG_H
#define MOTE_TLS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "parts.h"

#include "tls/tls.h"

/* A copy of cfg with the system's bundle and directory in their places, NULL where there is to be none.
 * Without part tls_files (config_files.c) there is nothing in files. */
#if MOTE_HAS_TLS_FILES
void mote_tls_config_resolve(struct mote_tls_config *out, const struct mote_tls_config *cfg);
#else
static inline void mote_tls_config_resolve(struct mote_tls_config *out, const struct mote_tls_config *cfg)
{
  *out = *cfg;
  out->ca_file = NULL;
  out->ca_path = NULL;
}
#endif

/* The name without what is not part of it (brackets, a zone id, one trailing dot): *host moves to where it
 * begins; its length. */
size_t mote_tls_bare_host(const char **host);
/* An address, for a bare name. An empty one counts as such: no name is sent for it. */
bool mote_tls_host_is_ip(const char *host);

#endif
