/* tests/unit/api/test_option_names.c: the table of option names, and the three functions over it. The
 * table has to be the interface's own (tests/interface/tables). */
#include <curl/curl.h>

#include "test.h"

TEST(next_walks_in_order)
{
  const struct curl_easyoption *last = curl_easy_option_next(NULL), *o;
  while((o = curl_easy_option_next(last)) != NULL) {
    CHECK(strcmp(last->name, o->name) < 0);
    last = o;
  }
  CHECK(!last[1].name); /* the row that ends the table */
  CHECK(!curl_easy_option_next(last + 1));
}

TEST(by_name)
{
  const struct curl_easyoption *o = NULL;
  while((o = curl_easy_option_next(o)) != NULL) {
    char lower[60];
    size_t i;
    for(i = 0; o->name[i]; i++)
      lower[i] = o->name[i] >= 'A' && o->name[i] <= 'Z' ? (char)(o->name[i] + 32) : o->name[i];
    lower[i] = 0;
    CHECK(curl_easy_option_by_name(o->name) == o);
    CHECK(curl_easy_option_by_name(lower) == o);
    lower[i - 1] = 0;
    CHECK(curl_easy_option_by_name(lower) != o);
    lower[i - 1] = '!';
    CHECK(!curl_easy_option_by_name(lower));
  }
  CHECK(!curl_easy_option_by_name("CURLOPT_URL"));
  CHECK(!curl_easy_option_by_name(""));
  CHECK(!curl_easy_option_by_name(NULL));
  CHECK(!curl_easy_option_by_name("\xff"));
}

TEST(by_id)
{
  const struct curl_easyoption *o = NULL;
  while((o = curl_easy_option_next(o)) != NULL) {
    const struct curl_easyoption *found = curl_easy_option_by_id(o->id);
    CHECK(found && found->id == o->id && !(found->flags & CURLOT_FLAG_ALIAS));
    CHECK(o->flags == CURLOT_FLAG_ALIAS || found == o);
    CHECK(!found || found->type == o->type);
  }
  CHECK(!curl_easy_option_by_id((CURLoption)0));
  CHECK(!curl_easy_option_by_id((CURLoption)9999));
  CHECK(!curl_easy_option_by_id(CURLOPT_LASTENTRY));
}

TEST(aliases)
{
  static const char *const names[][2] = {
    { "ENCODING", "ACCEPT_ENCODING" }, { "FILE", "WRITEDATA" }, { "PROGRESSDATA", "XFERINFODATA" },
    { "MAIL_RCPT_ALLLOWFAILS", "MAIL_RCPT_ALLOWFAILS" }, { "POST301", "POSTREDIR" }
  };
  size_t i;
  for(i = 0; i < sizeof names / sizeof names[0]; i++) {
    const struct curl_easyoption *alias = curl_easy_option_by_name(names[i][0]);
    const struct curl_easyoption *real = curl_easy_option_by_name(names[i][1]);
    if(CHECK(alias && real && alias->flags == CURLOT_FLAG_ALIAS && !real->flags))
      CHECK(alias->id == real->id && curl_easy_option_by_id(alias->id) == real);
  }
}

static curl_easytype type_of(const char *word)
{
  static const char *const words[] = { "long",       "values",  "off_t", "objectpoint",  "stringpoint",
                                       "slistpoint", "cbpoint", "blob",  "functionpoint" };
  int i;
  for(i = 0; i < 9; i++)
    if(!strcmp(words[i], word))
      return (curl_easytype)i;
  return (curl_easytype)-1;
}

TEST(same_as_the_interface)
{
  static const char data[] = MOTE_TEST_DATA; /* tests/unit/api/data */
  FILE *f;
  char path[1000];
  char line[300], name[60], type[20];
  unsigned rows = 0, all = 0, number, aliases = 0;
  const struct curl_easyoption *o = NULL;
  snprintf(path, sizeof path, "%.*s../../interface/tables/easy_options.tsv",
           (int)(sizeof data - sizeof "data"), data);
  f = fopen(path, "r");
  if(!CHECK(f))
    return;
  while(fgets(line, sizeof line, f)) {
    if(sscanf(line, "CURLOPT_%59s %19s %u", name, type, &number) != 3)
      continue;
    rows++;
    o = curl_easy_option_by_name(name);
    if(!CHECK(o && o->type == type_of(type) && (unsigned)o->id % 10000 == number && !o->flags))
      fprintf(stderr, "  %s\n", name);
  }
  (void)fclose(f);
  o = NULL;
  for(; (o = curl_easy_option_next(o)) != NULL; all++)
    aliases += o->flags;
  CHECK_INT(rows, 312);
  CHECK_INT(rows + aliases, all);
}

int main(void)
{
  TEST_RUN(next_walks_in_order);
  TEST_RUN(by_name);
  TEST_RUN(by_id);
  TEST_RUN(aliases);
  TEST_RUN(same_as_the_interface);
  return test_end();
}
