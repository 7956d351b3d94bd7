/* Unit tests of http/cookies/cookie_jar.h: what is stored, found, replaced, refused and listed. */
#include "http/cookies/cookie_jar.h"

#include "codec/files/cookie.h"
#include "http/cookies/public_suffix.h"
#include "test.h"

#define NOW 1000000000

static struct mote_account account;
static struct mote_jar jar;
static const char *why; /* the last cookie was refused */

static void begin(void)
{
  memset(&account, 0, sizeof account);
  mote_jar_init(&jar, &account);
}

static unsigned secure_ones(void)
{
  struct mote_trie_walk w;
  unsigned count = 0;
  mote_trie_begin(&w, &jar.secure, 0, 0, 0);
  while(mote_trie_next(&w))
    count++;
  return count;
}

static void end(void)
{
  mote_jar_clear(&jar);
  CHECK_INT(jar.count, 0);
  CHECK_INT(secure_ones(), 0);
  CHECK_ACCOUNT(&account);
}

static struct mote_cookie_place place(const char *host, const char *path, bool secure)
{
  struct mote_cookie_place p = {mote_slice_of(host), mote_slice_of(path), false, secure};
  p.address = mote_cookie_is_address(p.host);
  return p;
}

static CURLcode set(const char *host, const char *path, bool secure, const char *line)
{
  struct mote_cookie_place from = place(host, path, secure);
  struct mote_cookie_text c;
  why = mote_cookie_read_set(&c, mote_slice_of(line), NOW);
  if(!why)
    why = mote_jar_judge(&c, &from);
  return why ? CURLE_OK : mote_jar_add(&jar, &c, MOTE_JAR_SERVER, secure, &why);
}

static CURLcode put_line(enum mote_jar_source source, const char *line)
{
  struct mote_cookie_text c;
  why = mote_cookie_read(&c, mote_slice_of(line), NOW);
  if(!why)
    why = mote_jar_judge_line(&c);
  return why ? CURLE_OK : mote_jar_add(&jar, &c, source, true, &why);
}

/* "a=1; b=2", as a request has them. */
static const char *sent(const char *host, const char *path, bool secure, int64_t now)
{
  static char out[8000];
  const struct mote_cookie *found[MOTE_JAR_SENT_MAX];
  struct mote_cookie_place to = place(host, path, secure);
  unsigned i, count = mote_jar_match(&jar, &to, now, found);
  size_t len = 0;
  *out = 0;
  for(i = 0; i < count; i++) {
    struct mote_slice pair = mote_cookie_pair(found[i]);
    len += (size_t)snprintf(out + len, sizeof out - len, "%.*s", (int)pair.len - (i ? 0 : 2),
      pair.ptr + (i ? 0 : 2));
  }
  return out;
}

TEST(hosts_and_domains)
{
  begin();
  CHECK(!set("a.x.org", "/", false, "host=1") && !set("a.x.org", "/", false, "all=2; domain=X.org"));
  CHECK(!set("a.x.org", "/p/q", false, "path=3"));
  CHECK_STR(sent("a.x.org", "/", false, NOW), "host=1; all=2");
  CHECK_STR(sent("A.X.ORG", "/p/q", false, NOW), "path=3; host=1; all=2");
  CHECK_STR(sent("x.org", "/", false, NOW), "all=2");
  CHECK_STR(sent("b.a.x.org", "/", false, NOW), "all=2");
  CHECK_STR(sent("yx.org", "/", false, NOW), "");
  CHECK_STR(sent("org", "/", false, NOW), "");
  end();
}

TEST(addresses_have_no_domains_above)
{
  begin();
  CHECK(!set("127.0.0.1", "/", true, "a=1") && !set("10.0.0.1", "/", false, "b=2; domain=0.0.1"));
  CHECK_STR(why, "it is for another domain");
  CHECK_STR(sent("127.0.0.1", "/", true, NOW), "a=1");
  CHECK_STR(sent("10.127.0.0.1", "/", true, NOW), "");
  end();
}

TEST(a_cookie_is_replaced_in_its_place)
{
  begin();
  CHECK(!set("x.org", "/", false, "a=1") && !set("x.org", "/", false, "b=2") &&
        !set("x.org", "/", false, "a=3"));
  CHECK_STR(sent("x.org", "/", false, NOW), "b=2; a=3");
  CHECK(!set("x.org", "/", false, "a=; max-age=0"));
  CHECK_STR(sent("x.org", "/", false, NOW), "b=2");
  CHECK_INT(jar.count, 1);
  end();
}

