/* tests/unit/api/run.h: an easy handle as a transfer leaves it, without a transfer. */
#ifndef MOTE_TEST_RUN_H
#define MOTE_TEST_RUN_H

#include "api/easy/easy_handle.h"
#include "base/memory.h"
#include "transfer/run.h"

/* Gives the handle a run with an empty header store, as engine/start.c makes it. NULL: out of memory. */
static inline struct mote_easy *with_run(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  struct mote_run_block *block = mote_mem_zalloc(&e->t.account, MOTE_PART_TRANSFER, MOTE_RUN_SIZE);
  struct mote_run *r;
  if(!block)
    return NULL;
  r = &block->run;
  r->owner = &e->t;
  mote_headers_init(&r->response.headers, block + 1, MOTE_HEADER_TAIL);
  r->response.size_down = r->request.size_up = r->stats.conn_id = -1;
  e->t.run = r;
  return e;
}

#endif
