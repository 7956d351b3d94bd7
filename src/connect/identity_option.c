/* connect/identity_option.c: an option that stands in a connection's key as it is (connect/identity.h). */
#include "base/out.h"
#include "connect/identity.h"
#include "transfer/options/options.h"

size_t mote_identity_text_len(const struct mote_option *e)
{
  return e->kind == MOTE_KIND_STR ? e->size - 1 : 0;
}

void mote_identity_put_option(struct mote_out *out, const struct mote_option *e)
{
  mote_out_dec(out, e->id);
  mote_out_char(out, '=');
  if(e->kind == MOTE_KIND_STR)
    mote_out_bytes(out, e->v.str, mote_identity_text_len(e));
  else
    mote_out_dec(out, (uint64_t)e->v.num);
  mote_out_char(out, 0);
}
