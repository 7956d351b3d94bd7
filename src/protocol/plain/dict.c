/* protocol/plain/dict.c: dict: URLs (RFC 2229 section 5, CURLOPT_URL(3)).
 *
 * The path is "d:WORD:DATABASE" (also "define:" and "lookup:"), "m:WORD:DATABASE:STRATEGY" (also "match:" and
 * "find:"), or any command with colons for blanks. The whole answer of the server is the body, its status
 * lines included.
 * Tests: tests/e2e/test_query.py */
#include <string.h>

#include "base/out.h"
#include "protocol/plain/query.h"
#include "transfer/protocol.h"

#define CLIENT "CLIENT libcurl " LIBCURL_VERSION "\r\n"

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
static void dict_put_word(struct mote_out *out, struct mote_slice word)
{
  size_t i;
  for(i = 0; i < word.len; i++) {
    char c = word.ptr[i];
    if((unsigned char)c <= ' ' || c == 127 || c == '\'' || c == '"' || c == '\\')
      mote_out_char(out, '\\');
    mote_out_char(out, c);
  }
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

static void put_lookup(struct mote_out *out, struct mote_slice path, bool match)
{
  struct mote_slice word = dict_next_word(&path, "default");
  mote_out_text(out, match ? "MATCH " : "DEFINE ");
  mote_out_slice(out, dict_next_word(&path, "!"));
  mote_out_char(out, ' ');
  if(match) {
    mote_out_slice(out, dict_next_word(&path, "."));
    mote_out_char(out, ' ');
  }
  dict_put_word(out, word);
}

static void dict_put_command(struct mote_out *out, struct mote_slice path)
{
  size_t i;
  for(i = 0; i < path.len; i++)
    mote_out_char(out, path.ptr[i] == ':' ? ' ' : path.ptr[i]);
}

static void write_commands(struct mote_out *out, struct mote_slice path)
{
  static const char *const define[] = {"d", "define", "lookup", NULL};
  static const char *const match[] = {"m", "match", "find", NULL};
  mote_out_text(out, CLIENT);
  if(dict_take_name(&path, define))
    put_lookup(out, path, false);
  else if(dict_take_name(&path, match))
    put_lookup(out, path, true);
  else
    dict_put_command(out, path);
  mote_out_text(out, "\r\nQUIT\r\n");
}

static CURLcode dict_step(struct mote_transfer *t, mote_time now)
{
  static const struct mote_query_row row = {
    .skips = 1, .write = write_commands, .shows = true,
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
