/* Any lines, one after the other, of FTP and of POP3. */
#include "codec/ftp/reply.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND), text = s;
  uint16_t open = nondet_u16();
  unsigned code;
  ASSUME(open <= 999);
  code = mote_reply_take(&open, s);
  PROVE(code ? code >= 100 && code <= 999 && !open : open <= 999);
  PROVE(proof_within(mote_reply_text(s), s));
  if(mote_reply_word(s, &text) != MOTE_REPLY_OTHER)
    PROVE(proof_within(text, s));
  return 0;
}
