/* Tests of tool/show/writeout.c and writevars.c: the format's language. What the variables say of
 * transfers is in tests/tool. */
#include "tool_test.h"

#include "tool/show/messages.h"
#include "tool/show/writeout.h"
#include "tool/show/writevars.h"

#include <fcntl.h>
#include <unistd.h>

static struct operation op;
static struct transfer transfer;

static const char *written(const char *format, CURLcode code)
{
  static char got[2000];
  char path[] = "/tmp/mote-writeout-XXXXXX";
  int fd = mkstemp(path);
  ssize_t n;
  if(fd < 0)
    return "no file";
  mote_cli_writeout_format(&transfer, code, format, fd);
  n = pread(fd, got, sizeof got - 1, 0);
  got[n < 0 ? 0 : n] = 0;
  close(fd);
  unlink(path);
  return got;
}

TEST(sorted)
{
  for(int i = 1; i < mote_cli_variable_count; i++)
    if(!CHECK(strcmp(mote_cli_variables[i - 1].name, mote_cli_variables[i].name) < 0))
      fprintf(stderr, "%s\n", mote_cli_variables[i].name);
  for(int i = 0; i < mote_cli_variable_count; i++) {
    const char *name = mote_cli_variables[i].name;
    CHECK(mote_cli_variable_find(name, strlen(name)) == &mote_cli_variables[i]);
  }
  CHECK(!mote_cli_variable_find("nosuch", 6));
  CHECK(!mote_cli_variable_find("http_cod", 8));
  CHECK(!mote_cli_variable_find("", 0));
}

TEST(text)
{
  CHECK_STR(written("plain", 0), "plain");
  CHECK_STR(written("a\\tb\\nc\\rd\\\\e\\qf", 0), "a\tb\nc\rd\\\\e\\qf");
  CHECK_STR(written("100%%", 0), "100%");
  CHECK_STR(written("%", 0), "%");
  CHECK_STR(written("\\", 0), "\\");
  CHECK_STR(written("%x%{unclosed", 0), "%x%{unclosed");
  CHECK_STR(written("%header{unclosed", 0), "%header{unclosed");
}

TEST(values)
{
  CHECK_STR(written("%{http_code}|%{exitcode}|%{urlnum}|%{num_retries}", 7), "000|7|3|0");
  CHECK_STR(written("%{url}|%{filename_effective}|%{errormsg}", 7), "http://h/x|f|it broke");
  CHECK_STR(written("%{errormsg}|%{content_type}|", 0), "||");
  CHECK_STR(written("%{time_total}", 0), "0.000000");
  CHECK_STR(written("%{url.host}|%{url.port}|%{url.path}|%{url.query}|%{urle.host}", 0), "h|80|/x||");
  CHECK_STR(written("a%{onerror}b", 0), "a");
  CHECK_STR(written("a%{onerror}b", 7), "ab");
  CHECK_STR(written("%{nosuch}.", 0), ".");
  CHECK_STR(written("%time{%Z %z}", 0), "GMT +0000");
  CHECK_INT(strlen(written("%time{%Y-%m-%d %f}", 0)), 17);
}

/* They were taken from the calendar of UTC as if it were the local one. */
TEST(seconds_have_no_time_zone)
{
  time_t before = time(NULL);
  long long got;
  setenv("TZ", "XYZ-9", 1);
  tzset();
  got = strtoll(written("%time{%s}", 0), NULL, 10);
  CHECK(got >= before && got <= time(NULL));
  unsetenv("TZ");
  tzset();
}

TEST(json)
{
  const char *all = written("%{json}", 0);
  CHECK(!strncmp(all, "{\"certs\":\"\",", 12));
  CHECK(strstr(all, "\"http_code\":0,") != NULL);
  CHECK(strstr(all, "\"content_type\":null,") != NULL);
  CHECK(all[strlen(all) - 1] == '}');
  CHECK_STR(written("%{header_json}", 0), "{\n}");
}

TEST(strings)
{
  static struct out o;
  mote_cli_out_init(&o, 1, false);
  mote_cli_put_json(&o, "a\"\\\n\001\xc3\xa9", 7);
  o.buf[o.len] = 0;
  CHECK_STR(o.buf, "\"a\\\"\\\\\\n\\u0001\xc3\xa9\"");
}

TEST(escaped_on_a_terminal)
{
  static struct out o;
  mote_cli_out_init(&o, 1, true);
  mote_cli_out_safe(&o, "a\x1b[1m\tb\r\nc\rd\x7f\xc3\xa9\xc2\x9b\x9b\xff", 19);
  o.buf[o.len] = 0;
  CHECK_STR(o.buf, "a\\x1b[1m\tb\r\nc\\x0dd\\x7f\xc3\xa9\\xc2\\x9b\\x9b\\xff");
  mote_cli_out_init(&o, 1, false);
  mote_cli_out_safe(&o, "\x1b", 1);
  CHECK_MEM(o.buf, o.len, "\x1b", 1);
}

int main(void)
{
  static struct url_entry entry;
  mote_cli_op_init(&op);
  transfer.handle = curl_easy_init();
  transfer.op = &op;
  transfer.entry = &entry;
  transfer.number = 3;
  transfer.url = "http://h/x";
  transfer.out_name = "f";
  snprintf(transfer.error, sizeof transfer.error, "it broke");
  TEST_RUN(sorted);
  TEST_RUN(text);
  TEST_RUN(values);
  TEST_RUN(seconds_have_no_time_zone);
  TEST_RUN(json);
  TEST_RUN(strings);
  TEST_RUN(escaped_on_a_terminal);
  curl_easy_cleanup(transfer.handle);
  return test_end();
}
