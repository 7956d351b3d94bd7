/* transfer/report/report.c: delivers the first failure's text to the error buffer, and verbose lines to the
 * debug callback. */
#include "base/containers/list.h"
#include "base/text/format.h"
#include "transfer/report/debug.h"
#include "transfer/transfer.h"

static void report_info(struct mote_report *r, const char *fmt, va_list args)
{
  mote_debug_line(mote_container_of(r, struct mote_transfer, report), fmt, args);
}

static void report_fail(struct mote_report *r, const char *fmt, va_list args)
{
  struct mote_transfer *t = mote_container_of(r, struct mote_transfer, report);
  char *buffer = mote_opt_ptr(&t->options, CURLOPT_ERRORBUFFER);
  va_list again;
  va_copy(again, args);
  if(buffer && !t->failed_text)
    (void)mote_vsnprintf(buffer, CURL_ERROR_SIZE, fmt, args);
  t->failed_text = true;
  if(r->verbose)
    mote_debug_line(t, fmt, again);
  va_end(again);
}

static const struct mote_report_ops ops = {
  .fail = report_fail,
  .info = report_info,
};

void mote_debug_listen(struct mote_report *r)
{
  r->ops = &ops;
}
