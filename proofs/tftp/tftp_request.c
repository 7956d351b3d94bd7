/* Any request, with a file's name of any length, into room of just MOTE_TFTP_REQUEST_MOST bytes. */
#include <stdlib.h>

#include "codec/tftp.h"
#include "proof.h"

int main(void)
{
  char room[MOTE_TFTP_REQUEST_MOST];
  struct mote_tftp_request r;
  size_t n, mode;
  r.file.len = proof_any_up_to(SIZE_MAX / 4);
  r.file.ptr = malloc(r.file.len);
  ASSUME(r.file.ptr);
  r.netascii = nondet_bool();
  r.options = nondet_bool();
  mode = r.netascii ? sizeof "netascii" : sizeof "octet";
  n = mote_tftp_put_request(room, &r);
  PROVE(n <= MOTE_TFTP_REQUEST_MOST);
  PROVE(!n || n >= 2 + r.file.len + 1 + mode);
  PROVE(n || r.options || r.file.len + 3 + mode > MOTE_TFTP_REQUEST_MOST);
  return 0;
}
