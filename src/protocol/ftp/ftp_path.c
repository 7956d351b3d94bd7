/* protocol/ftp/ftp_path.c: directories, names of files, and the commands of the application
 * (protocol/ftp/ftp.h).
 *
 * The path of the URL is used as it is, percent-encoded; an encoded slash divides it like a plain one, as in
 * libcurl. A directory that the connection is in already is not changed to again: the path that led to it is
 * compared. Otherwise the way begins at the entry path. */
#include <string.h>

#include "base/memory.h"
#include "codec/ftp/reply.h"
#include "codec/url/percent.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "protocol/ftp/ftp.h"
#include "transfer/download/headers.h"
#include "transfer/transfer.h"

#define PATH_SPARE 40 /* bytes of room for the next directory's path */

/* One block of the connection's account. */
struct mote_ftp_paths {
  uint32_t size;  /* bytes of the block */
  uint32_t entry; /* bytes of the entry path, 0: unknown */
  uint32_t dir;   /* bytes of the path to the working directory after it */
  char bytes[];
};

struct mote_ftp *mote_ftp_of(const struct mote_transfer *t)
{
  return mote_conn_state(t->run->channel.conn);
}

CURLcode mote_ftp_refused(struct mote_transfer *t, struct mote_talk *talk, CURLcode rc,
                          const struct mote_reply *r)
{
  talk->at_rest = true;
  return mote_talk_refused(t, talk, rc, r);
}

/* ---- the URL's path ---- */

/* Takes the path without its first slash and its type. Returns the type in upper case, or 0. */
static char ftp_take_path(struct mote_transfer *t, struct mote_ftp *f)
{
  struct mote_slice *p = &f->path;
  *p = mote_url_packed_path(&t->run->request.url);
  if(p->len < 7 || !mote_equal_nocase_n(p->ptr + p->len - 7, ";type=", 6))
    return 0;
  p->len -= 7;
  return mote_to_upper(p->ptr[p->len + 6]);
}

/* The files of a pattern have names in a directory that the server is in. */
static bool in_one_piece(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_FTP_FILEMETHOD) == CURLFTPMETHOD_NOCWD &&
         !mote_opt_long(&t->options, CURLOPT_WILDCARDMATCH);
}

/* Returns the bytes of a slash at this place, encoded or not, 0: there is none. */
static size_t slash_at(struct mote_slice p, size_t at)
{
  if(p.ptr[at] == '/')
    return 1;
  return p.ptr[at] == '%' && mote_percent_byte(p.ptr + at, p.ptr + p.len) == '/' ? 3 : 0;
}

/* A file is listed (";type=d") with the directory that it is in, as in libcurl. */
CURLcode mote_ftp_path_begin(struct mote_transfer *t, struct mote_ftp *f)
{
  char type = ftp_take_path(t, f);
  struct mote_slice *p = &f->path;
  size_t i;
  if(mote_percent_has_control(*p, true))
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "The path has an encoded control character");
  for(i = p->len; i-- && !f->dirs;) {
    size_t slash = slash_at(*p, i);
    f->dirs = slash ? (uint32_t)(i + slash) : 0;
  }
  f->names = type == 'D' || mote_opt_long(&t->options, CURLOPT_DIRLISTONLY);
  f->listing = !f->upload && (f->dirs == p->len || (f->names && !f->head));
  f->wanted = type == 'A' || f->listing || (!type && mote_opt_long(&t->options, CURLOPT_TRANSFERTEXT))
                ? 'A' : 'I';
  if(f->upload && f->dirs == p->len)
    return mote_talk_failed(t, CURLE_URL_MALFORMAT, "Uploading needs the name of a file in the URL");
  if(f->listing)
    p->len = f->dirs;
  if(in_one_piece(t)) {
    p->len -= f->listing && p->len > 1 && p->ptr[p->len - 1] == '/';
    f->dirs = 0;
  }
  return CURLE_OK;
}

CURLcode mote_ftp_send_name(struct mote_transfer *t, struct mote_ftp *f, const char *verb)
{
  struct mote_slice name = {f->path.ptr + f->dirs, f->path.len - f->dirs};
  if(f->name)
    name = mote_slice_of(f->name);
  if(f->listing && !name.len)
    return mote_talk_say(t, &f->talk, verb);
  return mote_talk_say_word(t, &f->talk, verb, name, !f->name);
}

/* ---- the paths that the connection knows ---- */

