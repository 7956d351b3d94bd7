/* connect/race.h: gets from a host name to one socket, first by the lookup, then by the attempts (RFC 8305,
 * happy eyeballs).
 *
 * A literal address or a Unix socket needs no race, because the connection's own watch suffices. For a name,
 * struct mote_race exists from the lookup until a socket has won. Two lanes (the family of the first address,
 * and the other family) each try their addresses in turn. The second lane starts after
 * CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, or when the first has no address left. The first connected socket
 * becomes the connection's.
 *
 * mote_race_step() and mote_race_stop() are in connect/dial.h.
 *
 * Ownership: the run owns struct mote_race.
 * Tests:     tests/e2e/test_connect.py */
#ifndef MOTE_CONNECT_RACE_H
#define MOTE_CONNECT_RACE_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/time.h"
#include "net/names.h"
#include "net/waitset.h"
#include "parts.h"

struct mote_transfer;

struct mote_lane {
  struct mote_watch watch;  /* watches the current attempt; fd is CURL_SOCKET_BAD without one */
  mote_time give_up;        /* when the next address is tried; 0: there is none */
  uint16_t next;            /* index into the answer at which the search for the next address starts */
  uint16_t current;         /* index of the current attempt */
  uint8_t family;           /* enum mote_family; NONE: no address to try */
  bool started;
};

struct mote_race {
  struct mote_transfer *owner;
  struct mote_name_wait wait; /* for the current lookup */
  struct mote_answer *answer; /* a reference to the addresses, or NULL */
  CURLcode result;            /* of the lookup, CURLE_OK until it fails */
  bool asked;                 /* a lookup is under way */
  bool begun;                 /* the lanes are set up */
  mote_time second_at;        /* when the second lane starts; 0: it has started, or does not exist */
  struct mote_lane lanes[2];
};

/* Makes run->race if there is none. CURLE_OUT_OF_MEMORY. */
CURLcode mote_race_make(struct mote_transfer *t);

#endif
