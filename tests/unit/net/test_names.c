/* tests/unit/net/test_names.c: the name cache, CURLOPT_RESOLVE lines, lookups in threads. The port's blocking
 * lookup is replaced by one whose answers, and how long they take, the name says. */
#include "net/names.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/report.h"
#include "net/waitset.h"
#include "port/port.h"

#include "fds.h"

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool open;             /* "wait." names may go on */
  int started;           /* lookups */
  int under_way;
  int most_at_once;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static bool begins(const char *name, const char *with)
{
  return !strncmp(name, with, strlen(with));
}

static void make_addr(struct mote_addr *a, enum mote_family family, unsigned char last)
{
  memset(a, 0, sizeof *a);
  a->family = (uint8_t)family;
  a->ip[family == MOTE_FAMILY_IP6 ? 15 : 3] = last;
  a->ip[0] = 192;
}

static int look(const char *name, enum mote_family family, struct mote_addr *out, size_t *count)
{
  unsigned char i;
  *count = 0;
  if(begins(name, "none."))
    return MOTE_PORT_NO_NAME;
  if(begins(name, "later."))
    return EAGAIN;
  if(begins(name, "nomem."))
    return MOTE_PORT_NO_MEMORY;
  if(begins(name, "many.")) {
    for(i = 0; i < 20; i++)
      make_addr(&out[i], MOTE_FAMILY_IP4, i);
    *count = 20;
    return 0;
  }
  make_addr(&out[(*count)++], family ? family : MOTE_FAMILY_IP4, 1);
  return 0;
}

int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count)
{
  (void)max;
  pthread_mutex_lock(&gate.lock);
  gate.started++;
  if(++gate.under_way > gate.most_at_once)
    gate.most_at_once = gate.under_way;
  pthread_cond_broadcast(&gate.changed);
  while(begins(name, "wait.") && !gate.open)
    pthread_cond_wait(&gate.changed, &gate.lock);
  gate.under_way--;
  pthread_mutex_unlock(&gate.lock);
  return look(name, family, out, count);
}

static void open_gate(bool open)
{
  pthread_mutex_lock(&gate.lock);
  gate.open = open;
  pthread_cond_broadcast(&gate.changed);
  pthread_mutex_unlock(&gate.lock);
}

static void wait_for_started(int n)
{
  pthread_mutex_lock(&gate.lock);
  while(gate.started < n)
    pthread_cond_wait(&gate.changed, &gate.lock);
  pthread_mutex_unlock(&gate.lock);
}

static int started(void)
{
  int n;
  pthread_mutex_lock(&gate.lock);
  n = gate.started;
  pthread_mutex_unlock(&gate.lock);
  return n;
}

/* ---- a cache with its wait set ---- */

static struct mote_account account;
static struct mote_waitset set;
static struct mote_names names;

struct waiter {
  struct mote_name_wait wait;
  struct mote_answer *answer;
  CURLcode rc;
  int told;
};

static void note(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc)
{
  struct waiter *x = mote_container_of(w, struct waiter, wait);
  x->answer = a;
  x->rc = rc;
  x->told++;
}

static void begin(void)
{
  test_mem.threads = true;
  pthread_mutex_lock(&gate.lock);
  gate.open = false;
  gate.started = 0;
  gate.most_at_once = 0;
  pthread_mutex_unlock(&gate.lock);
  memset(&account, 0, sizeof account);
  mote_waitset_init(&set, &account);
  mote_names_init(&names, &account);
}

/* Threads that were abandoned give their memory back themselves. */
static void end(void)
{
  struct mote_part_count c;
  int i;
  mote_names_close(&names);
  mote_waitset_close(&set);
  CHECK_ACCOUNT(&account);
  open_gate(true);
  for(i = 0; i < 5000; i++) {
    mote_mem_part_get(MOTE_PART_NAME, &c);
    if(!c.live)
      break;
    fds_nap(1);
  }
  CHECK_INT(c.live, 0);
}

