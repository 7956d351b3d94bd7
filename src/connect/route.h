/* connect/target.h: the host that a request connects to, which is the URL's unless CURLOPT_CONNECT_TO or a
 * Unix socket replaces it.
 *
 * Tests: tests/e2e/test_names.py, test_connect.py */
#ifndef MOTE_CONNECT_ROUTE_H
#define MOTE_CONNECT_ROUTE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "net/names.h"
#include "parts.h"

struct mote_transfer;

struct mote_target_host {
  struct mote_slice host; /* borrowed from the URL (ACE form) or the option; with zone id, without brackets */
  uint16_t port;
  bool redirected;        /* CONNECT_TO has replaced the URL's host or port */
};

/* Finds the host. CURLE_SETOPT_OPTION_SYNTAX: a CONNECT_TO line is malformed. */
CURLcode mote_target_host(struct mote_transfer *t, struct mote_target_host *out);

/* Returns the only family that CURLOPT_IPRESOLVE allows (4 or 6), or 0 for any. */
uint8_t mote_target_family(const struct mote_transfer *t);

/* Returns the query for the host's addresses. */
struct mote_name_query mote_target_query(const struct mote_transfer *t, const struct mote_target_host *target,
                                         mote_time now);

/* Returns CURLOPT_UNIX_SOCKET_PATH or CURLOPT_ABSTRACT_UNIX_SOCKET, or NULL. */
const char *mote_target_unix(const struct mote_transfer *t);
bool mote_target_unix_abstract(const struct mote_transfer *t);

/* Writes the verbose line for a new connection (run->stats.primary, run->stats.conn_id). */
#if MOTE_HAS_VERBOSE
void mote_target_report(struct mote_transfer *t);
#else
#define mote_target_report(t) ((void)(t))
#endif

#endif
