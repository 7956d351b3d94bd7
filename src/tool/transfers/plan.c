#include "tool/transfers/plan.h"

#include "tool/memory.h"
#include "tool/options/data.h"
#include "tool/options/options.h"
#include "tool/password.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/files.h"
#include "tool/transfers/finish.h"

#include <errno.h>
#include <string.h>

void mote_cli_plan_init(struct plan *plan, struct operation *first)
{
  memset(plan, 0, sizeof *plan);
  plan->op = first;
}

static void free_globs(struct plan *plan)
{
  mote_cli_glob_free(plan->uploads);
  mote_cli_glob_free(plan->urls);
  plan->uploads = plan->urls = NULL;
}

void mote_cli_plan_end(struct plan *plan)
{
  free_globs(plan);
}

static CURLcode plan_usage(const char *text)
{
  mote_cli_help("%s", text);
  mote_cli_try_help();
  return CURLE_FAILED_INIT;
}

static CURLcode one_method(const struct operation *op)
{
  const char *const names[] = { "PUT (-T, --upload-file)", "POST (-d, --data)",
                                "multipart formpost (-F, --form)", "HEAD (-I, --head)" };
  const struct url_entry *e = op->urls;
  const char *first = NULL;
  bool asked[4];
  while(e && !(e->upload && *e->upload)) /* --upload-file "" uploads nothing */
    e = e->next;
  asked[0] = e != NULL;
  asked[1] = op->post.set && !mote_cli_op_flag(op, FLAG_GET);
  asked[2] = mote_cli_op_find(op, SLOT_FORM) != NULL;
  asked[3] = mote_cli_op_flag(op, FLAG_HEAD);
  for(int i = 0; i < 4; i++) {
    if(asked[i] && first) {
      if(mote_cli_on(GLOBAL_AS_CURL))
        mote_cli_warn(CURL_SAYS_ONE_METHOD, first, names[i]);
      else
        mote_cli_help("%s and %s cannot be combined: a request has one method", first, names[i]);
      return CURLE_FAILED_INIT;
    }
    if(asked[i])
      first = names[i];
  }
  return CURLE_OK;
}

/* --continue-at appends to an existing file, or sends the rest of one. */
static const char *against_resuming(const struct operation *op)
{
  if(mote_cli_op_flag(op, FLAG_REMOTE_HEADER_NAME))
    return "--continue-at and --remote-header-name cannot be combined: the file's name is known too late";
  if(mote_cli_op_flag(op, FLAG_NO_CLOBBER))
    return "--continue-at and --no-clobber cannot be combined: one adds to a file, the other leaves it alone";
  if(mote_cli_op_flag(op, FLAG_REMOVE_ON_ERROR))
    return "--continue-at and --remove-on-error cannot be combined: what was there before would go too";
  if(mote_cli_op_find(op, CURLOPT_RANGE))
    return "--continue-at and --range cannot be combined: both say where to begin";
  if(op->post.set && !mote_cli_op_flag(op, FLAG_GET))
    return "--continue-at and --data cannot be combined: a POST cannot be resumed";
  return NULL;
}

/* Any --httpsig option asks for a signature, which needs a key with a name. */
static bool lacks_key(const struct operation *op)
{
  bool key = mote_cli_op_find(op, CURLOPT_HTTPSIG_KEY) != NULL;
  bool keyid = mote_cli_op_find(op, CURLOPT_HTTPSIG_KEYID) != NULL;
  return (!key || !keyid) && (key || keyid || mote_cli_op_find(op, CURLOPT_HTTPSIG_ALGORITHM) ||
                              mote_cli_op_find(op, CURLOPT_HTTPSIG_HEADERS));
}

/* CURL_SSLVERSION_MAX_ numbers are those of CURL_SSLVERSION_, shifted. */
static bool tls_contradicts(const struct operation *op)
{
  curl_off_t least = mote_cli_op_get_number(op, SLOT_TLS_MIN, 0);
  curl_off_t most = mote_cli_op_get_number(op, SLOT_TLS_MAX, 0);
  return most && most != CURL_SSLVERSION_MAX_DEFAULT && least > most >> 16;
}

