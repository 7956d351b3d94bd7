/* protocol/sftp_read.c: opens a file, downloads it, and closes it (protocol/sftp.h). */
#include <string.h>

#include "port/port.h"
#include "protocol/body.h"
#include "protocol/sftp.h"
#include "transfer/progress.h"
#include "transfer/schedule.h"

/* ---- opening and closing ---- */

/* CURLOPT_NOBODY looks at nothing. */
static CURLcode choose(struct mote_transfer *t, struct mote_ssh *s)
{
  (void)t;
  if(s->sftp.head)
    return mote_sftp_go(s, MOTE_SFTP_OVER);
  return mote_sftp_go(s, MOTE_SFTP_OPENING);
}

const struct mote_sftp_act mote_sftp_file = {.ask = choose};

static CURLcode ask_open(struct mote_transfer *t, struct mote_ssh *s)
{
  static const struct mote_sftp_attrs none = {.flags = 0};
  char *room = mote_schedule_buffer(t->multi, MOTE_SFTP_PATH_MOST * 2), *at;
  CURLcode rc;
  if(!room)
    return CURLE_OUT_OF_MEMORY;
  at = mote_sftp_put_path(t, s, mote_sftp_request(s, room, MOTE_SFTP_OPEN), &rc);
  if(!at)
    return rc;
  at = mote_sftp_put_number(at, MOTE_SFTP_READS);
  return mote_sftp_send(t, s, room, mote_sftp_put_attrs(at, &none));
}

static CURLcode take_open(struct mote_transfer *t, struct mote_ssh *s, const struct mote_sftp_event *e)
{
  if(e->id != s->sftp.id)
    return mote_sftp_unexpected(t);
  if(e->type == MOTE_SFTP_STATUS)
    return mote_sftp_refused(t, s, e->code, CURLE_SSH, "The file cannot be opened");
  if(e->type != MOTE_SFTP_HANDLE || !e->text.len)
    return mote_sftp_unexpected(t);
  memcpy(s->sftp.handle, e->text.ptr, e->text.len);
  s->sftp.handle_len = (uint16_t)e->text.len;
  return mote_sftp_go(s, MOTE_SFTP_SIZING);
}

const struct mote_sftp_act mote_sftp_opening = {.ask = ask_open, .answer = take_open};

static CURLcode ask_close(struct mote_transfer *t, struct mote_ssh *s)
{
  return mote_sftp_send_handle(t, s, MOTE_SFTP_CLOSE);
}

/* Late answers to READs are passed over. */
static CURLcode take_close(struct mote_transfer *t, struct mote_ssh *s, const struct mote_sftp_event *e)
{
  if(e->id != s->sftp.id)
    return s->sftp.window.base == s->sftp.id ? CURLE_OK : mote_sftp_unexpected(t);
  if(e->type != MOTE_SFTP_STATUS)
    return mote_sftp_unexpected(t);
  s->sftp.handle_len = 0;
  return mote_sftp_go(s, MOTE_SFTP_OVER);
}

const struct mote_sftp_act mote_sftp_closing = {.ask = ask_close, .answer = take_close};

/* ---- size and part ---- */

static CURLcode ask_size(struct mote_transfer *t, struct mote_ssh *s)
{
  return mote_sftp_send_handle(t, s, MOTE_SFTP_FSTAT);
}

static CURLcode begin_reading(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_sftp_window *w = &s->sftp.window;
  s->sftp.left = s->sftp.size >= 0 ? s->sftp.size - s->sftp.from : -1;
  t->run->response.size_down = s->sftp.left;
  if(!s->sftp.left)
    return mote_sftp_go(s, MOTE_SFTP_CLOSING);
  w->at = w->begun = (uint64_t)s->sftp.from;
  w->due = w->base = s->next_id;
  w->chunk = MOTE_SFTP_CHUNK;
  w->most = MOTE_SFTP_REQUESTS;
  return mote_sftp_go(s, MOTE_SFTP_READING);
}

static CURLcode take_size(struct mote_transfer *t, struct mote_ssh *s, const struct mote_sftp_event *e)
{
  if(e->id != s->sftp.id)
    return mote_sftp_unexpected(t);
  if(e->type == MOTE_SFTP_ATTRS && (e->attrs.flags & MOTE_SFTP_HAS_SIZE) && e->attrs.size <= INT64_MAX)
    s->sftp.size = e->attrs.size ? (curl_off_t)e->attrs.size : -1;
  return begin_reading(t, s);
}

const struct mote_sftp_act mote_sftp_sizing = {.ask = ask_size, .answer = take_size};

/* ---- the window ---- */

