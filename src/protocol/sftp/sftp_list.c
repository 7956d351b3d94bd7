/* protocol/sftp/sftp_list.c: lists a directory (protocol/sftp/sftp.h).
 *
 * The names of one answer are kept, as links among them need requests of their own before the next name is
 * delivered. Each is kept as a byte that says whether it is a link, two texts, and their lengths. */
#include <string.h>

#include "base/out.h"
#include "protocol/body.h"
#include "protocol/sftp/sftp.h"

#define FORMAT 0170000u /* of a mode: the type of a file */
#define LINK 0120000u
#define FRONT 9u /* bytes in front of the texts */

/* ---- what is kept ---- */

struct entry {
  bool is_link;
  struct mote_slice name;
  struct mote_slice line; /* with its end */
  size_t size;            /* bytes of all that */
};

static CURLcode sftp_list_keep(struct mote_ssh *s, bool is_link, struct mote_slice name,
                               struct mote_slice line)
{
  char front[FRONT];
  struct mote_out o = mote_out_in(front, sizeof front);
  CURLcode rc;
  mote_out_char(&o, is_link ? 1 : 0);
  mote_out_32(&o, (uint32_t)name.len);
  mote_out_32(&o, (uint32_t)line.len + 1);
  rc = mote_buf_reserve(&s->names, FRONT + name.len + line.len + 1);
  if(!rc)
    rc = mote_buf_add(&s->names, front, FRONT);
  if(!rc)
    rc = mote_buf_add(&s->names, name.ptr, name.len);
  if(!rc)
    rc = mote_buf_add(&s->names, line.ptr, line.len);
  return rc ? rc : mote_buf_add(&s->names, "\n", 1);
}

static void sftp_list_look(const struct mote_ssh *s, struct entry *e)
{
  const char *at = s->names.ptr + s->names_at;
  e->is_link = *at != 0;
  e->name.len = mote_sftp_number(at + 1);
  e->line.len = mote_sftp_number(at + 5);
  e->name.ptr = at + FRONT;
  e->line.ptr = e->name.ptr + e->name.len;
  e->size = FRONT + e->name.len + e->line.len;
}

/* ---- stages ---- */

static CURLcode sftp_list_deliver(struct mote_transfer *t, struct mote_slice line)
{
  if(line.len > CURL_MAX_WRITE_SIZE)
    return mote_sftp_unexpected(t);
  return mote_body_deliver(t, (char *)(uintptr_t)line.ptr, line.len);
}

CURLcode mote_sftp_ask_names(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct entry e;
  while(s->names_at < s->names.len) {
    CURLcode rc;
    sftp_list_look(s, &e);
    if(e.is_link)
      return mote_talk_go(&s->talk, MOTE_SFTP_LINK);
    s->names_at += (uint32_t)e.size;
    rc = sftp_list_deliver(t, e.line);
    if(rc)
      return rc;
  }
  mote_buf_clear(&s->names);
  s->names_at = 0;
  return s->sftp.over ? mote_talk_go(&s->talk, MOTE_SFTP_CLOSING)
                      : mote_sftp_send_handle(t, s, MOTE_SFTP_READDIR);
}

CURLcode mote_sftp_take_names(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  bool only_names = mote_opt_long(&t->options, CURLOPT_DIRLISTONLY) != 0;
  CURLcode rc = CURLE_OK;
  if(e->id != s->sftp.id)
    return mote_sftp_unexpected(t);
  if(e->type == MOTE_SFTP_STATUS) {
    s->sftp.over = e->code == MOTE_SFTP_EOF;
    return s->sftp.over ? mote_talk_go(talk, MOTE_SFTP_NAMES)
                        : mote_sftp_refused(t, s, e->code, CURLE_SSH, "The directory cannot be read");
  }
  if(e->type != MOTE_SFTP_NAME)
    return mote_sftp_unexpected(t);
  if(e->text.ptr)
    rc = sftp_list_keep(s, !only_names && (e->attrs.mode & FORMAT) == LINK, e->text, only_names ? e->text
                        : e->text2);
  s->sftp.over = e->end && !s->names.len; /* an answer without names is the last one, too */
  if(rc)
    return rc;
  return e->end ? mote_talk_go(talk, MOTE_SFTP_NAMES) : CURLE_AGAIN;
}

CURLcode mote_sftp_ask_link(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  struct mote_out o;
  struct entry e;
  CURLcode rc = mote_sftp_open_room(t, &o, 2);
  if(rc)
    return rc;
  sftp_list_look(s, &e);
  mote_sftp_request(s, &o, MOTE_SFTP_READLINK);
  rc = mote_sftp_put_path(t, s, &o);
  if(rc)
    return rc;
  if(e.name.len > MOTE_SFTP_PATH_MOST / 2)
    return mote_sftp_unexpected(t);
  mote_out_slice(&o, e.name);
  mote_sftp_end(&o, MOTE_SFTP_HEAD, 0);
  return mote_sftp_send(t, s, &o);
}

/* A link that cannot be read is listed without its target. */
CURLcode mote_sftp_take_link(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  const struct mote_sftp_event *e = r->more;
  struct entry link;
  size_t before = s->names.len;
  CURLcode rc;
  if(e->id != s->sftp.id || !e->end)
    return mote_sftp_unexpected(t);
  sftp_list_look(s, &link);
  rc = mote_buf_reserve(&s->names, link.line.len + 4 + e->text.len);
  if(rc)
    return rc;
  sftp_list_look(s, &link); /* it may have moved */
  (void)mote_buf_add(&s->names, link.line.ptr, link.line.len - 1);
  if(e->type == MOTE_SFTP_NAME && e->text.len) {
    (void)mote_buf_add(&s->names, " -> ", 4);
    (void)mote_buf_add(&s->names, e->text.ptr, e->text.len);
  }
  rc = mote_buf_add(&s->names, "\n", 1);
  if(!rc)
    rc = sftp_list_deliver(t, (struct mote_slice){s->names.ptr + before, s->names.len - before});
  s->names.len = before;
  s->names_at += (uint32_t)link.size;
  (void)mote_talk_go(&s->talk, MOTE_SFTP_NAMES);
  return rc;
}
