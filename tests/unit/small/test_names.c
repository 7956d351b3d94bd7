/* Tests of small/names.c: lookups without a cache. The test's own mote_port_lookup() answers.
 * Needs accounts.
 * needs: src/small/names.c */
#include "test.h"

#include "net/names/names.h"

#include <string.h>

#include "port/port.h"

static struct {
  int asked;       /* calls */
  int again;       /* so many of them do not know yet */
  int error;       /* of the others; 0: addresses */
  size_t count;    /* addresses of an answer */
  char name[32];   /* of the last call */
} port;

int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count)
{
  size_t i;
  port.asked++;
  snprintf(port.name, sizeof port.name, "%s", name);
  *count = 0;
  if(port.asked <= port.again)
    return MOTE_PORT_AGAIN;
  if(port.error)
    return port.error;
  for(i = 0; i < port.count && i < max; i++) {
    out[i].family = family ? (uint8_t)family : MOTE_FAMILY_IP4;
    out[i].ip[3] = (uint8_t)(i + 1);
  }
  *count = i;
  return 0;
}

struct waiter {
  struct mote_name_wait wait;
  struct mote_answer *answer;
  CURLcode rc;
  int notified;
};

static struct mote_account account;
static struct mote_names names;

static void note(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc)
{
  struct waiter *x = mote_container_of(w, struct waiter, wait);
  x->answer = a;
  x->rc = rc;
  x->notified++;
}

static void begin(int again, int error, size_t count)
{
  memset(&account, 0, sizeof account);
  memset(&port, 0, sizeof port);
  port.again = again;
  port.error = error;
  port.count = count;
  mote_names_init(&names, &account);
}

static CURLcode ask(const char *name, size_t len, uint8_t family, struct waiter *w)
{
  struct mote_name_query q = {.name = name, .name_len = len, .port = 80, .family = family};
  memset(w, 0, sizeof *w);
  mote_list_init(&w->wait.link);
  w->wait.done = note;
  return mote_names_ask(&names, &q, NULL, &w->wait, &w->answer);
}

static void end(struct waiter *w)
{
  if(w->answer)
    mote_answer_unref(w->answer);
  CHECK(!mote_names_busy(&names));
  mote_names_close(&names);
  CHECK_ACCOUNT(&account);
}

TEST(asks_the_port_until_it_knows)
{
  struct waiter w;
  begin(2, 0, 2);
  CHECK_INT(ask("one.test/page", 8, 0, &w), CURLE_AGAIN);
  CHECK(mote_names_busy(&names));
  mote_names_collect(&names, 0);
  mote_names_collect(&names, 0);
  CHECK_INT(w.notified, 0);
  mote_names_collect(&names, 0);
  CHECK_INT(w.notified, 1);
  CHECK_STR(port.name, "one.test");
  CHECK_INT(w.rc, CURLE_OK);
  CHECK_INT(w.answer->count, 2);
  CHECK_INT(w.answer->port, 80);
  CHECK_INT(w.answer->addrs[1].ip[3], 2);
  end(&w);
}

TEST(takes_four_addresses_at_most)
{
  struct waiter w;
  begin(0, 0, 9);
  CHECK_INT(ask("one.test", 8, 0, &w), CURLE_AGAIN);
  mote_names_collect(&names, 0);
  CHECK_INT(w.answer->count, 4);
  end(&w);
}

TEST(failures_have_their_codes)
{
  static const struct {
    int error;
    CURLcode rc;
  } cases[] = {{MOTE_PORT_NO_NAME, CURLE_COULDNT_RESOLVE_HOST}, {EAGAIN, CURLE_COULDNT_RESOLVE_HOST},
               {MOTE_PORT_NO_MEMORY, CURLE_OUT_OF_MEMORY}};
  struct waiter w;
  size_t i;
  for(i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin(0, cases[i].error, 1);
    CHECK_INT(ask("one.test", 8, 0, &w), CURLE_AGAIN);
    mote_names_collect(&names, 0);
    CHECK_INT(w.notified, 1);
    CHECK_INT(w.rc, cases[i].rc);
    CHECK(!w.answer);
    end(&w);
  }
}

TEST(local_names_are_not_asked_for)
{
  static const char *const local[] = {"localhost", "a.LocalHost.", NULL};
  struct waiter w;
  size_t i;
  for(i = 0; local[i]; i++) {
    begin(0, 0, 1);
    CHECK_INT(ask(local[i], strlen(local[i]), 0, &w), CURLE_AGAIN);
    mote_names_collect(&names, 0);
    CHECK_INT(w.answer->addrs[0].ip[0], 127);
    CHECK_INT(w.answer->addrs[0].ip[3], 1);
    CHECK_INT(port.asked, 0);
    end(&w);
  }
  begin(0, 0, 1);
  CHECK_INT(ask("notlocalhost", 12, 0, &w), CURLE_AGAIN);
  mote_names_collect(&names, 0);
  CHECK_INT(port.asked, 1);
  end(&w);
}

TEST(onions_are_refused)
{
  struct waiter w;
  begin(0, 0, 1);
  CHECK_INT(ask("a.onion", 7, 0, &w), CURLE_COULDNT_RESOLVE_HOST);
  end(&w);
}

TEST(one_that_leaves_is_not_notified)
{
  struct waiter w, stays;
  begin(1, 0, 1);
  CHECK_INT(ask("one.test", 8, 0, &w), CURLE_AGAIN);
  CHECK_INT(ask("two.test", 8, 0, &stays), CURLE_AGAIN);
  mote_names_leave(&names, &w.wait);
  mote_names_leave(&names, &w.wait);
  mote_names_collect(&names, 0);
  mote_names_collect(&names, 0);
  CHECK_INT(w.notified, 0);
  CHECK_INT(stays.notified, 1);
  CHECK_STR(port.name, "two.test");
  end(&stays);
}

TEST(out_of_memory)
{
  struct waiter w;
  begin(0, 0, 1);
  test_mem.fail_at = test_mem.calls + 1;
  CHECK_INT(ask("one.test", 8, 0, &w), CURLE_OUT_OF_MEMORY);
  test_mem.fail_at = 0;
  end(&w);
}

int main(void)
{
  TEST_RUN(asks_the_port_until_it_knows);
  TEST_RUN(takes_four_addresses_at_most);
  TEST_RUN(failures_have_their_codes);
  TEST_RUN(local_names_are_not_asked_for);
  TEST_RUN(onions_are_refused);
  TEST_RUN(one_that_leaves_is_not_notified);
  TEST_RUN(out_of_memory);
  return test_end();
}
