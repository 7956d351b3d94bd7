/* Any bytes in any state that the reader can be in: it takes one at least, and data lies within what it
 * took. */
#include "codec/telnet.h"
#include "proof.h"

int main(void)
{
  struct mote_telnet_in in;
  struct mote_telnet_event e;
  char bytes[BOUND];
  struct mote_slice s = proof_any_slice(bytes, BOUND);
  size_t used;
  ASSUME(in.state <= 5 && in.subs <= 3);
  used = mote_telnet_feed(&in, s.ptr, s.len, &e);
  PROVE(used <= s.len && (used || !s.len));
  PROVE(e.from <= used && e.len <= used - e.from);
  PROVE(in.state <= 5 && in.subs <= 3);
  return 0;
}
