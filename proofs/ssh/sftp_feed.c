/* Any bytes in any state that an earlier piece can have left, so that it holds for any number of pieces: what
 * is used and given out lies within the piece, and the state is again one of those. */
#include "codec/ssh/sftp.h"
#include "proof.h"

static bool proof_sftp_is_answer(uint8_t type)
{
  return type == MOTE_SFTP_VERSION || type == MOTE_SFTP_EXTENDED_REPLY ||
         (type >= MOTE_SFTP_STATUS && type <= MOTE_SFTP_ATTRS);
}

/* What is read whole is never longer than a unit. */
static bool proof_sftp_holds(const struct mote_sftp_in *in)
{
  return !in->type || (proof_sftp_is_answer(in->type) && (in->type == MOTE_SFTP_DATA ||
                                                          in->type == MOTE_SFTP_NAME ||
                                                          in->left <= MOTE_SFTP_UNIT));
}

int main(void)
{
  struct mote_sftp_in in;
  struct mote_sftp_event e;
  char bytes[BOUND];
  struct mote_slice s = proof_any_slice(bytes, BOUND);
  size_t used;
  ASSUME(proof_sftp_holds(&in));
  used = mote_sftp_feed(&in, s.ptr, s.len, &e);
  PROVE(used <= s.len);
  PROVE(!e.type || (proof_sftp_is_answer(e.type) && !e.broken));
  if(e.broken)
    return 0;
  PROVE(proof_sftp_holds(&in));
  PROVE(!e.type || !e.end || !in.type);
  if(e.type) {
    struct mote_slice taken = {s.ptr, used};
    PROVE(!e.text.ptr || proof_within(e.text, taken));
    PROVE(!e.text2.ptr || proof_within(e.text2, taken));
    PROVE(e.text.ptr || !e.text.len);
    PROVE(e.attrs.flags <= 15);
  }
  return 0;
}
