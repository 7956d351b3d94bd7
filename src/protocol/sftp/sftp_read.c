/* protocol/sftp/sftp_read.c: opens a file, downloads it, and closes it (protocol/sftp/sftp.h). */
#include <string.h>

#include "base/out.h"
#include "base/text.h"
#include "port/port.h"
#include "protocol/body.h"
#include "protocol/document.h"
#include "protocol/sftp/sftp.h"
#include "transfer/report/progress.h"

#define CHUNK_LEAST 4096u /* bytes; a shorter answer is not taken for the most that a server sends */

/* ---- opening and closing ---- */

/* CURLOPT_NOBODY asks for the time of the file at most. */
CURLcode mote_sftp_choose(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  s->sftp.from = mote_opt_off(&t->options, CURLOPT_RESUME_FROM_LARGE);
  if(s->sftp.head)
    return mote_opt_long(&t->options, CURLOPT_FILETIME) ? mote_talk_go(&s->talk, MOTE_SFTP_SIZING)
                                                        : mote_sftp_quote(t, s, MOTE_SFTP_POSTQUOTE);
  if(s->sftp.upload && s->sftp.from < 0) {
    s->sftp.from = 0;
    return mote_talk_go(&s->talk, MOTE_SFTP_RESUME);
  }
  return mote_talk_go(&s->talk, MOTE_SFTP_OPENING);
}

static CURLcode send_path(struct mote_transfer *t, struct mote_ssh *s, enum mote_sftp_type type)
{
  static const struct mote_sftp_attrs none = {.flags = 0};
  struct mote_out o, head;
  CURLcode rc = mote_sftp_open_room(t, &o, 2);
  if(rc)
    return rc;
  head = o;
  mote_sftp_begin(&o, type, s->next_id);
  rc = mote_sftp_put_path(t, s, &o);
  if(rc)
    return rc;
  s->sftp.listing = !s->sftp.upload && o.len > MOTE_SFTP_HEAD + 4 && o.ptr[o.len - 1] == '/';
  if(type == MOTE_SFTP_OPEN && s->sftp.listing)
    mote_sftp_begin(&head, MOTE_SFTP_OPENDIR, s->next_id); /* instead */
  else if(type == MOTE_SFTP_OPEN && s->sftp.upload)
    mote_sftp_put_write_flags(t, s, &o);
  else if(type == MOTE_SFTP_OPEN) {
    mote_out_32(&o, MOTE_SFTP_READS);
    mote_sftp_put_attrs(&o, &none);
  }
  s->sftp.id = s->next_id++;
  return mote_sftp_send(t, s, &o);
}

CURLcode mote_sftp_ask_open(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  return send_path(t, s, MOTE_SFTP_OPEN);
}

CURLcode mote_sftp_take_open(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  if(e->id != s->sftp.id)
    return mote_sftp_unexpected(t);
  if(e->type == MOTE_SFTP_STATUS && s->sftp.upload)
    return mote_sftp_write_refused(t, s, e->code);
  if(e->type == MOTE_SFTP_STATUS)
    return mote_sftp_refused(t, s, e->code, CURLE_SSH,
                             s->sftp.listing ? "The directory cannot be opened"
                                             : "The file cannot be opened");
  if(e->type != MOTE_SFTP_HANDLE || !e->text.len)
    return mote_sftp_unexpected(t);
  memcpy(s->sftp.handle, e->text.ptr, e->text.len);
  s->sftp.handle_len = (uint16_t)e->text.len;
  if(s->sftp.upload)
    return mote_sftp_write_begin(t, s);
  return mote_talk_go(&s->talk, s->sftp.listing ? MOTE_SFTP_NAMES : MOTE_SFTP_SIZING);
}

CURLcode mote_sftp_ask_close(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  return mote_sftp_send_handle(t, s, MOTE_SFTP_CLOSE);
}

/* Late answers to READs are passed over. */
CURLcode mote_sftp_take_close(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  if(e->id != s->sftp.id)
    return s->sftp.window.base == s->sftp.id ? CURLE_AGAIN : mote_sftp_unexpected(t);
  if(e->type != MOTE_SFTP_STATUS)
    return mote_sftp_unexpected(t);
  s->sftp.handle_len = 0;
  s->talk.at_rest = true;
  if(s->sftp.result)
    return mote_talk_go(&s->talk, MOTE_SFTP_OVER);
  if(s->sftp.upload && e->code)
    return mote_sftp_refused(t, s, e->code, CURLE_SEND_ERROR, "The upload cannot be closed");
  mote_mark_set(&t->run->stats, MOTE_MARK_POSTTRANSFER, mote_port_now());
  return mote_sftp_quote(t, s, MOTE_SFTP_POSTQUOTE);
}

/* ---- size and part ---- */

CURLcode mote_sftp_ask_size(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  return s->sftp.head ? send_path(t, s, MOTE_SFTP_STAT) : mote_sftp_send_handle(t, s, MOTE_SFTP_FSTAT);
}

