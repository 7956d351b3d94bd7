/* protocol/ftp/ftp_list.c: files that match a pattern (protocol/ftp/ftp_list.h). */
#include "protocol/ftp/ftp.h"

#include <string.h>

#include "base/memory.h"
#include "codec/ftp/listing.h"
#include "codec/ftp/wildcard.h"
#include "protocol/body.h"
#include "protocol/ftp/ftp_list.h"
#include "transfer/callback.h"
#include "transfer/download/sink.h"
#include "transfer/transfer.h"

/* A file that matches. The strings of info are in the line. */
struct file {
  struct file *next;
  size_t size; /* bytes of the block */
  struct curl_fileinfo info;
  char line[];
};

struct mote_ftp_list {
  struct mote_transfer *t;        /* whose exchange it is */
  struct mote_body_filter filter; /* reads the listing */
  struct file *first;             /* the one that is under way or comes next */
  struct file **end;              /* where the next one of the listing goes */
  size_t size;                    /* bytes of the block */
  size_t kept;                    /* bytes of all files */
  int files;
  enum mote_listing_form form;
  char wanted;                    /* TYPE of the files, 'A' or 'I' */
  bool listed;                    /* the listing is over */
  bool open;                      /* the application has got the first file's beginning, but not its end */
  char pattern[];
};

/* ---- the listing ---- */

static char *terminate(struct file *file, const char *line, struct mote_slice s)
{
  char *at;
  if(!s.ptr)
    return NULL;
  at = file->line + (s.ptr - line);
  at[s.len] = 0;
  return at;
}

/* Each fact is followed by a separator or by the end of the line, where its NUL goes. */
static void ftp_list_fill(struct file *file, struct mote_slice line, const struct mote_listing_file *f)
{
  struct curl_fileinfo *info = &file->info;
  memset(info, 0, sizeof *info);
  memcpy(file->line, line.ptr, line.len);
  info->filename = terminate(file, line.ptr, f->name);
  info->filetype = (curlfiletype)f->type;
  info->perm = f->mode;
  info->uid = (int)f->uid;
  info->gid = (int)f->gid;
  info->size = f->size;
  info->hardlinks = (long)f->links;
  info->strings.time = terminate(file, line.ptr, f->time);
  info->strings.perm = terminate(file, line.ptr, f->permissions);
  info->strings.user = terminate(file, line.ptr, f->user);
  info->strings.group = terminate(file, line.ptr, f->group);
  info->strings.target = terminate(file, line.ptr, f->target);
  info->flags = f->known;
  info->b_data = file->line;
  info->b_size = line.len + 1;
  info->b_used = line.len + 1;
}

static void ftp_list_drop(struct mote_ftp_list *l, struct file *file)
{
  l->kept -= file->size;
  mote_mem_free(&l->t->account, MOTE_PART_TRANSFER, file, file->size);
}

/* What the callback returns besides a match is none, as with libcurl. */
static bool ftp_list_matches(struct mote_ftp_list *l, const struct file *file)
{
  curl_fnmatch_callback own = (curl_fnmatch_callback)mote_opt_fn(&l->t->options, CURLOPT_FNMATCH_FUNCTION);
  struct mote_callback_guard g;
  int rc;
  if(!own)
    return mote_wildcard_match(mote_slice_of(l->pattern), mote_slice_of(file->info.filename));
  g = mote_callback_enter(l->t);
  rc = own(mote_opt_ptr(&l->t->options, CURLOPT_FNMATCH_DATA), l->pattern, file->info.filename);
  mote_callback_leave(l->t, g);
  return rc == CURL_FNMATCHFUNC_MATCH;
}

