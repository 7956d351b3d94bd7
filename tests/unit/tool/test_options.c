/* Tests of tool/options/options_table.c and tool/options/parse.c: the table is sound, and it has every
 * option of curl's. */
#include "tool_test.h"

#include "tool/options/parse.h"
#include "tool/show/messages.h"

#include <fcntl.h>

TEST(sorted)
{
  for(int i = 1; i < mote_cli_option_count; i++)
    if(!CHECK(strcmp(mote_cli_options[i - 1].name, mote_cli_options[i].name) < 0))
      fprintf(stderr, "%s\n", mote_cli_options[i].name);
}

TEST(rows)
{
  for(int i = 0; i < mote_cli_option_count; i++) {
    const struct option_row *row = &mote_cli_options[i];
    bool ok = CHECK(row->set);
    ok &= CHECK(row->help && *row->help && strlen(row->help) < 66);
    ok &= CHECK(row->categories);
    ok &= CHECK(!row->arg || row->arg[0] == '<');
    ok &= CHECK(!(row->arg && row->flags & ROW_BOOL));
    ok &= CHECK(!(row->flags & ROW_NO) || !strncmp(row->name, "no-", 3));
    for(int j = 0; row->letter && j < i; j++)
      ok &= CHECK(mote_cli_options[j].letter != row->letter);
    if(!ok)
      fprintf(stderr, "%s\n", row->name);
  }
}

/* Every option of the list, with its letter and argument: data/curl_options.txt, a line each:
 * name, letter or "-", "arg" or "-". */
TEST(complete)
{
  FILE *list = fopen(MOTE_TEST_DATA "/curl_options.txt", "r");
  char name[80], letter[8], arg[8];
  int count = 0;
  if(!CHECK(list != NULL))
    return;
  while(fscanf(list, "%79s %7s %7s", name, letter, arg) == 3) {
    const struct option_row *row = NULL;
    bool on, ok;
    count++;
    ok = CHECK_INT(mote_cli_option_find(name, strlen(name), &row, &on), PARAM_OK) &&
         CHECK_STR(row->name, name) &&
         CHECK(!strcmp(letter, "-") ? !row->letter : row->letter == letter[0]) &&
         CHECK((row->arg != NULL) == !strcmp(arg, "arg"));
    if(!ok)
      fprintf(stderr, "%s\n", name);
  }
  fclose(list);
  CHECK(count > 270);
}

static const char *found(const char *name)
{
  static char text[80];
  const struct option_row *row;
  bool on;
  enum param rc = mote_cli_option_find(name, strlen(name), &row, &on);
  if(rc)
    snprintf(text, sizeof text, "!%d", (int)rc);
  else
    snprintf(text, sizeof text, "%s%s", on ? "" : "no: ", row->name);
  return text;
}

TEST(find)
{
  char unknown[8], ambiguous[8], not_bool[8];
  snprintf(unknown, sizeof unknown, "!%d", PARAM_UNKNOWN);
  snprintf(ambiguous, sizeof ambiguous, "!%d", PARAM_AMBIGUOUS);
  snprintf(not_bool, sizeof not_bool, "!%d", PARAM_NOT_BOOL);
  CHECK_STR(found("data"), "data");
  CHECK_STR(found("data-b"), "data-binary");
  CHECK_STR(found("ver"), ambiguous);
  CHECK_STR(found("silent"), "silent");
  CHECK_STR(found("no-silent"), "no: silent");
  CHECK_STR(found("no-alpn"), "no: no-alpn");
  CHECK_STR(found("alpn"), "no-alpn");
  CHECK_STR(found("keepalive"), "no-keepalive");
  CHECK_STR(found("no-max-time"), not_bool);
  CHECK_STR(found("nosuch"), unknown);
  CHECK_STR(found(""), unknown);
  CHECK_STR(found("noproxy"), "noproxy");
}

