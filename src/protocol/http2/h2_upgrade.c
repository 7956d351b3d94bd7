/* protocol/http2/h2_upgrade.c: an exchange of HTTP/1.1 that asks the server to go on with HTTP/2. When the
 * server agrees it goes on as the first stream of that (RFC 7540 section 3.2). */
#include "base/report.h"
#include "connect/version.h"
#include "http/hooks.h"
#include "http/redirect.h"
#include "http/request.h"
#include "protocol/http1/h1.h"
#include "protocol/http2/h2.h"
#include "transfer/multi/push.h"
#include "transfer/multi/schedule.h"

/* mote_h2_fill_settings() as a field has them, in base64url. tests/e2e/test_h2.py compares them. */
#define SETTINGS "AAMAAABkAAQAAQAAAAIAAAAA"
#define WITH_PUSH "AAMAAABkAAQAAQAAAAIAAAAB" /* with ENABLE_PUSH */

/* ---- the request's fields (a row of mote_http_hooks) ---- */

/* An application that asks for an upgrade of its own gets no other. */
static void h2_upgrade_put_fields(struct mote_http_writer *w)
{
  if(mote_http_of(w->t)->old || mote_http_has_own(w->t, "Upgrade"))
    return;
  mote_http_put_field(w, "Upgrade", "h2c");
  mote_http_put_field(w, "HTTP2-Settings", mote_push_is_wanted(w->t->multi) ? WITH_PUSH : SETTINGS);
  w->upgrade = "Upgrade, HTTP2-Settings";
}

const struct mote_http_hook mote_http_h2_upgrade = {
  .name = "HTTP/2",
  .also = MOTE_HTTP_ALSO_H2,
  .place = MOTE_HTTP_AFTER_REFERER,
  .request = h2_upgrade_put_fields,
};

/* ---- the change ---- */

/* Frames that came with the head are in the connection. */
static CURLcode h2_upgrade_take_held(struct mote_transfer *t)
{
  struct mote_conn *c = t->run->channel.conn;
  char *bytes, *buffer;
  size_t len;
  if(!mote_conn_held(c))
    return CURLE_OK;
  buffer = mote_schedule_buffer(t->multi, (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  if(!buffer)
    return CURLE_OUT_OF_MEMORY;
  len = mote_conn_lend_held(c, buffer, &bytes);
  mote_h2_take(&mote_h2_of(t)->session, bytes, len);
  mote_conn_unread(c, bytes, 0);
  return mote_conn_hold(c, MOTE_HELD_LIMIT, NULL, 0);
}

/* The request is sent, and the response begins again. From here on the exchange is one of HTTP/2, which ends
 * as such also after an error. */
static CURLcode h2_upgrade_change(struct mote_transfer *t)
{
  struct mote_http http = *mote_http_of(t);
  CURLcode rc = mote_version_upgrade(t);
  if(rc)
    return rc;
  mote_info(&t->report, "Received 101, Switching to HTTP/2");
  http.receiving = MOTE_HTTP_RECEIVE_HEAD;
  rc = mote_h2_begin_exchange(mote_h2_of(t), t, &http);
  return rc ? rc : h2_upgrade_take_held(t);
}

/* Any other response to such a request is that of HTTP/1.1. */
static CURLcode h2_upgrade_step(struct mote_transfer *t, mote_time now)
{
  CURLcode rc = mote_protocol_http.step(t, now);
  if(rc || mote_http_of(t)->code != 101)
    return rc;
  rc = h2_upgrade_change(t);
  return rc ? rc : mote_protocol_h2.step(t, now);
}

static CURLcode h2_upgrade_begin(struct mote_transfer *t)
{
  return mote_protocol_http.begin(t);
}

static void h2_upgrade_end(struct mote_transfer *t, CURLcode rc)
{
  mote_protocol_http.end(t, rc);
}

const struct mote_protocol mote_protocol_h2_upgrade = {
  .name = "http",
  .conn_size = sizeof(struct mote_h1),
  .upgrade = MOTE_HTTP_ALSO_H2,
  MOTE_HTTP_ROW,
  .prepare = mote_http_prepare,
  .begin = h2_upgrade_begin,
  .step = h2_upgrade_step,
  .end = h2_upgrade_end,
};
