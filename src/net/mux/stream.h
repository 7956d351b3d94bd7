/* net/mux/stream.h: one stream of a session, and a piece of what is sent on it, whatever version of HTTP that
 * is.
 *
 * Ownership: the session's owner embeds the stream. It is in the session's list from join to leave.
 * Tests:     tests/unit/net/test_h2_session.c */
#ifndef MOTE_NET_MUX_STREAM_H
#define MOTE_NET_MUX_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stream of ours, or one that the peer has promised. */
struct mote_mux_stream {
  struct mote_mux_stream *next;  /* in the session's list */
  struct mote_mux_stream **link; /* what points to this one */
  int32_t id;                    /* HTTP/2: 0: not open yet */
  bool heard : 1;                /* something of a response has come */
  bool reset : 1;                /* the peer has given it up */
  bool closed : 1;               /* the session knows it no longer */
  bool deferred : 1;             /* the body is not asked for until the owner says that it goes on */
  bool early : 1;                /* the request went as early data (net/h3/early.h) */
};

/* Puts it in front of the list. */
static inline void mote_mux_join(struct mote_mux_stream **list, struct mote_mux_stream *s)
{
  s->next = *list;
  s->link = list;
  if(s->next)
    s->next->link = &s->next;
  *list = s;
}

static inline void mote_mux_leave(struct mote_mux_stream *s)
{
  *s->link = s->next;
  if(s->next)
    s->next->link = s->link;
}

/* A piece of a request's body. */
struct mote_mux_piece {
  char *room;
  size_t most;   /* bytes of the room */
  size_t len;    /* bytes that were written, out */
  bool end;      /* they are the last ones, out */
  bool trailers; /* with `end`: trailers were submitted, out */
};

#endif
