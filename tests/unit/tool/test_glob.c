/* Tests of tool/transfers/glob.c. */
#include "tool_test.h"

#include "tool/transfers/glob.h"

static struct glob_error error;

/* The texts of a pattern, joined with blanks; "!place reason" where it is refused. */
static const char *expand(const char *pattern)
{
  static char all[2000];
  struct glob *glob;
  CURLcode rc = mote_cli_glob_new(&glob, pattern, &error);
  all[0] = 0;
  if(rc) {
    snprintf(all, sizeof all, "!%zu %s", error.at, error.text);
    return all;
  }
  for(curl_off_t n = 0; n < mote_cli_glob_count(glob) && strlen(all) < 1000; n++) {
    char *text = mote_cli_glob_text(glob, n);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", n ? " " : "", text);
    mote_cli_free(text);
  }
  mote_cli_glob_free(glob);
  return all;
}

static const char *name(const char *pattern, curl_off_t n, const char *output)
{
  static char got[200];
  struct glob *glob;
  char *text;
  size_t at = 0;
  CURLcode rc;
  if(mote_cli_glob_new(&glob, pattern, &error))
    return "refused";
  rc = mote_cli_glob_name(&(struct glob_turn){ .urls = glob, .url_at = n }, output, &text, &at);
  if(rc)
    snprintf(got, sizeof got, "!%zu", at);
  else
    snprintf(got, sizeof got, "%s", text);
  if(!rc)
    mote_cli_free(text);
  mote_cli_glob_free(glob);
  return got;
}

TEST(sets)
{
  CHECK_STR(expand("x{a,b}y"), "xay xby");
  CHECK_STR(expand("{a}"), "a");
  CHECK_STR(expand("{a,}"), "a ");
  CHECK_STR(expand("{a,b}{c,d}"), "ac ad bc bd");
  CHECK_STR(expand("{a\\,b,c\\}}"), "a,b c}");
}

TEST(ranges)
{
  CHECK_STR(expand("[1-3]"), "1 2 3");
  CHECK_STR(expand("[08-11]"), "08 09 10 11");
  CHECK_STR(expand("[1-10:4]"), "1 5 9");
  CHECK_STR(expand("[a-e:2]"), "a c e");
  CHECK_STR(expand("[A-C]"), "A B C");
  CHECK_STR(expand("[7-7]"), "7");
  CHECK_STR(expand("[a-b][1-2]"), "a1 a2 b1 b2");
  CHECK_STR(expand("[0-9223372036854775806:9223372036854775806]"), "0 9223372036854775806");
}

TEST(left_alone)
{
  CHECK_STR(expand("http://[::1]/[1-2]"), "http://[::1]/1 http://[::1]/2");
  CHECK_STR(expand("http://[fe80::1%25eth0]/"), "http://[fe80::1%25eth0]/");
  CHECK_STR(expand("http://[::ffff:127.0.0.1]/"), "http://[::ffff:127.0.0.1]/");
  CHECK_STR(expand("x?y[]=z"), "x?y[]=z");
  CHECK_STR(expand("\\{a\\}\\[1\\]"), "{a}[1]");
  CHECK_STR(expand("a\\b"), "a\\b");
  CHECK(!mote_cli_glob_needed("http://host/a,b-c"));
  CHECK(mote_cli_glob_needed("http://host/{a}"));
}

TEST(refused)
{
  CHECK_STR(expand("ab{c,d"), "!7 unmatched brace");
  CHECK_STR(expand("ab}"), "!3 unmatched close brace/bracket");
  CHECK_STR(expand("ab]"), "!3 unmatched close brace/bracket");
  CHECK_STR(expand("{a,{b}}"), "!4 nested brace");
  CHECK_STR(expand("{}"), "!2 empty string within braces");
  CHECK(expand("[5-1]")[0] == '!');
  CHECK(expand("[1-")[0] == '!');
  CHECK(expand("[a-1]")[0] == '!');
  CHECK(expand("[a-Z]")[0] == '!');
  CHECK(expand("[1-5:0]")[0] == '!');
  CHECK(expand("[1-5:9]")[0] == '!');
  CHECK(expand("[99999999999999999999-2]")[0] == '!');
  CHECK(expand("[0-9000000000000000000][0-9000000000000000000]")[0] == '!');
  CHECK_STR(expand("{<n>a}{<n>b}"), "!10 duplicate glob name");
}

