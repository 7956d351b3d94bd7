/* protocol/plain/dict.c: dict: URLs (RFC 2229 section 5, CURLOPT_URL(3)).
 *
 * The path is "d:WORD:DATABASE" (also "define:" and "lookup:"), "m:WORD:DATABASE:STRATEGY" (also "match:" and
 * "find:"), or any command with colons for blanks. The whole answer of the server is the body, its status
 * lines included.
 * Tests: tests/e2e/test_query.py */
#include <string.h>

#include "protocol/plain/query.h"

#define CLIENT "CLIENT libcurl " LIBCURL_VERSION "\r\n"
#define LONGEST "MATCH ! . default" /* what is written besides the words of the URL, at most */

static char *dict_put(char *at, struct mote_slice text)
{
  memcpy(at, text.ptr, text.len);
  return at + text.len;
}

static char *dict_put_text(char *at, const char *text)
{
  return dict_put(at, mote_slice_of(text));
}

/* Cuts the text up to the next colon off, or takes `missing` for an empty one. */
static struct mote_slice dict_next_word(struct mote_slice *rest, const char *missing)
{
  const char *colon = rest->len ? memchr(rest->ptr, ':', rest->len) : NULL;
  struct mote_slice word = {rest->ptr, colon ? (size_t)(colon - rest->ptr) : rest->len};
  size_t used = word.len + (colon != NULL);
  rest->ptr += used;
  rest->len -= used;
  return word.len ? word : mote_slice_of(missing);
}

/* The word is one atom of the command (RFC 2229 section 2.2). */
static char *dict_put_word(char *at, struct mote_slice word)
{
  size_t i;
  for(i = 0; i < word.len; i++) {
    char c = word.ptr[i];
    if((unsigned char)c <= ' ' || c == 127 || c == '\'' || c == '"' || c == '\\')
      *at++ = '\\';
    *at++ = c;
  }
  return at;
}

/* Takes "name:" off, in letters of either case. */
static bool dict_take_name(struct mote_slice *path, const char *const *names)
{
  for(; *names; names++) {
    size_t len = strlen(*names);
    struct mote_slice front = {path->ptr, len};
    if(path->len > len && path->ptr[len] == ':' && mote_slice_is(front, *names)) {
      path->ptr += len + 1;
      path->len -= len + 1;
      return true;
    }
  }
  return false;
}

static char *put_lookup(char *at, struct mote_slice path, bool match)
{
  struct mote_slice word = dict_next_word(&path, "default");
  at = dict_put_text(at, match ? "MATCH " : "DEFINE ");
  at = dict_put(at, dict_next_word(&path, "!"));
  *at++ = ' ';
  if(match) {
    at = dict_put(at, dict_next_word(&path, "."));
    *at++ = ' ';
  }
  return dict_put_word(at, word);
}

static char *dict_put_command(char *at, struct mote_slice path)
{
  size_t i;
  for(i = 0; i < path.len; i++)
    *at++ = path.ptr[i] == ':' ? ' ' : path.ptr[i];
  return at;
}

static char *write_commands(char *at, struct mote_slice path)
{
  static const char *const define[] = {"d", "define", "lookup", NULL};
  static const char *const match[] = {"m", "match", "find", NULL};
  at = dict_put_text(at, CLIENT);
  if(dict_take_name(&path, define))
    at = put_lookup(at, path, false);
  else if(dict_take_name(&path, match))
    at = put_lookup(at, path, true);
  else
    at = dict_put_command(at, path);
  return dict_put_text(at, "\r\nQUIT\r\n");
}

static CURLcode dict_step(struct mote_transfer *t, mote_time now)
{
  static const struct mote_query_row row = {
    .around = sizeof CLIENT LONGEST "\r\nQUIT\r\n", .skips = 1, .factor = 2, .write = write_commands,
    .shows = true,
  };
  return mote_query_step(t, &row, now);
}

const struct mote_protocol mote_protocol_dict = {
  .name = "dict",
  .conn_size = sizeof(struct mote_query),
  .prepare = mote_query_prepare,
  .begin = mote_query_begin,
  .step = dict_step,
  .end = mote_query_end,
};
