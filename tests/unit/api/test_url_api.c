/* Unit tests of api/text/url.c: data/url_api.txt, which is also what the newest libcurl
 * says, but where a comment in it says that we differ. With "--print FILE" the program prints the file
 * with what it gets instead. Needs url_api, idn, imap. */
#include <ctype.h>
#include <curl/curl.h>

#include "codec/url/curlu.h"
#include "codec/url/url.h"
#include "test.h"

#define LINE 40000

static const char *const part_names[] = {
  "url", "scheme", "user", "password", "options", "host", "port", "path", "query", "fragment", "zoneid"
};
#define PARTS (sizeof part_names / sizeof part_names[0])

/* One letter per flag, "-" for none. */
static unsigned flags_of(const char *s)
{
  static const struct {
    char letter;
    unsigned flag;
  } letters[] = {
    { 'n', CURLU_NON_SUPPORT_SCHEME }, { 'g', CURLU_GUESS_SCHEME }, { 'd', CURLU_DEFAULT_SCHEME },
    { 'a', CURLU_NO_AUTHORITY },       { 's', CURLU_ALLOW_SPACE },  { 'e', CURLU_URLENCODE },
    { 'p', CURLU_PATH_AS_IS },         { 'u', CURLU_DISALLOW_USER }, { 'q', CURLU_APPENDQUERY },
    { 'D', CURLU_DEFAULT_PORT },       { 'N', CURLU_NO_DEFAULT_PORT }, { 'c', CURLU_URLDECODE },
    { 'P', CURLU_PUNYCODE },           { 'I', CURLU_PUNY2IDN },     { 'E', CURLU_GET_EMPTY },
    { 'G', CURLU_NO_GUESS_SCHEME },
  };
  unsigned flags = 0;
  size_t i;
  for(; *s && *s != '-'; s++) {
    for(i = 0; i < sizeof letters / sizeof letters[0] && letters[i].letter != *s; i++)
      ;
    if(CHECK(i < sizeof letters / sizeof letters[0]))
      flags |= letters[i].flag;
  }
  return flags;
}

static void unescape(char *to, const char *from)
{
  for(; *from; from++) {
    char hex[3] = { 0 };
    if(from[0] != '\\' || from[1] != 'x' || !isxdigit((unsigned char)from[2])) {
      *to++ = *from;
      continue;
    }
    memcpy(hex, from + 2, 2);
    *to++ = (char)strtoul(hex, NULL, 16);
    from += 3;
  }
  *to = 0;
}

static void append(char *out, const char *s)
{
  size_t n = strlen(out);
  for(; *s && n < LINE - 8; s++) {
    if((unsigned char)*s < 32 || *s == 127)
      n += (size_t)snprintf(out + n, 8, "\\x%02x", (unsigned char)*s);
    else
      out[n++] = *s;
  }
  out[n] = 0;
}

/* What every part is. Returns false when memory ran out on the way. */
static bool dump(CURLU *u, unsigned flags, char *out)
{
  size_t i;
  out[0] = 0;
  for(i = 0; i < PARTS; i++) {
    char *value = NULL;
    char text[64];
    CURLUcode rc = curl_url_get(u, (CURLUPart)i, &value, flags);
    if(rc == CURLUE_OUT_OF_MEMORY && test_mem.failed) {
      CHECK(!value);
      return false;
    }
    if(!rc) {
      snprintf(text, sizeof text, " %s=[", part_names[i]);
      append(out, text);
      append(out, value ? value : "(null)");
      append(out, "]");
    }
    else {
      CHECK(!value);
      snprintf(text, sizeof text, " %s!%d", part_names[i], (int)rc);
      if(rc < CURLUE_NO_SCHEME || rc > CURLUE_NO_ZONEID)
        append(out, text);
    }
    curl_free(value);
  }
  return true;
}

/* A row: part or "new" or "@", flags, value, expected; split at tabs. */
static unsigned split(char *line, char *column[4])
{
  unsigned n = 0;
  line[strcspn(line, "\n")] = 0;
  while(n < 4) {
    char *tab = strchr(line, '\t');
    column[n++] = line;
    if(!tab)
      break;
    *tab = 0;
    line = tab + 1;
  }
  return n;
}

static CURLUcode set(CURLU *u, const char *name, const char *flags, const char *value)
{
  static char text[LINE];
  size_t i;
  for(i = 0; i < PARTS && strcmp(name, part_names[i]); i++)
    ;
  if(!strcmp(value, "NULL"))
    return curl_url_set(u, (CURLUPart)i, NULL, flags_of(flags));
  unescape(text, value);
  return curl_url_set(u, (CURLUPart)i, text, flags_of(flags));
}

