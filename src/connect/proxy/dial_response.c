/* connect/proxy/dial_response.c: where the header lines of a proxy's response to CONNECT go
 * (connect/dial/dial_phases.h; CURLOPT_SUPPRESS_CONNECT_HEADERS(3)). */
#include <string.h>

#include "connect/dial/dial_phases.h"
#include "net/conn_struct.h"
#include "stream/tunnel.h"
#include "transfer/download/headers.h"
#include "transfer/download/sink.h"
#include "transfer/report/debug.h"
#include "transfer/transfer.h"

struct watcher {
  struct mote_stream_observer observer;
  struct mote_transfer *t;
};

/* A status line has no field, and the end of a head none either. */
static CURLcode dial_response_keep(struct mote_transfer *t, struct mote_slice line)
{
  const char *colon = memchr(line.ptr, ':', line.len);
  struct mote_slice name = {line.ptr, colon ? (size_t)(colon - line.ptr) : 0}, value;
  if(!colon || (line.len > 5 && !memcmp(line.ptr, "HTTP/", 5)))
    return CURLE_OK;
  value.ptr = colon + 1;
  value.len = line.len - name.len - 1;
  while(value.len && mote_is_space(value.ptr[value.len - 1]))
    value.len--;
  value = mote_slice_trim(value);
  return mote_headers_add(&t->run->response.headers, &t->account, CURLH_CONNECT, 0, name, value);
}

/* A suppressed line is still traced and counted, by the option's page. A callback that pauses fails, since
 * there is nothing yet that could be paused. */
static CURLcode dial_response_deliver(struct mote_stream_observer *o, const char *line, size_t len)
{
  struct mote_transfer *t = ((struct watcher *)(void *)o)->t;
  struct mote_slice whole = {line, len};
  CURLcode rc = dial_response_keep(t, whole);
  if(!rc && mote_opt_long(&t->options, CURLOPT_SUPPRESS_CONNECT_HEADERS)) {
    mote_debug(t, CURLINFO_HEADER_IN, (char *)(uintptr_t)line, len);
    t->run->response.head_bytes += (uint32_t)len;
    return CURLE_OK;
  }
  if(rc)
    return rc;
  rc = mote_sink_header(t, (char *)(uintptr_t)line, len);
  if(rc != CURLE_AGAIN)
    return rc;
  return mote_fail_as(CURLE_WRITE_ERROR, &t->report, "A callback paused in a header line of the proxy");
}

CURLcode mote_dial_open_tunnel(struct mote_dial *d)
{
  struct watcher w = {.observer.header = dial_response_deliver, .t = d->owner};
  struct mote_conn *c = d->drive.conn;
  CURLcode rc;
  c->env.observer = &w.observer;
  rc = mote_dial_shake_tunnel(d);
  c->env.observer = NULL;
  if(mote_tunnel_status(c->top))
    d->owner->run->connect_code = (uint16_t)mote_tunnel_status(c->top);
  return rc;
}
