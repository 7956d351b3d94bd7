/* A writer in any state over a block of any size, and any piece: it never passes the block's end, and `cut`
 * stays. */
#include <stdlib.h>

#include "base/out.h"
#include "proof.h"

int main(void)
{
  size_t room = proof_any_up_to(SIZE_MAX / 4), n = proof_any_up_to(SIZE_MAX / 4);
  char *block = malloc(room), *piece = malloc(n);
  struct mote_out o = mote_out_in(block, room);
  struct mote_out before;
  ASSUME(block && piece);
  o.len = proof_any_up_to(room);
  o.cut = nondet_bool();
  before = o;
  switch(nondet_u8()) {
  case 0:
    mote_out_char(&o, (char)nondet_u8());
    break;
  case 1:
    mote_out_slice(&o, (struct mote_slice){n ? piece : NULL, n});
    break;
  case 2:
    mote_out_16(&o, nondet_u16());
    break;
  case 3:
    mote_out_64(&o, nondet_u64());
    break;
  default:
    ASSUME(room);
    mote_out_end_text(&o);
    PROVE(o.len < room && (o.cut || o.len == before.len));
    return 0;
  }
  PROVE(o.ptr == block && o.room == room && o.len <= room);
  PROVE(o.len >= before.len && (o.cut || !before.cut));
  PROVE(!before.cut || o.len == before.len);
  return 0;
}