/* A failing set must leave everything as it was. */
static void check_unchanged(CURLU *u, unsigned get_flags, const char *before)
{
  static char after[LINE];
  if(dump(u, get_flags, after))
    CHECK_STR(after, before);
}

static void run(const char *path, bool print)
{
  static char line[LINE];
  static char got[LINE + 32];
  static char before[LINE];
  char *column[4];
  unsigned get_flags = 0;
  unsigned number = 0;
  CURLU *u = NULL;
  FILE *f = fopen(path, "r");
  if(!CHECK(f))
    return;
  while(fgets(line, sizeof line, f)) {
    bool fresh;
    bool known = true;
    unsigned n;
    CURLUcode rc;
    number++;
    if(line[0] == '#' || line[0] == '\n')
      continue;
    n = split(line, column);
    if(column[0][0] == '@') {
      get_flags = flags_of(column[1]);
      if(print)
        printf("@\t%s\n", column[1]);
      continue;
    }
    fresh = !strcmp(column[0], "new");
    if(fresh) {
      curl_url_cleanup(u);
      u = curl_url();
    }
    if(!u)
      continue;
    known = dump(u, get_flags, before);
    rc = set(u, fresh ? "url" : column[0], column[1], column[2]);
    if(rc == CURLUE_OUT_OF_MEMORY && test_mem.failed) {
      if(known)
        check_unchanged(u, get_flags, before);
      rc = set(u, fresh ? "url" : column[0], column[1], column[2]); /* usable again */
      if(rc == CURLUE_OUT_OF_MEMORY)
        continue;
    }
    snprintf(got, sizeof got, "%d", (int)rc);
    if(!dump(u, get_flags, got + strlen(got)))
      continue;
    if(print)
      printf("%s\t%s\t%s\t%s\n", column[0], column[1], column[2], got);
    else if(!test_mem.fail_after && n == 4 && strcmp(got, column[3])) {
      fprintf(stderr, "%s:%u: set %s %s\n  expected %s\n  got      %s\n", path, number, column[0], column[2],
              column[3], got);
      CHECK(false);
    }
  }
  curl_url_cleanup(u);
  fclose(f);
}

#ifndef MOTE_TEST_DATA
#define MOTE_TEST_DATA "data"
#endif

TEST(table)
{
  run(MOTE_TEST_DATA "/url_api.txt", false);
}

/* A short way through everything that allocates. */
static void scenario(void)
{
  run(MOTE_TEST_DATA "/url_api_short.txt", false);
}

TEST(table_without_memory)
{
  run_with_failures(scenario);
}

static void copies(void)
{
  CURLU *u = curl_url();
  CURLU *copy = NULL;
  char *text = NULL;
  if(u && !curl_url_set(u, CURLUPART_URL, "http://u:p@[fe80::1%25e]:80/a?b#c", 0))
    copy = curl_url_dup(u);
  curl_url_cleanup(u);
  if(copy) {
    if(!curl_url_set(copy, CURLUPART_HOST, "h", 0) && !curl_url_get(copy, CURLUPART_URL, &text, 0))
      CHECK_STR(text, "http://u:p@h:80/a?b#c");
    curl_free(text);
  }
  curl_url_cleanup(copy);
}

TEST(dup)
{
  CURLU *u = curl_url();
  CURLU *copy = curl_url_dup(u);
  CHECK(copy);
  curl_url_cleanup(copy);
  curl_url_cleanup(u);
  run_with_failures(copies);
}

TEST(bad_arguments)
{
  CURLU *u = curl_url();
  char *text = (char *)1;
  CHECK_INT(curl_url_set(NULL, CURLUPART_URL, "http://h", 0), CURLUE_BAD_HANDLE);
  CHECK_INT(curl_url_get(NULL, CURLUPART_URL, &text, 0), CURLUE_BAD_HANDLE);
  CHECK_INT(curl_url_get(u, CURLUPART_URL, NULL, 0), CURLUE_BAD_PARTPOINTER);
  CHECK_INT(curl_url_get(u, (CURLUPart)99, &text, 0), CURLUE_UNKNOWN_PART);
  CHECK(!text);
  CHECK_INT(curl_url_set(u, (CURLUPart)99, "x", 0), CURLUE_UNKNOWN_PART);
  CHECK_INT(curl_url_set(u, (CURLUPart)99, NULL, 0), CURLUE_UNKNOWN_PART);
  CHECK(!curl_url_dup(NULL));
  curl_url_cleanup(NULL);
  curl_url_cleanup(u);
}

