/* small/sink.c: passes a body to the write callback. Header lines are not delivered. */
#include "transfer/download/sink.h"
#include "transfer/transfer.h"
#include "transfer/upload/stdio.h"

CURLcode mote_sink_body(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_run *r = t->run;
  size_t at = 0, n, taken;
  *used = len;
  r->stats.bytes_down += (curl_off_t)len;
  while(at < len && !r->response.body_ignored) {
    curl_write_callback fn = (curl_write_callback)mote_opt_fn(&t->options, CURLOPT_WRITEFUNCTION);
    void *data = mote_opt_ptr(&t->options, CURLOPT_WRITEDATA);
    n = len - at < CURL_MAX_WRITE_SIZE ? len - at : CURL_MAX_WRITE_SIZE;
    t->in_callback = true;
    taken = fn ? fn(bytes + at, 1, n, data) : mote_stdio_write(bytes + at, n, data);
    t->in_callback = false;
    if(taken != n)
      return CURLE_WRITE_ERROR;
    at += n;
  }
  r->stats.delivered += (curl_off_t)at;
  return CURLE_OK;
}
