/* codec/dns.h: DNS messages as DNS over HTTPS carries them (RFC 1035 section 4, RFC 8484): writes a query for
 * the addresses of one name, and reads the response.
 *
 * A response is used only if it answers the query: its identifier is 0, its question is the query's, and an
 * address counts only if its owner is that name or what a chain of aliases (CNAME) makes of it. Records of
 * other types and classes are passed over.
 *
 * Invariants: nothing is allocated; no byte after the message is read; a compression pointer leads to an
 *             earlier place than the part of the name before it, so that no name is endless.
 * Ownership:  everything is the caller's.
 * Errors:     enum mote_dns_result.
 * Tests:      tests/unit/codec/test_dns.c; fuzz/fuzz_dns.c */
#ifndef MOTE_CODEC_DNS_H
#define MOTE_CODEC_DNS_H

#include <stddef.h>
#include <stdint.h>

struct mote_addr;

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
  MOTE_DNS_AAAA = 28 /* RFC 3596 section 2.1 */
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

#endif
