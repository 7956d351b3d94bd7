/* tests/unit/net/test_pool.c: which kept connection is found, and which one goes. Needs posix. */
#include "net/pooled.h"

TEST(found_by_its_whole_key)
{
  struct mote_pool_query q = query("a:80", 1);
  struct mote_conn *c;
  begin();
  CHECK_INT(take(&q), -1);
  CHECK_INT(keep("a:80", 1), 0);
  CHECK_INT(keep("a:81", 1), 1);
  CHECK_INT(keep("A:80", 1), 2);
  CHECK_INT(keep("a:8", 1), 3);
  c = add("a:80\0x", 6);
  mote_pool_release(&pool, c, 100, SECONDS(1));
  CHECK_INT(take(&q), 0);
  CHECK_INT(take(&q), -1); /* busy now */
  CHECK_INT(pool.count, 5);
  CHECK_INT(pool.idle_count, 4);
  q.key = "a:80\0x";
  q.key_len = 6;
  CHECK_INT(take(&q), 4);
  q.key_len = 5;
  CHECK_INT(take(&q), -1);
  end();
}

TEST(most_recently_used_first)
{
  struct mote_pool_query q = query("k", 10);
  begin();
  CHECK_INT(keep("k", 3), 0);
  CHECK_INT(keep("k", 5), 1);
  CHECK_INT(keep("k", 4), 2);
  CHECK_INT(take(&q), 1);
  CHECK_INT(take(&q), 2);
  CHECK_INT(take(&q), 0);
  CHECK_INT(take(&q), -1);
  end();
}

/* Who looks for a connection meets no busy one, and the youngest idle one first. */
TEST(only_idle_ones_are_looked_through)
{
  struct mote_pool_query q = query("k", 10);
  struct mote_conn *c[40];
  int i;
  begin();
  for(i = 0; i < 40; i++)
    c[i] = add("k", 1);
  CHECK(!mote_hash_chain(&pool.by_key, c[0]->node.hash));
  CHECK_INT(take(&q), -1);
  for(i = 0; i < 40; i++) {
    mote_pool_release(&pool, c[i], 100, SECONDS(9));
    CHECK(mote_hash_chain(&pool.by_key, c[0]->node.hash) == &c[i]->node);
  }
  for(i = 40; i-- > 0;) {
    CHECK_INT(take(&q), i);
    CHECK_INT(pool.by_key.count, i);
  }
  end();
}

/* It was searched for among all of its key when the youngest of all was another one's. The first one's time,
 * which the pool does not expect to change, would be found by that. */
TEST(the_youngest_of_a_key_is_found_at_once)
{
  struct mote_pool_query q = query("k", 60);
  int i;
  begin();
  for(i = 0; i < 40; i++)
    CHECK_INT(keep("k", 1 + i), i);
  CHECK_INT(keep("other", 50), 40);
  mote_container_of(pool.idle.next, struct mote_conn, link)->last_used = mote_conn_seconds(SECONDS(55));
  CHECK_INT(take(&q), 39);
  CHECK_INT(take(&q), 38);
  end();
}

TEST(the_oldest_goes_when_too_many_are_kept)
{
  struct mote_conn *c[4];
  int i;
  begin();
  for(i = 0; i < 4; i++)
    c[i] = add("k", 1);
  mote_pool_release(&pool, c[2], 2, SECONDS(1));
  mote_pool_release(&pool, c[0], 2, SECONDS(1));
  CHECK(is_open(2) && is_open(0));
  mote_pool_release(&pool, c[3], 2, SECONDS(2));
  CHECK(!is_open(2) && is_open(0) && is_open(3));
  mote_pool_release(&pool, c[1], 1, SECONDS(3)); /* the limit has become smaller */
  CHECK(!is_open(0) && !is_open(3) && is_open(1));
  CHECK_INT(pool.count, 1);
  end();
}

