/* Fuzz target of codec/ftp/reply.h: any lines must give a code or none, and what they carry must lie inside them.
 *
 * needs: src/codec/ftp/reply.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_reply.c src/codec/ftp/reply.c src/base/text.c
 *   src/base/text/date.c src/base/text/format.c src/base/text/format_nofloat.c */
#include "codec/ftp/reply.h"
#include "fuzz.h"

static void look(const char *line, size_t len, uint16_t *open)
{
  struct mote_slice s = {line, len}, text;
  unsigned code = mote_reply_take(open, s);
  uint8_t address[4];
  uint16_t port;
  int64_t number;
  size_t length;
  char *path;
  must(code == 0 || (code >= 100 && code <= 999 && *open == 0));
  must(*open == 0 || (*open >= 100 && *open <= 999));
  if(mote_reply_word(s, &text) != MOTE_REPLY_OTHER)
    must(text.ptr > line && text.ptr + text.len == line + len);
  text = mote_reply_text(s);
  must(text.ptr + text.len == line + len);
  (void)mote_reply_passive(text, address, &port);
  (void)mote_reply_extended(text, &port);
  if(mote_reply_size(text, &number))
    must(number >= 0);
  (void)mote_reply_time(text, &number);
  text = mote_reply_text(s);
  path = malloc(text.len ? text.len : 1);
  must(path != NULL);
  if(mote_reply_path(text, path, &length))
    must((!length || length + 2 <= text.len) && !memchr(path, 0, length));
  free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  uint16_t open = 0;
  while(size) {
    const uint8_t *end = memchr(data, '\n', size);
    size_t len = end ? (size_t)(end - data) : size;
    char *line = copy_of(data, len);
    look(line, len, &open);
    free(line);
    data += len + (end != NULL);
    size -= len + (end != NULL);
  }
  return 0;
}
