/* tests/unit/stream/wire.h: the layer below the one that is tested. It gives the answers of a peer, a few
 * bytes at a time, and keeps what was sent. */
#ifndef MOTE_TEST_STREAM_WIRE_H
#define MOTE_TEST_STREAM_WIRE_H

#include <stdbool.h>
#include <string.h>

#include "net/stream.h"

#include "test.h"

static struct wire {
  struct mote_stream stream;
  const char *answers;
  size_t len, used;       /* of the answers */
  size_t piece;           /* bytes that a call takes or gives */
  bool waits;             /* each second call waits */
  bool turn;
  size_t full_at;         /* bytes sent, from which on send waits; 0: never */
  CURLcode after;         /* what recv returns after the answers; CURLE_OK: their end */
  size_t (*ready)(void);  /* how many bytes of the answers have come; NULL: all that are left */
  char sent[2000];
  size_t sent_len;
} wire;

static struct mote_account account;
static struct mote_stream_env env;

static bool wire_waits(void)
{
  wire.turn = !wire.turn;
  return wire.waits && wire.turn;
}

static CURLcode wire_recv(struct mote_stream *s, void *buf, size_t cap, size_t *n)
{
  (void)s;
  if(wire_waits())
    return CURLE_AGAIN;
  *n = wire.ready ? wire.ready() : wire.len - wire.used;
  if(!*n && wire.after)
    return wire.after;
  if(*n > cap)
    *n = cap;
  if(*n > wire.piece)
    *n = wire.piece;
  memcpy(buf, wire.answers + wire.used, *n);
  wire.used += *n;
  return CURLE_OK;
}

static CURLcode wire_send(struct mote_stream *s, const void *buf, size_t len, size_t *n)
{
  (void)s;
  if((wire.full_at && wire.sent_len >= wire.full_at) || wire_waits())
    return CURLE_AGAIN;
  *n = len < wire.piece ? len : wire.piece;
  if(!CHECK(wire.sent_len + *n <= sizeof wire.sent))
    return CURLE_SEND_ERROR;
  memcpy(wire.sent + wire.sent_len, buf, *n);
  wire.sent_len += *n;
  return CURLE_OK;
}

static const struct mote_stream_ops wire_ops = {.recv = wire_recv, .send = wire_send};

/* Begins again, with nothing sent. The account is the one of before. */
static void wire_begin(const char *answers, size_t len, size_t piece, bool waits)
{
  memset(&wire, 0, sizeof wire);
  memset(&env, 0, sizeof env);
  env.account = &account;
  wire.stream.ops = &wire_ops;
  wire.stream.env = &env;
  wire.answers = answers;
  wire.len = len;
  wire.piece = piece;
  wire.waits = waits;
}

#endif