/* Makes the block again for another directory, unless it has room. The entry path may lie in it. */
static CURLcode ftp_path_store(struct mote_transfer *t, struct mote_ftp *f, struct mote_slice entry,
                               struct mote_slice dir)
{
  struct mote_account *account = t->run->channel.conn->env.account;
  size_t size = sizeof(struct mote_ftp_paths) + entry.len + dir.len + PATH_SPARE;
  struct mote_ftp_paths *p = f->paths;
  if(!p || p->size < size - PATH_SPARE) {
    p = mote_mem_alloc(account, MOTE_PART_CONN, size);
    if(!p)
      return CURLE_OUT_OF_MEMORY;
    p->size = (uint32_t)size;
  }
  p->entry = (uint32_t)entry.len;
  p->dir = (uint32_t)dir.len;
  if(entry.len)
    memmove(p->bytes, entry.ptr, entry.len);
  if(dir.len)
    memcpy(p->bytes + entry.len, dir.ptr, dir.len);
  if(f->paths && f->paths != p)
    mote_mem_free(account, MOTE_PART_CONN, f->paths, f->paths->size);
  f->paths = p;
  return CURLE_OK;
}

static struct mote_slice ftp_path_entry_of(const struct mote_ftp *f)
{
  struct mote_slice s = {f->paths ? f->paths->bytes : NULL, f->paths ? f->paths->entry : 0};
  return s;
}

CURLcode mote_ftp_enter(struct mote_transfer *t, struct mote_ftp *f, const struct mote_reply *r,
                        bool *unix_path)
{
  struct mote_slice nothing = {NULL, 0};
  size_t len;
  CURLcode rc = ftp_path_store(t, f, r->text, nothing);
  if(rc)
    return rc;
  if(!mote_reply_path(r->text, f->paths->bytes, &len))
    return mote_talk_refused(t, &f->talk, CURLE_WEIRD_SERVER_REPLY, r);
  f->paths->entry = (uint32_t)len;
  *unix_path = !len || f->paths->bytes[0] == '/';
  return CURLE_OK;
}

CURLcode mote_ftp_report_entry(struct mote_transfer *t, const struct mote_ftp *f)
{
  struct mote_slice entry = ftp_path_entry_of(f);
  if(!entry.len)
    return CURLE_OK;
  return mote_headers_add(&t->run->response.headers, &t->account, 0, 0, mote_slice_of(MOTE_NOTE_ENTRY_PATH),
                          entry);
}

void mote_ftp_discard(struct mote_conn *c)
{
  const struct mote_ftp *f = mote_conn_state(c);
  if(f->paths)
    mote_mem_free(c->env.account, MOTE_PART_CONN, f->paths, f->paths->size);
}

/* ---- changing the directory ---- */

/* The part of the path that leads to the directory. */
static struct mote_slice dir_of(const struct mote_ftp *f)
{
  struct mote_slice p = {f->path.ptr, f->dirs};
  return p;
}

/* A URL without a directory names a file where a command of the application may have led. */
static bool is_there(const struct mote_ftp *f, struct mote_slice dir)
{
  struct mote_slice now = {NULL, 0};
  if(f->paths) {
    now.ptr = f->paths->bytes + f->paths->entry;
    now.len = f->paths->dir;
  }
  return !f->lost && !(f->strayed && dir.len) && mote_slice_same(dir, now);
}

bool mote_ftp_is_astray(const struct mote_ftp *f)
{
  return !ftp_path_entry_of(f).len && (f->lost || (f->paths && f->paths->dir));
}

/* A path that begins with a slash needs no entry path, and in one piece no working directory at all. A
 * connection that was used may be anywhere. */
CURLcode mote_ftp_begin_dirs(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  struct mote_slice dir = dir_of(f);
  (void)t;
  if(is_there(f, dir) || (!dir.len && f->path.len && slash_at(f->path, 0)))
    return mote_talk_go(talk, MOTE_FTP_MDTM);
  f->at = 0;
  f->entry = (f->used || f->lost) && ftp_path_entry_of(f).len && !(dir.len && slash_at(dir, 0));
  return CURLE_OK;
}

/* The next directory on the way, or all that are left. *after: where the way goes on. An empty one is passed
 * over, unless it is the root. */
