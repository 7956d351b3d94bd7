/* transfer/renew_few.c: nothing of a transfer is kept for the next one (without part all_options). */
#include "transfer/start.h"
#include "transfer/transfer.h"

CURLcode mote_run_renew(struct mote_transfer *t)
{
  mote_run_free(t);
  mote_options_drop_url(&t->options);
  return mote_run_make(t);
}