static struct mote_name_query query(const char *name, mote_time now)
{
  struct mote_name_query q = {.name = name, .name_len = strlen(name), .port = 80,
                              .max_age_us = 60 * MOTE_SECOND, .now = now};
  return q;
}

static CURLcode ask(const struct mote_name_query *q, struct waiter *w)
{
  memset(w, 0, sizeof *w);
  mote_list_init(&w->wait.link);
  w->wait.done = note;
  return mote_names_ask(&names, q, &set, &w->wait, &w->answer);
}

static void drop(struct waiter *w)
{
  if(w->answer)
    mote_answer_unref(w->answer);
  w->answer = NULL;
}

/* Wait and collect until the waiter was told. */
static bool until_told(struct waiter *w, mote_time now)
{
  int i, events;
  for(i = 0; i < 50 && !w->told; i++) {
    (void)mote_waitset_wait(&set, NULL, 0, 200, false, &events);
    mote_names_collect(&names, now);
  }
  return w->told == 1;
}

/* Ask and wait: the first address's last byte, -1 no address, -2 no answer (w.rc says why). */
static int whole(const struct mote_name_query *q)
{
  struct waiter w;
  int last = -2;
  w.rc = ask(q, &w);
  if(w.rc == CURLE_AGAIN)
    until_told(&w, q->now);
  if(w.answer)
    last = !w.answer->count ? -1 : w.answer->addrs[0].ip[w.answer->addrs[0].family == MOTE_FAMILY_IP6 ? 15 : 3];
  drop(&w);
  return last;
}

/* The cache's answer in the same terms; -2: none. */
static int cached(const char *name, uint8_t family, mote_time now)
{
  struct mote_name_query q = query(name, now);
  struct mote_answer *a;
  q.family = family;
  a = mote_names_find(&names, &q);
  if(!a)
    return -2;
  return a->count ? a->addrs[0].ip[a->addrs[0].family == MOTE_FAMILY_IP6 ? 15 : 3] : -1;
}

static CURLcode preset(const char *line, mote_time now)
{
  return mote_names_preset(&names, line, now, NULL);
}

/* ---- lookups and the cache ---- */

TEST(an_answer_is_kept_for_its_time)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 1);
  q.name = "ONE.test";
  q.now += 60 * MOTE_SECOND - 1;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 1);
  q.now++;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 2);
  CHECK_INT(names.count, 1);
  end();
}

TEST(port_and_family_are_part_of_it)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  CHECK_INT(whole(&q), 1);
  q.port = 81;
  CHECK_INT(whole(&q), 1);
  q.family = MOTE_FAMILY_IP6;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 3);
  CHECK_INT(names.count, 3);
  CHECK_INT(cached("one.test", 0, 1000), 1);
  CHECK_INT(cached("one.test", MOTE_FAMILY_IP6, 1000), -2); /* that one is for port 81 */
  end();
}

TEST(no_such_name_is_remembered_for_half_the_time)
{
  struct mote_name_query q = query("none.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(until_told(&w, q.now));
  CHECK_INT(w.rc, CURLE_COULDNT_RESOLVE_HOST);
  CHECK(!w.answer);
  q.now += 30 * MOTE_SECOND - 1;
  CHECK_INT(whole(&q), -1);
  CHECK_INT(started(), 1);
  q.now++;
  CHECK_INT(whole(&q), -2);
  CHECK_INT(started(), 2);
  end();
}

TEST(other_failures_are_not_remembered)
{
  struct mote_name_query q = query("later.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(until_told(&w, q.now));
  CHECK_INT(w.rc, CURLE_COULDNT_RESOLVE_HOST);
  CHECK_INT(names.count, 0);
  q = query("nomem.test", 1000);
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(until_told(&w, q.now));
  CHECK_INT(w.rc, CURLE_OUT_OF_MEMORY);
  CHECK_INT(names.count, 0);
  end();
}

TEST(timeout_0_uses_no_cache_and_minus_1_always)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  q.max_age_us = 0;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(names.count, 0);
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 2);
  q.max_age_us = -1;
  CHECK_INT(whole(&q), 1);
  q.now += 1000000 * MOTE_SECOND;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 3);
  q.max_age_us = 0;
  CHECK_INT(whole(&q), 1); /* not from the cache, and what others have there stays */
  CHECK_INT(started(), 4);
  CHECK_INT(names.count, 1);
  end();
}

