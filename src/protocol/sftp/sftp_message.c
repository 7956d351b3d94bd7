/* protocol/sftp/sftp_message.c: sends requests of SFTP and reads what answers them (protocol/sftp/sftp.h). */
#include <string.h>

#include "base/out.h"
#include "codec/url/percent.h"
#include "codec/url/url.h"
#include "protocol/sftp/sftp.h"
#include "transfer/multi/schedule.h"
#include "transfer/report/progress.h"

#define HELD_LEAST 64u     /* bytes of the block for what is held back */
#define EVENTS_PER_STEP 64 /* then other transfers get their turn */

/* ---- reading ---- */

_Static_assert(MOTE_SFTP_UNIT <= CURL_MAX_WRITE_SIZE, "a pause must be able to keep an event's bytes");

CURLcode mote_sftp_reader_begin(struct mote_transfer *t, struct mote_ssh *s, struct mote_sftp_reader *r)
{
  uint32_t size = (uint32_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE);
  if(size < MOTE_SFTP_UNIT)
    size = MOTE_SFTP_UNIT;
  if(size < s->held.len)
    size = (uint32_t)s->held.len;
  r->buffer = mote_schedule_buffer(t->multi, size);
  r->size = size;
  r->at = 0;
  r->len = s->held.len;
  r->most = SIZE_MAX;
  if(!r->buffer)
    return CURLE_OUT_OF_MEMORY;
  if(r->len)
    memcpy(r->buffer, s->held.ptr, r->len);
  mote_buf_clear(&s->held);
  return CURLE_OK;
}

CURLcode mote_sftp_reader_end(struct mote_ssh *s, struct mote_sftp_reader *r, CURLcode rc)
{
  size_t rest = r->len - r->at;
  CURLcode held = CURLE_OK;
  if(rest) /* mostly it is the head of a message */
    held = mote_buf_reserve(&s->held, rest < HELD_LEAST ? HELD_LEAST : rest);
  if(rest && !held)
    held = mote_buf_add(&s->held, r->buffer + r->at, rest);
  r->at = r->len;
  return held && (!rc || rc == CURLE_AGAIN) ? held : rc;
}

static CURLcode read_more(struct mote_transfer *t, struct mote_ssh *s, struct mote_sftp_reader *r)
{
  size_t n, room;
  CURLcode rc;
  memmove(r->buffer, r->buffer + r->at, r->len - r->at);
  r->len -= r->at;
  r->at = 0;
  room = r->size - r->len;
  if(!r->most) { /* libssh2 may have more, for which no event comes: the next step sees the limit */
    s->gated = true;
    return CURLE_AGAIN;
  }
  rc = mote_ssh_get(t, s, r->buffer + r->len, room < r->most ? room : r->most, &n);
  if(rc)
    return rc;
  if(!n)
    return mote_fail_as(CURLE_RECV_ERROR, &t->report, "The server has ended SFTP");
  r->len += n;
  r->most -= r->most == SIZE_MAX ? 0 : n;
  return CURLE_OK;
}

CURLcode mote_sftp_read_event(struct mote_transfer *t, struct mote_ssh *s, struct mote_sftp_reader *r,
                              struct mote_sftp_event *e)
{
  CURLcode rc = CURLE_OK;
  while(!rc) {
    size_t len = r->len - r->at < MOTE_SFTP_UNIT ? r->len - r->at : MOTE_SFTP_UNIT;
    size_t used = mote_sftp_feed(&s->in, r->buffer + r->at, len, e);
    r->at += used;
    if(e->broken || (!e->type && !used && len == MOTE_SFTP_UNIT))
      return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report, "The server sends what is not SFTP");
    if(e->type)
      return CURLE_OK;
    if(!used || r->at == r->len)
      rc = read_more(t, s, r);
  }
  return rc;
}

CURLcode mote_sftp_hear(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct mote_sftp_reader reader;
  uint8_t stage = talk->stage;
  CURLcode rc = mote_sftp_reader_begin(t, s, &reader);
  int events = 0;
  if(rc)
    return rc;
  if(stage == MOTE_SFTP_READING && t->run->speed) {
    reader.most = mote_speed_allow_down(t, talk->now, reader.size);
    t->run->flow.recv.limited = !reader.most;
  }
  while(!rc && talk->turn == MOTE_TURN_REPLY && talk->stage == stage) {
    struct mote_sftp_event e;
    const struct mote_reply r = {.more = &e};
    if(events++ == EVENTS_PER_STEP) {
      s->gated = true;
      rc = CURLE_AGAIN;
      break;
    }
    rc = mote_sftp_read_event(t, s, &reader, &e);
    if(rc)
      break;
    if(t->state == MOTE_STATE_EXCHANGE) /* what the server has answered must not be asked for again */
      mote_response_arrive(&t->run->response);
    rc = mote_talk_take_reply(t, talk, &r);
    if(rc == CURLE_AGAIN && !t->run->flow.recv.paused)
      rc = CURLE_OK;
  }
  return mote_sftp_reader_end(s, &reader, rc);
}

