/* Any bytes between two responses, with any channels known. */
#include "codec/rtsp.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  struct mote_rtsp_channels known;
  size_t skip, size;
  enum mote_rtsp_next next = mote_rtsp_find(s.ptr, s.len, &known, &skip, &size);
  PROVE(skip <= s.len);
  if(next == MOTE_RTSP_PACKET)
    PROVE(size >= MOTE_RTSP_PACKET_HEAD && size <= s.len - skip);
  PROVE(size <= MOTE_RTSP_PACKET_MOST);
  return 0;
}