static CURLcode sftp_read_note_time(struct mote_transfer *t, const struct mote_sftp_attrs *attrs)
{
  if(!(attrs->flags & MOTE_SFTP_HAS_TIMES) || !mote_opt_long(&t->options, CURLOPT_FILETIME))
    return CURLE_OK;
  return mote_document_note_time(t, attrs->mtime);
}

/* The exchange ends with rc when the file is closed. */
static CURLcode sftp_read_give_up(struct mote_ssh *s, CURLcode rc)
{
  s->sftp.result = rc;
  return mote_talk_go(&s->talk, MOTE_SFTP_CLOSING);
}

/* What is no range means all of the file. */
static bool sftp_read_range(const char *text, curl_off_t *from, curl_off_t *last)
{
  curl_off_t a, b;
  if(!mote_document_range(text, &a, &b) || (a < 0 && b < 0))
    return false;
  *from = a < 0 ? -b : a;
  *last = a < 0 ? -1 : b;
  return true;
}

/* CURLOPT_RESUME_FROM takes precedence over CURLOPT_RANGE. */
static CURLcode sftp_read_choose_part(struct mote_transfer *t, struct mote_ssh *s)
{
  const char *range = mote_opt_str(&t->options, CURLOPT_RANGE);
  curl_off_t size = s->sftp.size > 0 ? s->sftp.size : 0, last = -1;
  bool resume = s->sftp.from != 0, ranged = !resume && range && sftp_read_range(range, &s->sftp.from, &last);
  if(s->sftp.from < 0)
    s->sftp.from += size;
  if(ranged && s->sftp.from < 0)
    s->sftp.from = 0;
  if(s->sftp.from < 0 || s->sftp.from > size || (last >= 0 && last < s->sftp.from) ||
     (resume && s->sftp.from == size)) {
    mote_fail(&t->report, "The file does not have that part");
    return sftp_read_give_up(s, s->sftp.from < 0 ? CURLE_BAD_DOWNLOAD_RESUME : CURLE_RANGE_ERROR);
  }
  s->sftp.left = s->sftp.size >= 0 ? s->sftp.size - s->sftp.from : -1;
  if(last >= 0 && last - s->sftp.from + 1 < s->sftp.left)
    s->sftp.left = last - s->sftp.from + 1;
  return CURLE_OK;
}

static CURLcode begin_reading(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_sftp_window *w = &s->sftp.window;
  curl_off_t most = mote_opt_off(&t->options, CURLOPT_MAXFILESIZE_LARGE);
  CURLcode rc = sftp_read_choose_part(t, s);
  if(rc || s->talk.stage == MOTE_SFTP_CLOSING)
    return rc;
  mote_response_announce(&t->run->response, s->sftp.left >= 0 ? s->sftp.left : -1);
  if(most > 0 && s->sftp.left > most) {
    mote_fail(&t->report, "The file is larger than CURLOPT_MAXFILESIZE allows");
    return sftp_read_give_up(s, CURLE_FILESIZE_EXCEEDED);
  }
  if(!s->sftp.left)
    return mote_talk_go(&s->talk, MOTE_SFTP_CLOSING);
  w->at = w->begun = (uint64_t)s->sftp.from;
  w->end = s->sftp.left > 0 ? w->at + (uint64_t)s->sftp.left : UINT64_MAX;
  w->due = w->base = s->next_id;
  w->chunk = MOTE_SFTP_CHUNK;
  w->most = MOTE_SFTP_REQUESTS;
  return mote_talk_go(&s->talk, MOTE_SFTP_READING);
}

/* The files of /proc and their like say that they have no bytes, and are read up to their end. */
CURLcode mote_sftp_take_size(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  CURLcode rc = CURLE_OK;
  if(e->id != s->sftp.id)
    return mote_sftp_unexpected(t);
  if(e->type == MOTE_SFTP_ATTRS)
    rc = sftp_read_note_time(t, &e->attrs);
  if(!rc && s->sftp.head)
    return mote_sftp_quote(t, s, MOTE_SFTP_POSTQUOTE);
  if(e->type == MOTE_SFTP_ATTRS && (e->attrs.flags & MOTE_SFTP_HAS_SIZE) && e->attrs.size &&
     e->attrs.size <= INT64_MAX)
    s->sftp.size = (curl_off_t)e->attrs.size;
  return rc ? rc : begin_reading(t, s);
}

/* ---- the window ---- */

