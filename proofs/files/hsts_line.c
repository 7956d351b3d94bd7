/* Any line of a file. */
#include "codec/files/hsts.h"
#include "proof.h"

/* Any answer that codec/files/stamp.h allows. */
bool mote_stamp_read(struct mote_slice text, int64_t *seconds)
{
  PROVE(!text.len || __CPROVER_r_ok(text.ptr, text.len));
  if(nondet_bool())
    return false;
  *seconds = nondet_i64();
  return true;
}

int main(void)
{
  char in[BOUND];
  struct mote_slice s = proof_any_slice(in, BOUND);
  struct mote_hsts_line line;
  if(!mote_hsts_read_line(s, &line))
    return 0;
  PROVE(proof_within(line.host, s));
  PROVE(line.host.len >= 1 && line.host.len <= MOTE_HSTS_HOST_MAX);
  PROVE(!mote_is_blank(line.host.ptr[line.host.len - 1]));
  PROVE(!line.tail || line.host.ptr[-1] == '.');
  return 0;
}
