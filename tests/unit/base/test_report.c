/* Failures and info lines reach the listener alone. */
#include "base/report.h"

#include <curl/curl.h>
#include <string.h>

#include "base/text/format.h"
#include "test.h"

struct listener {
  struct mote_report report;
  char text[64];
  int fails;
  int infos;
};

static struct listener *listener_of(struct mote_report *r)
{
  return (struct listener *)(void *)r; /* its first field */
}

static void hear_fail(struct mote_report *r, const char *fmt, va_list args)
{
  struct listener *l = listener_of(r);
  l->fails++;
  (void)mote_vsnprintf(l->text, sizeof l->text, fmt, args);
}

static void hear_info(struct mote_report *r, const char *fmt, va_list args)
{
  struct listener *l = listener_of(r);
  l->infos++;
  (void)mote_vsnprintf(l->text, sizeof l->text, fmt, args);
}

static const struct mote_report_ops ops = {.fail = hear_fail, .info = hear_info};

TEST(fail_reaches_the_listener)
{
  struct listener l = {.report = {.ops = &ops}};
  mote_fail(&l.report, "%s %d", "port", 80);
  CHECK_INT(l.fails, 1);
  CHECK_STR(l.text, "port 80");
}

TEST(a_failure_is_its_code)
{
  struct listener l = {.report = {.ops = &ops}};
  CHECK_INT(mote_fail_as(CURLE_READ_ERROR, &l.report, "%s %d", "port", 80), CURLE_READ_ERROR);
  CHECK_INT(l.fails, 1);
  CHECK_STR(l.text, "port 80");
}

TEST(info_only_when_wanted)
{
  struct listener l = {.report = {.ops = &ops}};
  mote_info(&l.report, "quiet");
  CHECK_INT(l.infos, 0);
  l.report.verbose = true;
  mote_info(&l.report, "loud %c", 'x');
  CHECK_INT(l.infos, 1);
  CHECK_STR(l.text, "loud x");
}

TEST(no_listener)
{
  struct mote_report deaf = {.ops = NULL, .verbose = true};
  mote_fail(NULL, "nothing");
  mote_info(NULL, "nothing");
  mote_fail(&deaf, "nothing");
  mote_info(&deaf, "nothing");
  CHECK(deaf.verbose);
}

int main(void)
{
  TEST_RUN(a_failure_is_its_code);
  TEST_RUN(fail_reaches_the_listener);
  TEST_RUN(info_only_when_wanted);
  TEST_RUN(no_listener);
  return test_end();
}
