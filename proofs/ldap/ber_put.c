/* Any element within a sequence: what was written is read again. */
#include "base/buf.h"
#include "codec/ldap/ber.h"
#include "proof.h"

int main(void)
{
  char in[BOUND], room[BOUND + 2 * MOTE_BER_HEAD_MOST + 1];
  struct mote_slice s = proof_any_slice(in, BOUND), rest, inside;
  struct mote_buf b = {.ptr = room, .cap = sizeof room, .limit = sizeof room - 1, .borrowed = true};
  struct mote_ber_writer w = {&b, CURLE_OK};
  uint32_t number = nondet_u32(), n;
  bool text = nondet_bool();
  size_t begun = mote_ber_begin(&w, MOTE_BER_SEQUENCE);
  uint8_t tag;
  if(text)
    mote_ber_put(&w, MOTE_BER_OCTETS, s);
  else
    mote_ber_put_number(&w, number);
  mote_ber_end(&w, begun);
  if(w.rc)
    return 0;
  rest = (struct mote_slice){b.ptr, b.len};
  PROVE(mote_ber_len(rest) == b.len);
  PROVE(mote_ber_take(&rest, &tag, &inside) && tag == MOTE_BER_SEQUENCE && !rest.len);
  rest = inside;
  if(text)
    PROVE(mote_ber_take(&rest, &tag, &inside) && tag == MOTE_BER_OCTETS && inside.len == s.len && !rest.len);
  else
    PROVE(mote_ber_take_number(&rest, MOTE_BER_INTEGER, &n) && n == number && !rest.len);
  return 0;
}