TEST(many)
{
  char pattern[1100];
  struct glob *glob;
  for(size_t sets = 126; sets <= 129; sets++) {
    for(size_t i = 0; i < sets; i++)
      memcpy(pattern + 4 * i, "{a}b", 5);
    CHECK_INT(mote_cli_glob_new(&glob, pattern, &error), sets <= 127 ? CURLE_OK : CURLE_URL_MALFORMAT);
    if(sets <= 127)
      mote_cli_glob_free(glob);
    else
      CHECK_STR(error.text, "too many globs");
  }
}

/* A longer number lost its last digits, so that all of the range's texts were the same. */
TEST(numbers_with_many_zeros)
{
  char pattern[600];
  for(size_t digits = 510; digits <= 512; digits++) {
    struct glob *glob;
    char *text;
    memset(pattern, '0', sizeof pattern);
    pattern[0] = '[';
    strcpy(pattern + digits, "1-2]");
    CHECK_INT(mote_cli_glob_new(&glob, pattern, &error), digits <= 511 ? CURLE_OK : CURLE_URL_MALFORMAT);
    if(digits > 511) {
      CHECK_STR(error.text, "bad range");
      break;
    }
    text = mote_cli_glob_text(glob, 1);
    CHECK(text && strlen(text) == digits && text[digits - 1] == '2');
    mote_cli_free(text);
    mote_cli_glob_free(glob);
  }
}

TEST(all_numbers)
{
  struct glob *glob;
  char *text;
  if(!CHECK_INT(mote_cli_glob_new(&glob, "[0-9223372036854775807]", &error), CURLE_OK))
    return;
  CHECK(mote_cli_glob_count(glob) == INT64_MAX);
  text = mote_cli_glob_text(glob, 5);
  CHECK_STR(text, "5");
  mote_cli_free(text);
  mote_cli_glob_free(glob);
  CHECK_STR(expand("[9223372036854775806-9223372036854775807]"), "9223372036854775806 9223372036854775807");
  CHECK(expand("[0-9223372036854775807][0-1]")[0] == '!');
}

TEST(names)
{
  CHECK_STR(name("{a,b}x[1-2]", 3, "#1-#2-#3-#0-#"), "b-2-#3-#0-#");
  CHECK_STR(name("{<host>a,b}[<n>7-9]", 4, "#<n>.#<host>"), "8.b");
  CHECK_STR(name("{<host>a,b}", 0, "x#<other>"), "!9");
  CHECK_STR(expand("{<host>a,b}[<n>7-8]"), "a7 a8 b7 b8");
  CHECK_STR(expand("{<,b}"), "< b");
}

static void without_memory(void)
{
  struct glob *glob;
  char *text;
  size_t at;
  if(mote_cli_glob_new(&glob, "http://{a,b}/[01-20]", &error))
    return;
  text = mote_cli_glob_text(glob, 7);
  mote_cli_free(text);
  if(!mote_cli_glob_name(&(struct glob_turn){ .urls = glob, .url_at = 7 }, "#1#2", &text, &at))
    mote_cli_free(text);
  mote_cli_glob_free(glob);
}

TEST(memory)
{
  run_cli_failures(without_memory);
}

int main(void)
{
  TEST_RUN(sets);
  TEST_RUN(ranges);
  TEST_RUN(left_alone);
  TEST_RUN(refused);
  TEST_RUN(many);
  TEST_RUN(numbers_with_many_zeros);
  TEST_RUN(all_numbers);
  TEST_RUN(names);
  TEST_RUN(memory);
  return test_end();
}
