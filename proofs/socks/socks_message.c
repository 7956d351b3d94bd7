/* Any request in any step of a handshake, with texts of any length: a message never has more than
 * MOTE_SOCKS_MAX_MESSAGE bytes, and is as long each time that it is written. */
#include <stdlib.h>

#include "codec/socks/socks.h"
#include "proof.h"

static struct mote_slice proof_any_block(void)
{
  struct mote_slice s;
  s.len = proof_any_up_to(SIZE_MAX / 4);
  s.ptr = malloc(s.len);
  ASSUME(s.ptr);
  return s;
}

int main(void)
{
  struct mote_socks s;
  struct mote_socks_request r;
  uint8_t out[MOTE_SOCKS_MAX_MESSAGE];
  size_t n;
  r.host = proof_any_block();
  r.user = proof_any_block();
  r.password = proof_any_block();
  r.login = nondet_bool();
  r.gss = nondet_bool();
  r.must_login = nondet_bool();
  ASSUME(r.version == 4 || r.version == 5);
  ASSUME(r.address.family == MOTE_FAMILY_NONE || r.address.family == MOTE_FAMILY_IP4 ||
         r.address.family == MOTE_FAMILY_IP6);
  if(mote_socks_init(&s, &r) != CURLPX_OK)
    return 0;
  n = mote_socks_message(&s, &r, out);
  PROVE(n && n <= MOTE_SOCKS_MAX_MESSAGE);
  if(r.version == 5)
    s.step = nondet_u8();
  n = mote_socks_message(&s, &r, out);
  PROVE(n <= MOTE_SOCKS_MAX_MESSAGE);
  PROVE(mote_socks_message(&s, &r, out) == n);
  PROVE(!n || !mote_socks_missing(&s));
  return 0;
}
