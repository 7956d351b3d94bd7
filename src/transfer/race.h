/* transfer/race.h: from a host name to one socket: the lookup, then the attempts (RFC 8305, happy
 * eyeballs).
 *
 * A literal address or a Unix socket needs none of this: the connection's own watch does the work. For a
 * name struct mote_race exists from the lookup until a socket has won: two lanes (the family of the first
 * address, and the other one) each try their addresses in turn; the second lane starts after
 * CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS or when the first has nothing left. The first connected socket becomes
 * the connection's.
 *
 * What goes on with it: mote_race_step() and mote_race_stop() (transfer/connect.h).
 *
 * Ownership: struct mote_race is the run's.
 * Tests:     tests/e2e/test_connect.py */
#ifndef MOTE_TRANSFER_RACE_H
#define MOTE_TRANSFER_RACE_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/time.h"
#include "net/names.h"
#include "net/waitset.h"
#include "parts.h"

struct mote_transfer;

struct mote_lane {
  struct mote_watch watch;  /* of the attempt under way; fd CURL_SOCKET_BAD: none */
  mote_time give_up;        /* when the next address is tried; 0: this is the last one */
  uint16_t next;            /* index into the answer where the search for the next address goes on */
  uint16_t current;         /* index of the attempt under way */
  uint8_t family;           /* enum mote_family; NONE: nothing to try */
  bool started;
};

struct mote_race {
  struct mote_transfer *owner;
  struct mote_name_wait wait; /* for the lookup under way */
  struct mote_answer *answer; /* addresses, a reference; or NULL */
  CURLcode result;            /* of the lookup, CURLE_OK until it fails */
  bool asked;                 /* a lookup is under way */
  bool begun;                 /* the lanes are set up */
  mote_time second_at;        /* when the second lane starts; 0: it has, or there is none */
  struct mote_lane lanes[2];
};

/* run->race, made when there is none. CURLE_OUT_OF_MEMORY. */
CURLcode mote_race_make(struct mote_transfer *t);

#endif