TEST(none_is_kept)
{
  struct mote_conn *c;
  begin();
  mote_pool_release(&pool, add("k", 1), 0, SECONDS(1));
  CHECK(!is_open(0));
  c = add("k", 1);
  c->reusable = false;
  mote_pool_release(&pool, c, 10, SECONDS(1));
  CHECK(!is_open(1));
  CHECK_INT(pool.count, 0);
  end();
}

TEST(too_long_idle)
{
  struct mote_pool_query q = query("k", 118);
  begin();
  q.max_idle = 60;
  CHECK_INT(keep("k", 57), 0);
  CHECK_INT(keep("k", 58), 1);
  CHECK_INT(take(&q), 1);
  CHECK_INT(take(&q), -1);
  CHECK(!is_open(0)); /* closed when it was met */
  CHECK_INT(keep("k", 57), 2);
  q.max_idle = 0;
  CHECK_INT(take(&q), 2);
  end();
}

TEST(too_old)
{
  struct mote_pool_query q = query("k", 1000);
  struct mote_conn *c;
  begin();
  c = add("k", 1);
  c->created = 899;
  mote_pool_release(&pool, c, 10, SECONDS(999));
  c = add("k", 1);
  c->created = 900;
  mote_pool_release(&pool, c, 10, SECONDS(999));
  q.max_life = 100;
  CHECK_INT(take(&q), 1);
  CHECK_INT(take(&q), -1);
  CHECK(!is_open(0));
  end();
}

TEST(dead_ones_are_closed_on_the_way)
{
  struct mote_pool_query q = query("k", 10);
  begin();
  CHECK_INT(keep("k", 3), 0);
  CHECK_INT(keep("k", 4), 1);
  CHECK_INT(keep("k", 5), 2);
  hang_up(2);
  CHECK_INT(write(other_end[1], "HTTP/1.1 408", 12), 12);
  CHECK_INT(take(&q), 0);
  CHECK_INT(pool.count, 1);
  end();
}

TEST(address_family)
{
  struct mote_pool_query q = query("k", 10);
  begin();
  CHECK_INT(keep("k", 3), 0);
  CHECK_INT(keep("k", 4), 1);
  CHECK_INT(keep("k", 5), 2);
  mote_container_of(pool.idle.next, struct mote_conn, link)->ip_version = 4;
  mote_container_of(pool.idle.prev, struct mote_conn, link)->ip_version = 6;
  q.ip_version = 4;
  CHECK_INT(take(&q), 1); /* no IP at all: a Unix socket */
  CHECK_INT(take(&q), 0);
  CHECK_INT(take(&q), -1);
  CHECK(is_open(2));
  q.ip_version = 0;
  CHECK_INT(take(&q), 2);
  end();
}

static int take_last(const struct mote_pool_query *q)
{
  struct mote_conn *c = mote_pool_take_last(&pool, q);
  return c ? c->id : -1;
}

/* The most recently used idle one, but only if none was given out since. */
TEST(the_last_one_without_a_key)
{
  struct mote_pool_query q = query("none", 10);
  struct mote_conn *c;
  begin();
  CHECK_INT(take_last(&q), -1);
  CHECK_INT(keep("k", 3), 0);
  CHECK_INT(keep("l", 4), 1);
  q.ip_version = 6;
  mote_container_of(pool.idle.prev, struct mote_conn, link)->ip_version = 4;
  CHECK_INT(take_last(&q), -1);
  q.ip_version = 4;
  q.max_idle = 5;
  CHECK_INT(take_last(&q), -1); /* idle for six seconds */
  q.max_idle = 6;
  CHECK_INT(take_last(&q), 1);
  CHECK_INT(pool.idle_count, 1);
  q.max_idle = 0;
  CHECK_INT(take_last(&q), -1); /* 0 is not the last one */
  c = mote_container_of(pool.busy.next, struct mote_conn, link);
  mote_pool_discard(&pool, c, false);
  CHECK_INT(take_last(&q), -1);
  q.key = "k";
  q.key_len = 1;
  CHECK_INT(take(&q), 0);
  mote_pool_release(&pool, mote_container_of(pool.busy.next, struct mote_conn, link), 100, SECONDS(5));
  hang_up(0);
  CHECK_INT(take_last(&q), -1); /* dead: left for who asks by key */
  CHECK_INT(pool.count, 1);
  end();
}

