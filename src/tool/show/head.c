/* Response headers: shown (-i, -I), saved (-D), and read for a file name (-J) or an ETag. */
#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/out.h"
#include "tool/transfers/transfer.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* Bytes of lines that wait for a file's name. The library accepts heads of 300 KB, and redirects add
 * theirs. */
#define HELD_MAX (1 << 20)

bool mote_cli_header_wanted(const struct transfer *t)
{
  const struct operation *op = t->op;
  return mote_cli_op_flag(op, FLAG_SHOW_HEADERS) || mote_cli_op_flag(op, FLAG_HEAD) || t->head_fd >= 0 ||
         t->etag_fd >= 0 || (mote_cli_op_flag(op, FLAG_REMOTE_HEADER_NAME) && t->entry->remote_name);
}

/* The value of a header line whose name is `name`; NULL: another header. */
static const char *head_value_of(const char *line, size_t len, const char *name, size_t *value_len)
{
  size_t n = strlen(name);
  if(len <= n || strncasecmp(line, name, n) || line[n] != ':')
    return NULL;
  line += n + 1;
  len -= n + 1;
  while(len && (*line == ' ' || *line == '\t')) {
    line++;
    len--;
  }
  while(len && strchr("\r\n \t", line[len - 1]) && line[len - 1])
    len--;
  *value_len = len;
  return line;
}

/* Write what the server sent to a file, with control characters escaped if that is a terminal. */
static bool write_to(struct transfer *t, int fd, bool tty, const char *bytes, size_t len, int slot)
{
  bool ok;
  if(tty) {
    struct out o;
    mote_cli_out_init(&o, fd, true);
    mote_cli_out_safe(&o, bytes, len);
    mote_cli_out_flush(&o);
    ok = !o.failed;
  }
  else
    ok = mote_cli_write_all(fd, bytes, len) == len;
  if(!ok)
    t->trouble = (struct trouble){ "write", mote_cli_op_get_text(t->op, slot), errno };
  return ok;
}

static bool save_etag(struct transfer *t, const char *line, size_t len)
{
  size_t n;
  long code = 0;
  const char *value = head_value_of(line, len, "etag", &n);
  curl_easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &code);
  if(!value || (code / 100 != 2 && code / 100 != 3))
    return true;
  if(!ftruncate(t->etag_fd, 0))
    mote_cli_system_seek(t->etag_fd, 0, SEEK_SET); /* a pipe cannot be truncated, so the ETag is appended */
  return !n || (write_to(t, t->etag_fd, t->etag_tty, value, n, SLOT_ETAG_SAVE) &&
                write_to(t, t->etag_fd, t->etag_tty, "\n", 1, SLOT_ETAG_SAVE));
}

static bool head_printable(const char *name)
{
  for(; *name; name++)
    if((unsigned char)*name < 0x20 || *name == 0x7f)
      return false;
  return true;
}

/* The last part of the path from p to stop, as a file name that the server chose. Allocated. NULL: it may
 * not be used, or out of memory (then t->failed is set). A name that begins with a dot is refused, since
 * it would hide the file and might overwrite a program's settings. */
static char *head_base_name(struct transfer *t, const char *p, const char *stop)
{
  const char *base = stop;
  char *name;
  while(base > p && base[-1] != '/' && base[-1] != '\\')
    base--;
  if(base == stop)
    return NULL;
  name = mote_cli_strndup(base, (size_t)(stop - base));
  if(!name)
    t->failed = CURLE_OUT_OF_MEMORY;
  else if(*name == '.' || !head_printable(name)) {
    mote_cli_warn("the server's file name \"%s\" is not used: it begins with a dot or has control characters",
                  name);
    mote_cli_free(name);
    return NULL;
  }
  else {
    name = mote_cli_system_safe_name(name);
    if(!name)
      t->failed = CURLE_OUT_OF_MEMORY;
  }
  return name;
}

/* The file name at p, a token or in quotes, without any path. Escapes stay as they are, as in curl. */
static char *file_name_at(struct transfer *t, const char *p, const char *end)
{
  char close = ';';
  const char *stop;
  if(p < end && (*p == '"' || *p == '\''))
    close = *p++;
  stop = p < end ? memchr(p, close, (size_t)(end - p)) : NULL;
  return head_base_name(t, p, stop ? stop : end);
}

/* The filename parameter of Content-Disposition (RFC 6266). */
static char *file_name(struct transfer *t, const char *value, size_t len)
{
  static const char key[] = "filename=";
  const char *end = value + len, *item = value;
  while(item) {
    while(item < end && (*item == ' ' || *item == '\t' || *item == ';'))
      item++;
    if((size_t)(end - item) > sizeof key - 1 && !strncasecmp(item, key, sizeof key - 1))
      return file_name_at(t, item + sizeof key - 1, end);
    item = memchr(item, ';', (size_t)(end - item));
  }
  return NULL;
}