/* Asks for what comes next, several requests in a packet. */
static CURLcode ask_ahead(struct mote_transfer *t, struct mote_ssh *s)
{
  enum { REQUEST = MOTE_SFTP_HEAD + 4 + MOTE_SFTP_HANDLE_MOST + 12 };
  char room[MOTE_SFTP_REQUESTS * REQUEST], *at = room;
  struct mote_sftp_window *w = &s->sftp.window;
  const struct mote_slice handle = {s->sftp.handle, s->sftp.handle_len};
  uint64_t end = s->sftp.size >= 0 ? (uint64_t)(s->sftp.from + s->sftp.left) : UINT64_MAX;
  uint32_t under_way = s->next_id - w->due;
  CURLcode rc;
  s->sftp.asked = true;
  if(under_way > w->most / 2)
    return CURLE_OK;
  (void)t;
  for(; under_way < w->most && (w->at < end || !under_way); under_way++) {
    uint32_t len = end - w->at < w->chunk && w->at < end ? (uint32_t)(end - w->at) : w->chunk;
    char *message = at;
    at = mote_sftp_put_text(mote_sftp_begin(at, MOTE_SFTP_READ, s->next_id++), handle);
    at = mote_sftp_put_number(mote_sftp_put_long(at, w->at), len);
    mote_sftp_end(message, at, 0);
    w->at += len;
  }
  if(at == room)
    return CURLE_OK;
  s->at_rest = false;
  rc = mote_ssh_put(t, s, room, (size_t)(at - room));
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* Requests under way are answered for nothing: what comes next is asked for again. */
static void begin_again(struct mote_ssh *s, uint64_t at)
{
  struct mote_sftp_window *w = &s->sftp.window;
  w->due = w->base = s->next_id;
  w->at = w->begun = at;
  w->got = 0;
}

static CURLcode finished(struct mote_transfer *t, struct mote_ssh *s)
{
  s->sftp.window.base = s->next_id;
  (void)t;
  return mote_sftp_go(s, MOTE_SFTP_CLOSING);
}

static CURLcode take_end(struct mote_transfer *t, struct mote_ssh *s, uint32_t status)
{
  if(status != MOTE_SFTP_EOF)
    return mote_sftp_refused(t, s, status, CURLE_SSH, "The file cannot be read");
  if(s->sftp.size < 0)
    return finished(t, s);
  mote_fail(&t->report, "The file ends before its size");
  return CURLE_PARTIAL_FILE;
}

/* Less than was asked for is no end: a server may send less at once. */
static CURLcode take_data_end(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_sftp_window *w = &s->sftp.window;
  uint32_t got = w->got;
  w->begun += got;
  w->got = 0;
  w->due++;
  if(!s->sftp.left)
    return finished(t, s);
  if(got < w->chunk && w->begun < w->at) {
    w->chunk = got ? got : 1;
    begin_again(s, w->begun);
  }
  return ask_ahead(t, s);
}

static CURLcode deliver(struct mote_transfer *t, struct mote_ssh *s, struct mote_slice bytes)
{
  struct mote_run *r = t->run;
  CURLcode rc;
  if(!bytes.len)
    return CURLE_OK;
  if(!r->stats.mark[MOTE_MARK_STARTTRANSFER])
    mote_mark_set(&r->stats, MOTE_MARK_STARTTRANSFER, mote_port_now());
  r->response.got_bytes = true;
  mote_speed_passed_down(t, bytes.len);
  s->sftp.window.got += (uint32_t)bytes.len;
  s->sftp.left -= s->sftp.left > 0 ? (curl_off_t)bytes.len : 0;
  rc = mote_body_deliver(t, (char *)(uintptr_t)bytes.ptr, bytes.len);
  return rc;
}

/* An answer to a request that is not the oldest: the server does not keep the order, so that no more than
 * one may be under way. */
static CURLcode take_disorder(struct mote_transfer *t, struct mote_ssh *s, const struct mote_sftp_event *e)
{
  struct mote_sftp_window *w = &s->sftp.window;
  if(e->id - w->base >= s->next_id - w->base) /* of a request before `base`, or of none */
    return e->id - w->base > UINT32_MAX / 2 ? CURLE_OK : mote_sftp_unexpected(t);
  if(w->got)
    return mote_sftp_unexpected(t);
  w->most = 1;
  begin_again(s, w->begun);
  return ask_ahead(t, s);
}

static CURLcode take_data(struct mote_transfer *t, struct mote_ssh *s, const struct mote_sftp_event *e)
{
  CURLcode rc;
  if(e->id != s->sftp.window.due)
    return take_disorder(t, s, e);
  if(e->type == MOTE_SFTP_STATUS)
    return take_end(t, s, e->code);
  if(e->type != MOTE_SFTP_DATA || e->text.len > s->sftp.window.chunk - s->sftp.window.got ||
     (s->sftp.left >= 0 && (curl_off_t)e->text.len > s->sftp.left))
    return mote_sftp_unexpected(t);
  rc = deliver(t, s, e->text);
  if(e->end && (!rc || rc == CURLE_AGAIN)) {
    CURLcode next = take_data_end(t, s);
    rc = next ? next : rc;
  }
  return rc;
}

const struct mote_sftp_act mote_sftp_reading = {.ask = ask_ahead, .answer = take_data};
