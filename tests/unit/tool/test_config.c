/* Tests of config files (tool/options/parse.c), as curl(1) describes them under --config. */
#include "tool_test.h"

#include "tool/options/parse.h"
#include "tool/show/messages.h"

#include <unistd.h>

static char path[] = "/tmp/mote-config-XXXXXX";
static struct operation first;

static enum param read_config(const char *text)
{
  struct parse p = { .first = &first, .op = &first };
  FILE *f = fopen(path, "wb");
  if(!f)
    return PARAM_READ;
  fputs(text, f);
  fclose(f);
  mote_cli_op_init(&first);
  return mote_cli_config(&p, path);
}

static void done(void)
{
  struct operation *op = &first;
  while(op) {
    struct operation *next = op->next;
    mote_cli_op_free(op);
    op = next;
  }
  mote_cli_free_kept();
}

TEST(forms)
{
  const char *const lines[] = { "url = \"http://a/\"", "url=http://a/", "url:http://a/", "url http://a/",
                                "--url http://a/", "  --url \"http://a/\"  # rest", "url == http://a/\r",
                                "# comment\n\n \t\n-s\nurl = http://a/" };
  for(size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    CHECK_INT(read_config(lines[i]), PARAM_OK);
    if(!CHECK(first.urls && first.urls->url && !strcmp(first.urls->url, "http://a/")))
      fprintf(stderr, "%s\n", lines[i]);
    done();
  }
}

TEST(quotes)
{
  CHECK_INT(read_config("user-agent = \"a b\\t\\n\\r\\v\\\\\\\"\\qz\" rest\n"), PARAM_OK);
  CHECK_STR(mote_cli_op_get_text(&first, CURLOPT_USERAGENT), "a b\t\n\r\v\\\"qz");
  done();
  CHECK_INT(read_config("user-agent = \"\"\nreferer = \"unclosed\n"), PARAM_OK);
  CHECK_STR(mote_cli_op_get_text(&first, CURLOPT_USERAGENT), "");
  CHECK_STR(mote_cli_op_get_text(&first, CURLOPT_REFERER), "unclosed");
  done();
}

TEST(an_error_ends_it)
{
  CHECK_INT(read_config("nosuch = 1\nurl = http://a/\n"), PARAM_UNKNOWN);
  CHECK_INT(first.url_count, 0);
  done();
  CHECK_INT(read_config("max-time = x\n"), PARAM_NUMBER);
  done();
  CHECK_INT(read_config("max-time\n"), PARAM_NEEDS_ARG);
  done();
  CHECK_INT(read_config("verbose = true\n"), PARAM_NO_VALUE);
  mote_cli.trace = TRACE_NONE;
  done();
  CHECK_INT(read_config("output = \"\"\n"), PARAM_BLANK);
  done();
}

/* The lines after the byte were lost, those of a file of UTF-16 with the first letter. */
TEST(a_nul_byte_ends_it)
{
  struct parse p = { .first = &first, .op = &first };
  FILE *f = fopen(path, "wb");
  if(!CHECK(f != NULL))
    return;
  fwrite("referer = b\n\0\nurl = http://a/\n", 1, 30, f);
  fclose(f);
  mote_cli_op_init(&first);
  CHECK_INT(mote_cli_config(&p, path), PARAM_READ);
  CHECK(!first.urls && !mote_cli_op_get_text(&first, CURLOPT_REFERER));
  CHECK_STR(mote_cli_unread_reason(), "it has a NUL byte, so it is not text");
  mote_cli.unread = NULL;
  done();
}

TEST(next)
{
  CHECK_INT(read_config("url = a\nnext\nurl = b\nhead"), PARAM_OK);
  CHECK(first.next && first.next->url_count == 1 && mote_cli_op_flag(first.next, FLAG_HEAD));
  done();
}

TEST(inside_itself)
{
  char line[100];
  snprintf(line, sizeof line, "config = %s\nuser-agent = x\n", path);
  CHECK_INT(read_config(line), PARAM_NESTED);
  CHECK(!mote_cli_op_get_text(&first, CURLOPT_USERAGENT));
  done();
}

TEST(secrets_stay)
{
  CHECK_INT(read_config("user = me:secret\n"), PARAM_OK);
  CHECK_STR(mote_cli_op_get_text(&first, CURLOPT_USERPWD), "me:secret");
  done();
}

static void without_memory(void)
{
  enum param rc = read_config("url = a\nurl = b\nnext\nuser = x:y\nurl = c\n");
  CHECK(rc == PARAM_OK || rc == PARAM_NO_MEMORY);
  done();
}

TEST(memory)
{
  run_cli_failures(without_memory);
}

int main(void)
{
  int fd = mkstemp(path);
  if(fd < 0)
    return 1;
  close(fd);
  mote_cli.flags |= 1UL << GLOBAL_SILENT;
  TEST_RUN(forms);
  TEST_RUN(quotes);
  TEST_RUN(an_error_ends_it);
  TEST_RUN(a_nul_byte_ends_it);
  TEST_RUN(next);
  TEST_RUN(inside_itself);
  TEST_RUN(secrets_stay);
  TEST_RUN(memory);
  unlink(path);
  return test_end();
}
