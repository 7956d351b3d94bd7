/* Any text as that of 257, into room for as many bytes as the text has. */
#include "codec/ftp/reply.h"
#include "proof.h"

int main(void)
{
  char in[BOUND], block[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  size_t len;
  char *out = proof_room(block, BOUND, s.len);
  if(mote_reply_path(s, out, &len))
    PROVE(len <= s.len);
  return 0;
}
