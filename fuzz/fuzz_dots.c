/* Fuzz target of codec/mail/dots.h. The first byte chooses the size of the pieces. What is undone in pieces is what
 * is undone at once; what is sent with its end is what arrives; line ends come out the same at any cut.
 *
 * needs: src/codec/mail/dots.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_dots.c src/codec/mail/dots.c */
#include "codec/mail/dots.h"
#include "fuzz.h"

struct bytes {
  char *at;
  size_t len;
};

static struct bytes room(size_t size)
{
  struct bytes b = {malloc(size + 1), 0};
  must(b.at != NULL);
  return b;
}

/* Each piece has a block of its own, so that a read after its end is seen. */
static struct bytes undo(const char *in, size_t len, size_t cut, uint8_t *at, size_t *used)
{
  struct bytes all = room(len);
  size_t end = 0;
  *at = 0;
  *used = 0;
  while(end < len && *at != MOTE_DOTS_OVER) {
    struct bytes piece;
    size_t n, out;
    end += cut < len - end ? cut : len - end;
    piece = room(end - *used);
    memcpy(piece.at, in + *used, end - *used);
    n = mote_dots_undo(at, piece.at, end - *used, &out);
    must(n <= end - *used && out <= n);
    must(*at == MOTE_DOTS_OVER || end - *used - n <= 2);
    memcpy(all.at + all.len, piece.at, out);
    all.len += out;
    *used += n;
    free(piece.at);
  }
  return all;
}

static struct bytes put(const char *in, size_t len, size_t cut)
{
  struct bytes all = room(len + len / 3 + 2 + MOTE_DOTS_END_MOST);
  uint8_t at = 0;
  size_t from = 0, used;
  while(from < len) {
    size_t n = cut < len - from ? cut : len - from, gap = n / 3 + 2;
    struct bytes piece = room(n + gap);
    memcpy(piece.at + gap, in + from, n);
    n = mote_dots_put(&at, piece.at, n + gap, (struct mote_slice){piece.at + gap, n}, &used);
    must(used > 0);
    memcpy(all.at + all.len, piece.at, n);
    all.len += n;
    from += used;
    free(piece.at);
  }
  memcpy(all.at + all.len, mote_dots_end(at), strlen(mote_dots_end(at)));
  all.len += strlen(mote_dots_end(at));
  return all;
}

static struct bytes crlf(const char *in, size_t len, size_t cut)
{
  struct bytes all = room(2 * len);
  bool cr = false;
  size_t from = 0, used;
  while(from < len) {
    size_t n = cut < len - from ? cut : len - from;
    all.len += mote_dots_crlf(&cr, all.at + all.len, 2 * len - all.len, (struct mote_slice){in + from, n}, &used);
    must(used == n);
    from += used;
  }
  return all;
}

static void same(struct bytes a, struct bytes b)
{
  must(a.len == b.len && !memcmp(a.at, b.at, a.len));
  free(a.at);
  free(b.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *in = (const char *)data + 1;
  size_t cut, used[2];
  uint8_t at[2];
  struct bytes sent, got;
  if(!size--)
    return 0;
  cut = (size_t)data[0] + 1;
  got = undo(in, size, cut, &at[0], &used[0]);
  same(got, undo(in, size, size + 1, &at[1], &used[1]));
  must(at[0] == at[1] && used[0] == used[1]);
  sent = put(in, size, cut);
  got = undo(sent.at, sent.len, cut, &at[0], &used[0]);
  must(at[0] == MOTE_DOTS_OVER && used[0] == sent.len);
  must(got.len >= size && got.len <= size + 2 && !memcmp(got.at, in, size));
  free(got.at);
  same(sent, put(in, size, size + 1));
  same(crlf(in, size, cut), crlf(in, size, size + 1));
  return 0;
}