TEST(what_is_too_old_leaves_the_cache)
{
  struct mote_name_query q = query("one.test", 1000);
  char name[20];
  int i;
  begin();
  for(i = 0; i < 20; i++) {
    sprintf(name, "one.test%d", i);
    q = query(name, 1000 + i * 10 * MOTE_SECOND);
    CHECK_INT(whole(&q), 1);
  }
  CHECK(names.count <= 7);
  mote_names_prune(&names, q.now, 15 * MOTE_SECOND);
  CHECK_INT(names.count, 2);
  mote_names_prune(&names, q.now, -1);
  CHECK_INT(names.count, 0);
  end();
}

TEST(equal_lookups_are_joined)
{
  struct mote_name_query q = query("wait.test", 1000), other = q;
  struct waiter a, b, c;
  begin();
  CHECK_INT(ask(&q, &a), CURLE_AGAIN);
  q.name = "WAIT.test";
  CHECK_INT(ask(&q, &b), CURLE_AGAIN);
  other.family = MOTE_FAMILY_IP6;
  CHECK_INT(ask(&other, &c), CURLE_AGAIN);
  wait_for_started(2);
  open_gate(true);
  CHECK(until_told(&a, 1000));
  CHECK(until_told(&b, 1000));
  CHECK(until_told(&c, 1000));
  CHECK_INT(started(), 2);
  CHECK(a.answer && a.answer == b.answer && a.answer != c.answer);
  CHECK(!mote_names_busy(&names));
  CHECK_INT(names.running, 0);
  drop(&a);
  drop(&b);
  drop(&c);
  end();
}

TEST(one_of_the_joined_leaves)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter a, b;
  begin();
  CHECK_INT(ask(&q, &a), CURLE_AGAIN);
  CHECK_INT(ask(&q, &b), CURLE_AGAIN);
  mote_names_leave(&names, &a.wait);
  mote_names_leave(&names, &a.wait); /* harmless */
  open_gate(true);
  CHECK(until_told(&b, 1000));
  CHECK_INT(a.told, 0);
  drop(&b);
  end();
}

TEST(a_lookup_that_all_have_left_goes_on_and_can_be_joined)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w;
  int i;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  wait_for_started(1);
  mote_names_leave(&names, &w.wait);
  CHECK(mote_names_busy(&names));
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  mote_names_leave(&names, &w.wait);
  open_gate(true);
  for(i = 0; i < 5000 && mote_names_busy(&names); i++) {
    fds_nap(1);
    mote_names_collect(&names, 1000);
  }
  CHECK_INT(w.told, 0);
  CHECK_INT(cached("wait.test", 0, 1000), 1);
  CHECK_INT(started(), 1);
  end();
}

/* The thread was done before somebody came back: no wake-up of the thread's will come. */
TEST(joined_after_its_end)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w;
  int events;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  wait_for_started(1);
  mote_names_leave(&names, &w.wait);
  open_gate(true);
  fds_nap(50);
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(!mote_waitset_wait(&set, NULL, 0, 20000, false, &events)); /* must end at once */
  mote_names_collect(&names, 1000);
  CHECK_INT(w.told, 1);
  drop(&w);
  end();
}

TEST(the_cache_goes_while_a_lookup_is_under_way)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter a, b;
  begin();
  CHECK_INT(ask(&q, &a), CURLE_AGAIN);
  q.port = 81;
  CHECK_INT(ask(&q, &b), CURLE_AGAIN);
  wait_for_started(2);
  mote_names_leave(&names, &a.wait);
  mote_names_leave(&names, &b.wait);
  end(); /* closes before the gate opens */
}

