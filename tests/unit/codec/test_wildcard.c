/* tests/unit/codec/test_wildcard.c: patterns of file names (codec/ftp/wildcard.h). The rows were compared
 * with libcurl 8.23; those of the last group, after which it differs, are meant. needs:
 * src/codec/ftp/wildcard.c */
#include "codec/ftp/wildcard.h"

#include "test.h"

static const struct {
  const char *pattern;
  const char *name;
  bool matches;
} rows[] = {
  {"a", "a", true}, {"a", "b", false}, {"a", "ab", false}, {"ab", "a", false}, {"A", "a", false},
  {"", "a", false}, {"", "", true}, {"*", "", true}, {"*", "a", true}, {"a*", "abc", true},
  {"*c", "abc", true}, {"a*c", "abbc", true}, {"a*b*c", "axbxc", true}, {"a**c", "abc", true},
  {"***", "a", true}, {"*a", "a", true}, {"a*", "a", true}, {"*a*b*c*", "zazbzcz", true},
  {"a*b*c*d*e", "a1b2c3d4e", true}, {"*ab", "aab", true}, {"*aab", "aaaab", true}, {"*ab*ba", "abba", true},
  {"*ab*ba", "aba", false}, {"*.txt", "a.txt", true}, {"*.txt", "a.txtx", false}, {"*.TXT", "a.txt", false},
  {"*", ".a", true}, {".*", ".a", true}, {"*", "a/b", true}, {"?", "a", true}, {"?", "ab", false},
  {"?", "", false}, {"??", "ab", true}, {"?a", ".a", true}, {"?", "\xe4", true}, {"??", "\xc3\xa4", true},
  {"a{b,c}", "ab", false}, {"+(a)", "aa", false}, {"!(a)", "b", false},
  /* sets */
  {"[abc]", "b", true}, {"[abc]", "d", false}, {"[^abc]", "d", true}, {"[!abc]", "d", true},
  {"[^abc]", "b", false}, {"[!abc]", "b", false}, {"[a-c]", "b", true}, {"[c-a]", "b", false},
  {"[a-cx-z]", "y", true}, {"[a-]", "-", true}, {"[-a]", "-", true}, {"[]a]", "]", true},
  {"[]a]", "a", true}, {"[^]a]", "]", false}, {"[^]a]", "b", true}, {"[!]]", "b", true},
  {"[a]]", "a]", true}, {"[[]", "[", true}, {"[[]]", "[]", true}, {"[]]", "]", true}, {"[a[]", "[", true},
  {"[[-a]", "^", true}, {"[]-a]", "^", true}, {"[a-a]", "a", true}, {"[^^]", "^", false},
  {"[^^]", "a", true}, {"[!!]", "!", false}, {"[^!]", "!", false}, {"[^-]", "-", false},
  {"[--0]", ".", true}, {"[*-]", "-", true}, {"[?*]", "*", true}, {"[?*]", "a", false},
  {"[a-z-9]", "-", true}, {"[a-c-e]", "d", false}, {"[a-c-e]", "-", true}, {"[a-z][0-9]", "b5", true},
  {"[!a-z]*", "1x", true}, {"[\xe4]", "\xe4", true}, {"[\xe0-\xef]", "\xe4", true}, {"[^a]", "\xe4", true},
  {"[.]a", ".a", true}, {"*[ab]c", "xxbc", true}, {"*[ab]c", "xxcc", false}, {"[][-!^]", "]", true},
  {"[][-!^]", "^", true}, {"[][-!^]", "a", false},
  /* classes */
  {"[[:alpha:]]", "a", true}, {"[[:alpha:]]", "1", false}, {"[[:alpha:]]", "\xe4", false},
  {"[[:digit:]]", "1", true}, {"[^[:digit:]]", "1", false}, {"[[:alnum:]_]", "_", true},
  {"[[:lower:]]", "a", true}, {"[[:lower:]]", "A", false}, {"[[:upper:]]", "A", true},
  {"[[:space:]]", " ", true}, {"[[:space:]]", "\n", true}, {"[[:blank:]]", "\t", true},
  {"[[:blank:]]", "\n", false}, {"[[:print:]]", " ", true}, {"[[:graph:]]", " ", false},
  {"[[:graph:]]", "!", true}, {"[[:xdigit:]]", "f", true}, {"[[:xdigit:]]", "g", false},
  {"[[:punct:]]", "!", true}, {"[[:punct:]]", "a", false}, {"[[:cntrl:]]", "\x01", true},
  {"[[:cntrl:]]", "\x7f", true}, {"[[:foo:]]", "f", false}, {"[[:foo:]]", ":", false},
  {"[[:ALPHA:]]", "a", false}, {"[[:alpha]", "a", true}, {"[[:alpha]", ":", true}, {"[:alpha:]", "a", true},
  {"[:alpha:]", "z", false}, {"[[:alpha:]-z]", "-", true}, {"[a-z[:upper:]\\\\].jpg", "\\.jpg", true},
  {"[a-z[:upper:]\\\\].jpg", "Q.jpg", true},
  /* escapes */
  {"\\*", "*", true}, {"\\*", "a", false}, {"\\a", "a", true}, {"\\", "\\", false}, {"a\\", "a\\", false},
  {"a\\", "a", false}, {"*\\", "a\\", false}, {"a\\?", "a?", true}, {"[\\]]", "]", true},
  {"[\\]]", "\\", false}, {"[\\[\\]\\\\]", "\\", true}, {"[\\a]", "a", true}, {"[\\a]", "\\", false},
  {"[a\\-c]", "b", false}, {"[a\\-c]", "-", true}, {"[a-\\z]", "b", true},
  /* brackets that are bytes */
  {"[", "[", true}, {"[]", "[]", true}, {"[a", "[a", true}, {"a[", "a[", true}, {"x[a", "x[a", true},
  {"*[", "x[", true}, {"*]", "x]", true}, {"[^", "[^", true}, {"[^", "^", false}, {"[!]", "!", false},
  {"[^]", "^", false}, {"[^a", "[^a", true},
  /* libcurl 8.23 matches nothing with these */
  {"[a-", "[a-", true}, {"[\\", "[\\", false},
};

