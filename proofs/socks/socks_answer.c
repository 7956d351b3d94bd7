/* Any bytes of an answer, in any state of a handshake and in pieces: none is kept past the room for them,
 * each one brings the answer nearer to its end, and the state stays one in which that is so. */
#include "codec/socks/socks.h"
#include "proof.h"

/* The steps in which an answer is due, or nothing is. */
static bool proof_socks_holds(const struct mote_socks *s)
{
  size_t missing = mote_socks_missing(s);
  return s->step <= 11 && s->have <= 8 && missing <= 257 && (s->step == 10 || missing + s->have <= 8) &&
         (s->step != 10 || missing);
}

int main(void)
{
  struct mote_socks s, before;
  uint8_t bytes[257];
  size_t missing, n;
  CURLproxycode rc;
  s.login = nondet_bool();
  s.gss = nondet_bool();
  s.must_login = nondet_bool();
  ASSUME(proof_socks_holds(&s));
  missing = mote_socks_missing(&s);
  ASSUME(missing);
  n = proof_any_up_to(missing);
  ASSUME(n);
  before = s;
  rc = mote_socks_feed(&s, bytes + (sizeof bytes - n), n);
  PROVE(n == missing || (rc == CURLPX_OK && s.step == before.step && mote_socks_missing(&s) == missing - n));
  PROVE(rc != CURLPX_OK || n < missing || s.step != before.step);
  if(rc == CURLPX_OK && n == missing && mote_socks_missing(&s))
    PROVE(proof_socks_holds(&s));
  PROVE(rc != CURLPX_OK || !mote_socks_wants_gss(&s) || s.gss);
  PROVE(mote_socks_text(rc) != NULL);
  return 0;
}
