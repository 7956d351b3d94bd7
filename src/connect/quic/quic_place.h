/* connect/quic/quic_place.h: where the attempts of QUIC go: to the addresses of the origin, which the dial
 * looks up for TCP, too, or to another place: an alternative service by HTTP/3 (RFC 7838), or what an HTTPS
 * record of DNS says (RFC 9460). The name of such a place is looked up beside the origin's, so that neither
 * waits for the other.
 *
 * CURLOPT_RESOLVER_START_FUNCTION is called for the origin's name alone.
 *
 * Ownership: the dial's, until mote_quic_place_end().
 * Errors:    those of connect/route/route.h and CURLE_OUT_OF_MEMORY. A name without addresses is none.
 * Tests:     tests/e2e/test_h3_altsvc.py */
#ifndef MOTE_CONNECT_QUIC_QUIC_PLACE_H
#define MOTE_CONNECT_QUIC_QUIC_PLACE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "connect/dial/dial_phases.h"

#define MOTE_QUIC_ADDRESSES 16u /* that are tried at most */

enum mote_quic_place_kind {
  MOTE_QUIC_ORIGIN,
  MOTE_QUIC_OTHER_PORT, /* of the origin's host */
  MOTE_QUIC_OTHER_HOST
};

struct mote_quic_place {
  struct mote_dial *dial;
  struct mote_name_wait wait;  /* for the lookup of its name */
  struct mote_answer *answer;  /* to that, a reference, or NULL */
  struct mote_answer *origin;  /* whose record the place is, a reference, or NULL */
  struct mote_addr literal;    /* its address, where it has no name; family NONE: it has one */
  mote_time look_at;           /* when the lookup begins; 0: it has, or there is none */
  uint32_t number;             /* of connections to it (connect/version.h) */
  uint16_t port;
  uint8_t kind;                /* enum mote_quic_place_kind */
  bool asked : 1;              /* the lookup is under way */
  bool found : 1;              /* the lookup has brought the answer, which a share may keep */
};

/* Addresses in the order in which they are tried. */
struct mote_quic_addrs {
  uint8_t count;
  uint8_t placed;              /* so many of them, the first ones, are of another place than the origin */
  struct mote_addr at[MOTE_QUIC_ADDRESSES];
};

/* Reports whether an HTTPS record leads the dial's owner to HTTP/3. */
bool mote_quic_place_is_in_dns(const struct mote_dial *d);
/* Finds out the place of the dial's owner, and begins the lookup of its name. *p is all zero. */
CURLcode mote_quic_place_begin(struct mote_quic_place *p, struct mote_dial *d, mote_time now);
/* Fills in the addresses. origin_known: the dial has looked up the origin's. alone: those of the origin
 * follow, as TCP will not go there. CURLE_AGAIN: wait. CURLE_OK. */
CURLcode mote_quic_place_addresses(struct mote_quic_place *p, bool origin_known, bool alone, mote_time now,
                                   struct mote_quic_addrs *out);
/* The dial has another owner. */
void mote_quic_place_own(struct mote_quic_place *p);
void mote_quic_place_end(struct mote_quic_place *p);

#endif