TEST(single_use_is_never_shared)
{
  struct mote_pool_query q = query("k", 10);
  begin();
  CHECK_INT(keep("k", 3), 0);
  mote_container_of(pool.idle.next, struct mote_conn, link)->single_use = true;
  CHECK_INT(take(&q), -1);
  CHECK(is_open(0));
  end();
}

TEST(counted_by_host)
{
  begin();
  mote_pool_release(&pool, add("a:80\0http", 9), 10, SECONDS(1));
  (void)add("a:80\0http\0i", 11);
  (void)add("a:8\0http", 8);
  (void)add("aa:80\0http", 10);
  CHECK_INT(mote_pool_count_host(&pool, "a:80"), 2);
  CHECK_INT(mote_pool_count_host(&pool, "a:8"), 1);
  CHECK_INT(mote_pool_count_busy_host(&pool, "a:80"), 1);
  CHECK_INT(mote_pool_count_host(&pool, "b:80"), 0);
  CHECK(mote_pool_close_idle_host(&pool, "a:80"));
  CHECK(!is_open(0));
  CHECK(!mote_pool_close_idle_host(&pool, "a:80")); /* the other one is busy */
  CHECK_INT(mote_pool_count_host(&pool, "a:80"), 1);
  CHECK(!mote_pool_close_oldest(&pool));
  end();
}

TEST(oldest_idle_one)
{
  begin();
  CHECK_INT(keep("a", 1), 0);
  CHECK_INT(keep("b", 2), 1);
  CHECK(mote_pool_close_oldest(&pool));
  CHECK(!is_open(0) && is_open(1));
  CHECK(mote_pool_close_oldest(&pool));
  CHECK(!mote_pool_close_oldest(&pool));
  end();
}

TEST(pruned)
{
  begin();
  CHECK_INT(keep("a", 10), 0);
  CHECK_INT(keep("b", 20), 1);
  CHECK_INT(keep("c", 20), 2);
  (void)add("d", 1);
  hang_up(2);
  mote_pool_prune(&pool, SECONDS(30), 0);
  CHECK_INT(pool.count, 3);
  mote_pool_prune(&pool, SECONDS(30), 10);
  CHECK(!is_open(0) && is_open(1) && is_open(3));
  CHECK_INT(pool.count, 2);
  CHECK_INT(pool.idle_count, 1);
  end();
}

static struct mote_conn *idle_one(int place)
{
  struct mote_list *l = pool.idle.next;
  while(place--)
    l = l->next;
  return mote_container_of(l, struct mote_conn, link);
}

static void suspect(struct mote_conn *c)
{
  c->events = MOTE_WANT_IN;
  mote_pool_suspect(&pool, c);
}

/* In a wait set's opinion something has happened to two of them: only they are looked at. */
TEST(pruned_where_events_are)
{
  begin();
  CHECK_INT(keep("a", 10), 0);
  CHECK_INT(keep("b", 11), 1);
  CHECK_INT(keep("c", 12), 2);
  hang_up(0);
  hang_up(1);
  suspect(idle_one(1));
  suspect(idle_one(2));
  mote_pool_prune_suspects(&pool);
  CHECK_INT(pool.count, 2);
  CHECK_INT(idle_one(0)->id, 0);
  CHECK_INT(idle_one(1)->id, 2); /* it has its place again */
  end();
}

/* All that were idle were walked over. One with an event of which the pool does not know would be found by
 * that. */