/* Parse a line of words; returns the exit code. */
static CURLcode parse(struct operation *op, const char *words)
{
  static char text[800];
  char *argv[80];
  int argc = 2;
  char mote[] = "mote", quiet[] = "-q";
  struct parse p = { .first = op, .op = op };
  bool done;
  argv[0] = mote;
  argv[1] = quiet;
  snprintf(text, sizeof text, "%s", words);
  for(char *word = strtok(text, " "); word && argc < 80; word = strtok(NULL, " "))
    argv[argc++] = word;
  mote_cli_op_init(op);
  return mote_cli_parse(&p, argc, argv, &done);
}

static void free_all(struct operation *op)
{
  while(op) {
    struct operation *next = op->next;
    mote_cli_op_free(op);
    op = next;
  }
  mote_cli_free_kept();
}

TEST(command_line)
{
  struct operation op;
  CHECK_INT(parse(&op, "-sLo f http://a/ -d x -d y --max-time=2.5 http://b/ -X PUT --no-location"), 0);
  CHECK_STR(op.urls->url, "http://a/");
  CHECK_STR(op.urls->output, "f");
  CHECK_STR(op.urls->next->url, "http://b/");
  CHECK(!op.urls->next->output);
  CHECK_MEM(op.post.data, op.post.len, "x&y", 3);
  CHECK_INT(mote_cli_op_get_number(&op, CURLOPT_TIMEOUT_MS, 0), 2500);
  CHECK_STR(mote_cli_op_get_text(&op, CURLOPT_CUSTOMREQUEST), "PUT");
  CHECK(!mote_cli_op_find(&op, CURLOPT_FOLLOWLOCATION));
  free_all(&op);
  CHECK_INT(parse(&op, "-u me:secret http://a/"), 0);
  CHECK_STR(mote_cli_op_get_text(&op, CURLOPT_USERPWD), "me:secret");
  free_all(&op);
  CHECK_INT(parse(&op, "http://a/ --next -I http://b/"), 0);
  CHECK(op.next && mote_cli_op_flag(op.next, FLAG_HEAD) && !mote_cli_op_flag(&op, FLAG_HEAD));
  free_all(&op);
}

TEST(refused)
{
  struct operation op;
  const char *const lines[] = { "--nosuch", "-m", "-m x", "--silent=1", "--haproxy-unknown a",
                                "--max-redirs -2", "--expand-silent", "--tls-max 7" };
  for(size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if(!CHECK_INT(parse(&op, lines[i]), CURLE_FAILED_INIT))
      fprintf(stderr, "%s\n", lines[i]);
    free_all(&op);
  }
  CHECK_INT(parse(&op, "-K /nonexistent/file"), CURLE_READ_ERROR);
  free_all(&op);
  CHECK_INT(parse(&op, "--proto-default nosuch"), CURLE_UNSUPPORTED_PROTOCOL);
  free_all(&op);
}

static void without_memory(void)
{
  struct operation op;
  CURLcode rc = parse(&op,
                      "-u a:b -H a -H b -H c -H d -H e -H f -H g -H h -H i -H j -d x -d y z --next a b c"
                           " --json x --data-urlencode a=b --url-query c=d -e x;auto --cert a:b --proto =http"
                           " --variable v=1 --expand-data {{v:b64}}");
  CHECK(rc == CURLE_OK || rc == CURLE_OUT_OF_MEMORY);
  free_all(&op);
}

TEST(memory)
{
  run_cli_failures(without_memory);
}

int main(void)
{
  mote_cli.flags |= 1UL << GLOBAL_SILENT;
  mote_cli.err = open("/dev/null", O_WRONLY); /* what it says about refused options */
  TEST_RUN(sorted);
  TEST_RUN(rows);
  TEST_RUN(complete);
  TEST_RUN(find);
  TEST_RUN(command_line);
  TEST_RUN(refused);
  TEST_RUN(memory);
  return test_end();
}