static CURLcode ftp_list_keep(struct mote_ftp_list *l, struct mote_slice line,
                              const struct mote_listing_file *f)
{
  size_t size = sizeof(struct file) + line.len + 1;
  struct file *file;
  if(size > MOTE_FTP_LIST_MOST - l->kept)
    return mote_fail_as(CURLE_TOO_LARGE, &l->t->report, "The list of files is too long");
  file = mote_mem_alloc(&l->t->account, MOTE_PART_TRANSFER, size);
  if(!file)
    return CURLE_OUT_OF_MEMORY;
  file->next = NULL;
  file->size = size;
  l->kept += size;
  ftp_list_fill(file, line, f);
  if(!ftp_list_matches(l, file)) {
    ftp_list_drop(l, file);
    return CURLE_OK;
  }
  *l->end = file;
  l->end = &file->next;
  l->files++;
  return CURLE_OK;
}

static CURLcode ftp_list_bad(struct mote_ftp_list *l)
{
  return mote_fail_as(CURLE_FTP_BAD_FILE_LIST, &l->t->report, "The server's list of files is not understood");
}

/* Nothing of it goes to the application. */
static CURLcode read_lines(void *state, char *bytes, size_t len, struct mote_body_cut *cut)
{
  struct mote_ftp_list *l = state;
  struct mote_slice rest = {bytes, len}, line;
  CURLcode rc = CURLE_OK;
  while(!rc && mote_listing_next(&rest, &line)) {
    struct mote_listing_file f;
    enum mote_listing got = mote_listing_line(&l->form, line, &f);
    if(line.len >= MOTE_LISTING_LINE_MAX || got == MOTE_LISTING_BAD)
      return ftp_list_bad(l);
    if(got == MOTE_LISTING_FILE)
      rc = ftp_list_keep(l, line, &f);
  }
  cut->len = 0;
  cut->used = (size_t)(rest.ptr - bytes);
  return !rc && rest.len >= MOTE_LISTING_LINE_MAX ? ftp_list_bad(l) : rc;
}

static CURLcode ftp_list_unfit(struct mote_transfer *t, CURLcode rc, const char *what)
{
  return mote_fail_as(rc, &t->report, "%s does not go with CURLOPT_WILDCARDMATCH", what);
}

CURLcode mote_ftp_list_begin(struct mote_transfer *t, struct mote_ftp *f)
{
  struct mote_slice pattern = {f->path.ptr + f->dirs, f->path.len - f->dirs};
  size_t size = sizeof(struct mote_ftp_list) + pattern.len + 1;
  struct mote_ftp_list *l;
  if(!mote_opt_long(&t->options, CURLOPT_WILDCARDMATCH) || f->listing || !pattern.len)
    return CURLE_OK;
  if(f->upload)
    return ftp_list_unfit(t, CURLE_URL_MALFORMAT, "An upload");
  if(f->head || mote_opt_str(&t->options, CURLOPT_RANGE))
    return ftp_list_unfit(t, CURLE_REMOTE_FILE_NOT_FOUND, f->head ? "CURLOPT_NOBODY" : "CURLOPT_RANGE");
  l = mote_mem_alloc(&t->account, MOTE_PART_TRANSFER, size);
  if(!l)
    return CURLE_OUT_OF_MEMORY;
  memset(l, 0, sizeof *l);
  l->t = t;
  l->filter.cut = read_lines;
  l->filter.state = l;
  l->filter.open_end = true;
  l->filter.drops_rest = true;
  l->end = &l->first;
  l->size = size;
  l->wanted = f->wanted;
  memcpy(l->pattern, pattern.ptr, pattern.len);
  l->pattern[pattern.len] = 0;
  f->list = l;
  f->listing = true;
  f->path.len = f->dirs;
  f->names = false;
  f->wanted = 'A';
  return CURLE_OK;
}

const struct mote_body_filter *mote_ftp_list_filter(const struct mote_ftp *f)
{
  return f->list && f->listing ? &f->list->filter : NULL;
}

/* ---- the files ---- */

/* Shows the first file to the application. */
static long ftp_list_show(struct mote_transfer *t, struct mote_ftp_list *l)
{
  curl_chunk_bgn_callback fn = (curl_chunk_bgn_callback)mote_opt_fn(&t->options, CURLOPT_CHUNK_BGN_FUNCTION);
  struct mote_callback_guard g;
  long rc = CURL_CHUNK_BGN_FUNC_OK;
  l->open = true;
  if(fn) {
    g = mote_callback_enter(t);
    rc = fn(&l->first->info, mote_opt_ptr(&t->options, CURLOPT_CHUNK_DATA), l->files);
    mote_callback_leave(t, g);
  }
  return rc;
}