TEST(others_are_not_walked_over_for_an_event)
{
  begin();
  CHECK_INT(keep("a", 10), 0);
  CHECK_INT(keep("b", 11), 1);
  CHECK_INT(keep("c", 12), 2);
  hang_up(1);
  hang_up(2);
  idle_one(1)->events = MOTE_WANT_IN;
  suspect(idle_one(2));
  mote_pool_prune_suspects(&pool);
  CHECK_INT(pool.count, 2);
  CHECK_INT(idle_one(1)->id, 1);
  end();
}

/* The clock of a step was read before another thread gave the connection back. */
TEST(stamped_ahead_of_now)
{
  struct mote_pool_query q = query("k", 10);
  begin();
  q.max_idle = 60;
  q.max_life = 60;
  CHECK_INT(keep("k", 11), 0);
  mote_pool_prune(&pool, SECONDS(10), 60);
  CHECK_INT(take(&q), 0);
  end();
}

static void scenario(void)
{
  char key[20];
  int i, kept = 0;
  begin();
  for(i = 0; i < 40; i++) {
    sprintf(key, "host%d", i);
    kept += keep(key, i) >= 0;
  }
  CHECK_INT(pool.count, kept);
  for(i = 0; i < 40; i++) {
    struct mote_pool_query q;
    sprintf(key, "host%d", i);
    q = query(key, 40);
    kept -= take(&q) >= 0;
  }
  CHECK_INT(kept, 0);
  CHECK_INT(pool.idle_count, 0);
  end();
}

TEST(survives)
{
  run_with_failures(scenario);
}

/* ---- a goodbye that takes longer than one try ---- */

static struct mote_timers timers;
static struct mote_waitset set;
static int unanswered; /* goodbyes to be tried in vain */

static CURLcode try_goodbye(struct mote_conn *c)
{
  if(!unanswered)
    return CURLE_OK;
  unanswered--;
  return mote_conn_want(c, MOTE_WANT_IN) ? CURLE_OUT_OF_MEMORY : CURLE_AGAIN;
}

static const struct mote_driver polite = {.name = "polite", .goodbye = try_goodbye};

static void wait_ready(struct mote_watch *w, unsigned events)
{
  struct mote_conn *c = mote_container_of(w, struct mote_conn, tcp.watch);
  (void)events;
  if(c->drive)
    c->drive->driver->ready(c->drive);
}

/* A connection of a multi's pool that says goodbye `in_vain` times first. */
static struct mote_conn *add_polite(int in_vain)
{
  struct mote_conn *c;
  curl_socket_t fd;
  begin();
  memset(&timers, 0, sizeof timers);
  mote_waitset_init(&set, &account);
  pool.timers = &timers;
  driver = &polite;
  unanswered = in_vain;
  c = add("k", 1);
  driver = NULL;
  if(!c)
    return NULL;
  fd = c->tcp.watch.fd;
  mote_watch_init(&c->tcp.watch, wait_ready);
  c->set = &set;
  mote_watch_add(&set, &c->tcp.watch, fd);
  return c;
}

static void end_polite(void)
{
  end();
  CHECK_INT(mote_timers_next(&timers), 0);
  mote_waitset_close(&set);
}

TEST(goodbye_goes_on_in_the_background)
{
  struct mote_conn *c = add_polite(2);
  mote_pool_discard(&pool, c, true);
  CHECK_INT(pool.count, 0); /* it takes the place of no other */
  CHECK(is_open(0));
  CHECK(mote_timers_next(&timers) > 0);
  c->tcp.watch.ready(&c->tcp.watch, MOTE_WANT_IN);
  mote_timers_run(&timers, mote_port_now());
  CHECK_INT(unanswered, 0);
  CHECK(is_open(0));
  c->tcp.watch.ready(&c->tcp.watch, MOTE_WANT_IN);
  mote_timers_run(&timers, mote_port_now());
  CHECK(!is_open(0));
  end_polite();
}

TEST(goodbye_has_an_end)
{
  mote_pool_discard(&pool, add_polite(1000), true);
  mote_timers_run(&timers, mote_port_now());
  CHECK(is_open(0));
  mote_timers_run(&timers, mote_port_now() + MOTE_GOODBYE);
  CHECK(!is_open(0));
  end_polite();
}