TEST(too_large)
{
  CURLU *u = curl_url();
  size_t n = 8000001;
  char *long_text = malloc(n + 1);
  if(CHECK(long_text)) {
    memset(long_text, 'a', n);
    memcpy(long_text, "http://", 7);
    long_text[n] = 0;
    CHECK_INT(curl_url_set(u, CURLUPART_URL, long_text, 0), CURLUE_MALFORMED_INPUT);
    CHECK_INT(curl_url_set(u, CURLUPART_QUERY, long_text, 0), CURLUE_MALFORMED_INPUT);
    long_text[n - 1] = 0;
    CHECK_INT(curl_url_set(u, CURLUPART_QUERY, long_text, 0), CURLUE_OK);
    memcpy(long_text, "http://h/", 9);
    CHECK_INT(curl_url_set(u, CURLUPART_URL, long_text, 0), CURLUE_OK);
    free(long_text);
  }
  curl_url_cleanup(u);
}

/* What an object costs: itself and one text. */
TEST(cost)
{
  CURLU *u = curl_url();
  CHECK_INT(test_mem.blocks, 1);
  CHECK_INT(curl_url_set(u, CURLUPART_URL, "http://host/path", 0), CURLUE_OK);
  CHECK_INT(test_mem.blocks, 2);
  CHECK_INT(test_mem.calls, 2);
  CHECK(test_mem.bytes <= 100);
  curl_url_cleanup(u);
}

/* What CURLOPT_CURLU hands over. */
TEST(composed)
{
  struct mote_account account = { 0 };
  struct mote_url_how how = { .account = &account };
  struct mote_url url;
  CURLU *u = curl_url();
  CHECK_INT(mote_curlu_compose(u, &how, &url), CURLUE_NO_SCHEME);
  CHECK_INT(curl_url_set(u, CURLUPART_URL, "http://u:p@h:81/x?y", 0), CURLUE_OK);
  CHECK_INT(mote_curlu_compose(u, &how, &url), CURLUE_OK);
  CHECK(mote_slice_same(mote_url_get(&url, MOTE_URL_WHOLE), mote_slice_of("http://u:p@h:81/x?y")));
  mote_url_close(&url);
  curl_url_cleanup(u);
}

static void part_is(CURLU *u, CURLUPart part, unsigned flags, const char *expected)
{
  char *text = NULL;
  if(CHECK_INT(curl_url_get(u, part, &text, flags), CURLUE_OK))
    CHECK_STR(text, expected);
  curl_free(text);
}

TEST(odd_handles)
{
  CURLU *u = curl_url();
  CHECK_INT(curl_url_set(u, CURLUPART_URL, "foo://h:1/", CURLU_NON_SUPPORT_SCHEME), CURLUE_OK);
  part_is(u, CURLUPART_PORT, CURLU_NO_DEFAULT_PORT, "1"); /* of an unknown scheme */
  CHECK_INT(curl_url_set(u, CURLUPART_URL, "http:///x", CURLU_NO_AUTHORITY), CURLUE_OK);
  part_is(u, CURLUPART_HOST, CURLU_PUNY2IDN, "");
  part_is(u, CURLUPART_URL, 0, "http:///x");
  curl_url_cleanup(u);
  u = curl_url();
  CHECK_INT(curl_url_set(u, CURLUPART_SCHEME, "imap", 0), CURLUE_OK);
  CHECK_INT(curl_url_set(u, CURLUPART_HOST, "h", 0), CURLUE_OK);
  CHECK_INT(curl_url_set(u, CURLUPART_OPTIONS, "AUTH=*", 0), CURLUE_OK);
  part_is(u, CURLUPART_URL, 0, "imap://;AUTH=*@h/");
  curl_url_cleanup(u);
}

int main(int argc, char **argv)
{
  if(argc == 3 && !strcmp(argv[1], "--print")) {
    run(argv[2], true);
    return 0;
  }
  TEST_RUN(table);
  TEST_RUN(table_without_memory);
  TEST_RUN(dup);
  TEST_RUN(bad_arguments);
  TEST_RUN(too_large);
  TEST_RUN(cost);
  TEST_RUN(composed);
  TEST_RUN(odd_handles);
  return test_end();
}
