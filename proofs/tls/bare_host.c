/* Any host. */
#include "proof.h"
#include "tls/x509/hostname.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND), bare = mote_tls_bare_host(s);
  size_t i;
  bool colon = false;
  PROVE(proof_within(bare, s));
  for(i = 0; i < bare.len; i++)
    colon = colon || bare.ptr[i] == ':';
  for(i = 0; i < bare.len; i++)
    PROVE(!colon || bare.ptr[i] != '%');
  PROVE(bare.len || !s.len || *s.ptr == '%' || s.len == 2 || *s.ptr == '[');
  return 0;
}
