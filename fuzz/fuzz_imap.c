/* Fuzz target of codec/mail/imap.h: slices lie in the text; a string is at most as long as announced, and what a
 * server reads of it is the text.
 *
 * needs: src/codec/mail/imap.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_imap.c src/codec/mail/imap.c
 *   src/base/text.c */
#include "codec/mail/imap.h"
#include "fuzz.h"

static void within(struct mote_slice s, const char *block, size_t size)
{
  must(!s.len || (s.ptr >= block && s.ptr + s.len <= block + size));
}

static void check_line(struct mote_slice line)
{
  struct mote_imap_line l;
  struct mote_slice word, rest, value;
  mote_imap_read(&l, line, "A001");
  within(l.word, line.ptr, line.len);
  within(l.rest, line.ptr, line.len);
  must(l.literal >= MOTE_IMAP_BAD_LITERAL);
  for(rest = l.rest; mote_imap_next_word(&rest, &word);)
    within(word, line.ptr, line.len);
  if(mote_imap_code(l.rest, "UIDVALIDITY", &value))
    within(value, line.ptr, line.len);
}

/* What a server would read. */
static void check_string(struct mote_slice text)
{
  char *out = malloc(mote_imap_string_most(text.len)), *back = malloc(text.len + 1);
  size_t len, at, n = 0;
  must(out && back);
  len = mote_imap_put_string(out, text, false);
  must(len <= mote_imap_string_most(text.len) && len > 0);
  if(out[0] != '"') {
    must(len == text.len && !memcmp(out, text.ptr, len));
  }
  else {
    must(len >= 2 && out[len - 1] == '"');
    for(at = 1; at + 1 < len; at++) {
      must(out[at] != '"');
      at += out[at] == '\\';
      must(at + 1 < len);
      back[n++] = out[at];
    }
    must(n == text.len && !memcmp(back, text.ptr, n));
  }
  free(out);
  free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = copy_of(data, size);
  struct mote_slice s = {text, size};
  struct mote_imap_url u;
  check_line(s);
  check_string(s);
  if(mote_imap_read_url(&u, s)) {
    within(u.mailbox, text, size);
    within(u.uid, text, size);
    within(u.partial, text, size);
  }
  free(text);
  return 0;
}
