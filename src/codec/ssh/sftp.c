/* codec/ssh/sftp.c: reads and writes messages of SFTP (codec/ssh/sftp.h). */
#include "base/out.h"
#include "codec/ssh/sftp.h"

#include <string.h>

#define NUMBER 4u /* bytes */
#define LONG 8u

uint32_t mote_sftp_number(const char *at)
{
  const unsigned char *b = (const unsigned char *)at;
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

uint64_t mote_sftp_long(const char *at)
{
  return (uint64_t)mote_sftp_number(at) << 32 | mote_sftp_number(at + NUMBER);
}

/* ---- reading ---- */

/* Bytes that are looked at one field after the other. */
struct view {
  const char *at;
  size_t len;
  bool shorter; /* a field was not there, or not all of it */
};

static const char *ssh_sftp_take(struct view *v, size_t n)
{
  const char *at = v->at;
  if(v->len < n) {
    v->shorter = true;
    v->len = 0;
    return NULL;
  }
  v->at += n;
  v->len -= n;
  return at;
}

static uint32_t ssh_sftp_take_number(struct view *v)
{
  const char *at = ssh_sftp_take(v, NUMBER);
  return at ? mote_sftp_number(at) : 0;
}

static struct mote_slice ssh_sftp_take_text(struct view *v)
{
  struct mote_slice text = {NULL, ssh_sftp_take_number(v)};
  text.ptr = v->shorter ? NULL : ssh_sftp_take(v, text.len);
  text.len = text.ptr ? text.len : 0;
  return text;
}

/* What later versions add is passed over. */
static void take_attrs(struct view *v, struct mote_sftp_attrs *attrs)
{
  uint32_t pairs;
  memset(attrs, 0, sizeof *attrs);
  attrs->flags = ssh_sftp_take_number(v);
  if(attrs->flags & MOTE_SFTP_HAS_SIZE) {
    const char *at = ssh_sftp_take(v, LONG);
    attrs->size = at ? mote_sftp_long(at) : 0;
  }
  if(attrs->flags & MOTE_SFTP_HAS_OWNER) {
    attrs->uid = ssh_sftp_take_number(v);
    attrs->gid = ssh_sftp_take_number(v);
  }
  if(attrs->flags & MOTE_SFTP_HAS_MODE)
    attrs->mode = ssh_sftp_take_number(v);
  if(attrs->flags & MOTE_SFTP_HAS_TIMES) {
    attrs->atime = ssh_sftp_take_number(v);
    attrs->mtime = ssh_sftp_take_number(v);
  }
  if(attrs->flags & 0x80000000u)
    for(pairs = ssh_sftp_take_number(v); pairs && !v->shorter; pairs--) {
      (void)ssh_sftp_take_text(v);
      (void)ssh_sftp_take_text(v);
    }
  attrs->flags &= 15u;
}

/* The types that a server answers with. No other is begun: its bytes would be nothing to the caller, and
 * 0 means in struct mote_sftp_in that no message is under way. */
static bool ssh_sftp_is_answer(uint8_t type)
{
  return type == MOTE_SFTP_VERSION || type == MOTE_SFTP_EXTENDED_REPLY ||
         (type >= MOTE_SFTP_STATUS && type <= MOTE_SFTP_ATTRS);
}

/* Reads the head of a message, and of a DATA or NAME also what is in front of its bytes or entries. Returns
 * the bytes used, 0: more are needed. */
static size_t ssh_sftp_take_head(struct mote_sftp_in *in, const char *bytes, size_t len, bool *broken)
{
  struct view v = {bytes, len, false};
  uint32_t left = ssh_sftp_take_number(&v), front = MOTE_SFTP_HEAD - NUMBER;
  const char *type = ssh_sftp_take(&v, 1);
  in->id = ssh_sftp_take_number(&v);
  if(v.shorter)
    return 0;
  *broken = !ssh_sftp_is_answer((uint8_t)*type);
  if(*broken)
    return 0;
  in->type = (uint8_t)*type;
  in->more = 0;
  if(in->type == MOTE_SFTP_DATA || in->type == MOTE_SFTP_NAME) {
    in->more = ssh_sftp_take_number(&v);
    front += NUMBER;
  }
  if(v.shorter) {
    in->type = 0;
    return 0;
  }
  *broken = left < front || (in->type == MOTE_SFTP_DATA && in->more != left - front) ||
            (in->type != MOTE_SFTP_DATA && in->type != MOTE_SFTP_NAME && left > MOTE_SFTP_UNIT);
  in->left = left - front;
  if(*broken)
    in->type = 0;
  return *broken ? 0 : len - v.len;
}

static size_t ssh_sftp_take_data(struct mote_sftp_in *in, const char *bytes, size_t len,
                                 struct mote_sftp_event *e)
{
  e->text.ptr = bytes;
  e->text.len = len < in->left ? len : in->left;
  in->left -= (uint32_t)e->text.len;
  e->end = !in->left;
  return e->text.len;
}

/* One entry. The last one is to end where the message does. */
static size_t ssh_sftp_take_name(struct mote_sftp_in *in, const char *bytes, size_t len,
                                 struct mote_sftp_event *e)
{
  struct view v = {bytes, len < in->left ? len : in->left, false};
  size_t all = v.len, used;
  if(in->more) {
    e->text = ssh_sftp_take_text(&v);
    e->text2 = ssh_sftp_take_text(&v);
    take_attrs(&v, &e->attrs);
    if(v.shorter) {
      e->broken = all == in->left || all >= MOTE_SFTP_UNIT;
      return 0;
    }
    in->more--;
  }
  used = all - v.len;
  in->left -= (uint32_t)used;
  e->end = !in->more;
  e->broken = e->end && in->left;
  return used;
}

static size_t take_whole(struct mote_sftp_in *in, const char *bytes, size_t len, struct mote_sftp_event *e)
{
  struct view v = {bytes, in->left, false};
  if(len < in->left)
    return 0;
  if(in->type == MOTE_SFTP_STATUS) {
    e->code = ssh_sftp_take_number(&v);
    e->broken = v.shorter;
    if(v.len) /* some servers leave the texts out */
      e->text = ssh_sftp_take_text(&v);
  }
  else if(in->type == MOTE_SFTP_HANDLE) {
    e->text = ssh_sftp_take_text(&v);
    e->broken = v.shorter || e->text.len > MOTE_SFTP_HANDLE_MOST;
  }
  else if(in->type == MOTE_SFTP_ATTRS) {
    take_attrs(&v, &e->attrs);
    e->broken = v.shorter;
  }
  else
    e->text = (struct mote_slice){bytes, in->left};
  e->end = true;
  return in->left;
}

size_t mote_sftp_feed(struct mote_sftp_in *in, const char *bytes, size_t len, struct mote_sftp_event *event)
{
  size_t head = 0, body;
  memset(event, 0, sizeof *event);
  if(!in->type) {
    head = ssh_sftp_take_head(in, bytes, len, &event->broken);
    if(!head)
      return 0;
    bytes += head;
    len -= head;
  }
  event->id = in->id;
  if(in->type == MOTE_SFTP_DATA)
    body = ssh_sftp_take_data(in, bytes, len, event);
  else if(in->type == MOTE_SFTP_NAME)
    body = ssh_sftp_take_name(in, bytes, len, event);
  else
    body = take_whole(in, bytes, len, event);
  if(event->broken || (!event->end && !body))
    return event->broken ? 0 : head;
  event->type = in->type;
  if(event->end)
    in->type = 0;
  return head + body;
}

/* ---- writing ---- */

void mote_sftp_put_text(struct mote_out *o, struct mote_slice text)
{
  mote_out_32(o, (uint32_t)text.len);
  mote_out_slice(o, text);
}

void mote_sftp_put_attrs(struct mote_out *o, const struct mote_sftp_attrs *attrs)
{
  mote_out_32(o, attrs->flags);
  if(attrs->flags & MOTE_SFTP_HAS_SIZE)
    mote_out_64(o, attrs->size);
  if(attrs->flags & MOTE_SFTP_HAS_OWNER) {
    mote_out_32(o, attrs->uid);
    mote_out_32(o, attrs->gid);
  }
  if(attrs->flags & MOTE_SFTP_HAS_MODE)
    mote_out_32(o, attrs->mode);
  if(attrs->flags & MOTE_SFTP_HAS_TIMES) {
    mote_out_32(o, attrs->atime);
    mote_out_32(o, attrs->mtime);
  }
}

void mote_sftp_begin(struct mote_out *o, enum mote_sftp_type type, uint32_t id)
{
  mote_out_32(o, 0);
  mote_out_char(o, (char)type);
  mote_out_32(o, id);
}

void mote_sftp_end(struct mote_out *o, size_t from, size_t more)
{
  struct mote_out front = mote_out_in(o->ptr + from, o->len < from + NUMBER ? 0 : NUMBER);
  mote_out_32(&front, (uint32_t)(o->len - from - NUMBER + more));
}
