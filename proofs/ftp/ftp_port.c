/* Any text of CURLOPT_FTPPORT. */
#include "codec/ftp/ftp_port.h"
#include "proof.h"

int main(void)
{
  char block[BOUND];
  const char *text = proof_any_text(block, BOUND);
  struct mote_ftp_port out;
  mote_ftp_port_read(text, &out);
  PROVE(proof_within(out.host, mote_slice_of(text)));
  PROVE(out.last >= out.first);
  return 0;
}
