/* protocol/sftp/sftp_write.c: uploads a file, and makes the directories that it lacks (protocol/sftp/sftp.h).
 * */
#include <string.h>

#include "base/out.h"
#include "protocol/sftp/sftp.h"
#include "transfer/multi/schedule.h"
#include "transfer/report/debug.h"
#include "transfer/report/progress.h"
#include "transfer/upload/source.h"

#define WRITE_MOST 32000u /* bytes of a WRITE, which fits with its head into a packet of libssh2's */
#define WRITE_LEAST 64u   /* readers that add framing need some room */
#define AHEAD 16u         /* WRITEs that are not acknowledged yet */

/* ---- where an upload begins ---- */

CURLcode mote_sftp_ask_resume(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct mote_out o;
  CURLcode rc = mote_sftp_open_room(t, &o, 2);
  if(rc)
    return rc;
  mote_sftp_request(s, &o, MOTE_SFTP_STAT);
  rc = mote_sftp_put_path(t, s, &o);
  return rc ? rc : mote_sftp_send(t, s, &o);
}

/* A file that is not there is uploaded whole. */
CURLcode mote_sftp_take_resume(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  if(e->id != s->sftp.id)
    return mote_sftp_unexpected(t);
  if(e->type == MOTE_SFTP_ATTRS && e->attrs.size <= INT64_MAX)
    s->sftp.from = (curl_off_t)e->attrs.size;
  return CURLE_OK;
}

/* ---- directories ---- */

/* Bytes of the path up to the first directory that ends after `from` bytes, 0: there is none. */
static size_t prefix_of(const char *path, size_t len, size_t from)
{
  size_t i;
  for(i = from + 1; i < len; i++)
    if(path[i] == '/' && path[i - 1] != '/')
      return i;
  return 0;
}

CURLcode mote_sftp_ask_make(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct mote_sftp_attrs attrs = {
    .flags = MOTE_SFTP_HAS_MODE, .mode = (uint32_t)mote_opt_long(&t->options, CURLOPT_NEW_DIRECTORY_PERMS)
  };
  struct mote_out o;
  size_t len;
  CURLcode rc = mote_sftp_open_room(t, &o, 2);
  if(rc)
    return rc;
  mote_sftp_begin(&o, MOTE_SFTP_MKDIR, s->next_id);
  rc = mote_sftp_put_path(t, s, &o);
  if(rc)
    return rc;
  len = prefix_of(o.ptr + MOTE_SFTP_HEAD + 4, o.len - MOTE_SFTP_HEAD - 4, s->sftp.made_to);
  if(!len)
    return mote_talk_go(&s->talk, MOTE_SFTP_OPENING);
  s->sftp.made_to = (uint16_t)len; /* of MOTE_SFTP_PATH_MOST at most */
  s->sftp.id = s->next_id++;
  o.len = MOTE_SFTP_HEAD + 4 + len; /* the rest of the path goes */
  mote_sftp_end(&o, MOTE_SFTP_HEAD, 0);
  mote_sftp_put_attrs(&o, &attrs);
  return mote_sftp_send(t, s, &o);
}

/* Servers report one that is there already as a failure of no kind. */
CURLcode mote_sftp_take_make(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  if(e->id != s->sftp.id || e->type != MOTE_SFTP_STATUS)
    return mote_sftp_unexpected(t);
  if(e->code && e->code != MOTE_SFTP_FAILURE && e->code != MOTE_SFTP_EXISTS &&
     e->code != MOTE_SFTP_PERMISSION_DENIED)
    return mote_sftp_refused(t, s, e->code, CURLE_SSH, "A directory cannot be made");
  return mote_talk_go(&s->talk, MOTE_SFTP_MAKING);
}

/* ---- opening ---- */

void mote_sftp_put_write_flags(struct mote_transfer *t, const struct mote_ssh *s, struct mote_out *o)
{
  struct mote_sftp_attrs attrs = {
    .flags = MOTE_SFTP_HAS_MODE, .mode = (uint32_t)mote_opt_long(&t->options, CURLOPT_NEW_FILE_PERMS)
  };
  uint32_t flags = MOTE_SFTP_WRITES | MOTE_SFTP_CREATES;
  if(mote_opt_long(&t->options, CURLOPT_APPEND))
    flags |= MOTE_SFTP_APPENDS;
  else if(s->sftp.from > 0)
    flags = MOTE_SFTP_WRITES;
  else
    flags |= MOTE_SFTP_TRUNCATES;
  mote_out_32(o, flags);
  mote_sftp_put_attrs(o, &attrs);
}

