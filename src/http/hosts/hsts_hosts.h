/* http/hosts/hsts_hosts.h: the hosts that are only reached over TLS, of a handle or a share (RFC 6797
 * section 8).
 *
 * Errors:    CURLE_OUT_OF_MEMORY; nothing has changed.
 * Threads:   as http/hosts/host_index.h.
 * Tests:     tests/unit/http/test_hsts_hosts.c */
#ifndef MOTE_HTTP_HOSTS_HSTS_HOSTS_H
#define MOTE_HTTP_HOSTS_HSTS_HOSTS_H

#include <stddef.h>

#include "http/hosts/host_index.h"

struct mote_account;
struct mote_hsts_line;

static inline void mote_hsts_hosts_init(struct mote_host_index *x, struct mote_account *account)
{
  mote_host_index_init(x, account, offsetof(struct mote_known_host, rest));
}

/* Reports whether the host, a name without a dot at its end, or a domain above it with all of its hosts, is
 * only reached over TLS. Removes an entry that has expired. now INT64_MIN: none has. */
bool mote_hsts_hosts_has(struct mote_host_index *x, struct mote_slice host, int64_t now);

/* Takes what a server has asked for, in place of what it asked for before. line->expires <= now: it is
 * forgotten. */
CURLcode mote_hsts_hosts_set(struct mote_host_index *x, const struct mote_hsts_line *line, int64_t now);

/* Takes what a file or callback says. Of a host that is there already the later time counts, for all hosts
 * under it if either says so. */
CURLcode mote_hsts_hosts_merge(struct mote_host_index *x, const struct mote_hsts_line *line, int64_t now);

/* Returns the next entry that has not expired, and how many there are. *at as in mote_host_index_walk(). */
bool mote_hsts_hosts_walk(const struct mote_host_index *x, uint32_t *at, int64_t now,
                          struct mote_hsts_line *out);
uint32_t mote_hsts_hosts_count(const struct mote_host_index *x, int64_t now);

#endif
