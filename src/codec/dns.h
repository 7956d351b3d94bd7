/* codec/dns.h: DNS messages as DNS over HTTPS carries them (RFC 1035 section 4, RFC 8484): writes a query for
 * the addresses of one name, or for the services of HTTPS there (RFC 9460), and reads the response.
 *
 * A response is used only if it answers the query: its identifier is 0, its question is the query's, and an
 * address counts only if its owner is that name or what a chain of aliases (CNAME) makes of it. Records of
 * other types and classes are passed over.
 *
 * Invariants: nothing is allocated; no byte after the message is read; a compression pointer leads to an
 *             earlier place than the part of the name before it, so that no name is endless.
 * Ownership:  everything is the caller's.
 * Errors:     enum mote_dns_result.
 * Tests:      tests/unit/codec/test_dns.c, test_dns_https.c; fuzz/fuzz_dns.c, fuzz_dns_https.c */
#ifndef MOTE_CODEC_DNS_H
#define MOTE_CODEC_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port/addr.h"

/* Bytes of the longest query: header, name (RFC 1035 section 2.3.4), type and class. */
#define MOTE_DNS_QUERY_MAX (12u + 255u + 4u)
/* Bytes of the longest response that is read. 100 addresses and ten aliases fit in. */
#define MOTE_DNS_RESPONSE_MAX 4096u
/* Aliases that lead from the name to its addresses. Resolvers give up at 8 to 16. */
#define MOTE_DNS_ALIASES 16u
/* Records of a response, so that a message of the shortest ones costs no more than one of addresses. */
#define MOTE_DNS_RECORDS 256u

enum mote_dns_type {
  MOTE_DNS_A = 1,    /* RFC 1035 section 3.4.1 */
  MOTE_DNS_AAAA = 28, /* RFC 3596 section 2.1 */
  MOTE_DNS_HTTPS = 65 /* RFC 9460 section 9 */
};

enum mote_dns_result {
  MOTE_DNS_OK,       /* the response is good, with or without addresses */
  MOTE_DNS_NO_NAME,  /* the name does not exist (NXDOMAIN) */
  MOTE_DNS_REFUSED,  /* the server could not answer: any other response code */
  MOTE_DNS_SHORT,    /* the message ends too early; more bytes may make it whole */
  MOTE_DNS_MALFORMED /* no response to this query, or over one of the ceilings above */
};

/* What responses have brought so far. The caller makes it, and may pass it to several reads. */
struct mote_dns_found {
  struct mote_addr *addrs; /* the caller's room; ports are 0 */
  size_t max;              /* addresses for which there is room; others are left out */
  size_t count;            /* addresses found */
  uint32_t ttl;            /* seconds that all of them may be kept; UINT32_MAX before the first */
};

/* Writes the query for the addresses of `name`, with or without a dot at its end. The identifier is 0
 * (RFC 8484 section 4.1). Returns its length. 0: the text is no name of DNS (an empty label, or one over 63
 * bytes, or over 255 bytes in all). */
size_t mote_dns_query(const char *name, size_t name_len, enum mote_dns_type type,
                      uint8_t out[MOTE_DNS_QUERY_MAX]);

/* Makes the query, written by mote_dns_query(), one for another type. */
void mote_dns_set_type(uint8_t *query, size_t query_len, enum mote_dns_type type);

/* Reads a whole response to that query and adds its addresses. *found is only changed for MOTE_DNS_OK. */
enum mote_dns_result mote_dns_read(const uint8_t *message, size_t len, const uint8_t *query,
                                   size_t query_len, struct mote_dns_found *found);

/* ---- dns_https.c: with part h3 ---- */

#define MOTE_DNS_HINTS 8u /* addresses of a record; more would only be tried after many seconds */

/* A service that speaks HTTP/3. */
struct mote_dns_service {
  uint16_t port;          /* 0: that of the URL */
  uint8_t target_len;     /* bytes; 0: it is at the addresses of the name that was asked for */
  uint8_t hints;          /* addresses of the target, as its record has them; ports are 0 */
  uint32_t ttl;           /* seconds that the record may be kept */
  struct mote_addr hint[MOTE_DNS_HINTS];
  char target[256];       /* its host, in small letters, without a dot at its end */
};

/* Writes the query for the services of HTTPS of a name at a port, as mote_dns_query() does. The records of
 * another port than 443 have a name of their own (RFC 9460 section 9.1). */
size_t mote_dns_query_service(const char *name, size_t name_len, uint16_t port,
                              uint8_t out[MOTE_DNS_QUERY_MAX]);

/* Reads a whole response to a query for HTTPS records. *out is the service of the first priority among those
 * that speak "h3" and need nothing that is not understood here (RFC 9460 sections 2.4.3 and 8). *found: there
 * is one. Records that are aliases are followed as far as the response goes. One malformed record makes the
 * response MOTE_DNS_MALFORMED (section 2.2). *found and *out are only changed for MOTE_DNS_OK. */
enum mote_dns_result mote_dns_read_service(const uint8_t *message, size_t len, const uint8_t *query,
                                           size_t query_len, struct mote_dns_service *out, bool *found);

#endif
