/* tests/unit/api/test_mprintf.c: the ten functions; the formatter is tested in base/test_format.c. */
#include <curl/curl.h>
#include <stdarg.h>

#include "test.h"

static int v_stdout(const char *fmt, ...)
{
  va_list args;
  int len;
  va_start(args, fmt);
  len = curl_mvprintf(fmt, args);
  va_end(args);
  return len;
}

static int v_file(FILE *f, const char *fmt, ...)
{
  va_list args;
  int len;
  va_start(args, fmt);
  len = curl_mvfprintf(f, fmt, args);
  va_end(args);
  return len;
}

static int v_text(char *out, const char *fmt, ...)
{
  va_list args;
  int len;
  va_start(args, fmt);
  len = curl_mvsprintf(out, fmt, args);
  va_end(args);
  return len;
}

static int v_cut(char *out, size_t size, const char *fmt, ...)
{
  va_list args;
  int len;
  va_start(args, fmt);
  len = curl_mvsnprintf(out, size, fmt, args);
  va_end(args);
  return len;
}

static char *v_new(const char *fmt, ...)
{
  va_list args;
  char *out;
  va_start(args, fmt);
  out = curl_mvaprintf(fmt, args);
  va_end(args);
  return out;
}

TEST(streams)
{
  char line[40] = "";
  FILE *f = tmpfile();
  if(!CHECK(f))
    return;
  CHECK_INT(curl_mfprintf(f, "%s-%d ", "a", 5), 4);
  CHECK_INT(v_file(f, "%s-%d\n", "b", 6), 4);
  rewind(f);
  CHECK(fgets(line, sizeof line, f));
  CHECK_STR(line, "a-5 b-6\n");
  CHECK(!fclose(f));
  CHECK_INT(curl_mprintf("%s\n", "curl_mprintf"), 13);
  CHECK_INT(v_stdout("%s\n", "curl_mvprintf"), 14);
}

TEST(stream_that_refuses)
{
  FILE *f = fopen("/dev/full", "w");
  if(!f)
    return;
  CHECK(!setvbuf(f, NULL, _IONBF, 0));
  CHECK_INT(curl_mfprintf(f, "text"), -1);
  (void)fclose(f);
}

TEST(buffers)
{
  char out[20];
  CHECK_INT(curl_msprintf(out, "%s-%d", "a", 5), 3);
  CHECK_STR(out, "a-5");
  CHECK_INT(v_text(out, "%s-%d", "b", 60), 4);
  CHECK_STR(out, "b-60");
  CHECK_INT(curl_msnprintf(out, 4, "%d", 12345), 3);
  CHECK_STR(out, "123");
  CHECK_INT(v_cut(out, 5, "%d", 12345), 4);
  CHECK_STR(out, "1234");
  CHECK_INT(curl_msnprintf(out, 0, "%d", 9), 0);
  CHECK_STR(out, "1234");
  CHECK_INT(v_cut(out, 5, "a%2$d", 1), 0); /* a refused format prints nothing */
  CHECK_STR(out, "");
}

static void scenario(void)
{
  char *a = curl_maprintf("%s-%d", "a", 5);
  char *b = v_new("%2$s%1$d", 5, "b");
  if(!test_mem.failed) {
    CHECK_STR(a, "a-5");
    CHECK_STR(b, "b5");
    CHECK_INT(test_mem.bytes, 4 + 3);
  }
  curl_free(a);
  curl_free(b);
}

TEST(new_strings)
{
  char *empty = v_new("");
  CHECK_STR(empty, "");
  curl_free(empty);
  empty = v_new("a%2$d", 1);
  CHECK_STR(empty, "");
  curl_free(empty);
  run_with_failures(scenario);
}

TEST(new_strings_end_at_8_million)
{
  char *s = curl_maprintf("%7999999d", 1);
  CHECK(s && strlen(s) == 7999999);
  curl_free(s);
  CHECK(!curl_maprintf("%8000000d", 1));
}

int main(void)
{
  TEST_RUN(streams);
  TEST_RUN(stream_that_refuses);
  TEST_RUN(buffers);
  TEST_RUN(new_strings);
  TEST_RUN(new_strings_end_at_8_million);
  return test_end();
}
