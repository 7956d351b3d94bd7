/* Any line as a status line. */
#include "codec/rtsp.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  unsigned code = mote_rtsp_status(s.ptr, s.len);
  PROVE(!code || (code >= 100 && code <= 999));
  PROVE(!code || s.len >= sizeof "RTSP/1.0 200");
  return 0;
}