TEST(time_ends_cookies)
{
  begin();
  CHECK(!set("x.org", "/", false, "a=1; max-age=10") && !set("x.org", "/", false, "b=2"));
  /* its last second belongs to it, as in libcurl 8.23 */
  CHECK_STR(sent("x.org", "/", false, NOW + 10), "b=2; a=1");
  CHECK_STR(sent("x.org", "/", false, NOW + 11), "b=2");
  CHECK_INT(jar.count, 1);
  mote_jar_clear_session(&jar);
  CHECK_INT(jar.count, 0);
  end();
}

TEST(secure_cookies)
{
  begin();
  CHECK(!set("x.org", "/", false, "a=1; secure"));
  CHECK_STR(why, "it is secure, and the connection is not");
  CHECK(!set("x.org", "/", true, "a=1; secure; path=/p/q; domain=x.org"));
  CHECK_STR(sent("x.org", "/p/q", false, NOW), "");
  CHECK_STR(sent("x.org", "/p/q", true, NOW), "a=1");
  CHECK(!set("y.x.org", "/p", false, "a=2; path=/p"));
  CHECK_STR(why, "it would replace a secure one");
  CHECK(!set("x.org", "/", false, "a=2; path=/other") && !why);
  CHECK(!set("x.org", "/", true, "a=3; path=/p; domain=x.org") && !why);
  CHECK_INT(secure_ones(), 1);
  end();
}

/* A secure cookie of a domain above or below is found, whatever else the jar has. */
TEST(secure_ones_of_other_domains_are_not_hidden)
{
  char line[40];
  int i;
  begin();
  for(i = 0; i < 300; i++) {
    snprintf(line, sizeof line, "n%d=1%s", i, i % 3 ? "" : "; secure");
    CHECK(!set("other.org", "/", true, line) && !why);
  }
  CHECK(!set("a.b.x.org", "/", true, "low=1; secure") && !why);
  CHECK(!set("x.org", "/", true, "high=1; secure; domain=x.org") && !why);
  CHECK(!set("name.lan", "/", true, "lan=1; secure") && !why);
  CHECK(!set("lan", "/", true, "single=1; secure; domain=lan") && !why);

  CHECK(!set("x.org", "/", false, "low=2"));
  CHECK_STR(why, "it would replace a secure one");
  CHECK(!set("B.X.org", "/", false, "low=2"));
  CHECK_STR(why, "it would replace a secure one");
  CHECK(!set("c.x.org", "/", false, "low=2") && !why);
  CHECK(!set("notb.x.org", "/", false, "low=2") && !why);
  CHECK(!set("y.a.x.org", "/", false, "high=2"));
  CHECK_STR(why, "it would replace a secure one");
  CHECK(!set("y.org", "/", false, "high=2") && !why);
  CHECK(!set("lan", "/", false, "lan=2"));
  CHECK_STR(why, "it would replace a secure one");
  CHECK(!set("name.lan", "/", false, "single=2"));
  CHECK_STR(why, "it would replace a secure one");
  CHECK_INT(secure_ones(), 104);
  mote_jar_clear_session(&jar);
  CHECK_INT(secure_ones(), 0);
  CHECK(!set("x.org", "/", false, "low=2") && !why);
  end();
}

#if MOTE_HAS_PSL
TEST(public_suffixes)
{
  static const struct {
    const char *domain;
    bool suffix;
  } cases[] = {{"com", true}, {"CO.UK", true}, {"x.co.uk", false}, {"localhost", true}, {"", true},
  {"x.test", false}, {"com.", true}, {"co.uk.", true}, {"x.co.uk.", false}, {".", true}};
  char longest[257];
  size_t i;
  for(i = 0; i < sizeof cases / sizeof cases[0]; i++)
    CHECK(mote_public_suffix(mote_slice_of(cases[i].domain)) == cases[i].suffix);
  memset(longest, 'x', sizeof longest);
  CHECK(mote_public_suffix((struct mote_slice){longest, 256}));
  begin();
  CHECK(!set("x.co.uk.", "/", false, "a=1; domain=co.uk."));
  CHECK_STR(why, "it is for another domain");
  CHECK(!set("x.co.uk", "/", false, "a=1; domain=co.uk"));
  CHECK_STR(why, "it is for another domain");
  CHECK(!set("co.uk", "/", false, "a=1; domain=co.uk") && !why);
  CHECK(!put_line(MOTE_JAR_FILE, "co.uk\tTRUE\t/\tFALSE\t0\tb\t2") && !why);
  CHECK_STR(sent("x.co.uk", "/", false, NOW), "");
  CHECK_STR(sent("co.uk", "/", false, NOW), "b=2; a=1");
  end();
}
#endif

