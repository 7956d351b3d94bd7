/* Fuzz target of codec/url/url.h. Input: a byte of flags, then a reference, and after the first NUL its base.
 * A URL that is taken must lie in its text, be a normal form (parsed again it needs no memory and says the
 * same), and be resolvable; nothing may be left held.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_url.c src/codec/url/url*.c
 * src/codec/url/percent.c
 *   src/codec/url/idn.c src/base/memory.c src/base/text.c -lidn2
 * With -DMOTE_FUZZ_MAIN and without -fsanitize=fuzzer: a program that runs the files that it is given. */
#include "codec/url/url.h"
#include "fuzz.h"

static const unsigned flag_bits[8] = { CURLU_GUESS_SCHEME,  CURLU_DEFAULT_SCHEME, CURLU_NO_AUTHORITY,
                                       CURLU_ALLOW_SPACE,   CURLU_URLENCODE,      CURLU_PATH_AS_IS,
                                       CURLU_DISALLOW_USER, MOTE_URL_IDN };

static void check_spans(const struct mote_url *u)
{
  size_t whole = u->part[MOTE_URL_WHOLE].len;
  size_t at = 0;
  static const enum mote_url_part order[] = { MOTE_URL_SCHEME, MOTE_URL_USER, MOTE_URL_PASSWORD,
  MOTE_URL_OPTIONS,
                                              MOTE_URL_HOST,   MOTE_URL_ZONEID, MOTE_URL_PORT,
  MOTE_URL_PATH,
                                              MOTE_URL_QUERY,  MOTE_URL_FRAGMENT };
  size_t i;
  for(i = 0; i < sizeof order / sizeof order[0]; i++) {
    struct mote_url_span s = u->part[order[i]];
    must(mote_url_has(u, order[i]) || !s.len);
    if(!s.len)
      continue;
    must(s.off >= at && s.off + (size_t)s.len <= whole);
    at = s.off + s.len;
  }
  must(u->part[MOTE_URL_PATH].len && u->text[u->part[MOTE_URL_PATH].off] == '/');
  must(!u->block || u->part[MOTE_URL_ACE].off + (size_t)u->part[MOTE_URL_ACE].len <= u->block);
}

/* Two texts that cannot be taken back: options stated before the password are written after it, so that a
 * ";" in the password is taken for theirs; "scheme:///x" without a host (CURLU_NO_AUTHORITY) has host x. */
static int ambiguous(const struct mote_url *u)
{
  struct mote_slice password = mote_url_get(u, MOTE_URL_PASSWORD);
  return (password.len && memchr(password.ptr, ';', password.len)) || u->host_kind == MOTE_HOST_NONE;
}

static void check_normal(const struct mote_url *u, struct mote_account *account, unsigned flags)
{
  struct mote_url_how how = { .account = account };
  struct mote_url again;
  size_t len = u->part[MOTE_URL_WHOLE].len;
  size_t n = mote_url_print(u, 0, NULL, 0);
  char *text = malloc(n + 1);
  int i;
  must(n == len && mote_url_print(u, 0, text, n) == n && !memcmp(text, u->text, n));
  how.flags = flags & ~(unsigned)(CURLU_DISALLOW_USER | CURLU_GUESS_SCHEME | CURLU_DEFAULT_SCHEME |
  MOTE_URL_IDN);
  if(!ambiguous(u)) {
    must(!mote_url_parse(&again, text, n, &how) && !again.block && again.port == u->port);
    for(i = MOTE_URL_SCHEME; i < MOTE_URL_ACE; i++)
      must(mote_slice_same(mote_url_get(u, (enum mote_url_part)i), mote_url_get(&again, (enum
  mote_url_part)i)));
    mote_url_close(&again);
  }
  n = mote_url_target(u, NULL, 0);
  text = realloc(text, n + 1);
  must(mote_url_target(u, text, n) == n);
  n = mote_url_authority(u, 2, NULL, 0);
  text = realloc(text, n + 1);
  must(mote_url_authority(u, 2, text, n) == n);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account };
  struct mote_url_how lax = { .account = &account, .flags = CURLU_ALLOW_SPACE };
  const char *in = (const char *)data + 1;
  const char *base_text;
  struct mote_url base;
  struct mote_url u;
  size_t len;
  int i;
  if(!size || size > 5000)
    return 0;
  for(i = 0; i < 8; i++)
    how.flags |= (data[0] & (1u << i)) ? flag_bits[i] : 0u;
  size--;
  base_text = size ? memchr(in, 0, size) : NULL;
  len = base_text ? (size_t)(base_text - in) : size;
  if(!mote_url_parse(&u, in, len, &how)) {
    check_spans(&u);
    check_normal(&u, &account, how.flags);
  }
  mote_url_close(&u);
  if(base_text && !mote_url_parse(&base, base_text + 1, size - len - 1, &lax)) {
    if(!mote_url_resolve(&u, &base, (struct mote_slice){in, len}, &how, (data[0] & 1) != 0)) {
      check_spans(&u);
      check_normal(&u, &account, how.flags);
    }
    mote_url_close(&u);
    mote_url_close(&base);
  }
  must(!account.live);
  return 0;
}

#ifdef MOTE_FUZZ_MAIN
#include <stdio.h>

int main(int argc, char **argv)
{
  static uint8_t bytes[1 << 20];
  int i;
  for(i = 1; i < argc; i++) {
    FILE *f = fopen(argv[i], "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if(f)
      fclose(f);
    LLVMFuzzerTestOneInput(bytes, n);
  }
  return 0;
}
#endif