/* ---- sending ---- */

void mote_sftp_request(struct mote_ssh *s, struct mote_out *o, enum mote_sftp_type type)
{
  s->sftp.id = s->next_id++;
  mote_sftp_begin(o, type, s->sftp.id);
}

CURLcode mote_sftp_open_room(struct mote_transfer *t, struct mote_out *o, uint32_t paths)
{
  char *room = mote_schedule_buffer(t->multi, MOTE_SFTP_PATH_MOST * paths);
  *o = mote_out_in(room, room ? MOTE_SFTP_PATH_MOST * paths : 0);
  return room ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

CURLcode mote_sftp_send(struct mote_transfer *t, struct mote_ssh *s, struct mote_out *message)
{
  CURLcode rc;
  if(message->cut)
    return CURLE_TOO_LARGE;
  mote_sftp_end(message, 0, 0);
  (void)mote_talk_await(t, &s->talk);
  rc = mote_ssh_put(t, s, message->ptr, message->len);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

CURLcode mote_sftp_send_handle(struct mote_transfer *t, struct mote_ssh *s, enum mote_sftp_type type)
{
  char room[MOTE_SFTP_HEAD + 4 + MOTE_SFTP_HANDLE_MOST];
  struct mote_out o = mote_out_in(room, sizeof room);
  mote_sftp_request(s, &o, type);
  mote_sftp_put_text(&o, (struct mote_slice){s->sftp.handle, s->sftp.handle_len});
  return mote_sftp_send(t, s, &o);
}

/* "/~/" at the beginning stands for the directory where the user begins. */
CURLcode mote_sftp_put_path(struct mote_transfer *t, struct mote_ssh *s, struct mote_out *o)
{
  struct mote_slice path, home = {s->home.ptr, s->home.len};
  struct mote_url url;
  size_t len, front = 0;
  char *text;
  CURLcode rc;
  mote_url_unpack(&t->run->request.url, &url);
  path = mote_url_get(&url, MOTE_URL_PATH);
  len = path.len + home.len + 1; /* at most */
  if(len > MOTE_SFTP_PATH_MOST || !mote_out_fits(o, 4 + len))
    return CURLE_TOO_LARGE;
  text = o->ptr + o->len + 4;
  rc = mote_percent_decode(path, MOTE_PERCENT_REJECT_NUL, text, path.len, &len);
  if(rc)
    return mote_fail_as(rc, &t->report, "The path of the URL has a NUL");
  if(len >= 3 && !memcmp(text, "/~/", 3)) {
    front = home.len && home.ptr[home.len - 1] == '/' ? home.len - 1 : home.len;
    memmove(text + front, text + 2, len - 2);
    if(front)
      memcpy(text, home.ptr, front);
    len = len - 2 + front;
  }
  mote_out_32(o, (uint32_t)len);
  o->len += len;
  return CURLE_OK;
}

/* ---- errors ---- */

static CURLcode sftp_message_code_of(uint32_t status, CURLcode otherwise)
{
  switch(status) {
  case MOTE_SFTP_NO_SUCH_FILE:
  case MOTE_SFTP_NO_SUCH_PATH:
    return CURLE_REMOTE_FILE_NOT_FOUND;
  case MOTE_SFTP_PERMISSION_DENIED:
  case MOTE_SFTP_WRITE_PROTECT:
  case MOTE_SFTP_LOCKED:
    return CURLE_REMOTE_ACCESS_DENIED;
  case MOTE_SFTP_NO_SPACE:
  case MOTE_SFTP_QUOTA:
    return CURLE_REMOTE_DISK_FULL;
  case MOTE_SFTP_EXISTS:
    return CURLE_REMOTE_FILE_EXISTS;
  default:
    return otherwise;
  }
}

static const char *words_of(uint32_t status)
{
  switch(sftp_message_code_of(status, CURLE_OK)) {
  case CURLE_REMOTE_FILE_NOT_FOUND:
    return "no such file";
  case CURLE_REMOTE_ACCESS_DENIED:
    return "permission denied";
  case CURLE_REMOTE_DISK_FULL:
    return "no space is left";
  case CURLE_REMOTE_FILE_EXISTS:
    return "the file exists already";
  default:
    return status == MOTE_SFTP_UNSUPPORTED ? "the server cannot do that" : "the server reports a failure";
  }
}

CURLcode mote_sftp_refused(struct mote_transfer *t, struct mote_ssh *s, uint32_t status, CURLcode otherwise,
                           const char *what)
{
  s->talk.at_rest = !s->sftp.handle_len && !s->sftp.pending;
  mote_fail(&t->report, "%s: %s (SFTP status %u)", what, words_of(status), (unsigned)status);
  return sftp_message_code_of(status, otherwise);
}

CURLcode mote_sftp_unexpected(struct mote_transfer *t)
{
  return mote_fail_as(CURLE_WEIRD_SERVER_REPLY, &t->report,
                      "The server's answer is not one to what was asked");
}
