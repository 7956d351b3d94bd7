#include "tool/options/data.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/files.h"

#include <ctype.h>
#include <string.h>

static bool options_data_append(struct post *post, const char *bytes, size_t len)
{
  if(post->len + len + 1 > post->cap) {
    size_t cap = (post->len + len + 1) * 2;
    char *more = mote_cli_realloc(post->owned, cap);
    if(!more)
      return false;
    if(!post->owned)
      memcpy(more, post->data ? post->data : "", post->len);
    post->owned = more;
    post->cap = cap;
  }
  memcpy(post->owned + post->len, bytes, len);
  post->len += len;
  post->owned[post->len] = 0;
  post->data = post->owned;
  return true;
}

/* Add a piece after the separator. The first piece is only borrowed. */
static enum param add_piece(struct post *post, bool json, const char *bytes, size_t len)
{
  CURLcode rc;
  if(!post->set) {
    post->set = true;
    post->json = json;
    post->data = bytes;
    post->len = len;
    return PARAM_OK;
  }
  rc = mote_cli_data_load(post);
  if(rc)
    return rc == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
  if(!json && post->len && !options_data_append(post, "&", 1))
    return PARAM_NO_MEMORY;
  post->json |= json;
  return options_data_append(post, bytes, len) ? PARAM_OK : PARAM_NO_MEMORY;
}

static enum param options_data_read_piece(const char *path, char **text, size_t *len)
{
  CURLcode code = mote_cli_read_file(path, text, len);
  if(!code)
    return PARAM_OK;
  return code == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
}

CURLcode mote_cli_data_load(struct post *post)
{
  const char *path = post->file;
  char *text;
  CURLcode rc;
  if(!path)
    return CURLE_OK;
  rc = mote_cli_read_file(path, &text, &post->len);
  if(rc)
    return rc;
  post->data = text;
  post->file = NULL;
  return CURLE_OK;
}

char *mote_cli_url_encode(const char *bytes, size_t len, bool plus)
{
  static const char hex[] = "0123456789ABCDEF";
  char *text = mote_cli_alloc(len * 3 + 1), *to = text;
  for(size_t i = 0; text && i < len; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c && strchr("-._~", c)))
      *to++ = (char)c;
    else if(c == ' ' && plus)
      *to++ = '+';
    else {
      *to++ = '%';
      *to++ = hex[c >> 4];
      *to++ = hex[c & 15];
    }
  }
  return text;
}

/* One of "content", "=content", "name=content", "@file" and "name@file": an equals sign counts first. */
static enum param add_encoded(struct post *post, const char *arg)
{
  size_t name_len = strcspn(arg, strchr(arg, '=') ? "=" : "@"), len;
  const char *content;
  char *read, *encoded, *piece;
  enum param rc = PARAM_OK;
  if(!arg[name_len]) {
    content = arg;
    len = name_len;
    name_len = 0;
  }
  else if(arg[name_len] == '@') {
    rc = options_data_read_piece(arg + name_len + 1, &read, &len);
    if(rc)
      return rc;
    content = read;
  }
  else {
    content = arg + name_len + 1;
    len = strlen(content);
  }
  encoded = mote_cli_url_encode(content, len, true);
  piece = encoded ? mote_cli_keep(name_len + strlen(encoded) + 2) : NULL;
  if(piece) {
    memcpy(piece, arg, name_len);
    if(name_len)
      piece[name_len++] = '=';
    strcpy(piece + name_len, encoded);
    rc = add_piece(post, false, piece, strlen(piece));
  }
  else
    rc = PARAM_NO_MEMORY;
  mote_cli_free(encoded);
  return rc;
}

/* A piece of a query whose author encoded it. The digits become capital letters, as those of the other pieces
 * are (RFC 3986 section 2.1). */
static enum param add_as_it_is(struct post *post, const char *text)
{
  size_t len = strlen(text);
  char *piece = mote_cli_keep(len + 1);
  if(!piece)
    return PARAM_NO_MEMORY;
  memcpy(piece, text, len);
  for(char *p = piece; *p; p++)
    if(*p == '%' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2])) {
      p[1] = (char)toupper((unsigned char)p[1]);
      p[2] = (char)toupper((unsigned char)p[2]);
    }
  return add_piece(post, false, piece, len);
}

static bool can_be_streamed(const char *path)
{
  struct stat st;
  return !mote_cli_system_stat(path, &st) && S_ISREG(st.st_mode) && st.st_size >= MOTE_CLI_LEAST_STREAMED;
}

enum param mote_cli_data_add(struct post *post, enum data_kind kind, const char *arg)
{
  bool json = kind == DATA_JSON;
  char *text;
  size_t len;
  enum param rc;
  if(kind == DATA_QUERY && arg[0] == '+')
    return add_as_it_is(post, arg + 1);
  if(kind == DATA_ENCODE || kind == DATA_QUERY)
    return add_encoded(post, arg);
  if(kind == DATA_RAW || arg[0] != '@')
    return add_piece(post, json, arg, strlen(arg));
  if(kind == DATA_BINARY && !post->set && can_be_streamed(arg + 1)) {
    post->set = true;
    post->file = arg + 1;
    return PARAM_OK;
  }
  rc = options_data_read_piece(arg + 1, &text, &len);
  if(rc)
    return rc;
  if(kind == DATA_TEXT)
    len = mote_cli_strip_lines(text, len);
  return add_piece(post, json, text, len);
}

const char *mote_cli_url_authority(const char *url)
{
  size_t scheme = strcspn(url, "/?#");
  return scheme && url[scheme - 1] == ':' && !strncmp(url + scheme, "//", 2) ? url + scheme + 2 : url;
}

const char *mote_cli_url_without_login(const char *url)
{
  const char *authority = mote_cli_url_authority(url);
  size_t at = strcspn(authority, "/?#");
  while(at && authority[at - 1] != '@')
    at--;
  return at ? authority + at : url;
}

char *mote_cli_url_with_query(const char *url, const char *data, size_t len)
{
  size_t all = strlen(url), head = strcspn(url, "#");
  const char *mark = memchr(url, '?', head);
  const char *authority = mote_cli_url_authority(url);
  const char *slash = mark ? "" : memchr(authority, '/', head - (size_t)(authority - url)) ? "?" : "/?";
  char *text = mote_cli_alloc(all + len + 4), *to = text;
  if(!text)
    return NULL;
  memcpy(to, url, head);
  to += head;
  if(mark && mark + 1 < url + head)
    slash = "&";
  to = stpcpy(to, slash);
  memcpy(to, data, len);
  strcpy(to + len, url + head);
  return text;
}
