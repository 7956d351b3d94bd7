/* A buffer in any state, with any ceiling, and any operation on it: its invariants hold, and on failure it
 * has what it had. */
#include <stdlib.h>

#include "base/buf.h"
#include "proof.h"

static bool proof_buf_holds(const struct mote_buf *b)
{
  if(!b->ptr)
    return !b->len && !b->cap;
  return b->len < b->cap && b->cap - 1 <= b->limit && !b->ptr[b->len];
}

int main(void)
{
  size_t most = SIZE_MAX / 8, n = proof_any_up_to(most), limit = proof_any_up_to(most);
  char *piece = malloc(n);
  struct mote_buf b, before;
  CURLcode rc = CURLE_OK;
  ASSUME(piece);
  mote_buf_init(&b, NULL, MOTE_PART_OTHER, limit);
  if(nondet_bool()) {
    b.cap = proof_any_up_to(limit) + 1;
    b.ptr = malloc(b.cap);
    b.len = proof_any_up_to(b.cap - 1);
    b.borrowed = nondet_bool();
    ASSUME(b.ptr);
    b.ptr[b.len] = 0;
  }
  ASSUME(proof_buf_holds(&b));
  before = b;
  switch(nondet_u8()) {
  case 0:
    rc = mote_buf_add(&b, piece, n);
    PROVE(rc || b.len == before.len + n);
    break;
  case 1:
    rc = mote_buf_reserve(&b, n);
    PROVE(rc || (b.len == before.len && b.cap - b.len > n));
    break;
  case 2:
    mote_buf_drop(&b, n);
    PROVE(b.len == (n < before.len ? before.len - n : 0));
    break;
  case 3:
    mote_buf_clear(&b);
    PROVE(!b.len && b.ptr == before.ptr);
    break;
  case 4:
    rc = mote_buf_settle(&b);
    PROVE(!b.borrowed && b.len == (rc ? 0 : before.len));
    PROVE(proof_buf_holds(&b));
    return 0;
  default:
    mote_buf_close(&b);
    PROVE(!b.ptr);
  }
  PROVE(proof_buf_holds(&b));
  PROVE(rc == CURLE_OK || rc == CURLE_OUT_OF_MEMORY || rc == CURLE_TOO_LARGE);
  PROVE(!rc || (b.len == before.len && b.ptr == before.ptr && b.cap == before.cap));
  return 0;
}
