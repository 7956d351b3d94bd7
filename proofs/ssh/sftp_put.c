/* Any message into any room: nothing is written past it, and its length is that of what follows it. */
#include "base/out.h"
#include "codec/ssh/sftp.h"
#include "proof.h"

int main(void)
{
  char block[BOUND + MOTE_SFTP_HEAD + 4 + MOTE_SFTP_ATTRS_MOST + 2], text[BOUND];
  size_t most = proof_any_up_to(sizeof block), from = proof_any_up_to(2);
  size_t more = proof_any_up_to(UINT32_MAX / 2);
  struct mote_out o = mote_out_in(proof_room(block, sizeof block, most), most);
  struct mote_sftp_attrs attrs;
  struct mote_slice s = proof_any_slice(text, BOUND);
  size_t i, before;
  for(i = 0; i < from; i++)
    mote_out_char(&o, 0);
  from = o.len;
  mote_sftp_begin(&o, MOTE_SFTP_SETSTAT, nondet_u32());
  mote_sftp_put_text(&o, s);
  before = o.len;
  mote_sftp_put_attrs(&o, &attrs);
  PROVE(o.len - before <= MOTE_SFTP_ATTRS_MOST);
  mote_sftp_end(&o, from, more);
  PROVE(o.len <= most);
  if(!o.cut) {
    PROVE(o.len >= from + MOTE_SFTP_HEAD + 4 + s.len + 4);
    PROVE(mote_sftp_number(o.ptr + from) == o.len - from - 4 + more);
  }
  return 0;
}
