/* Response headers: shown (-i, -I), saved (-D), and read for a file name (-J) or an ETag. */
#include "tool/memory.h"
#include "tool/out.h"
#include "tool/say.h"
#include "tool/transfer.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

bool mote_cli_header_wanted(const struct transfer *t)
{
  const struct operation *op = t->op;
  return mote_cli_op_flag(op, FLAG_SHOW_HEADERS) || mote_cli_op_flag(op, FLAG_HEAD) || t->head_fd >= 0 ||
         t->etag_fd >= 0 || (mote_cli_op_flag(op, FLAG_REMOTE_HEADER_NAME) && t->entry->remote_name);
}

/* The value of a header line whose name is `name`; NULL: another header. */
static const char *value_of(const char *line, size_t len, const char *name, size_t *value_len)
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

static bool save_etag(struct transfer *t, const char *line, size_t len)
{
  size_t n;
  long code = 0;
  const char *value = value_of(line, len, "etag", &n);
  curl_easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &code);
  if(!value || code / 100 != 2)
    return true;
  if(!ftruncate(t->etag_fd, 0))
    lseek(t->etag_fd, 0, SEEK_SET); /* a pipe cannot be cut: the ETag is added to it */
  return mote_cli_write_all(t->etag_fd, value, n) && mote_cli_write_all(t->etag_fd, "\n", 1);
}

/* The file name at p, a token or in quotes, without any path; allocated. NULL: none, or no memory (then
 * t->failed is set). Escapes stay as they are, as in curl. */
static char *file_name_at(struct transfer *t, const char *p, const char *end)
{
  char close = ';';
  const char *stop, *base;
  char *name;
  if(p < end && (*p == '"' || *p == '\''))
    close = *p++;
  stop = p < end ? memchr(p, close, (size_t)(end - p)) : NULL;
  if(!stop)
    stop = end;
  for(base = stop; base > p && base[-1] != '/' && base[-1] != '\\'; base--)
    ;
  if(base == stop || (stop - base == 1 && *base == '.') || (stop - base == 2 && !memcmp(base, "..", 2)))
    return NULL;
  name = mote_cli_strndup(base, (size_t)(stop - base));
  if(!name)
    t->failed = CURLE_OUT_OF_MEMORY;
  return name;
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

static bool printable(const char *name)
{
  for(; *name; name++)
    if((unsigned char)*name < 0x20 || *name == 0x7f)
      return false;
  return true;
}

static bool name_from_head(struct transfer *t, const char *line, size_t len)
{
  size_t n;
  char *name, *path;
  const char *dir = mote_cli_op_get_text(t->op, SLOT_OUTPUT_DIR);
  const char *value = value_of(line, len, "content-disposition", &n);
  if(!value || t->out_fd >= 0)
    return true;
  name = file_name(t, value, n);
  if(!name || !printable(name)) {
    mote_cli_free(name);
    return t->failed == CURLE_OK;
  }
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
  return mote_cli_sink_open(t);
}

/* On a terminal: the name in bold, control characters escaped. Anywhere else: the bytes. */
static bool show(struct transfer *t, const char *line, size_t len)
{
  const char *colon = memchr(line, ':', len);
  struct out o;
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

size_t mote_cli_header(char *bytes, size_t size, size_t count, void *transfer)
{
  struct transfer *t = transfer;
  size_t len = size * count;
  if(t->head_fd >= 0 && !mote_cli_write_all(t->head_fd, bytes, len))
    return CURL_WRITEFUNC_ERROR;
  if(t->etag_fd >= 0 && !save_etag(t, bytes, len))
    return CURL_WRITEFUNC_ERROR;
  if(mote_cli_op_flag(t->op, FLAG_REMOTE_HEADER_NAME) && t->entry->remote_name &&
     !name_from_head(t, bytes, len))
    return CURL_WRITEFUNC_ERROR;
  if(mote_cli_op_flag(t->op, FLAG_SHOW_HEADERS) && !t->out_null && !show(t, bytes, len))
    return CURL_WRITEFUNC_ERROR;
  t->head_over = is_blank_line(bytes, len);
  return len;
}