TEST(no_more_threads_than_allowed)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w[30];
  int i;
  begin();
  names.max_lookups = 3;
  for(i = 0; i < 30; i++) {
    q.port = (uint16_t)(1 + i);
    CHECK_INT(ask(&q, &w[i]), CURLE_AGAIN);
  }
  wait_for_started(3);
  fds_nap(20);
  CHECK_INT(started(), 3);
  mote_names_leave(&names, &w[29].wait); /* one that never got a thread */
  mote_names_leave(&names, &w[0].wait);  /* one under way: it still counts */
  mote_names_collect(&names, 1000);
  CHECK_INT(started(), 3);
  open_gate(true);
  for(i = 1; i < 29; i++) {
    CHECK(until_told(&w[i], 1000));
    drop(&w[i]);
  }
  CHECK_INT(started(), 29);
  CHECK_INT(w[0].told + w[29].told, 0);
  CHECK(gate.most_at_once <= 3);
  CHECK(!mote_names_busy(&names));
  end();
}

TEST(twenty_unless_told_otherwise)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w[25];
  int i;
  begin();
  for(i = 0; i < 25; i++) {
    q.port = (uint16_t)(1 + i);
    CHECK_INT(ask(&q, &w[i]), CURLE_AGAIN);
  }
  wait_for_started(20);
  fds_nap(20);
  CHECK_INT(started(), 20);
  names.max_lookups = 24; /* more at once from now on */
  mote_names_collect(&names, 1000);
  wait_for_started(24);
  fds_nap(20);
  CHECK_INT(started(), 24);
  open_gate(true);
  for(i = 0; i < 25; i++) {
    CHECK(until_told(&w[i], 1000));
    drop(&w[i]);
  }
  end();
}

/* All threads are at work for nobody: the end of one must wake those who queue. */
TEST(queue_behind_abandoned_lookups)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter a, b;
  begin();
  names.max_lookups = 1;
  CHECK_INT(ask(&q, &a), CURLE_AGAIN);
  wait_for_started(1);
  mote_names_leave(&names, &a.wait);
  q = query("one.test", 1000);
  CHECK_INT(ask(&q, &b), CURLE_AGAIN);
  CHECK_INT(started(), 1);
  open_gate(true);
  CHECK(until_told(&b, 1000));
  CHECK(b.answer && b.answer->count == 1);
  drop(&b);
  end();
}

TEST(shuffled)
{
  struct mote_name_query q = query("many.test", 1000);
  bool moved = false;
  int i;
  begin();
  q.max_age_us = 0;
  for(i = 0; i < 10; i++) {
    struct waiter w;
    unsigned j, sum = 0;
    q.shuffle = i > 0;
    CHECK_INT(ask(&q, &w), CURLE_AGAIN);
    CHECK(until_told(&w, 1000));
    if(!CHECK(w.answer && w.answer->count == 20))
      break;
    for(j = 0; j < 20; j++) {
      sum |= 1u << w.answer->addrs[j].ip[3];
      moved = moved || (i && w.answer->addrs[j].ip[3] != j);
      CHECK(i || w.answer->addrs[j].ip[3] == j);
    }
    CHECK_INT(sum, (1u << 20) - 1);
    drop(&w);
  }
  CHECK(moved);
  end();
}