/* Reports the end of the first file, if its beginning was, and drops it. Returns the callback's answer. */
static long ftp_list_finish(struct mote_transfer *t, struct mote_ftp_list *l)
{
  curl_chunk_end_callback fn = (curl_chunk_end_callback)mote_opt_fn(&t->options, CURLOPT_CHUNK_END_FUNCTION);
  struct file *file = l->first;
  struct mote_callback_guard g;
  long rc = CURL_CHUNK_END_FUNC_OK;
  if(!l->open)
    return rc;
  if(fn) {
    g = mote_callback_enter(t);
    rc = fn(mote_opt_ptr(&t->options, CURLOPT_CHUNK_DATA));
    mote_callback_leave(t, g);
  }
  l->open = false;
  mote_ftp_of(t)->name = NULL;
  l->first = file->next;
  l->files--;
  ftp_list_drop(l, file);
  return rc;
}

/* The size that the listing has need not be asked for. */
static void download(struct mote_transfer *t, struct mote_ftp *f)
{
  const struct curl_fileinfo *info = &f->list->first->info;
  f->listing = false;
  f->name = info->filename;
  f->wanted = f->list->wanted;
  f->size = info->flags & CURLFINFOFLAG_KNOWN_SIZE && f->wanted == 'I' ? info->size : -1;
  f->from = 0;
  f->left = -1;
  f->time = 0;
  f->last = 0;
  mote_response_announce(&t->run->response, -1);
}

static CURLcode stopped(struct mote_transfer *t)
{
  return mote_fail_as(CURLE_CHUNK_FAILED, &t->report,
                      "A callback for the files of a pattern wants no more of them");
}

/* Shows files until there is one to download. CURLE_OK without one: all are done. */
static CURLcode ftp_list_choose(struct mote_transfer *t, struct mote_ftp *f)
{
  struct mote_ftp_list *l = f->list;
  while(l->first) {
    long answer = ftp_list_show(t, l);
    if(answer == CURL_CHUNK_BGN_FUNC_FAIL) {
      l->open = false; /* its end is not reported */
      return stopped(t);
    }
    if(answer != CURL_CHUNK_BGN_FUNC_SKIP && l->first->info.filetype == CURLFILETYPE_FILE) {
      download(t, f);
      return mote_talk_go(&f->talk, MOTE_FTP_QUOTE);
    }
    if(ftp_list_finish(t, l) == CURL_CHUNK_END_FUNC_FAIL)
      return stopped(t);
  }
  return CURLE_OK;
}

bool mote_ftp_list_next(struct mote_transfer *t, struct mote_ftp *f, CURLcode *rc)
{
  struct mote_ftp_list *l = f->list;
  if(!l)
    return false;
  f->talk.at_rest = true;
  *rc = t->run->flow.recv.paused ? CURLE_AGAIN : mote_sink_resume(t);
  if(*rc)
    return false;
  if(ftp_list_finish(t, l) == CURL_CHUNK_END_FUNC_FAIL) {
    *rc = stopped(t);
    return false;
  }
  if(!l->listed && !l->first) {
    mote_fail(&t->report, "No file of the server matches \"%s\"", l->pattern);
    *rc = CURLE_REMOTE_FILE_NOT_FOUND;
    return false;
  }
  l->listed = true;
  *rc = ftp_list_choose(t, f);
  return !*rc && l->open;
}

void mote_ftp_list_end(struct mote_transfer *t, struct mote_ftp *f)
{
  struct mote_ftp_list *l = f->list;
  if(!l)
    return;
  (void)ftp_list_finish(t, l);
  while(l->first) {
    struct file *next = l->first->next;
    ftp_list_drop(l, l->first);
    l->first = next;
  }
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, l, l->size);
  f->list = NULL;
}