TEST(a_file_does_not_replace_what_is_newer)
{
  static const char line[] = "x.org\tFALSE\t/\tFALSE\t0\ta\tfile";
  begin();
  CHECK(!put_line(MOTE_JAR_APPLICATION, "x.org\tFALSE\t/\tFALSE\t0\ta\tapplication") &&
        !put_line(MOTE_JAR_FILE, line));
  CHECK_STR(sent("x.org", "/", false, NOW), "a=file");
  CHECK(!put_line(MOTE_JAR_APPLICATION, "x.org\tFALSE\t/\tFALSE\t0\ta\tlater") &&
        !put_line(MOTE_JAR_FILE, line));
  CHECK_STR(why, "it is there already");
  CHECK_STR(sent("x.org", "/", false, NOW), "a=later");
  CHECK(!set("x.org", "/", false, "a=server") && !put_line(MOTE_JAR_FILE, line));
  CHECK_STR(sent("x.org", "/", false, NOW), "a=server");
  end();
}

/* Above the number a domain's oldest goes, one that is not secure first. */
TEST(a_domain_has_a_number_of_cookies)
{
  char line[40];
  unsigned i;
  begin();
  CHECK(!set("y.org", "/", true, "other=1") && !set("x.org", "/", true, "kept=1; secure"));
  for(i = 0; i < MOTE_JAR_HOST_MAX + 10; i++) {
    snprintf(line, sizeof line, "n%u=v", i);
    CHECK(!set("x.org", "/", true, line));
  }
  CHECK_INT(jar.count, MOTE_JAR_HOST_MAX + 1);
  CHECK_STR(sent("y.org", "/", true, NOW), "other=1");
  CHECK(strstr(sent("x.org", "/", true, NOW), "n20=v"));
  CHECK(strstr(sent("x.org", "/", true, NOW), "kept=1"));
  CHECK(!strstr(sent("x.org", "/", true, NOW), "n10=v"));
  end();
}

TEST(a_jar_has_a_number_of_cookies)
{
  char line[80];
  unsigned i;
  begin();
  for(i = 0; i <= MOTE_JAR_MAX; i++) {
    snprintf(line, sizeof line, "h%u.x.org\tFALSE\t/\tFALSE\t0\ta\tb", i);
    if(put_line(MOTE_JAR_FILE, line))
      break;
  }
  CHECK_STR(why, "the jar is full");
  CHECK_INT(jar.count, MOTE_JAR_MAX);
  CHECK(!put_line(MOTE_JAR_FILE, "h7.x.org\tFALSE\t/\tFALSE\t0\ta\tc") && !why);
  end();
}

/* Cookie n<first + step * i> is the i-th of the list. */
static void check_list(int64_t now, unsigned count, unsigned first, unsigned step)
{
  struct mote_jar_list all;
  char want[200], line[200];
  unsigned i, before = jar.count;
  CHECK_INT(mote_jar_list(&jar, now, &all), CURLE_OK);
  if(CHECK_INT(all.count, count) && CHECK(all.room < 4 * before + 4))
    for(i = 0; i < count; i++) {
      snprintf(want, sizeof want, "#HttpOnly_.x.org\tTRUE\t/p\tFALSE\t0\tn%u\tv", first + step * i);
      CHECK_INT(mote_cookie_print(all.list[i], line), strlen(want));
      CHECK_STR(line, want);
      CHECK(strlen(want) < mote_cookie_line_room(all.list[i]));
    }
  mote_jar_free_list(&jar, &all);
}

TEST(the_list_is_sorted_and_printed)
{
  char line[200];
  unsigned i;
  begin();
  check_list(NOW, 0, 0, 1);
  for(i = 0; i < 100; i++) {
    snprintf(line, sizeof line, "n%u=v%s", i, i % 2 ? "; max-age=5" : "; domain=x.org; httponly");
    CHECK(!set("a.x.org", "/p/", true, line));
  }
  check_list(NOW + 6, 50, 0, 2);
  end();
}