TEST(localhost_needs_no_lookup)
{
  static const char *const local[] = {"localhost", "LocalHost.", "a.localhost", "a.b.localhost."};
  static const char *const others[] = {"one.localhosts", "one.notlocalhost", "one.localhost.test"};
  struct mote_name_query q;
  struct waiter w;
  size_t i;
  begin();
  for(i = 0; i < sizeof local / sizeof *local; i++) {
    q = query(local[i], 1000);
    CHECK_INT(ask(&q, &w), CURLE_OK);
    CHECK(w.answer && w.answer->count == 2 && w.answer->addrs[0].family == MOTE_FAMILY_IP6 &&
          w.answer->addrs[1].family == MOTE_FAMILY_IP4 && w.answer->addrs[1].ip[0] == 127);
    drop(&w);
    q.family = MOTE_FAMILY_IP4;
    CHECK_INT(ask(&q, &w), CURLE_OK);
    CHECK(w.answer && w.answer->count == 1 && w.answer->addrs[0].ip[3] == 1);
    drop(&w);
    q.family = MOTE_FAMILY_IP6;
    CHECK_INT(ask(&q, &w), CURLE_OK);
    CHECK(w.answer && w.answer->count == 1 && w.answer->addrs[0].ip[15] == 1);
    drop(&w);
  }
  CHECK_INT(started(), 0);
  for(i = 0; i < sizeof others / sizeof *others; i++) {
    q = query(others[i], 1000);
    CHECK_INT(whole(&q), 1);
  }
  CHECK_INT(started(), 3);
  end();
}

