/* Tests of tool/options/form.c: arguments that cannot be used, and memory that runs out while a form is made.
 * tests/tool/test_same_as_curl.py has what is sent. */
#include "tool_test.h"

#include "tool/options/options.h"
#include "tool/show/messages.h"
#include "tool/transfers/transfer.h"

#include <fcntl.h>

/* Makes a form of the arguments, which end with NULL. */
static CURLcode make(const char *const *arguments)
{
  const struct option_row *row;
  struct transfer t = { .in_fd = -1 };
  struct operation op;
  CURLcode rc = CURLE_OUT_OF_MEMORY;
  bool on;
  CHECK_INT(mote_cli_option_find("form", 4, &row, &on), PARAM_OK);
  mote_cli_op_init(&op);
  t.op = &op;
  t.handle = curl_easy_init();
  while(t.handle && *arguments && mote_cli_op_add(&op, row, SLOT_FORM, *arguments))
    arguments++;
  if(!*arguments && t.handle)
    rc = mote_cli_form(&t);
  curl_mime_free(t.mime);
  curl_easy_cleanup(t.handle);
  mote_cli_op_free(&op);
  return rc;
}

static void scenario(void)
{
  static const char *const all[] = {
    "a=b", "=text;type=x/y;filename=f;encoder=base64", "b=\"quoted\\\"\";headers=\"X: y\";headers=Z",
    "c=@/dev/null,/dev/null;filename=one", "d=(;type=multipart/mixed;headers=X: y", "e=<-", "f=@-", "=)",
    "g=</dev/null", NULL
  };
  CURLcode rc = make(all);
  CHECK(rc == CURLE_OK || rc == CURLE_OUT_OF_MEMORY);
  mote_cli_free_kept();
}

TEST(memory_of_the_command_fails)
{
  run_cli_failures(scenario);
}

TEST(memory_of_the_library_fails)
{
  run_with_failures(scenario);
}

static CURLcode one(const char *argument)
{
  const char *const arguments[] = { argument, NULL };
  CURLcode rc = make(arguments);
  mote_cli_free_kept();
  return rc;
}

TEST(arguments)
{
  CHECK_INT(one("a="), CURLE_OK);
  CHECK_INT(one("a=(;;;"), CURLE_OK);
  CHECK_INT(one("a=\""), CURLE_OK);
  CHECK_INT(one("a=\\"), CURLE_OK);
  CHECK_INT(one("a=b;filename=\"x"), CURLE_OK);
  CHECK_INT(one("a=b;headers="), CURLE_OK);
  CHECK_INT(one("a=)"), CURLE_OK);
  CHECK_INT(one("=)"), CURLE_FAILED_INIT);
  CHECK_INT(one("a=b;type="), CURLE_OK);
  CHECK_INT(one("a=b;type=x;filename=y"), CURLE_OK);
  CHECK_INT(one("a=b;encoder=none"), CURLE_BAD_FUNCTION_ARGUMENT);
  CHECK_INT(one("a=@/none/none"), CURLE_READ_ERROR);
  CHECK_INT(one("a=@/dev/null,"), CURLE_READ_ERROR);
  CHECK_INT(one("a=</none/none"), CURLE_READ_ERROR);
}

TEST(multiparts_without_end)
{
  const char *arguments[40];
  size_t i;
  for(i = 0; i < 39; i++)
    arguments[i] = "=(";
  arguments[39] = NULL;
  CHECK_INT(make(arguments), CURLE_FAILED_INIT);
  arguments[31] = NULL;
  CHECK_INT(make(arguments), CURLE_OK);
  mote_cli_free_kept();
}

int main(void)
{
  mote_cli.err = open("/dev/null", O_WRONLY);
  if(dup2(open("/dev/null", O_RDONLY), 0))
    return 2;
  TEST_RUN(memory_of_the_command_fails);
  TEST_RUN(memory_of_the_library_fails);
  TEST_RUN(arguments);
  TEST_RUN(multiparts_without_end);
  return test_end();
}