/* Few cookies are left of many, or their numbers have begun again. */
TEST(a_list_with_wide_gaps)
{
  char line[200];
  unsigned i;
  begin();
  for(i = 0; i < 100; i++) {
    snprintf(line, sizeof line, "n%u=v%s", i, i % 10 ? "; max-age=5" : "; domain=x.org; httponly");
    CHECK(!set("a.x.org", "/p/", true, line));
  }
  check_list(NOW + 6, 10, 0, 10);
  check_list(NOW + 6, 10, 0, 10);
  mote_jar_clear(&jar);
  jar.born = UINT32_MAX;
  CHECK(!set("a.x.org", "/p/", true, "n7=v; domain=x.org; httponly"));
  CHECK(!set("a.x.org", "/p/", true, "n6=v; domain=x.org; httponly"));
  check_list(NOW, 2, 6, 1);
  end();
}

/* Nodes that a search for a cookie looks at. */
static unsigned steps_to(struct mote_trie_node *n, const struct mote_trie_node *to)
{
  uint64_t bits = to->key;
  unsigned steps = 0;
  for(; n && n != to; n = n->child[bits >> 63], bits <<= 1)
    steps++;
  return steps;
}

static unsigned longest_way(struct mote_trie_node *root)
{
  struct mote_trie_walk w;
  struct mote_trie_node *n;
  unsigned longest = 0;
  mote_trie_begin(&w, &root, 0, 0, 0);
  while((n = mote_trie_next(&w)) != NULL) {
    unsigned steps = steps_to(root, n);
    longest = steps > longest ? steps : longest;
  }
  return longest;
}

/* Of many cookies of one domain a few are compared with the one that comes, and of many secure ones those of
 * its name with what a host of one label sets. */
TEST(a_cookie_is_compared_with_few)
{
  struct mote_trie_walk w;
  unsigned i;
  char line[80];
  begin();
  for(i = 0; i < 10000; i++) {
    snprintf(line, sizeof line, ".x.org\tTRUE\t/p%u\tFALSE\t0\tname%u\tv", i % 7, i);
    CHECK(!put_line(MOTE_JAR_FILE, line) && !why);
  }
  CHECK_INT(jar.count, 10000);
  CHECK(longest_way(jar.cookies) < 64);
  for(i = 0; i < 5000; i++) {
    snprintf(line, sizeof line, "h%u.lan\tFALSE\t/\tTRUE\t0\tsecret%u\tv", i, i % 1000);
    CHECK(!put_line(MOTE_JAR_FILE, line) && !why);
  }
  CHECK(!set("lan", "/", false, "secret7=1"));
  CHECK_STR(why, "it would replace a secure one");
  CHECK(!set("lan", "/", false, "open=1") && !why);
  mote_trie_begin(&w, &jar.secure, jar.secure->key, UINT64_MAX << 32, 32);
  for(i = 0; mote_trie_next(&w); i++)
    ;
  CHECK_INT(i, 5);
  end();
}

static void scenario(void)
{
  struct mote_jar_list all;
  char line[40];
  unsigned i, before;
  begin();
  for(i = 0; i < 40; i++) {
    snprintf(line, sizeof line, "n%u=v", i % 30);
    before = jar.count;
    if(set("x.org", "/", true, line))
      CHECK_INT(jar.count, before);
  }
  CHECK(!mote_jar_list(&jar, NOW, &all) || test_mem.failed);
  mote_jar_free_list(&jar, &all);
  end();
}

TEST(memory_that_is_not_there)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(secure_ones_of_other_domains_are_not_hidden);
  TEST_RUN(hosts_and_domains);
  TEST_RUN(addresses_have_no_domains_above);
  TEST_RUN(a_cookie_is_replaced_in_its_place);
  TEST_RUN(time_ends_cookies);
  TEST_RUN(secure_cookies);
#if MOTE_HAS_PSL
  TEST_RUN(public_suffixes);
#endif
  TEST_RUN(a_file_does_not_replace_what_is_newer);
  TEST_RUN(a_domain_has_a_number_of_cookies);
  TEST_RUN(a_jar_has_a_number_of_cookies);
  TEST_RUN(the_list_is_sorted_and_printed);
  TEST_RUN(a_list_with_wide_gaps);
  TEST_RUN(a_cookie_is_compared_with_few);
  TEST_RUN(memory_that_is_not_there);
  return test_end();
}
