/* transfer/sink_pause.c: pauses, and the chunk that a callback has refused with one. */
#include <string.h>

#include "base/report.h"
#include "net/conn.h"
#include "transfer/schedule.h"
#include "transfer/sink.h"
#include "transfer/transfer.h"

/* Keep a refused chunk; one that is refused again is kept already. */
CURLcode mote_sink_keep(struct mote_transfer *t, bool header, const char *bytes, size_t len)
{
  struct mote_run *r = t->run;
  r->recv_paused = true;
  if(r->paused && bytes == r->paused->bytes)
    return CURLE_AGAIN;
  if(r->paused) { /* with CURLOPT_HEADER a line goes to two callbacks; one pause can be remembered */
    mote_fail(&t->report, "both callbacks paused on one header line");
    return CURLE_WRITE_ERROR;
  }
  r->paused = mote_kept_new(t, len);
  if(!r->paused)
    return CURLE_OUT_OF_MEMORY;
  memcpy(r->paused->bytes, bytes, len);
  r->paused->len = (uint32_t)len;
  r->paused_header = header;
  return CURLE_AGAIN;
}

CURLcode mote_sink_resume(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  struct mote_sink_target to;
  CURLcode rc;
  if(!r->paused)
    return CURLE_OK;
  if(r->paused_header)
    mote_sink_header_target(t, &to);
  else
    mote_sink_target(t, &to);
  rc = mote_sink_deliver(t, &to, r->paused_header, r->paused->bytes, r->paused->len);
  if(rc)
    return rc;
  if(!r->paused_header)
    r->delivered += r->paused->len;
  mote_kept_free(t, r->paused);
  r->paused = NULL;
  return r->recv_paused ? CURLE_AGAIN : CURLE_OK;
}

CURLcode mote_transfer_pause(struct mote_transfer *t, int action)
{
  struct mote_run *r = t->run;
  bool recv = (action & CURLPAUSE_RECV) != 0, send = (action & CURLPAUSE_SEND) != 0;
  if(!r || t->state == MOTE_STATE_IDLE || t->state == MOTE_STATE_DONE)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  r->recv_paused = recv;
  r->send_paused = send;
  if(r->conn)
    mote_conn_look_again(r->conn); /* what has come meanwhile is told by no event */
  if(t->multi && t->list == MOTE_LIST_WAITING)
    mote_multi_move(t->multi, t, MOTE_LIST_READY);
  return CURLE_OK;
}
