/* transfer/download/sink_decode.c: passes a coded body through its decoders, within a budget per step. */
#include "base/memory.h"
#include "base/report.h"
#include "codec/coding/decode.h"
#include "codec/limits.h"
#include "transfer/download/sink.h"
#include "transfer/transfer.h"

/* A step may spend this much of its budget before it stops reading. What it has read then has a whole turn
 * left (MOTE_DECODE_TURN), so that a usual body leaves no bytes that would have to be kept. */
#define MOTE_DECODE_SPARE (1u << 20)

static CURLcode sink_decode_decoded(void *user, char *bytes, size_t len)
{
  struct mote_transfer *t = user;
  size_t used;
  /* The room is no larger than one chunk, so that a pause has kept all of it. */
  return mote_sink_enter_and_write(t, true, bytes, len, &used);
}

static CURLcode damaged(struct mote_transfer *t, CURLcode rc)
{
  if(rc == CURLE_BAD_CONTENT_ENCODING)
    mote_fail(&t->report, "the compressed body is damaged or incomplete");
  return rc;
}

/* Refuses a body whose codings have no decoders here, from its first byte: an empty one is complete. */
static CURLcode undecodable(struct mote_transfer *t)
{
  char known[64];
  (void)mote_decode_accept(known, sizeof known);
  return mote_fail_as(CURLE_BAD_CONTENT_ENCODING, &t->report,
                      "unknown or too many content codings; this build decodes %s", known);
}

/* CURLOPT_MAXFILESIZE_LARGE limits the coded bytes too, as it does a Content-Length. Those within the limit
 * are decoded first. */
CURLcode mote_sink_coded(struct mote_transfer *t, char *bytes, size_t len, size_t *used)
{
  struct mote_decoding *d = t->run->decode;
  struct mote_decode_out out = {d->room, MOTE_DECODE_ROOM, sink_decode_decoded, t};
  curl_off_t most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
  bool over = most > 0 && t->run->stats.bytes_down + (curl_off_t)len > most;
  CURLcode rc;
  *used = 0;
  if(!d->chain)
    return len ? undecodable(t) : CURLE_OK;
  if(over)
    len = t->run->stats.bytes_down < most ? (size_t)(most - t->run->stats.bytes_down) : 0;
  rc = mote_decode_push(d->chain, (struct mote_slice){bytes, len}, used, &d->turn, &out);
  d->more = rc == CURLE_AGAIN;
  if(rc || !over || *used < len)
    return damaged(t, rc);
  return mote_fail_as(CURLE_FILESIZE_EXCEEDED, &t->report,
                      "more than the allowed %" CURL_FORMAT_CURL_OFF_T " bytes", most);
}

/* Gets the output that decoders may hold after all input was used. */
static CURLcode sink_decode_pull(struct mote_transfer *t)
{
  size_t used;
  char none = 0;
  return mote_sink_coded(t, &none, 0, &used);
}

CURLcode mote_sink_turn(struct mote_transfer *t)
{
  struct mote_decoding *d = t->run->decode;
  d->turn = MOTE_DECODE_TURN + MOTE_DECODE_SPARE;
  return d->more ? sink_decode_pull(t) : CURLE_OK;
}

bool mote_sink_turn_over(const struct mote_transfer *t)
{
  return t->run->decode->turn < MOTE_DECODE_TURN;
}

bool mote_sink_has_more(const struct mote_transfer *t)
{
  return t->run->decode->more;
}

CURLcode mote_sink_coded_end(struct mote_transfer *t)
{
  struct mote_decode_chain *c = t->run->decode->chain;
  CURLcode rc = sink_decode_pull(t);
  return damaged(t, rc || !c ? rc : mote_decode_finish(c));
}

void mote_sink_decode_close(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(!r->decode)
    return;
  mote_decode_close(r->decode->chain);
  mote_mem_free(&t->account, MOTE_PART_BUFFER, r->decode, sizeof *r->decode);
  r->decode = NULL;
}

CURLcode mote_sink_decode(struct mote_transfer *t, const uint8_t *codings, unsigned count)
{
  struct mote_decoding *d = mote_mem_alloc(&t->account, MOTE_PART_BUFFER, sizeof *d);
  CURLcode rc;
  if(!d)
    return CURLE_OUT_OF_MEMORY;
  d->turn = MOTE_DECODE_TURN;
  d->more = false;
  rc = mote_decode_open(&d->chain, codings, count, &t->account);
  if(rc && rc != CURLE_BAD_CONTENT_ENCODING) {
    mote_mem_free(&t->account, MOTE_PART_BUFFER, d, sizeof *d);
    return rc;
  }
  t->run->decode = d;
  return CURLE_OK;
}
