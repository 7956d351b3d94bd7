/* Unit tests of http/altsvc/altsvc_rest.h: how long a place rests, and what ends that. Needs h3. */
#include "http/altsvc/altsvc_rest.h"

#include "test.h"
#include "transfer/elsewhere.h"

#define NOW 1000000000
#define H3 (1u << MOTE_ALTSVC_H3)
#define H1 (1u << MOTE_ALTSVC_H1)

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

static CURLcode add(const char *host, uint8_t protocol, const char *to)
{
  struct mote_altsvc_line line = {
    .host = mote_slice_of(host), .to = mote_slice_of(to), .port = 443, .to_port = 8443,
    .protocol = MOTE_ALTSVC_H1, .to_protocol = protocol, .expires = NOW + 100000000,
  };
  return mote_altsvc_hosts_add(&hosts, &line, NOW);
}

static const char *found(int64_t now)
{
  static char out[300];
  const struct mote_altsvc_host *h =
    mote_altsvc_hosts_find(&hosts, mote_slice_of("a.test"), 443, H1 | H3, now);
  snprintf(out, sizeof out, "%.*s", h ? (int)h->to_len : 0, h ? mote_altsvc_to(h).ptr : "");
  return out;
}

static void fail(const char *host, uint16_t port, int64_t now)
{
  mote_altsvc_rest(&hosts, mote_slice_of(host), port, now);
}

TEST(a_place_rests_for_five_minutes_and_then_twice_as_long)
{
  int64_t now = NOW, rest = 300;
  int i;
  begin();
  CHECK(!add("a.test", MOTE_ALTSVC_H3, "b.test"));
  for(i = 0; i < 14; i++) {
    CHECK_STR(found(now), "b.test");
    fail("B.test", 8443, now);
    CHECK_STR(found(now + rest - 1), "");
    CHECK_STR(found(INT64_MIN), "b.test");
    now += rest;
    rest = rest < 300 << MOTE_ALTSVC_REST_DOUBLINGS ? rest * 2 : rest;
  }
  mote_altsvc_rest_end(&hosts, mote_slice_of("b.test"), 8443);
  fail("b.test", 8443, now);
  CHECK_STR(found(now + 299), "");
  CHECK_STR(found(now + 300), "b.test");
  end();
}

TEST(a_failure_of_long_ago_does_not_count)
{
  int64_t later = NOW + MOTE_ALTSVC_REST + MOTE_ALTSVC_REST_KNOWN;
  begin();
  CHECK(!add("a.test", MOTE_ALTSVC_H3, "b.test"));
  fail("b.test", 8443, NOW);
  fail("b.test", 8443, later);
  CHECK_STR(found(later + MOTE_ALTSVC_REST), "b.test");
  end();
}

TEST(the_next_one_takes_its_place)
{
  begin();
  CHECK(!add("a.test", MOTE_ALTSVC_H3, "b.test") && !add("a.test", MOTE_ALTSVC_H3, "c.test"));
  CHECK(!add("a.test", MOTE_ALTSVC_H1, "b.test"));
  fail("c.test", 8444, NOW);
  CHECK_STR(found(NOW), "b.test");
  fail("b.test", 8443, NOW);
  CHECK_STR(found(NOW), "c.test");
  fail("c.test", 8443, NOW);
  CHECK_STR(found(NOW), "b.test"); /* by HTTP/1.1, where QUIC has failed */
  end();
}

TEST(what_the_origin_offers_again_still_rests_and_is_in_no_file)
{
  struct mote_altsvc_line line;
  uint32_t at = 0;
  unsigned lines = 0;
  begin();
  CHECK(!add("a.test", MOTE_ALTSVC_H3, "a.test"));
  fail("a.test", 8443, NOW);
  mote_altsvc_hosts_forget(&hosts, mote_slice_of("a.test"), 443, MOTE_ALTSVC_H1);
  CHECK(!add("a.test", MOTE_ALTSVC_H3, "a.test"));
  CHECK_STR(found(NOW + 1), "");
  while(mote_altsvc_hosts_walk(&hosts, &at, NOW, &line))
    lines++;
  CHECK_INT(lines, 1);
  end();
}

TEST(an_outcome_is_noted_once)
{
  struct mote_elsewhere to = {.port = 8443, .host_len = 6, .host = "b.test", .failed = NOW};
  begin();
  CHECK(!add("a.test", MOTE_ALTSVC_H3, "b.test"));
  mote_altsvc_note_place(&hosts, &to);
  CHECK_STR(found(NOW + 299), "");
  mote_altsvc_note_place(&hosts, &to);
  CHECK_STR(found(NOW + 300), "b.test");
  to.worked = true;
  mote_altsvc_note_place(&hosts, &to);
  CHECK_STR(found(NOW), "b.test");
  CHECK_INT(hosts.live, 1);
  end();
}

static void run(void)
{
  begin();
  (void)add("a.test", MOTE_ALTSVC_H3, "b.test");
  fail("b.test", 8443, NOW);
  fail("b.test", 8443, NOW);
  end();
}

TEST(out_of_memory_leaves_it_as_it_was)
{
  run_with_failures(run);
}

int main(void)
{
  TEST_RUN(a_place_rests_for_five_minutes_and_then_twice_as_long);
  TEST_RUN(a_failure_of_long_ago_does_not_count);
  TEST_RUN(the_next_one_takes_its_place);
  TEST_RUN(what_the_origin_offers_again_still_rests_and_is_in_no_file);
  TEST_RUN(an_outcome_is_noted_once);
  TEST_RUN(out_of_memory_leaves_it_as_it_was);
  return test_end();
}
