/* Tests of tool/options/data.c and tool/options/variable.c, and of files that are read whole. */
#define _FILE_OFFSET_BITS 64
#include "tool_test.h"

#include "tool/options/data.h"
#include "tool/options/parse.h"
#include "tool/show/messages.h"
#include "tool/transfers/files.h"

#include <limits.h>

static struct post post;

static const char *with_query(const char *url, const char *data)
{
  static char got[200];
  char *text = mote_cli_url_with_query(url, data, strlen(data));
  snprintf(got, sizeof got, "%s", text);
  mote_cli_free(text);
  return got;
}

static void end(void)
{
  mote_cli_free(post.owned);
  memset(&post, 0, sizeof post);
  mote_cli_free_kept();
}

TEST(pieces)
{
  static const char one[] = "one";
  CHECK_INT(mote_cli_data_add(&post, DATA_TEXT, one), PARAM_OK);
  CHECK(post.data == one && !post.owned);
  CHECK_INT(mote_cli_data_add(&post, DATA_RAW, "@two"), PARAM_OK);
  CHECK_INT(mote_cli_data_add(&post, DATA_ENCODE, "a=b c&\xc3\xa9"), PARAM_OK);
  CHECK_STR(post.data, "one&@two&a=b+c%26%C3%A9");
  end();
  CHECK_INT(mote_cli_data_add(&post, DATA_JSON, "{"), PARAM_OK);
  CHECK_INT(mote_cli_data_add(&post, DATA_JSON, "}"), PARAM_OK);
  CHECK(post.json);
  CHECK_STR(post.data, "{}");
  end();
  CHECK_INT(mote_cli_data_add(&post, DATA_QUERY, "+a=%20"), PARAM_OK);
  CHECK_INT(mote_cli_data_add(&post, DATA_QUERY, "=x y"), PARAM_OK);
  CHECK_STR(post.data, "a=%20&x+y");
  end();
}

TEST(queries)
{
  CHECK_STR(with_query("http://h/p", "a=b"), "http://h/p?a=b");
  CHECK_STR(with_query("http://h/p?x", "a=b"), "http://h/p?x&a=b");
  CHECK_STR(with_query("http://h/p?", "a=b"), "http://h/p?a=b");
  CHECK_STR(with_query("http://h/p#f?g", "a=b"), "http://h/p?a=b#f?g");
  CHECK_STR(with_query("http://h", "a=b"), "http://h/?a=b");
  CHECK_STR(with_query("h", "a=b"), "h/?a=b");
  CHECK_STR(with_query("h/p", "a=b"), "h/p?a=b");
  CHECK_STR(with_query("h#x://y", "a=b"), "h/?a=b#x://y");
  CHECK_STR(with_query("h?u=x://y", "a=b"), "h?u=x://y&a=b");
}

static enum param variable(char *arg)
{
  return mote_set_variable(NULL, NULL, arg, true);
}

static const char *expanded(const char *arg)
{
  static char got[200];
  char *text = NULL;
  enum param rc = mote_cli_expand(arg, &text);
  snprintf(got, sizeof got, "%s", rc ? "!" : text);
  return got;
}

TEST(variables)
{
  char a[] = "a= b&\"c ", b[] = "b[1-3]=01234567", c[] = "c=aGVsbG8=", d[] = "%MOTE_NO_SUCH=other",
       bad[] = "x-y=1", unset[] = "%MOTE_NO_SUCH";
  CHECK_INT(variable(a), PARAM_OK);
  CHECK_INT(variable(b), PARAM_OK);
  CHECK_INT(variable(c), PARAM_OK);
  CHECK_INT(variable(d), PARAM_OK);
  CHECK_INT(variable(bad), PARAM_BAD_USE);
  CHECK_INT(variable(unset), PARAM_NO_EXPAND);
  CHECK_STR(expanded("<{{a}}>"), "< b&\"c >");
  CHECK_STR(expanded("{{a:trim}}{{b}}"), "b&\"c123");
  CHECK_STR(expanded("{{a:trim:url}}"), "b%26%22c");
  CHECK_STR(expanded("{{a:json}}"), " b&\\\"c ");
  CHECK_STR(expanded("{{b:b64}}"), "MTIz");
  CHECK_STR(expanded("{{c:64dec}}"), "hello");
  CHECK_STR(expanded("{{b:64dec}}"), "[64dec-fail]");
  CHECK_STR(expanded("{{nosuch}}."), ".");
  CHECK_STR(expanded("\\{{a}} {{ a}}"), "{{a}} {{ a}}");
  CHECK_STR(expanded("{{a:nosuch}}"), "!");
  CHECK_STR(expanded("{{a"), "{{a");
  CHECK_STR(expanded("{{MOTE_NO_SUCH}}"), "other");
}

static void without_memory(void)
{
  mote_cli_data_add(&post, DATA_ENCODE, "a=b c");
  mote_cli_data_add(&post, DATA_TEXT, "d");
  mote_cli_data_add(&post, DATA_BINARY, "@/dev/null");
  mote_cli_free(mote_cli_url_with_query("h", "x", 1));
  end();
}

/* 4 GB less a few bytes: what a file of that size takes is more than 32 bits can count. */
TEST(a_file_larger_than_the_address_space)
{
  char path[] = "/tmp/mote-test-XXXXXX", *bytes = NULL;
  size_t len = 0;
  off_t size;
  int fd = mkstemp(path);
  if(CHECK(fd >= 0) && SIZE_MAX <= UINT_MAX)
    for(size = UINT_MAX - (off_t)3; size < UINT_MAX + (off_t)3; size++) {
      CHECK_INT(ftruncate(fd, size), 0);
      CHECK_INT(mote_cli_read_file(path, &bytes, &len), CURLE_OUT_OF_MEMORY);
      CHECK(!bytes);
    }
  close(fd);
  unlink(path);
}

TEST(memory)
{
  run_cli_failures(without_memory);
}

int main(void)
{
  mote_cli.flags |= 1UL << GLOBAL_SILENT;
  TEST_RUN(pieces);
  TEST_RUN(queries);
  TEST_RUN(memory);
  TEST_RUN(a_file_larger_than_the_address_space);
  TEST_RUN(variables); /* last: variables live until the end */
  return test_end();
}