/* The name in this line: Content-Disposition's, or that of the place to which the transfer is redirected. */
static char *server_name(struct transfer *t, const char *line, size_t len)
{
  size_t n;
  long code = 0;
  const char *value = head_value_of(line, len, "content-disposition", &n);
  bool target = !value && mote_cli_op_find(t->op, CURLOPT_FOLLOWLOCATION);
  char *name;
  if(target)
    value = head_value_of(line, len, "location", &n);
  if(!value)
    return NULL;
  curl_easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &code);
  if(code / 100 != 3 && (target || code / 100 != 2))
    return NULL;
  if(!target) {
    name = file_name(t, value, n);
    t->head_final = name != NULL;
    return name;
  }
  for(size_t i = 0; i < n; i++)
    if(value[i] == '?' || value[i] == '#')
      n = i;
  return head_base_name(t, value, value + n);
}

static bool name_from_head(struct transfer *t, const char *line, size_t len)
{
  char *name, *path;
  const char *dir = mote_cli_op_get_text(t->op, SLOT_OUTPUT_DIR);
  if(t->head_final || t->out_fd >= 0)
    return true;
  name = server_name(t, line, len);
  if(!name)
    return t->failed == CURLE_OK;
  path = dir ? mote_cli_join(dir, "/", name) : name;
  if(dir)
    mote_cli_free(name);
  if(!path) {
    t->failed = CURLE_OUT_OF_MEMORY;
    return false;
  }
  mote_cli_free(t->out_owned);
  t->out_name = t->out_owned = path;
  t->head_named = true;
  return true;
}

static bool head_hold(struct transfer *t, const char *line, size_t len)
{
  char *more;
  if(len > HELD_MAX - t->held_len) {
    t->failed = CURLE_TOO_LARGE;
    return false;
  }
  more = mote_cli_realloc(t->held, t->held_len + len);
  if(!more) {
    t->failed = CURLE_OUT_OF_MEMORY;
    return false;
  }
  memcpy(more + t->held_len, line, len);
  t->held = more;
  t->held_len += len;
  return true;
}

/* A terminal gets the name in bold and control characters escaped, any other output the bytes. */
static bool head_show(struct transfer *t, const char *line, size_t len)
{
  const char *colon = memchr(line, ':', len);
  struct out o;
  if(t->out_fd < 0 && mote_cli_op_flag(t->op, FLAG_REMOTE_HEADER_NAME) && t->entry->remote_name)
    return head_hold(t, line, len);
  if(!mote_cli_sink_open(t))
    return false;
  if(!t->out_tty)
    return mote_cli_sink(t, line, len);
  mote_cli_out_init(&o, t->out_fd, true);
  if(colon && mote_cli_on(GLOBAL_STYLED)) {
    mote_cli_out_str(&o, "\033[1m");
    mote_cli_out_safe(&o, line, (size_t)(colon - line));
    mote_cli_out_str(&o, "\033[22m");
    len -= (size_t)(colon - line);
    line = colon;
  }
  mote_cli_out_safe(&o, line, len);
  mote_cli_out_flush(&o);
  return !o.failed;
}

static bool is_blank_line(const char *line, size_t len)
{
  return len && (line[0] == '\r' || line[0] == '\n');
}

/* Replies of FTP or a mail server are no head of a document. What FTP knows of a file comes as its content,
 * too. */
static bool is_reply(struct transfer *t)
{
  char *scheme = NULL;
  curl_easy_getinfo(t->handle, CURLINFO_SCHEME, &scheme);
  return scheme && strncasecmp(scheme, "http", 4) && strcasecmp(scheme, "file");
}

size_t mote_cli_header(char *bytes, size_t size, size_t count, void *transfer)
{
  struct transfer *t = transfer;
  size_t len = size * count;
  if(t->head_fd >= 0 && !write_to(t, t->head_fd, t->head_tty, bytes, len, SLOT_DUMP_HEADER))
    return CURL_WRITEFUNC_ERROR;
  if(t->etag_fd >= 0 && !save_etag(t, bytes, len))
    return CURL_WRITEFUNC_ERROR;
  if(mote_cli_op_flag(t->op, FLAG_REMOTE_HEADER_NAME) && t->entry->remote_name &&
     !name_from_head(t, bytes, len))
    return CURL_WRITEFUNC_ERROR;
  if(mote_cli_op_flag(t->op, FLAG_SHOW_HEADERS) && !t->out_null && !is_reply(t) && !head_show(t, bytes, len))
    return CURL_WRITEFUNC_ERROR;
  t->head_over = is_blank_line(bytes, len);
  return len;
}