/* RFC 7686 section 2. */
TEST(onion_is_refused)
{
  static const char *const onions[] = {"onion", "a.onion", "A.B.Onion."};
  struct mote_name_query q;
  struct waiter w;
  size_t i;
  begin();
  for(i = 0; i < sizeof onions / sizeof *onions; i++) {
    q = query(onions[i], 1000);
    CHECK_INT(ask(&q, &w), CURLE_COULDNT_RESOLVE_HOST);
  }
  CHECK_INT(started(), 0);
  q = query("one.onions", 1000);
  CHECK_INT(whole(&q), 1);
  CHECK_INT(preset("a.onion:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(cached("a.onion", 0, 1000), 9);
  end();
}

TEST(a_name_that_is_too_long)
{
  static char name[70000];
  struct mote_name_query q;
  struct waiter w;
  memset(name, 'a', sizeof name - 1);
  q = query(name, 1000);
  begin();
  CHECK_INT(ask(&q, &w), CURLE_COULDNT_RESOLVE_HOST);
  end();
}

/* ---- CURLOPT_RESOLVE ---- */

TEST(preset_and_removed)
{
  begin();
  CHECK_INT(preset("a.test:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(cached("A.TEST", 0, 1000), 9);
  CHECK_INT(cached("a.test", 0, 1000 + 1000000 * MOTE_SECOND), 9);
  CHECK_INT(preset("a.test:80:192.0.2.8,192.0.2.7", 1000), CURLE_OK);
  CHECK_INT(cached("a.test", 0, 1000), 8);
  CHECK_INT(preset("-a.test:81", 1000), CURLE_OK);
  CHECK_INT(cached("a.test", 0, 1000), 8);
  CHECK_INT(preset("-a.test", 1000), CURLE_OK);
  CHECK_INT(preset("-A.test:80", 1000), CURLE_OK);
  CHECK_INT(cached("a.test", 0, 1000), -2);
  CHECK_INT(cached("a.test", MOTE_FAMILY_IP4, 1000), -2);
  CHECK_INT(names.count, 0);
  CHECK_INT(preset("a.test:80:", 1000), CURLE_SETOPT_OPTION_SYNTAX);
  end();
}

TEST(removal_takes_looked_up_answers_too)
{
  struct mote_name_query q = query("one.test", 1000);
  begin();
  q.family = MOTE_FAMILY_IP4;
  CHECK_INT(whole(&q), 1);
  CHECK_INT(preset("-one.test:80", 1000), CURLE_OK);
  CHECK_INT(cached("one.test", MOTE_FAMILY_IP4, 1000), -2);
  end();
}

TEST(preset_goes_before_what_was_looked_up)
{
  struct mote_name_query q = query("one.test", 1000);
  int family;
  begin();
  for(family = 0; family <= 6; family += family ? 2 : 4) {
    q.family = (uint8_t)family;
    CHECK_INT(whole(&q), 1);
  }
  CHECK_INT(preset("one.test:80:192.0.2.9,[2001:db8::6]", 1000), CURLE_OK);
  CHECK_INT(cached("one.test", 0, 1000), 9);
  CHECK_INT(cached("one.test", 4, 1000), 9);
  CHECK_INT(cached("one.test", 6, 1000), 6);
  q.max_age_us = 0; /* "do not use the cache" is not for these */
  CHECK_INT(whole(&q), 6);
  end();
}

/* A lookup that was under way when the line came does not hide it. */
TEST(preset_during_a_lookup)
{
  struct mote_name_query q = query("wait.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK_INT(preset("wait.test:80:192.0.2.9", 1000), CURLE_OK);
  open_gate(true);
  CHECK(until_told(&w, 1000));
  drop(&w);
  CHECK_INT(cached("wait.test", 0, 1000), 9);
  end();
}

TEST(plus_grows_old)
{
  struct mote_name_query q = query("one.test", 1000 + 60 * MOTE_SECOND);
  begin();
  CHECK_INT(preset("+one.test:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(cached("one.test", 0, q.now - 1), 9);
  CHECK_INT(cached("one.test", 4, q.now - 1), 9);
  CHECK_INT(cached("one.test", 6, q.now - 1), -1);
  CHECK_INT(whole(&q), 1);
  CHECK_INT(started(), 1);
  end();
}

TEST(star_stands_for_every_name)
{
  begin();
  CHECK_INT(preset("*:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(preset("a.test:80:192.0.2.8", 1000), CURLE_OK);
  CHECK_INT(cached("a.test", 0, 1000), 8);
  CHECK_INT(cached("b.test", 0, 1000), 9);
  CHECK_INT(cached("localhost", 4, 1000), 9);
  CHECK_INT(preset("-*:80", 1000), CURLE_OK);
  CHECK_INT(cached("b.test", 0, 1000), -2);
  CHECK_INT(cached("a.test", 0, 1000), 8);
  end();
}

/* CURLOPT_IPRESOLVE restricts what a line gives. */
TEST(families_of_a_line)
{
  struct mote_name_query q = query("a.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(preset("a.test:80:[2001:db8::6],192.0.2.4,[2001:db8::7]", 1000), CURLE_OK);
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK(w.answer && w.answer->count == 3 && w.answer->addrs[0].family == MOTE_FAMILY_IP6);
  drop(&w);
  q.family = 4;
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK(w.answer && w.answer->count == 1 && w.answer->addrs[0].ip[3] == 4);
  drop(&w);
  q.family = 6;
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK(w.answer && w.answer->count == 2 && w.answer->addrs[1].ip[15] == 7);
  drop(&w);
  CHECK_INT(preset("a.test:80:192.0.2.4", 1000), CURLE_OK);
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK(w.answer && w.answer->count == 0);
  drop(&w);
  CHECK_INT(started(), 0);
  end();
}

/* ---- shares ---- */

TEST(copies_for_shares)
{
  struct mote_name_query q = query("one.test", 1000);
  struct mote_names shared;
  struct mote_account other = {0};
  struct mote_answer *copy;
  struct waiter w;
  begin();
  mote_names_init(&shared, &other);
  CHECK_INT(ask(&q, &w), CURLE_AGAIN);
  CHECK(until_told(&w, 1000));
  CHECK_INT(mote_names_keep(&shared, w.answer, 1000), CURLE_OK);
  CHECK_INT(mote_names_keep(&shared, w.answer, 2000), CURLE_OK);
  CHECK_INT(shared.count, 1);
  drop(&w);
  q.now = 2000 + 60 * MOTE_SECOND - 1;
  copy = mote_answer_copy(&account, mote_names_find(&shared, &q));
  CHECK(copy && copy->account == &account && !copy->cached && copy->count == 1 && copy->port == 80);
  mote_answer_unref(copy);
  CHECK_INT(mote_names_preset(&shared, "one.test:80:192.0.2.9", 1000, NULL), CURLE_OK);
  CHECK_INT(ask(&q, &w), CURLE_AGAIN); /* the own one is too old by now */
  CHECK(until_told(&w, q.now));
  CHECK_INT(mote_names_keep(&shared, w.answer, q.now), CURLE_OK);
  drop(&w);
  CHECK_INT(mote_names_find(&shared, &q)->addrs[0].ip[3], 9);
  mote_names_close(&shared);
  CHECK_ACCOUNT(&other);
  end();
}

TEST(an_answer_outlives_the_cache)
{
  struct mote_name_query q = query("a.test", 1000);
  struct waiter w;
  begin();
  CHECK_INT(preset("a.test:80:192.0.2.9", 1000), CURLE_OK);
  CHECK_INT(ask(&q, &w), CURLE_OK);
  CHECK_INT(preset("-a.test:80", 1000), CURLE_OK);
  mote_names_close(&names);
  CHECK(w.answer && w.answer->addrs[0].ip[3] == 9);
  drop(&w);
  end();
}

/* ---- memory runs out ---- */

static void scenario(void)
{
  struct mote_name_query q = query("one.test", 1000);
  struct waiter w;
  CURLcode rc;
  int fds = fds_open();
  begin();
  rc = preset("a.test:80:192.0.2.9,[2001:db8::6]", 1000);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed && !names.count));
  rc = ask(&q, &w);
  CHECK(rc == CURLE_AGAIN || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  if(rc == CURLE_AGAIN && CHECK(until_told(&w, 1000)))
    CHECK(w.rc ? w.rc == CURLE_OUT_OF_MEMORY && test_mem.failed : w.answer != NULL);
  drop(&w);
  q = query("none.test", 1000);
  rc = ask(&q, &w);
  CHECK(rc == CURLE_AGAIN || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  if(rc == CURLE_AGAIN && CHECK(until_told(&w, 1000)))
    CHECK_INT(w.rc, CURLE_COULDNT_RESOLVE_HOST);
  q = query("localhost", 1000);
  rc = ask(&q, &w);
  CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
  drop(&w);
  end();
  CHECK_INT(fds_open(), fds);
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(an_answer_is_kept_for_its_time);
  TEST_RUN(port_and_family_are_part_of_it);
  TEST_RUN(no_such_name_is_remembered_for_half_the_time);
  TEST_RUN(other_failures_are_not_remembered);
  TEST_RUN(timeout_0_uses_no_cache_and_minus_1_always);
  TEST_RUN(what_is_too_old_leaves_the_cache);
  TEST_RUN(equal_lookups_are_joined);
  TEST_RUN(one_of_the_joined_leaves);
  TEST_RUN(a_lookup_that_all_have_left_goes_on_and_can_be_joined);
  TEST_RUN(joined_after_its_end);
  TEST_RUN(the_cache_goes_while_a_lookup_is_under_way);
  TEST_RUN(no_more_threads_than_allowed);
  TEST_RUN(twenty_unless_told_otherwise);
  TEST_RUN(queue_behind_abandoned_lookups);
  TEST_RUN(shuffled);
  TEST_RUN(localhost_needs_no_lookup);
  TEST_RUN(onion_is_refused);
  TEST_RUN(a_name_that_is_too_long);
  TEST_RUN(preset_and_removed);
  TEST_RUN(removal_takes_looked_up_answers_too);
  TEST_RUN(preset_goes_before_what_was_looked_up);
  TEST_RUN(preset_during_a_lookup);
  TEST_RUN(plus_grows_old);
  TEST_RUN(star_stands_for_every_name);
  TEST_RUN(families_of_a_line);
  TEST_RUN(copies_for_shares);
  TEST_RUN(an_answer_outlives_the_cache);
  TEST_RUN(survives);
  return test_end();
}