static CURLcode plan_check(const struct operation *op)
{
  const char *text = NULL;
  if(!op->url_count)
    return plan_usage("no URL is given");
  if(mote_cli_op_find(op, SLOT_CONTINUE))
    text = against_resuming(op);
  if(!text && op->url_count > 1 &&
     (mote_cli_op_find(op, SLOT_ETAG_COMPARE) || mote_cli_op_find(op, SLOT_ETAG_SAVE)))
    text = "--etag-compare and --etag-save work with a single URL only";
  if(!text && tls_contradicts(op))
    text = "--tls-max is lower than the lowest TLS version that is asked for";
  if(!text && lacks_key(op))
    text = "a signature needs --httpsig-key and --httpsig-keyid";
  return text ? plan_usage(text) : one_method(op);
}

/* Headers that options of the command stand for, unless the user gave them. */
static CURLcode add_headers(struct operation *op)
{
  const char *path = mote_cli_op_get_text(op, SLOT_ETAG_COMPARE);
  bool ok = true;
  if(op->post.json && !mote_cli_op_has_header(op, CURLOPT_HTTPHEADER, "Content-Type"))
    ok = mote_cli_op_add(op, NULL, CURLOPT_HTTPHEADER, "Content-Type: application/json") != NULL;
  if(ok && op->post.json && !mote_cli_op_has_header(op, CURLOPT_HTTPHEADER, "Accept"))
    ok = mote_cli_op_add(op, NULL, CURLOPT_HTTPHEADER, "Accept: application/json") != NULL;
  if(ok && path) {
    static const char name[] = "If-None-Match: ";
    char *etag, *header;
    size_t len;
    CURLcode rc = mote_cli_read_file(path, &etag, &len);
    if(rc == CURLE_OUT_OF_MEMORY)
      return rc;
    len = rc ? 0 : strcspn(etag, "\r\n"); /* a file that does not exist yet counts as empty */
    header = mote_cli_keep(sizeof name + (len ? len : 2));
    if(!header)
      return CURLE_OUT_OF_MEMORY;
    memcpy(header, name, sizeof name - 1);
    if(!len)
      strcpy(header + sizeof name - 1, "\"\"");
    else
      memcpy(header + sizeof name - 1, etag, len);
    ok = mote_cli_op_add(op, NULL, CURLOPT_HTTPHEADER, header) != NULL;
  }
  return ok ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* A query is made of the body, or its digest is signed before it is sent. */
static bool needs_whole_body(const struct operation *op)
{
  return mote_cli_op_flag(op, FLAG_GET) || mote_cli_op_find(op, CURLOPT_AWS_SIGV4);
}

/* Prepare an operation, once, when its turn comes. */
static CURLcode plan_begin(struct plan *plan)
{
  struct operation *op = plan->op;
  CURLcode rc = plan_check(op);
  if(!rc)
    rc = add_headers(op);
  if(!rc && needs_whole_body(op))
    rc = mote_cli_data_load(&op->post);
  if(!rc)
    rc = mote_cli_ask_passwords(op);
  plan->begun = true;
  plan->entry = op->urls;
  plan->upload_at = -1;
  return rc;
}

static void glob_failed(CURLcode rc, const struct glob_error *error, const char *pattern)
{
  mote_cli_error("(%d) %s in position %lu:\n%s\n%*s^", (int)rc, error->text, (unsigned long)error->at,
                 pattern, (int)(error->at < 500 ? error->at - 1 : 0), "");
}

static CURLcode make_glob(const char *pattern, bool off, struct glob **glob, curl_off_t *count)
{
  struct glob_error error;
  CURLcode rc;
  *count = 1;
  *glob = NULL;
  if(off || !mote_cli_glob_needed(pattern))
    return CURLE_OK;
  rc = mote_cli_glob_new(glob, pattern, &error);
  if(rc == CURLE_URL_MALFORMAT)
    glob_failed(rc, &error, pattern);
  if(!rc)
    *count = mote_cli_glob_count(*glob);
  return rc;
}

static CURLcode open_globs(struct plan *plan)
{
  const struct url_entry *e = plan->entry;
  bool off = mote_cli_op_flag(plan->op, FLAG_GLOBOFF) || e->listed;
  CURLcode rc;
  plan->upload_at = plan->url_at = 0;
  plan->upload_count = 1;
  rc = make_glob(e->url, off, &plan->urls, &plan->url_count);
  if(!rc && e->upload)
    rc = make_glob(e->upload, off, &plan->uploads, &plan->upload_count);
  return rc;
}

/* Move to the next URL or operation that has one. False: there is none. */
static CURLcode advance(struct plan *plan, bool *more)
{
  CURLcode rc = CURLE_OK;
  *more = false;
  while(plan->op && !rc) {
    if(!plan->begun) {
      rc = plan_begin(plan);
      if(rc)
        break;
    }
    while(plan->entry && !plan->entry->url)
      plan->entry = plan->entry->next;
    if(!plan->entry) {
      if(plan->op->uploads > plan->op->url_count)
        mote_cli_warn("%s", mote_cli_on(GLOBAL_AS_CURL) ? CURL_SAYS_MORE_OUTPUTS
                                                        : "there are more files to upload than URLs");
      if(plan->op->outputs > plan->op->url_count)
        mote_cli_warn("%s", mote_cli_on(GLOBAL_AS_CURL) ? CURL_SAYS_MORE_OUTPUTS
                                                        : "there are more output options than URLs");
      plan->op = plan->op->next;
      plan->begun = false;
      continue;
    }
    if(plan->upload_at < 0) {
      rc = open_globs(plan);
      if(rc)
        break;
    }
    if(plan->url_at < plan->url_count) {
      *more = true;
      break;
    }
    plan->url_at = 0;
    if(++plan->upload_at >= plan->upload_count) {
      free_globs(plan);
      plan->upload_at = -1;
      plan->entry = plan->entry->next;
      plan->number++;
    }
  }
  return rc;
}

/* The path of a URL as the user wrote it, *len bytes without query and fragment. */
static const char *url_path(const char *url, size_t *len)
{
  const char *host = mote_cli_url_authority(url);
  const char *end = host + strcspn(host, "?#");
  const char *path = memchr(host, '/', (size_t)(end - host));
  *len = path ? (size_t)(end - path) : 0;
  return path ? path : end;
}

/* A URL whose path ends with a slash (or that has none) gets the uploaded file's name; a query says that the
 * URL is whole. A fragment is never sent, and is dropped. */
static CURLcode add_file_name(struct transfer *t)
{
  size_t len;
  const char *path = url_path(t->url, &len), *name = mote_cli_system_base_name(t->in_name);
  char *encoded, *url;
  size_t head = (size_t)(path - t->url) + len;
  if((len && path[len - 1] != '/') || path[len] == '?' || !*name || !strcmp(name, "-") || !strcmp(name, "."))
    return CURLE_OK;
  encoded = mote_cli_url_encode(name, strlen(name), false);
  url = encoded ? mote_cli_alloc(head + strlen(encoded) + 2) : NULL;
  if(url) {
    memcpy(url, t->url, head);
    if(!len)
      url[head++] = '/';
    strcpy(url + head, encoded);
    mote_cli_free(t->url_owned);
    t->url = t->url_owned = url;
  }
  mote_cli_free(encoded);
  return url ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static CURLcode plan_add_query(struct transfer *t, const struct post *post)
{
  char *url;
  if(!post->set || !post->len)
    return CURLE_OK;
  url = mote_cli_url_with_query(t->url, post->data, post->len);
  if(!url)
    return CURLE_OUT_OF_MEMORY;
  mote_cli_free(t->url_owned);
  t->url = t->url_owned = url;
  return CURLE_OK;
}

static CURLcode name_url(struct plan *plan, struct transfer *t)
{
  CURLcode rc = CURLE_OK;
  t->url = plan->entry->url;
  if(plan->urls) {
    t->url = t->url_owned = mote_cli_glob_text(plan->urls, plan->url_at);
    if(!t->url)
      return CURLE_OUT_OF_MEMORY;
  }
  t->in_name = plan->entry->upload;
  if(t->in_name && !*t->in_name)
    t->in_name = NULL;
  if(plan->uploads) {
    t->in_name = t->in_owned = mote_cli_glob_text(plan->uploads, plan->upload_at);
    if(!t->in_name)
      return CURLE_OUT_OF_MEMORY;
  }
  if(t->in_name)
    rc = add_file_name(t);
  else if(curl_strnequal(t->url, "telnet:", 7))
    t->in_name = "."; /* stdin, without waiting for it */
  if(!rc && mote_cli_op_flag(t->op, FLAG_GET))
    rc = plan_add_query(t, &t->op->post);
  return rc ? rc : plan_add_query(t, &t->op->query);
}

/* --remote-name: the last part of the path, or of what precedes the slash that ends it. */
static CURLcode remote_name(struct transfer *t)
{
  static const char none[] = "curl_response"; /* the name that curl(1) takes */
  size_t len;
  const char *path = url_path(t->url, &len), *name, *end = path + len;
  while(end > path && end[-1] == '/')
    end--;
  for(name = end; name > path && name[-1] != '/'; name--)
    ;
  if(name == end) {
    name = none;
    end = none + sizeof none - 1;
    mote_cli_warn("the URL has no file name, \"%s\" is used", none);
  }
  t->out_owned = mote_cli_strndup(name, (size_t)(end - name));
  if(t->out_owned)
    t->out_owned = mote_cli_system_safe_name(t->out_owned);
  t->out_name = t->out_owned;
  return t->out_name ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static CURLcode name_output(struct plan *plan, struct transfer *t)
{
  const struct url_entry *e = plan->entry;
  const char *dir = mote_cli_op_get_text(t->op, SLOT_OUTPUT_DIR);
  CURLcode rc = CURLE_OK;
  t->out_null = e->null;
  if(e->remote_name)
    rc = remote_name(t);
  else if(e->output && !strcmp(e->output, "-"))
    t->out_binary_ok = true;
  else if(e->output && strchr(e->output, '#')) {
    struct glob_error error = { .text = "no glob has this name" };
    struct glob_turn turn = { plan->urls, plan->url_at, plan->uploads, plan->upload_at };
    rc = mote_cli_glob_name(&turn, e->output, &t->out_owned, &error.at);
    if(rc == CURLE_BAD_FUNCTION_ARGUMENT)
      glob_failed(rc, &error, e->output);
    t->out_name = rc ? NULL : t->out_owned;
  }
  else
    t->out_name = e->output;
  if(!rc && t->out_name && dir) {
    char *path = mote_cli_join(dir, "/", t->out_name);
    if(!path)
      return CURLE_OUT_OF_MEMORY;
    mote_cli_free(t->out_owned);
    t->out_name = t->out_owned = path;
  }
  return rc;
}

/* A body that would be read while it is sent is read now if the transfer writes to its file, which the first
 * byte of a response would empty. */
static CURLcode plan_load_body(struct transfer *t)
{
  const char *const written[] = { t->out_name, mote_cli_op_get_text(t->op, SLOT_DUMP_HEADER),
                                  mote_cli_op_get_text(t->op, SLOT_ETAG_SAVE) };
  struct post *post = &t->op->post;
  bool same = false;
  CURLcode rc;
  if(!post->file)
    return CURLE_OK;
  for(size_t i = 0; i < sizeof written / sizeof written[0]; i++)
    same |= written[i] && mote_cli_system_same_file(written[i], post->file);
  rc = same ? mote_cli_data_load(post) : CURLE_OK;
  if(rc == CURLE_READ_ERROR)
    t->trouble = (struct trouble){ "read", post->file, mote_cli.unread_error };
  return rc;
}

static int open_to(const char *name, bool append)
{
  if(!strcmp(name, "-"))
    return 1;
  if(!strcmp(name, "%"))
    return mote_cli.err;
  /* Others write to it at the same time (-Z): each adds to its end. */
  return mote_cli_system_open(name, O_WRONLY | O_CREAT | O_APPEND | (append ? 0 : O_TRUNC), 0666);
}

static bool make_dirs(const struct transfer *t, const char *path)
{
  return !mote_cli_op_flag(t->op, FLAG_CREATE_DIRS) || !mote_cli_make_dirs(path);
}

/* Skip the rest of the operation. */
static void leave_operation(struct plan *plan)
{
  free_globs(plan);
  plan->entry = NULL;
}

/* --dump-header and --etag-save. Headers of further transfers are appended to those of the first. */
static CURLcode open_heads(struct plan *plan, struct transfer *t)
{
  const char *dump = mote_cli_op_get_text(t->op, SLOT_DUMP_HEADER);
  const char *etag = mote_cli_op_get_text(t->op, SLOT_ETAG_SAVE);
  bool again = plan->entry != t->op->urls || plan->url_at || plan->upload_at;
  if(dump) {
    t->head_fd = make_dirs(t, dump) ? open_to(dump, again) : -1;
    if(t->head_fd < 0) {
      t->trouble = (struct trouble){ "write", dump, errno };
      return CURLE_WRITE_ERROR;
    }
    t->head_tty = mote_cli_system_is_terminal(t->head_fd);
  }
  if(etag) {
    t->etag_fd = make_dirs(t, etag) ? open_to(etag, true) : -1;
    if(t->etag_fd < 0) {
      t->trouble = (struct trouble){ "write", etag, errno };
      t->failed = CURLE_READ_ERROR;
      t->skipped = true;
      mote_cli_report_failure(t, t->failed);
      leave_operation(plan);
      return CURLE_OK;
    }
    t->etag_tty = mote_cli_system_is_terminal(t->etag_fd);
    if(!mote_cli_op_find(t->op, SLOT_ETAG_COMPARE) && ftruncate(t->etag_fd, 0))
      errno = 0; /* a pipe cannot be truncated */
  }
  return CURLE_OK;
}

/* --skip-existing, and where a resumed transfer starts. */
static void look_at_output(struct transfer *t)
{
  curl_off_t from = mote_cli_op_get_number(t->op, SLOT_CONTINUE, 0);
  struct stat st;
  bool there = t->out_name && !mote_cli_system_stat(t->out_name, &st);
  if(mote_cli_op_flag(t->op, FLAG_SKIP_EXISTING) && there) {
    mote_cli_note("%s exists, its transfer is skipped", t->out_name);
    t->skipped = true;
  }
  if(from < 0 && t->in_name)
    t->resume_from = -1; /* the library asks the server how much it has */
  else if(from < 0)
    t->resume_from = there && S_ISREG(st.st_mode) ? st.st_size : 0;
  else
    t->resume_from = from;
}

static void plan_reset(struct transfer *t, struct plan *plan)
{
  CURL *handle = t->handle;
  memset(t, 0, sizeof *t);
  t->handle = handle;
  t->op = plan->op;
  t->entry = plan->entry;
  t->number = plan->number;
  t->out_fd = t->in_fd = t->head_fd = t->etag_fd = -1;
  t->retry.left = mote_cli_op_get_number(plan->op, SLOT_RETRY, 0);
  t->retry.delay = mote_cli_op_get_number(plan->op, SLOT_RETRY_DELAY, 0);
}

CURLcode mote_cli_plan_next(struct plan *plan, struct transfer *t, bool *more)
{
  CURLcode rc = advance(plan, more);
  if(rc == CURLE_OUT_OF_MEMORY)
    mote_cli_error("(%d) out of memory", (int)rc);
  else if(rc == CURLE_READ_ERROR)
    mote_cli_error("(%d) cannot read %s: %s", (int)rc, mote_cli.unread, mote_cli_unread_reason());
  if(rc || !*more)
    return rc;
  plan_reset(t, plan);
  rc = name_url(plan, t);
  if(!rc)
    rc = name_output(plan, t);
  if(!rc)
    rc = plan_load_body(t);
  if(!rc) {
    look_at_output(t);
    if(!t->skipped)
      rc = open_heads(plan, t);
  }
  plan->url_at++;
  if(!rc)
    return rc;
  curl_easy_reset(t->handle); /* otherwise --write-out would show figures of its last transfer */
  return mote_cli_give_up(t, rc);
}
