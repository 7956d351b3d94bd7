/* Any bytes of a listing: a line is what they have up to the first line feed. */
#include "codec/ftp/listing.h"
#include "proof.h"

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND), rest = s, line;
  size_t i;
  if(!mote_listing_next(&rest, &line)) {
    PROVE(rest.ptr == s.ptr && rest.len == s.len);
    for(i = 0; i < s.len; i++)
      PROVE(s.ptr[i] != '\n');
    return 0;
  }
  PROVE(proof_within(line, s) && proof_within(rest, s) && line.ptr == s.ptr);
  PROVE(s.len - rest.len == line.len + 1 || (s.len - rest.len == line.len + 2 && s.ptr[line.len] == '\r'));
  PROVE(rest.ptr[-1] == '\n');
  for(i = 0; i < line.len; i++)
    PROVE(line.ptr[i] != '\n');
  return 0;
}