static struct mote_slice next_dir(const struct mote_transfer *t, const struct mote_ftp *f, uint32_t *after)
{
  struct mote_slice p = dir_of(f), s = {p.ptr + f->at, 0};
  size_t from = f->at, i = from;
  bool all = mote_opt_long(&t->options, CURLOPT_FTP_FILEMETHOD) == CURLFTPMETHOD_SINGLECWD;
  for(; i < p.len; i++) {
    size_t slash = slash_at(p, i);
    if(!slash || (all && i + slash < p.len))
      continue;
    if(i > from || !from) {
      s.ptr = p.ptr + from;
      s.len = i > from ? i - from : slash;
      i += slash;
      break;
    }
    from = i + slash;
    i = from - 1;
  }
  *after = (uint32_t)i;
  return s;
}

CURLcode mote_ftp_send_cwd(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  bool entry = f->entry;
  uint32_t after;
  struct mote_slice dir = entry ? ftp_path_entry_of(f) : next_dir(t, f, &after);
  if(dir.len) {
    f->lost = true;
    return mote_talk_say_word(t, talk, "CWD", dir, !entry);
  }
  f->lost = ftp_path_store(t, f, ftp_path_entry_of(f), dir_of(f)) != CURLE_OK;
  return f->lost ? CURLE_OUT_OF_MEMORY : mote_talk_go(talk, MOTE_FTP_MDTM);
}

CURLcode mote_ftp_take_cwd(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  if(r->code / 100 != 2) {
    if(f->entry || f->made || !mote_opt_long(&t->options, CURLOPT_FTP_CREATE_MISSING_DIRS))
      return mote_ftp_refused(t, talk, CURLE_REMOTE_ACCESS_DENIED, r);
    f->made = true;
    return mote_talk_go(talk, MOTE_FTP_MKD);
  }
  if(!f->entry)
    (void)next_dir(t, f, &f->at);
  f->entry = false;
  f->made = false;
  return CURLE_OK;
}

CURLcode mote_ftp_send_mkd(struct mote_transfer *t, struct mote_talk *talk)
{
  uint32_t after;
  return mote_talk_say_word(t, talk, "MKD", next_dir(t, (struct mote_ftp *)talk, &after), true);
}

/* Another client may have made the directory meanwhile (CURLFTP_CREATE_DIR_RETRY). */
CURLcode mote_ftp_take_mkd(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  if(r->code / 100 == 2 ||
     mote_opt_long(&t->options, CURLOPT_FTP_CREATE_MISSING_DIRS) == CURLFTP_CREATE_DIR_RETRY)
    return CURLE_OK;
  return mote_ftp_refused(t, talk, CURLE_REMOTE_ACCESS_DENIED, r);
}

/* ---- the application's commands ---- */

static bool ftp_path_changes_dir(const char *command)
{
  struct mote_slice word = {command, strcspn(command, " ")};
  return mote_slice_among(word, "CWD\0XCWD\0CDUP\0XCUP\0") != 0;
}

/* For facts alone no file moves between CURLOPT_PREQUOTE and CURLOPT_POSTQUOTE. */
CURLcode mote_ftp_send_quote(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  const char *command;
  if(f->quoted != talk->stage) {
    CURLoption option = talk->stage == MOTE_FTP_QUOTE      ? CURLOPT_QUOTE
                        : talk->stage == MOTE_FTP_PREQUOTE ? CURLOPT_PREQUOTE
                                                           : CURLOPT_POSTQUOTE;
    f->quoted = talk->stage;
    f->quote = mote_opt_find_ptr(&t->options, MOTE_OPT_ID(option));
  }
  if(!f->quote)
    return f->head && talk->stage == MOTE_FTP_PREQUOTE ? mote_talk_go(talk, MOTE_FTP_POSTQUOTE) : CURLE_OK;
  command = f->quote->data;
  f->may_fail = *command == '*';
  return mote_talk_say(t, talk, command + f->may_fail);
}

CURLcode mote_ftp_take_quote(struct mote_transfer *t, struct mote_talk *talk, const struct mote_reply *r)
{
  struct mote_ftp *f = (struct mote_ftp *)talk;
  if(r->code >= 400 && !f->may_fail) {
    talk->at_rest = talk->stage == MOTE_FTP_POSTQUOTE;
    return mote_talk_refused(t, talk, CURLE_QUOTE_ERROR, r);
  }
  if(r->code < 400 && ftp_path_changes_dir(f->quote->data + f->may_fail))
    f->strayed = true;
  f->quote = f->quote->next;
  return mote_talk_go(talk, talk->stage);
}
