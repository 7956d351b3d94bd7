/* transfer/report.c: delivers the first failure's text to the error buffer, and verbose lines to the debug
 * callback. */
#include "base/format.h"
#include "base/list.h"
#include "connect/dial.h"
#include "connect/route.h"
#include "port/port.h"
#include "transfer/debug.h"
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

/* Each attempt had its info line. This text is for the failure of all of them, which went to the first proxy
 * or to a Unix socket if there is one. */
void mote_dial_report_failed(struct mote_transfer *t, mote_time now)
{
  struct mote_slice host = mote_url_packed_host(&t->run->request.url), path = {"", 0};
  unsigned port = t->run->request.url.port;
  char text[80] = "no usable address";
  struct mote_route route;
  if(!mote_route_make(t, &route)) {
    const struct mote_hop *first = mote_route_first(&route);
    if(first->path)
      path = first->host;
    else {
      host = first->host;
      port = first->port;
    }
  }
  if(t->run->stats.os_errno)
    (void)mote_port_error_text(t->run->stats.os_errno, text, sizeof text);
  mote_fail(&t->report, "Failed to connect to %.*s port %u%s%.*s after %ld ms: %s", (int)host.len, host.ptr,
            port, path.len ? " over unix://" : "", (int)path.len, path.ptr,
            (long)((now - t->run->stats.started) / MOTE_MS), text);
}