CURLcode mote_sftp_write_refused(struct mote_transfer *t, struct mote_ssh *s, uint32_t status)
{
  bool lacks = status == MOTE_SFTP_NO_SUCH_FILE || status == MOTE_SFTP_NO_SUCH_PATH ||
               status == MOTE_SFTP_FAILURE;
  if(lacks && !s->sftp.made && mote_opt_long(&t->options, CURLOPT_FTP_CREATE_MISSING_DIRS)) {
    s->sftp.made = true;
    return mote_talk_go(&s->talk, MOTE_SFTP_MAKING);
  }
  return mote_sftp_refused(t, s, status, CURLE_SSH, "The upload cannot be opened");
}

CURLcode mote_sftp_write_begin(struct mote_transfer *t, struct mote_ssh *s)
{
  curl_off_t size = t->run->body ? mote_source_size(t) : 0, from = s->sftp.from;
  CURLcode rc;
  s->sftp.window.at = (uint64_t)from;
  s->sftp.window.base = s->next_id;
  if(from && size >= 0 && size <= from) {
    mote_info(&t->report, "The server has all of the file already");
    s->sftp.source_over = true;
    return mote_talk_go(&s->talk, MOTE_SFTP_CLOSING);
  }
  mote_request_announce(&t->run->request, size >= 0 ? size - from : -1);
  rc = from ? mote_source_skip(t, from) : CURLE_OK;
  return rc ? rc : mote_talk_go(&s->talk, MOTE_SFTP_WRITING);
}

/* ---- writing ---- */

static CURLcode send_write(struct mote_transfer *t, struct mote_ssh *s, size_t most)
{
  size_t front = MOTE_SFTP_HEAD + 4 + s->sftp.handle_len + 12;
  char *room = mote_schedule_buffer(t->multi, (uint32_t)(front + WRITE_MOST));
  struct mote_out o = mote_out_in(room, front);
  struct mote_piece p = {.room = room + front, .most = most < WRITE_LEAST ? WRITE_LEAST : most};
  CURLcode rc;
  if(!room)
    return CURLE_OUT_OF_MEMORY;
  p.most = p.most < WRITE_MOST ? p.most : WRITE_MOST;
  rc = t->run->body ? mote_source_read(t, &p) : CURLE_OK;
  if(rc)
    return rc;
  s->sftp.source_over = p.end || !t->run->body;
  if(!p.len)
    return CURLE_OK;
  if(p.bytes != p.room)
    memcpy(room + front, p.bytes, p.len);
  mote_sftp_begin(&o, MOTE_SFTP_WRITE, s->next_id++);
  mote_sftp_put_text(&o, (struct mote_slice){s->sftp.handle, s->sftp.handle_len});
  mote_out_64(&o, s->sftp.window.at);
  mote_out_32(&o, (uint32_t)p.len);
  mote_sftp_end(&o, 0, p.len);
  mote_debug(t, CURLINFO_DATA_OUT, room + front, p.len);
  s->sftp.window.at += p.len;
  s->sftp.pending++;
  s->talk.at_rest = false;
  t->run->stats.bytes_up += (curl_off_t)p.len;
  mote_speed_passed_up(t, p.len);
  rc = mote_ssh_put(t, s, room, front + p.len);
  return rc == CURLE_AGAIN ? CURLE_OK : rc;
}

/* Sends what the socket, the window and the source allow. It is called in each step. */
CURLcode mote_sftp_write_on(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  CURLcode rc = CURLE_OK;
  t->run->flow.send.limited = false;
  talk->turn = MOTE_TURN_REPLY;
  while(!rc && !s->sftp.source_over && s->sftp.pending < AHEAD && !s->queued.len && !s->unsent.len &&
        !t->run->flow.send.paused) {
    size_t most = mote_speed_allow_up(t, s->talk.now, WRITE_MOST);
    t->run->flow.send.limited = !most;
    if(!most)
      break;
    rc = send_write(t, s, most);
  }
  if(rc && rc != CURLE_AGAIN) /* AGAIN: the read callback has paused */
    return rc;
  return s->sftp.source_over && !s->sftp.pending ? mote_talk_go(&s->talk, MOTE_SFTP_CLOSING) : CURLE_OK;
}

CURLcode mote_sftp_take_write(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  uint32_t base = s->sftp.window.base;
  if(e->type != MOTE_SFTP_STATUS || !s->sftp.pending || e->id - base >= s->next_id - base)
    return mote_sftp_unexpected(t);
  s->sftp.pending--;
  if(e->code)
    return mote_sftp_refused(t, s, e->code, CURLE_SEND_ERROR, "The file cannot be written");
  return s->sftp.pending <= AHEAD / 2 ? mote_talk_go(talk, MOTE_SFTP_WRITING) : CURLE_AGAIN;
}
