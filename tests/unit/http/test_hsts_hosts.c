/* Unit tests of http/hosts/hsts_hosts.h and of the index below it, http/hosts/host_index.h. */
#include "base/memory.h"
#include "codec/files/hsts.h"
#include "http/hosts/hsts_hosts.h"

#include "test.h"

#define NOW 1000000000

static struct mote_account account;
static struct mote_host_index hosts;

static void begin(void)
{
  memset(&account, 0, sizeof account);
  mote_hsts_hosts_init(&hosts, &account);
}

static void end(void)
{
  mote_host_index_clear(&hosts);
  CHECK_INT(hosts.live, 0);
  CHECK_ACCOUNT(&account);
}

/* A host with a dot in front is for all under it. */
static struct mote_hsts_line line_of(const char *host, int64_t expires)
{
  struct mote_hsts_line line = {mote_slice_of(host + (*host == '.')), expires, *host == '.'};
  return line;
}

static CURLcode set(const char *host, int64_t expires)
{
  struct mote_hsts_line line = line_of(host, expires);
  return mote_hsts_hosts_set(&hosts, &line, NOW);
}

static CURLcode merge(const char *host, int64_t expires)
{
  struct mote_hsts_line line = line_of(host, expires);
  return mote_hsts_hosts_merge(&hosts, &line, NOW);
}

static bool has(const char *host, int64_t now)
{
  return mote_hsts_hosts_has(&hosts, mote_slice_of(host), now);
}

/* All entries as "host+N .host+N", N seconds from NOW. */
static const char *all(void)
{
  static char out[2000];
  struct mote_hsts_line line;
  uint32_t at = 0;
  size_t len = 0;
  out[0] = 0;
  while(mote_hsts_hosts_walk(&hosts, &at, NOW, &line))
    len += (size_t)snprintf(out + len, sizeof out - len, "%s%s%.*s+%lld", len ? " " : "",
                            line.tail ? "." : "", (int)line.host.len, line.host.ptr,
                            (long long)(line.expires - NOW));
  return out;
}

TEST(hosts_and_those_under_them)
{
  begin();
  CHECK(!has("a.test", NOW));
  CHECK(!set("a.test", NOW + 5) && !set(".b.test", NOW + 5));
  CHECK(has("a.test", NOW) && has("A.Test", NOW) && !has("x.a.test", NOW) && !has("test", NOW));
  CHECK(has("b.test", NOW) && has("x.b.test", NOW) && has("y.x.B.test", NOW) && !has("xb.test", NOW));
  CHECK(!has(".test", NOW) && !has("b", NOW) && !has("", NOW));
  CHECK(!set(".x.a.test", NOW + 5) && has("y.x.a.test", NOW) && !has("y.a.test", NOW));
  end();
}

TEST(time_ends_an_entry)
{
  begin();
  CHECK(!set(".a.test", NOW + 5) && !set("b.test", NOW + 6));
  CHECK(has("x.a.test", NOW + 4));
  CHECK(has("x.a.test", INT64_MIN));
  CHECK(!has("x.a.test", NOW + 5));
  CHECK_INT(hosts.live, 1);
  CHECK(has("b.test", NOW + 5) && !has("a.test", NOW));
  end();
}

TEST(what_a_server_asks_for_replaces)
{
  begin();
  CHECK(!set(".a.test", NOW + 50) && !set("b.test", NOW + 5) && !set("a.test", NOW + 7));
  CHECK_STR(all(), "a.test+7 b.test+5");
  CHECK(!set("c.test", NOW) && !set("a.test", NOW));
  CHECK_STR(all(), "b.test+5");
  CHECK(!set("a.test", NOW + 9));
  CHECK_STR(all(), "b.test+5 a.test+9");
  end();
}

TEST(what_a_file_says_is_merged)
{
  begin();
  CHECK(!merge("a.test", NOW + 5) && !merge(".a.test", NOW + 3) && !merge("b.test", NOW));
  CHECK_STR(all(), ".a.test+5");
  CHECK(!merge("A.TEST", NOW + 9) && !merge("b.test", MOTE_STAMP_NEVER));
  CHECK_INT(mote_hsts_hosts_count(&hosts, NOW), 2);
  CHECK_INT(mote_hsts_hosts_count(&hosts, NOW + 100), 1);
  CHECK(has("b.test", INT64_MAX - 1));
  end();
}

/* All of a table that has grown, lost every third entry and grown again are found, in their order. */
TEST(many)
{
  char name[40];
  int i;
  begin();
  for(i = 0; i < 3000; i++) {
    snprintf(name, sizeof name, "host%d.example.com", i);
    CHECK(!set(name, NOW + 1 + i));
    CHECK(i != 999 || test_live(&account) <= 48 * 1000);
  }
  for(i = 0; i < 3000; i += 3) {
    snprintf(name, sizeof name, "host%d.example.com", i);
    CHECK(!set(name, NOW));
  }
  for(i = 3000; i < 5000; i++) {
    snprintf(name, sizeof name, "host%d.example.com", i);
    CHECK(!set(name, NOW + 1 + i));
  }
  CHECK_INT(hosts.live, 4000);
  for(i = 0; i < 5000; i++) {
    snprintf(name, sizeof name, "host%d.example.com", i);
    CHECK(has(name, NOW) == (i >= 3000 || i % 3));
  }
  end();
}

TEST(the_oldest_goes)
{
  char name[40];
  int i;
  begin();
  for(i = 0; i < MOTE_HOSTS_MAX + 30000; i++) {
    snprintf(name, sizeof name, "h%d.test", i);
    CHECK(!merge(name, NOW + 1));
  }
  CHECK_INT(hosts.live, MOTE_HOSTS_MAX);
  CHECK(hosts.cap <= 16384);
  CHECK(!has("h29999.test", NOW) && has("h30000.test", NOW) && has("h39999.test", NOW));
  end();
}

static void scenario(void)
{
  char name[40];
  int i, added = 0;
  begin();
  for(i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "h%d.test", i);
    if(!set(name, NOW + 1))
      added++;
  }
  CHECK_INT(hosts.live, added);
  CHECK(added == 40 || test_mem.failed);
  end();
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(hosts_and_those_under_them);
  TEST_RUN(time_ends_an_entry);
  TEST_RUN(what_a_server_asks_for_replaces);
  TEST_RUN(what_a_file_says_is_merged);
  TEST_RUN(many);
  TEST_RUN(the_oldest_goes);
  TEST_RUN(survives);
  return test_end();
}