TEST(goodbye_is_over_at_once)
{
  mote_pool_discard(&pool, add_polite(0), true);
  CHECK(!is_open(0));
  end_polite();
}

TEST(no_goodbye_after_a_failure)
{
  mote_pool_discard(&pool, add_polite(5), false);
  CHECK_INT(unanswered, 5);
  CHECK(!is_open(0));
  end_polite();
}

static bool ignore(struct mote_waitset *s, struct mote_watch *w, int what)
{
  (void)s;
  (void)w;
  (void)what;
  return true;
}

/* An application that watches has dropped its watches when no transfer runs. */
TEST(goodbye_goes_on_by_a_timer_where_the_application_watches)
{
  static const struct mote_waitset_app app = {.notify = ignore};
  struct mote_conn *c = add_polite(5);
  mote_time now = mote_port_now(), next;
  mote_waitset_watched_by(&set, &app);
  mote_pool_discard(&pool, c, true);
  CHECK_INT(unanswered, 4);
  CHECK(!mote_watch_find(&set, mote_conn_fd(c)));
  while((next = mote_timers_next(&timers)) != 0) {
    CHECK(is_open(0));
    CHECK(next < now + 64 * MOTE_MS);
    now = next;
    mote_timers_run(&timers, now);
  }
  CHECK_INT(unanswered, 0);
  CHECK(!is_open(0));
  end_polite();
}

/* No driver has to think of it. */
TEST(idle_driver_asks_no_application_to_watch)
{
  static const struct mote_waitset_app app = {.notify = ignore};
  static const struct mote_driver idle = {.name = "idle", .size = sizeof(struct mote_drive)};
  struct mote_conn *c = add_polite(0);
  CHECK(!mote_drive_start(c, &idle));
  CHECK(!mote_drive_want(c->drive, MOTE_WANT_IN));
  CHECK(mote_watch_find(&set, mote_conn_fd(c)) != NULL); /* the library waits itself */
  (void)mote_conn_want(c, 0);
  mote_waitset_watched_by(&set, &app);
  CHECK(!mote_drive_want(c->drive, MOTE_WANT_IN));
  CHECK(!c->tcp.watch.want);
  c->drive->channels = 1;
  CHECK(!mote_drive_want(c->drive, MOTE_WANT_IN));
  CHECK_INT(c->tcp.watch.want, MOTE_WANT_IN);
  mote_pool_discard(&pool, c, false);
  end_polite();
}

TEST(closed_pool_waits_for_no_goodbye)
{
  mote_pool_discard(&pool, add_polite(1000), true);
  CHECK(is_open(0));
  mote_pool_close(&pool);
  CHECK(!is_open(0));
  end_polite();
}

/* ---- room for more than one transfer ---- */

static unsigned room; /* of the connection with a driver */

static unsigned room_left(const struct mote_drive *d)
{
  return d->channels < room ? room - d->channels : 0;
}

static const struct mote_driver many = {.name = "many", .size = sizeof(struct mote_drive), .room = room_left};
static const struct mote_driver dialled = {
  .name = "dialled", .size = sizeof(struct mote_drive), .room = room_left,
};

/* A busy connection with one transfer, or that is dialled. */
static struct mote_conn *add_roomy(unsigned most, const struct mote_driver *now)
{
  struct mote_conn *c;
  room = most;
  driver = &many;
  c = add("k", 1);
  driver = NULL;
  CHECK(!mote_drive_start(c, now));
  c->drive->channels = now == &many;
  mote_pool_offer(&pool, c);
  return c;
}

