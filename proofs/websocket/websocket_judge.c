/* Any bytes of a text, cut anywhere: nothing past them is read, and what is due stays below four bytes. */
#include "codec/http/websocket.h"
#include "proof.h"

int main(void)
{
  struct mote_websocket_reader r;
  char bytes[BOUND];
  struct mote_slice s = proof_any_slice(bytes, BOUND);
  ASSUME(r.due <= 3 && r.left >= s.len);
  if(mote_websocket_judge(&r, s.ptr, s.len) == MOTE_WEBSOCKET_OK) {
    PROVE(r.due <= 3);
    mote_websocket_took(&r, s.len);
  }
  return 0;
}