TEST(rows_of_libcurl)
{
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct mote_slice pattern = mote_slice_of(rows[i].pattern), name = mote_slice_of(rows[i].name);
    if(!CHECK_INT(mote_wildcard_match(pattern, name), rows[i].matches))
      fprintf(stderr, "  %s with %s\n", rows[i].pattern, rows[i].name);
  }
}

/* Each row is a property of the set, by POSIX where libcurl's manual does not say. */
TEST(sets_at_their_edges)
{
  static const struct {
    const char *pattern;
    const char *name;
    bool matches;
  } edges[] = {
    {"[[:graph:]]", "\x7f", false}, {"[[:print:]]", "!", true}, {"[[:print:]]", "\x1f", false},
    {"[[:punct:]]", " ", false},
    {"[[:cntrl:]]", "a", false}, {"[a[:digit:]]", "a", true}, {"[[:alpha", "[[:alpha", true},
    {"[[:a1:]]", "1]", true}, {"[[:a:b]]", "b]", true}, {"[a-\\", "[a-\\", false},
  };
  size_t i;
  for(i = 0; i < sizeof edges / sizeof *edges; i++) {
    struct mote_slice pattern = mote_slice_of(edges[i].pattern), name = mote_slice_of(edges[i].name);
    if(!CHECK_INT(mote_wildcard_match(pattern, name), edges[i].matches))
      fprintf(stderr, "  %s with %s\n", edges[i].pattern, edges[i].name);
  }
}

/* Backtracking of every star would take longer than anything. */
TEST(many_stars)
{
  char pattern[201], name[4001];
  struct mote_slice p = {pattern, 200}, n = {name, 4000};
  size_t i;
  memset(name, 'a', sizeof name);
  for(i = 0; i < 200; i += 2)
    memcpy(pattern + i, "*a", 2);
  CHECK(mote_wildcard_match(p, n));
  pattern[199] = 'b';
  CHECK(!mote_wildcard_match(p, n));
}

TEST(brackets_without_end)
{
  static char pattern[1000], name[1000];
  struct mote_slice p = {pattern, sizeof pattern}, n = {name, sizeof name};
  memset(pattern, '[', sizeof pattern);
  memset(name, '[', sizeof name);
  CHECK(mote_wildcard_match(p, n));
  pattern[0] = '*';
  name[sizeof name - 1] = 'x';
  CHECK(!mote_wildcard_match(p, n));
}

TEST(longest_set)
{
  char pattern[MOTE_WILDCARD_SET_MAX + 1];
  struct mote_slice p = {pattern, MOTE_WILDCARD_SET_MAX}, n = {"y", 1};
  memset(pattern, 'x', sizeof pattern);
  pattern[0] = '[';
  pattern[1] = 'y';
  pattern[p.len - 1] = ']';
  CHECK(mote_wildcard_match(p, n));
  pattern[p.len - 1] = 'x';
  pattern[p.len++] = ']';
  CHECK(!mote_wildcard_match(p, n));
}

int main(void)
{
  TEST_RUN(rows_of_libcurl);
  TEST_RUN(sets_at_their_edges);
  TEST_RUN(many_stars);
  TEST_RUN(brackets_without_end);
  TEST_RUN(longest_set);
  return test_end();
}
