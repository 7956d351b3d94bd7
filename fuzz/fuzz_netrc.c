/* Fuzz target of codec/files/netrc.h: any file, whole and cut, for any user and for one, must give the same answer
 * and code. The first byte of the input is the size of the pieces.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_netrc.c src/codec/files/netrc.c */
#include "codec/files/netrc.h"
#include "fuzz.h"

/* piece 0: all at once. */
static CURLcode drive(struct mote_netrc *n, const uint8_t *data, size_t size, size_t piece, const char *user)
{
  struct mote_slice any = {NULL, 0};
  CURLcode rc = CURLE_OK;
  size_t at = 0;
  mote_netrc_init(n, mote_mem_process(), mote_slice_of("h"), user ? mote_slice_of(user) : any);
  while(at < size && !rc) {
    size_t some = piece && piece < size - at ? piece : size - at;
    char *block = copy_of(data + at, some);
    rc = mote_netrc_feed(n, block, some);
    free(block);
    at += some;
  }
  must(n->word.len <= MOTE_NETRC_WORD && n->login.len <= MOTE_NETRC_WORD);
  return rc ? rc : mote_netrc_end(n);
}

static int same(const struct mote_buf *a, const struct mote_buf *b)
{
  return a->len == b->len && (!a->len || !memcmp(a->ptr, b->ptr, a->len));
}

static void compare(const uint8_t *data, size_t size, size_t piece, const char *user)
{
  struct mote_netrc whole;
  struct mote_netrc cut;
  CURLcode rc = drive(&whole, data, size, 0, user);
  must(drive(&cut, data, size, piece, user) == rc);
  must(whole.found == cut.found);
  must(!whole.found || (same(&whole.login, &cut.login) && same(&whole.password, &cut.password)));
  must(!whole.found || !user || whole.has_password);
  mote_netrc_close(&whole);
  mote_netrc_close(&cut);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if(!size)
    return 0;
  compare(data + 1, size - 1, 1u + data[0] % 31, NULL);
  compare(data + 1, size - 1, 1u + data[0] % 31, "u");
  return 0;
}
