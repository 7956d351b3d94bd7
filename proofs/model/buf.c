/* proofs/model/buf.c: base/buf.h for the prover, where the real buffer would be too much work: one that never
 * moves, has a block of a few bytes, and may refuse any addition. base/buf proves that the real one keeps to
 * its header. */
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#include "proof.h"

#define ROOM 16u /* bytes */

void mote_buf_init(struct mote_buf *b, struct mote_account *account, enum mote_part part, size_t limit)
{
  *b = (struct mote_buf){.limit = limit, .account = account, .part = part};
}

void mote_buf_close(struct mote_buf *b)
{
  if(!b->borrowed)
    free(b->ptr);
  mote_buf_init(b, b->account, b->part, b->limit);
}

void mote_buf_clear(struct mote_buf *b)
{
  b->len = 0;
  if(b->ptr)
    b->ptr[0] = 0;
}

CURLcode mote_buf_add(struct mote_buf *b, const void *p, size_t len)
{
  if(!b->ptr) {
    b->ptr = malloc(ROOM);
    if(!b->ptr)
      return CURLE_OUT_OF_MEMORY;
    b->cap = ROOM;
  }
  if(nondet_bool() || len >= b->cap - b->len)
    return CURLE_OUT_OF_MEMORY;
  if(len > b->limit || b->len > b->limit - len)
    return CURLE_TOO_LARGE;
  memcpy(b->ptr + b->len, p, len);
  b->len += len;
  b->ptr[b->len] = 0;
  return CURLE_OK;
}
