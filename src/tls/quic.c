/* tls/quic.c: streams of TLS whose messages QUIC carries (tls/tls.h). */
#include "tls/backend.h"
#include "tls/tls.h"

void mote_tls_carry(struct mote_stream *tls, struct mote_quic_carrier *carrier)
{
  mote_tls_row(tls)->carry(tls, carrier);
}

void mote_tls_give_back(struct mote_stream *tls)
{
  mote_tls_row(tls)->give_back(tls);
}

struct mote_quic_carrier *mote_tls_carrier(const struct mote_stream *tls)
{
  const struct mote_tls_backend *b = mote_tls_row(tls);
  return b->carrier ? b->carrier(tls) : NULL;
}