/* Asks for what comes next, several requests in a packet. */
CURLcode mote_sftp_ask_ahead(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  enum { REQUEST = MOTE_SFTP_HEAD + 4 + MOTE_SFTP_HANDLE_MOST + 12 };
  char room[MOTE_SFTP_REQUESTS * REQUEST];
  struct mote_out o = mote_out_in(room, sizeof room);
  struct mote_sftp_window *w = &s->sftp.window;
  const struct mote_slice handle = {s->sftp.handle, s->sftp.handle_len};
  uint32_t under_way = s->next_id - w->due;
  CURLcode rc;
  talk->turn = MOTE_TURN_REPLY;
  if(under_way > w->most / 2)
    return CURLE_OK;
  for(; under_way < w->most && w->at < w->end; under_way++) {
    uint32_t len = w->end - w->at < w->chunk ? (uint32_t)(w->end - w->at) : w->chunk;
    size_t from = o.len;
    mote_sftp_begin(&o, MOTE_SFTP_READ, s->next_id++);
    mote_sftp_put_text(&o, handle);
    mote_out_64(&o, w->at);
    mote_out_32(&o, len);
    mote_sftp_end(&o, from, 0);
    w->at += len;
  }
  if(!o.len)
    return CURLE_OK;
  s->talk.at_rest = false;
  rc = mote_ssh_put(t, s, o.ptr, o.len);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* The same, after an answer that the stage goes on after. */
static CURLcode sftp_read_go_on(struct mote_transfer *t, struct mote_ssh *s)
{
  CURLcode rc = mote_sftp_ask_ahead(t, &s->talk);
  return rc ? rc : CURLE_AGAIN;
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
  (void)t;
  s->sftp.window.base = s->next_id;
  return mote_talk_go(&s->talk, MOTE_SFTP_CLOSING);
}

static CURLcode sftp_read_take_end(struct mote_transfer *t, struct mote_ssh *s, uint32_t status)
{
  if(status != MOTE_SFTP_EOF)
    return mote_sftp_refused(t, s, status, CURLE_SSH, "The file cannot be read");
  if(s->sftp.size < 0)
    return finished(t, s);
  return mote_fail_as(CURLE_PARTIAL_FILE, &t->report, "The file ends before its size");
}

/* Less than was asked for is no end: a server may send less at once, always or up to a boundary of its own.
 * What is under way asks from wrong offsets then, and its answers are lost.
 *
 * From 4 KB on it is taken for the most that the server sends, and as much is asked for from then on: a power
 * of two, so that boundaries are met. A shorter answer says nothing of those that follow. One is asked for at
 * a time until some are whole again, so that a server that always does so costs no more than its answers. */
static void sftp_read_take_short(struct mote_ssh *s, uint32_t got)
{
  struct mote_sftp_window *w = &s->sftp.window;
  if(got < CHUNK_LEAST)
    w->most = 1;
  else
    for(w->chunk = MOTE_SFTP_CHUNK; w->chunk > got;)
      w->chunk /= 2;
  begin_again(s, w->begun);
}

static CURLcode take_data_end(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_sftp_window *w = &s->sftp.window;
  uint32_t got = w->got;
  if(!got) /* it would be asked for without end */
    return mote_fail_as(CURLE_SSH, &t->report, "The server answers a READ without any bytes");
  w->begun += got;
  w->got = 0;
  w->due++;
  if(!s->sftp.left)
    return finished(t, s);
  if(got < w->chunk && w->begun < w->at)
    sftp_read_take_short(s, got);
  else if(w->most < MOTE_SFTP_REQUESTS && !s->sftp.disorder)
    w->most *= 2;
  return sftp_read_go_on(t, s);
}

static CURLcode sftp_read_deliver(struct mote_transfer *t, struct mote_ssh *s, struct mote_slice bytes)
{
  struct mote_run *r = t->run;
  if(!bytes.len)
    return CURLE_OK;
  mote_mark_response(&r->stats, s->talk.now);
  mote_speed_passed_down(t, bytes.len);
  s->sftp.window.got += (uint32_t)bytes.len;
  s->sftp.left -= s->sftp.left > 0 ? (curl_off_t)bytes.len : 0;
  return mote_body_deliver(t, (char *)(uintptr_t)bytes.ptr, bytes.len);
}

/* An answer to a request that is not the oldest: the server does not keep the order, so that no more than
 * one may be under way. */
static CURLcode take_disorder(struct mote_transfer *t, struct mote_ssh *s, const struct mote_sftp_event *e)
{
  struct mote_sftp_window *w = &s->sftp.window;
  if(e->id - w->base >= s->next_id - w->base) /* of a request before `base`, or of none */
    return e->id - w->base > UINT32_MAX / 2 ? CURLE_AGAIN : mote_sftp_unexpected(t);
  if(w->got)
    return mote_sftp_unexpected(t);
  s->sftp.disorder = true;
  w->most = 1;
  begin_again(s, w->begun);
  return sftp_read_go_on(t, s);
}

CURLcode mote_sftp_take_data(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  CURLcode rc, next;
  if(e->id != s->sftp.window.due)
    return take_disorder(t, s, e);
  if(e->type == MOTE_SFTP_STATUS)
    return sftp_read_take_end(t, s, e->code);
  if(e->type != MOTE_SFTP_DATA || e->text.len > s->sftp.window.chunk - s->sftp.window.got ||
     (s->sftp.left >= 0 && (curl_off_t)e->text.len > s->sftp.left))
    return mote_sftp_unexpected(t);
  rc = sftp_read_deliver(t, s, e->text);
  if(rc && rc != CURLE_AGAIN)
    return rc;
  next = e->end ? take_data_end(t, s) : CURLE_AGAIN;
  return next ? next : rc;
}