TEST(busy_one_with_room_is_found)
{
  struct mote_pool_query q = query("k", 10);
  struct mote_conn *c;
  begin();
  c = add_roomy(3, &many);
  CHECK_INT(take(&q), 0);
  CHECK_INT(take(&q), 0);
  CHECK_INT(take(&q), -1);
  CHECK(!c->pooled_room); /* a look-up among thousands of full ones must not walk over all of them */
  CHECK_INT(c->drive->channels, 3);
  CHECK(mote_pool_leave(&pool, c));
  CHECK_INT(take(&q), 0);
  CHECK(mote_pool_leave(&pool, c));
  CHECK(mote_pool_leave(&pool, c));
  CHECK(!mote_pool_leave(&pool, c));
  mote_pool_release(&pool, c, 100, SECONDS(10));
  CHECK_INT(pool.idle_count, 1);
  CHECK_INT(take(&q), 0);
  CHECK_INT(take(&q), 0);
  CHECK_INT(c->drive->channels, 2);
  mote_pool_discard(&pool, c, false);
  CHECK_INT(take(&q), -1);
  end();
}

TEST(one_that_is_not_reusable_is_offered_to_no_more)
{
  struct mote_pool_query q = query("k", 10);
  struct mote_conn *c;
  begin();
  c = add_roomy(3, &many);
  CHECK_INT(take(&q), 0);
  c->reusable = false;
  CHECK(mote_pool_leave(&pool, c));
  CHECK_INT(take(&q), -1);
  CHECK(!mote_pool_leave(&pool, c));
  mote_pool_release(&pool, c, 100, SECONDS(10));
  CHECK_INT(pool.count, 0);
  end();
}

/* CURLMOPT_NETWORK_CHANGED: the transfers that go on keep what they have. */
TEST(retired_one_is_offered_to_no_more)
{
  struct mote_pool_query q = query("k", 10);
  struct mote_conn *c;
  begin();
  CHECK_INT(keep("k", 3), 0);
  c = add_roomy(3, &many);
  mote_pool_retire(&pool);
  CHECK(!is_open(0));
  CHECK(is_open(1));
  CHECK_INT(take(&q), -1);
  CHECK(!mote_pool_leave(&pool, c));
  mote_pool_discard(&pool, c, true);
  end();
}

TEST(dialled_one_is_for_those_who_wait)
{
  struct mote_pool_query q = query("k", 10);
  begin();
  add_roomy(3, &dialled);
  CHECK_INT(take(&q), -1);
  q.may_wait = true;
  CHECK_INT(take(&q), 0);
  end();
}

int main(void)
{
  TEST_RUN(found_by_its_whole_key);
  TEST_RUN(most_recently_used_first);
  TEST_RUN(only_idle_ones_are_looked_through);
  TEST_RUN(the_youngest_of_a_key_is_found_at_once);
  TEST_RUN(the_oldest_goes_when_too_many_are_kept);
  TEST_RUN(none_is_kept);
  TEST_RUN(too_long_idle);
  TEST_RUN(too_old);
  TEST_RUN(dead_ones_are_closed_on_the_way);
  TEST_RUN(address_family);
  TEST_RUN(the_last_one_without_a_key);
  TEST_RUN(single_use_is_never_shared);
  TEST_RUN(counted_by_host);
  TEST_RUN(oldest_idle_one);
  TEST_RUN(pruned);
  TEST_RUN(pruned_where_events_are);
  TEST_RUN(others_are_not_walked_over_for_an_event);
  TEST_RUN(stamped_ahead_of_now);
  TEST_RUN(goodbye_goes_on_in_the_background);
  TEST_RUN(goodbye_has_an_end);
  TEST_RUN(goodbye_is_over_at_once);
  TEST_RUN(no_goodbye_after_a_failure);
  TEST_RUN(goodbye_goes_on_by_a_timer_where_the_application_watches);
  TEST_RUN(idle_driver_asks_no_application_to_watch);
  TEST_RUN(closed_pool_waits_for_no_goodbye);
  TEST_RUN(busy_one_with_room_is_found);
  TEST_RUN(one_that_is_not_reusable_is_offered_to_no_more);
  TEST_RUN(retired_one_is_offered_to_no_more);
  TEST_RUN(dialled_one_is_for_those_who_wait);
  TEST_RUN(survives);
  return test_end();
}
