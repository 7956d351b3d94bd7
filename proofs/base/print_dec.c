/* Any number of 16 bits as text, which is read as that number again. */
#include "base/text.h"
#include "proof.h"

int main(void)
{
  char block[21];
  uint64_t v = nondet_u16(), read;
  size_t n = mote_print_dec(block, v);
  PROVE(n >= 1 && n <= 5 && !block[n]);
  PROVE(n == 1 || *block != '0');
  PROVE(mote_parse_dec((struct mote_slice){block, n}, UINT16_MAX, &read) && read == v);
  return 0;
}
