/* Any bytes of a head in any state of the reader: the state stays a possible one, and a frame's length below
 * 2^63. */
#include "codec/http/websocket.h"
#include "proof.h"

static bool proof_websocket_holds(const struct mote_websocket_reader *r)
{
  unsigned length = r->head[1] & 127u;
  size_t needs = r->head_len < 2 ? 2 : length == 127 ? 10 : length == 126 ? 4 : 2;
  unsigned opcode = r->head[0] & 15u;
  bool control = opcode >= MOTE_WEBSOCKET_CLOSE;
  if(r->head_len >= 1 && (r->head[0] & 0x70u || opcode > MOTE_WEBSOCKET_PONG || (opcode > 2 && !control) ||
                          (!opcode && !r->message)))
    return false;
  if(r->head_len >= 2 && control && length > MOTE_WEBSOCKET_CONTROL)
    return false;
  return r->head_len < needs && r->size <= INT64_MAX && r->message <= MOTE_WEBSOCKET_BINARY;
}

int main(void)
{
  struct mote_websocket_reader r;
  char bytes[BOUND];
  struct mote_slice s = proof_any_slice(bytes, BOUND);
  enum mote_websocket_why why;
  size_t used;
  ASSUME(proof_websocket_holds(&r) && !r.in_frame);
  why = mote_websocket_head(&r, s.ptr, s.len, &used);
  PROVE(used <= s.len);
  if(why) {
    PROVE(mote_websocket_why_text(why) != NULL);
    return 0;
  }
  PROVE(proof_websocket_holds(&r));
  PROVE(r.in_frame || used == s.len);
  if(r.in_frame) {
    PROVE(r.left == r.size && (r.opcode <= MOTE_WEBSOCKET_BINARY || r.size <= MOTE_WEBSOCKET_CONTROL));
    (void)mote_websocket_flags(&r);
  }
  return 0;
}
