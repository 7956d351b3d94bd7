/* net/mux/mux.h: what a session that carries many streams on one connection reports for each of them,
 * whatever version of HTTP it speaks (RFC 9113, RFC 9114).
 *
 * A session turns bytes into events and gives each of them to the owner of its stream. How far a stream may
 * get ahead of its owner is its window (net/mux/window.h); how a head is written, net/mux/fields.h. */
#ifndef MOTE_NET_MUX_MUX_H
#define MOTE_NET_MUX_MUX_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mote_event_kind {
  MOTE_EVENT_BYTES,   /* bytes for the transfer */
  MOTE_EVENT_FIELD,   /* a field of the head or of the trailers */
  MOTE_EVENT_HEAD,    /* the end of that head, or of the trailers */
  MOTE_EVENT_CREDIT,  /* the peer takes more */
  MOTE_EVENT_END,     /* the peer has ended its side of the exchange */
  MOTE_EVENT_RESET,   /* the peer has given the exchange up */
  MOTE_EVENT_REFUSED, /* the peer has not begun with the exchange, and leaves the connection */
  MOTE_EVENT_FAILED   /* the exchange cannot go on: what the peer sent, or the end of the connection */
};

/* What a session has for one stream. */
struct mote_event {
  enum mote_event_kind kind;
  char *bytes;     /* BYTES: borrowed, and the application may change them. FIELD: the name, borrowed */
  size_t len;      /* BYTES: how many. FIELD: of the name */
  const char *value; /* FIELD: borrowed */
  size_t value_len;  /* FIELD: its bytes */
  uint32_t number; /* CREDIT: bytes; HEAD: whether the stream ends with it; END: the protocol's status; RESET:
                      the protocol's error */
  CURLcode rc;     /* FAILED: why, not CURLE_OK */
};

/* Frames in a row that bring no byte of a body and no field: a peer that sends nothing else attacks. */
#define MOTE_MUX_IDLE_FRAMES 10000u

/* Counts a frame. Returns whether there were too many of those that bring nothing. */
static inline bool mote_mux_is_flood(uint16_t *in_a_row, bool useful)
{
  *in_a_row = useful ? 0 : (uint16_t)(*in_a_row + 1);
  return *in_a_row > MOTE_MUX_IDLE_FRAMES;
}

#endif
