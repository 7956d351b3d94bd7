/* Unit tests of codec/url/url_resolve.c: data/url_resolve.txt (RFC 3986 section 5.4, and what libcurl makes
 * of
 * Location: fields). Needs accounts. */
#include "codec/url/url.h"

#include "test.h"
#include "url_case.h"

static char line[8000];
static char got[8000];

static void resolve(char **column, char *out)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account };
  struct mote_url base;
  struct mote_url u;
  bool keep = strchr(column[0], 'k') == NULL; /* k: credentials are not kept */
  char flags[20];
  char *base_bytes;
  char *ref;
  size_t base_len;
  size_t len;
  CURLUcode rc;
  snprintf(flags, sizeof flags, "%s", keep ? column[0] : column[0] + 1);
  base_bytes = url_bytes(column[1], &base_len);
  ref = url_bytes(column[2], &len);
  out[0] = 0;
  if(CHECK_INT(mote_url_parse(&base, base_bytes, base_len, &how), CURLUE_OK)) {
    how.flags = url_flags(flags);
    rc = mote_url_resolve(&u, &base, (struct mote_slice){ref, len}, &how, keep);
    mote_url_close(&base);
    if(rc)
      sprintf(out, "%d", (int)rc);
    else {
      memset(ref, 'x', len); /* nothing of it is needed any more */
      CHECK(u.block);
      CHECK_INT(account.live, u.block);
      url_append(out, mote_url_get(&u, MOTE_URL_WHOLE));
    }
    mote_url_close(&u);
  }
  CHECK_ACCOUNT(&account);
  free(base_bytes);
  free(ref);
}

TEST(table)
{
  char *column[4];
  FILE *f = fopen(MOTE_TEST_DATA "/url_resolve.txt", "r");
  unsigned number = 0;
  if(!CHECK(f))
    return;
  while(fgets(line, sizeof line, f)) {
    number++;
    if(line[0] == '#' || line[0] == '\n' || !CHECK_INT(url_columns(line, column, 4), 4))
      continue;
    resolve(column, got);
    if(strcmp(got, column[3])) {
      fprintf(stderr, "url_resolve.txt:%u: %s %s\n  expected %s\n  got      %s\n", number, column[1],
              column[2], column[3], got);
      CHECK(false);
    }
  }
  fclose(f);
}

static void scenario(void)
{
  static const char *const refs[] = { "x", "../x y?z w", "//\xc3\xa9.h/x", "HTTP://h/../x", "#f",
                                      "http://h/" };
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account, .flags = MOTE_URL_IDN };
  struct mote_url base;
  struct mote_url u;
  size_t i;
  if(mote_url_parse(&base, "http://u:p@h/a/b?c", 18, &how))
    return;
  for(i = 0; i < sizeof refs / sizeof refs[0]; i++) {
    CURLUcode rc = mote_url_resolve(&u, &base, mote_slice_of(refs[i]), &how, true);
    CHECK(!rc || (rc == CURLUE_OUT_OF_MEMORY && test_mem.failed && !u.text));
    mote_url_close(&u);
    CHECK_INT(account.live, base.block);
  }
  mote_url_close(&base);
}

TEST(without_memory)
{
  run_with_failures(scenario);
}

TEST(without_a_base_and_too_long)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account };
  struct mote_url none = { 0 }, u;
  char *ref = malloc(MOTE_URL_MAX_INPUT + 1);
  CHECK_INT(mote_url_resolve(&u, &none, mote_slice_of("http://h/"), &how, false), CURLUE_OK);
  CHECK(mote_slice_same(mote_url_get(&u, MOTE_URL_WHOLE), mote_slice_of("http://h/")));
  mote_url_close(&u);
  memset(ref, 'a', MOTE_URL_MAX_INPUT + 1);
  CHECK_INT(mote_url_resolve(&u, &none, (struct mote_slice){ ref, MOTE_URL_MAX_INPUT + 1 }, &how, false),
            CURLUE_TOO_LARGE);
  free(ref);
}

TEST(absolute)
{
  CHECK(mote_url_is_absolute("http://h", 8));
  CHECK(mote_url_is_absolute("a+b-c.1:x", 9));
  CHECK(!mote_url_is_absolute("1a:x", 4));
  CHECK(!mote_url_is_absolute("/a:b", 4));
  CHECK(!mote_url_is_absolute("a/b:c", 5));
  CHECK(!mote_url_is_absolute("http", 4));
  CHECK(!mote_url_is_absolute("", 0));
}

int main(void)
{
  TEST_RUN(table);
  TEST_RUN(without_memory);
  TEST_RUN(without_a_base_and_too_long);
  TEST_RUN(absolute);
  return test_end();
}
