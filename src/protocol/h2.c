/* protocol/h2.c: one exchange of HTTP/2 (protocol/h2.h). */
#include "protocol/h2.h"

#include "http/http.h"
#include "http/redirect.h"

static CURLcode begin(struct mote_transfer *t)
{
  (void)t;
  return CURLE_NOT_BUILT_IN;
}

static CURLcode step(struct mote_transfer *t, mote_time now)
{
  (void)t;
  (void)now;
  return CURLE_NOT_BUILT_IN;
}

static void end(struct mote_transfer *t, CURLcode rc)
{
  (void)t;
  (void)rc;
}

const struct mote_protocol mote_protocol_h2 = {
  .name = "h2",
  .channel_size = sizeof(struct mote_exchange),
  .driver = &mote_h2_driver,
  .url = MOTE_HAS_HOST_MEMORY ? mote_http_judge_url : NULL,
  .prepare = mote_http_prepare,
  .begin = begin,
  .step = step,
  .end = end,
  .follow = mote_redirect_follow,
};

static void ready(struct mote_drive *d)
{
  mote_drive_soon(d);
}

static void act(struct mote_drive *d, mote_time now)
{
  (void)d;
  (void)now;
}

static unsigned room(const struct mote_drive *d)
{
  (void)d;
  return 0;
}

const struct mote_driver mote_h2_driver = {
  .name = "h2", .size = sizeof(struct mote_drive), .ready = ready, .act = act, .room = room,
};
