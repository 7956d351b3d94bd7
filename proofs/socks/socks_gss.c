/* Any head of a frame, in pieces. */
#include "codec/socks/socks_gss.h"
#include "proof.h"

int main(void)
{
  struct mote_socks_gss_head h;
  uint8_t bytes[MOTE_SOCKS_GSS_HEAD], out[MOTE_SOCKS_GSS_HEAD];
  unsigned i;
  mote_socks_gss_put(out, MOTE_SOCKS_GSS_DATA, nondet_u16());
  mote_socks_gss_expect(&h, MOTE_SOCKS_GSS_TOKEN);
  for(i = 0; i < MOTE_SOCKS_GSS_HEAD && mote_socks_gss_missing(&h); i++) {
    size_t n = proof_any_up_to(mote_socks_gss_missing(&h));
    ASSUME(n);
    PROVE(h.have + n <= MOTE_SOCKS_GSS_HEAD);
    if(mote_socks_gss_feed(&h, bytes + (sizeof bytes - n), n))
      return 0;
  }
  PROVE(h.have <= MOTE_SOCKS_GSS_HEAD);
  PROVE(!mote_socks_gss_missing(&h));
  return 0;
}
