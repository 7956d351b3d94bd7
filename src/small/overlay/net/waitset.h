/* small/overlay/net/waitset.h: the descriptor that the one transfer waits for. There is one watch at a time,
 * no wake-up by other threads, and no application that watches (small/waitset.c).
 *
 * Failure: only a wait can fail. */
#ifndef MOTE_NET_WAITSET_H
#define MOTE_NET_WAITSET_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

struct mote_watch {
  curl_socket_t fd; /* CURL_SOCKET_BAD: not in a set */
  void (*ready)(struct mote_watch *w, unsigned events); /* events: MOTE_WANT_* */
  void *user;       /* the transfer that waits (struct mote_transfer *), or NULL */
  uint8_t want;     /* MOTE_WANT_* now */
};

struct mote_waitset {
  struct mote_watch *only; /* or NULL */
};

void mote_watch_add(struct mote_waitset *set, struct mote_watch *w, curl_socket_t fd);
void mote_watch_remove(struct mote_waitset *set, struct mote_watch *w);
#define mote_watch_want(set, w, interest) ((void)(set), (w)->want = (uint8_t)(interest), (CURLcode)CURLE_OK)

/* Waits at most that long and calls `ready` for an event. CURLM_UNRECOVERABLE_POLL. */
CURLMcode mote_waitset_look(struct mote_waitset *set, int timeout_ms);

#endif
