/* http/altsvc/altsvc_rest.h: places of alternative services at which QUIC has failed, and which rest for a
 * while: five minutes, then twice as long each time, until it has worked there.
 *
 * A place is an entry of the index of alternative services (http/altsvc/altsvc_hosts.h) under its own host,
 * offered by MOTE_ALTSVC_NONE. So it outlives what the origin offers again, is never found as a service, and
 * is in no file. Its priority is how often it has failed.
 *
 * Errors: what there is no memory for does not rest.
 * Tests:  tests/unit/http/test_altsvc_rest.c, tests/e2e/test_h3_altsvc.py */
#ifndef MOTE_HTTP_ALTSVC_ALTSVC_REST_H
#define MOTE_HTTP_ALTSVC_ALTSVC_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/files/altsvc.h"
#include "http/altsvc/altsvc_hosts.h"
#include "parts.h"

struct mote_elsewhere;

enum {
  MOTE_ALTSVC_REST = 300,            /* seconds, the first time */
  MOTE_ALTSVC_REST_DOUBLINGS = 9,    /* at most: 43 hours */
  MOTE_ALTSVC_REST_KNOWN = 48 * 3600 /* seconds after a rest; so long the next failure doubles it */
};

#if MOTE_HAS_H3

/* QUIC has failed at the place of an alternative, at that time (Unix time in seconds). */
void mote_altsvc_rest(struct mote_host_index *x, struct mote_slice host, uint16_t port, int64_t now);
/* It has worked there. */
void mote_altsvc_rest_end(struct mote_host_index *x, struct mote_slice host, uint16_t port);
/* Notes what has become of QUIC at the place, once. */
void mote_altsvc_note_place(struct mote_host_index *x, struct mote_elsewhere *to);
/* Reports whether the place of an alternative rests. now INT64_MIN: none does. */
bool mote_altsvc_rests(const struct mote_host_index *x, const struct mote_altsvc_host *h, int64_t now);

#else
#define mote_altsvc_note_place(x, to) ((void)(x), (void)(to))
#define mote_altsvc_rests(x, h, now) false
#endif

/* Reports whether the entry is the place of one that has failed. */
static inline bool mote_altsvc_is_rest(const struct mote_altsvc_host *h)
{
  return MOTE_HAS_H3 && h->protocol == MOTE_ALTSVC_NONE;
}

#endif
