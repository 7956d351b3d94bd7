/* Unit tests of http/altsvc/altsvc_hosts.h: what is found, replaced and forgotten. */
#include "base/memory.h"
#include "codec/files/altsvc.h"
#include "http/altsvc/altsvc_hosts.h"

#include "test.h"

#define NOW 1000000000
#define H1 (1u << MOTE_ALTSVC_H1)
#define H2 (1u << MOTE_ALTSVC_H2)

static struct mote_account account;
static struct mote_host_index hosts;

static void begin(void)
{
  memset(&account, 0, sizeof account);
  mote_altsvc_hosts_init(&hosts, &account);
}

static void end(void)
{
  mote_host_index_clear(&hosts);
  CHECK_ACCOUNT(&account);
}

static CURLcode add(const char *host, uint8_t protocol, const char *to, int64_t expires)
{
  struct mote_altsvc_line line = {
    .host = mote_slice_of(host), .to = mote_slice_of(to), .port = 443, .to_port = 8443,
    .protocol = MOTE_ALTSVC_H1, .to_protocol = protocol, .expires = expires,
  };
  return mote_altsvc_hosts_add(&hosts, &line, NOW);
}

/* The host of the first alternative, or "". */
static const char *first(const char *host, uint16_t port, unsigned protocols, int64_t now)
{
  static char out[300];
  const struct mote_altsvc_host *h =
    mote_altsvc_hosts_find(&hosts, mote_slice_of(host), port, protocols, now);
  snprintf(out, sizeof out, "%.*s", h ? (int)h->to_len : 0, h ? mote_altsvc_to(h).ptr : "");
  return out;
}

TEST(the_first_that_may_be_used)
{
  begin();
  CHECK(!add("a.test", MOTE_ALTSVC_H2, "two", NOW + 9) && !add("a.test", MOTE_ALTSVC_H1, "one", NOW + 5));
  CHECK(!add("a.test", MOTE_ALTSVC_H1, "more", NOW + 9) && !add("b.test", MOTE_ALTSVC_H1, "b", NOW + 9));
  CHECK_STR(first("A.test", 443, H1, NOW), "one");
  CHECK_STR(first("a.test", 443, H1 | H2, NOW), "two");
  CHECK_STR(first("a.test", 444, H1, NOW), "");
  CHECK_STR(first("x.a.test", 443, H1, NOW), "");
  CHECK_STR(first("a.test", 443, H1, NOW + 5), "more");
  CHECK_INT(hosts.live, 3);
  CHECK(!add("a.test", MOTE_ALTSVC_H1, "late", NOW));
  CHECK_INT(hosts.live, 3);
  end();
}

TEST(an_entry_is_there_once)
{
  struct mote_altsvc_line line;
  uint32_t at = 0;
  begin();
  CHECK(!add("a.test", MOTE_ALTSVC_H1, "one", NOW + 5) && !add("a.test", MOTE_ALTSVC_H1, "ONE", NOW + 7));
  CHECK_INT(hosts.live, 1);
  CHECK(mote_altsvc_hosts_walk(&hosts, &at, NOW, &line) && line.expires == NOW + 7);
  CHECK(!mote_altsvc_hosts_walk(&hosts, &at, NOW, &line));
  end();
}

TEST(an_origin_is_forgotten)
{
  begin();
  CHECK(!add("a.test", MOTE_ALTSVC_H1, "one", NOW + 5) && !add("a.test", MOTE_ALTSVC_H2, "two", NOW + 7) &&
        !add("b.test", MOTE_ALTSVC_H1, "b", NOW + 7));
  mote_altsvc_hosts_forget(&hosts, mote_slice_of("a.test"), 443, MOTE_ALTSVC_H2);
  mote_altsvc_hosts_forget(&hosts, mote_slice_of("a.test"), 444, MOTE_ALTSVC_H1);
  CHECK_INT(hosts.live, 3);
  mote_altsvc_hosts_forget(&hosts, mote_slice_of("a.test"), 443, MOTE_ALTSVC_H1);
  CHECK_INT(hosts.live, 1);
  CHECK_STR(first("b.test", 443, H1, NOW), "b");
  end();
}

static void scenario(void)
{
  char name[20];
  int i, added = 0;
  begin();
  for(i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "h%d", i / 2);
    added += !add(name, MOTE_ALTSVC_H1, i % 2 ? "x" : "y", NOW + 1);
  }
  CHECK_INT(hosts.live, added);
  CHECK(added == 20 || test_mem.failed);
  end();
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(the_first_that_may_be_used);
  TEST_RUN(an_entry_is_there_once);
  TEST_RUN(an_origin_is_forgotten);
  TEST_RUN(survives);
  return test_end();
}
