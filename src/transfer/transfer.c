/* transfer/transfer.c: makes and frees the part of a transfer that every handle has, and frees its run. */
#include "transfer/download/headers.h"
#include "transfer/transfer.h"

#include <string.h>

#include "base/memory.h"
#include "transfer/report/debug.h"
#include "transfer/report/info.h"
#include "transfer/report/progress.h"
#include "transfer/run.h"

void mote_transfer_init(struct mote_transfer *t, CURL *easy)
{
  memset(t, 0, sizeof *t);
  mote_list_init(&t->link);
  mote_options_init(&t->options, &t->account);
  t->msg.easy_handle = easy;
  mote_debug_listen(&t->report);
}

void mote_run_free(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(!r)
    return;
  mote_speed_free(t);
  mote_run_close_bodies(t);
  mote_info_close(t);
  mote_url_packed_close(&r->request.url, &t->account);
  mote_text_free(t, r->request.redirect);
  mote_text_free(t, r->request.referer);
  mote_mem_free(&t->account, MOTE_PART_HEADER, r->response.handed,
                MOTE_HEADERS_HANDED * sizeof *r->response.handed);
  mote_headers_close(&r->response.headers, &t->account);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, mote_run_block_of(r), MOTE_RUN_SIZE);
  t->run = NULL;
}

void mote_transfer_close(struct mote_transfer *t)
{
  mote_run_free(t);
  mote_options_close(&t->options);
}
