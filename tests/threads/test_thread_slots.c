/* tests/threads/test_thread_slots.c: a transfer that waits because a shared pool is full goes on when another
 * multi, in this thread or another, leaves a connection; whichever way its multi is driven. */
#include "slots.h"

/* ---- one thread ---- */

static void begin(void)
{
  share = new_share(true);
  atomic_store(&locks_held, 0);
  threads_alone = true;
}

static void end(void)
{
  CHECK_INT(curl_share_cleanup(share), CURLSHE_OK);
  threads_settle();
}

/* Two multis of at most so many connections, and a new share. */
static void open_pair(struct subject *a, struct subject *b, CURLMoption limit, long most)
{
  begin();
  open_subject(a, BY_POLL, limit, most);
  open_subject(b, BY_POLL, limit, most);
}

static void close_pair(struct subject *a, struct subject *b)
{
  close_subject(a);
  close_subject(b);
  end();
}

static void other_multi_ends(enum way way, CURLMoption limit)
{
  struct subject a, b;
  begin();
  open_subject(&a, BY_POLL, limit, 1);
  open_subject(&b, way, limit, 1);
  CHECK(add(&a, 0, "/", share));
  start(&a);
  CHECK(add(&b, 0, "/", share));
  start(&b);
  stays_queued(&b, 0);
  CHECK(finish(&a, 0) < PROMPT);
  CHECK(finish(&b, 0) < PROMPT);
  CHECK_INT(a.result[0], CURLE_OK);
  CHECK_INT(b.result[0], CURLE_OK);
  close_pair(&a, &b);
}

TEST(the_other_multi_ends)
{
  int way;
  for(way = 0; way < WAYS; way++) {
    other_multi_ends((enum way)way, CURLMOPT_MAX_TOTAL_CONNECTIONS);
    other_multi_ends((enum way)way, CURLMOPT_MAX_HOST_CONNECTIONS);
  }
}

/* It is the removal that leaves the connection, and nothing of it is kept. */
TEST(the_other_transfer_is_removed)
{
  struct subject a, b;
  open_pair(&a, &b, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1);
  CHECK(add(&a, 0, "/never", share));
  start(&a);
  CHECK(add(&b, 0, "/", share));
  start(&b);
  stays_queued(&b, 0);
  drop(&a, 0);
  CHECK(finish(&b, 0) < PROMPT);
  CHECK_INT(b.result[0], CURLE_OK);
  close_pair(&a, &b);
}

/* The first of the queue leaves before, or after, the connection has become free. */
static void first_leaves(CURLMoption limit, bool before)
{
  struct subject a, b;
  open_pair(&a, &b, limit, 1);
  CHECK(add(&a, 0, "/", share));
  start(&a);
  CHECK(add(&b, 0, "/", share) && add(&b, 1, "/", share));
  start(&b);
  if(before)
    drop(&b, 0);
  CHECK(finish(&a, 0) < PROMPT);
  if(!before)
    drop(&b, 0);
  CHECK(finish(&b, 1) < PROMPT);
  CHECK_INT(b.result[1], CURLE_OK);
  close_pair(&a, &b);
}

TEST(the_first_of_the_queue_leaves)
{
  size_t i;
  for(i = 0; i < LIMITS; i++) {
    first_leaves(limits[i], true);
    first_leaves(limits[i], false);
  }
}

static void first_times_out(CURLMoption limit)
{
  struct subject a, b;
  open_pair(&a, &b, limit, 1);
  CHECK(add(&a, 0, "/", share));
  start(&a);
  CHECK(add(&b, 0, "/", share) && add(&b, 1, "/", share));
  (void)curl_easy_setopt(b.easy[0], CURLOPT_TIMEOUT_MS, 60L);
  start(&b);
  CHECK(finish(&b, 0) < PROMPT);
  CHECK_INT(b.result[0], CURLE_OPERATION_TIMEDOUT);
  CHECK_INT(b.result[1], CURLE_AGAIN);
  CHECK(finish(&a, 0) < PROMPT);
  CHECK(finish(&b, 1) < PROMPT);
  CHECK_INT(b.result[1], CURLE_OK);
  close_pair(&a, &b);
}

/* Its own time-out ends the first of the queue: no message is lost, and the second goes on. */
TEST(the_first_of_the_queue_times_out)
{
  size_t i;
  for(i = 0; i < LIMITS; i++)
    first_times_out(limits[i]);
}

static void two_slots_become_free(CURLMoption limit)
{
  struct subject a, b;
  open_pair(&a, &b, limit, 2);
  CHECK(add(&a, 0, "/", share) && add(&a, 1, "/", share));
  start(&a);
  CHECK(add(&b, 0, "/never", share) && add(&b, 1, "/", share));
  start(&b);
  CHECK(finish(&a, 0) < PROMPT);
  CHECK(finish(&a, 1) < PROMPT);
  CHECK(finish(&b, 1) < PROMPT);
  CHECK_INT(b.result[1], CURLE_OK);
  CHECK_INT(b.result[0], CURLE_AGAIN);
  close_pair(&a, &b);
}

/* Two slots with one notification: the first of the queue takes one for long, the second must get the
 * other. */
TEST(two_slots_become_free_before_the_queue_looks)
{
  size_t i;
  for(i = 0; i < LIMITS; i++)
    two_slots_become_free(limits[i]);
}

static void two_pools(CURLMoption limit)
{
  struct subject a, b;
  open_pair(&a, &b, limit, 1);
  CHECK(add(&a, 0, "/", share));
  start(&a);
  CHECK(add(&b, 0, "/never", NULL));
  start(&b);
  CHECK(add(&b, 1, "/", NULL) && add(&b, 2, "/", share) && add(&b, 3, "/", NULL));
  start(&b);
  CHECK(finish(&a, 0) < PROMPT);
  CHECK(finish(&b, 2) < PROMPT);
  CHECK_INT(b.result[2], CURLE_OK);
  drop(&b, 2);
  CHECK(add(&a, 1, "/never", share));
  start(&a);
  CHECK(add(&b, 2, "/", share));
  drop(&b, 1);
  CHECK(add(&b, 1, "/", NULL));
  start(&b);
  drop(&b, 0);
  CHECK(finish(&b, 1) < PROMPT);
  CHECK(finish(&b, 3) < PROMPT);
  CHECK_INT(b.result[2], CURLE_AGAIN);
  close_pair(&a, &b);
}

/* One multi, two pools: the transfer of the multi's own pool is in front of the one that could go on, and the
 * reverse. */
TEST(a_queue_for_two_pools)
{
  size_t i;
  for(i = 0; i < LIMITS; i++)
    two_pools(limits[i]);
}

/* What b leaves itself at one host wakes those that wait there, and must not take away the note for the other
 * host, which a leaves. */
TEST(own_ends_at_one_host_do_not_hide_those_of_others_at_another)
{
  struct subject a, b;
  open_pair(&a, &b, CURLMOPT_MAX_HOST_CONNECTIONS, 1);
  CHECK(add(&a, 0, "/", share));
  start(&a);
  CHECK(add_easy(&b, 0, easy_at(&second_server, "/", share)));
  CHECK(add_easy(&b, 1, easy_at(&second_server, "/", share)));
  CHECK(add(&b, 2, "/", share));
  start(&b);
  CHECK(finish(&b, 0) < PROMPT);
  CHECK(finish(&b, 1) < PROMPT);
  stays_queued(&b, 2);
  CHECK(finish(&a, 0) < PROMPT);
  CHECK(finish(&b, 2) < PROMPT);
  CHECK_INT(b.result[1], CURLE_OK);
  CHECK_INT(b.result[2], CURLE_OK);
  close_pair(&a, &b);
}

/* A queued transfer must not stay in a multi that is gone. */
static void cleaned_up(CURLSH *of)
{
  struct subject a;
  int i;
  open_subject(&a, BY_POLL, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1);
  for(i = 0; i < MANY; i++)
    CHECK(add(&a, i, "/never", of));
  start(&a);
  CHECK_INT(curl_multi_cleanup(a.multi), CURLM_OK);
  a.multi = NULL;
  for(i = 0; i < MANY; i++) {
    CHECK_INT(curl_easy_setopt(a.easy[i], CURLOPT_SHARE, NULL), CURLE_OK); /* refused while in a multi */
    drop(&a, i);
  }
}

TEST(a_multi_is_cleaned_up_with_its_queue)
{
  begin();
  cleaned_up(NULL);
  cleaned_up(share);
  end();
}

static size_t share_bytes(void)
{
  struct mote_part_count c;
  mote_mem_part_get(MOTE_PART_SHARE, &c);
  return c.live;
}

/* The share must not notify a multi that is gone. */
TEST(the_multi_that_waits_is_cleaned_up)
{
  struct subject a, b;
  size_t before;
  open_pair(&a, &b, CURLMOPT_MAX_HOST_CONNECTIONS, 1);
  before = share_bytes();
  CHECK(add(&a, 0, "/", share));
  start(&a);
  CHECK(add(&b, 0, "/", share) && add(&b, 1, "/", share));
  start(&b);
  CHECK(share_bytes() > before);
  close_subject(&b);
  CHECK_INT(share_bytes(), before);
  CHECK(finish(&a, 0) < PROMPT);
  close_subject(&a);
  end();
}

/* No descriptor is left for a wake-up: the transfer looks again by itself. */
static void without_a_descriptor(enum way way)
{
  struct subject a, b;
  begin();
  open_subject(&a, BY_POLL, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1);
  open_subject(&b, way, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1);
  CHECK(add(&a, 0, "/", share));
  start(&a);
  refuse_eventfd = true;
  CHECK(add(&b, 0, "/", share));
  start(&b);
  turn(&b, 30);
  CHECK_INT(b.result[0], CURLE_AGAIN);
  CHECK(finish(&a, 0) < PROMPT);
  CHECK(finish(&b, 0) < PROMPT);
  CHECK_INT(b.result[0], CURLE_OK);
  refuse_eventfd = false;
  close_pair(&a, &b);
}

TEST(no_descriptor_is_left)
{
  int way;
  for(way = 0; way < WAYS; way++)
    without_a_descriptor((enum way)way);
}

/* Every allocation in turn: what was queued ends with the right code, and nothing is held. */
static size_t scenario_limit;

static void scenario(void)
{
  struct subject a, b;
  CURLSH *s = new_share(false);
  if(!s)
    return;
  open_subject(&a, BY_POLL, limits[scenario_limit], 1);
  open_subject(&b, BY_SOCKET, limits[scenario_limit], 1);
  if(a.multi && b.multi && add(&a, 0, "/", s)) {
    start(&a);
    if(add(&b, 0, "/", s)) {
      start(&b);
      CHECK(finish(&a, 0) < PROMPT);
      CHECK(finish(&b, 0) < PROMPT);
      CHECK(b.result[0] == CURLE_OK || b.result[0] == CURLE_OUT_OF_MEMORY);
    }
  }
  close_subject(&a);
  close_subject(&b);
  CHECK_INT(curl_share_cleanup(s), CURLSHE_OK);
}

TEST(out_of_memory)
{
  for(scenario_limit = 0; scenario_limit < LIMITS; scenario_limit++)
    run_with_failures(scenario);
  threads_settle();
}

/* ---- several threads ---- */

static atomic_bool queued;

static void *wait_in_thread(void *arg)
{
  struct subject *b = arg;
  start(b);
  atomic_store(&queued, true);
  THREAD_CHECK_INT(finish(b, 0) < PROMPT, true);
  THREAD_CHECK_INT(b->result[0], CURLE_OK);
  return NULL;
}

static void *perform_in_thread(void *easy)
{
  THREAD_CHECK_INT(curl_easy_perform(easy), CURLE_OPERATION_TIMEDOUT);
  return NULL;
}

/* The connection is left by a multi of this thread, or by an easy handle's own transfer in a third one. */
static void in_another_thread(enum way way, bool by_easy)
{
  struct subject a, b;
  pthread_t waiter, performer;
  CURL *easy = NULL;
  begin();
  threads_alone = false;
  test_mem.threads = true;
  atomic_store(&queued, false);
  open_subject(&a, BY_POLL, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1);
  open_subject(&b, way, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1);
  if(by_easy) {
    int before = atomic_load(&server.connections);
    easy = easy_for("/never", share);
    (void)curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 1000L);
    CHECK(!pthread_create(&performer, NULL, perform_in_thread, easy));
    while(atomic_load(&server.connections) == before)
      fds_nap(1);
  }
  else {
    CHECK(add(&a, 0, "/", share));
    start(&a);
  }
  CHECK(add(&b, 0, "/", share));
  CHECK(!pthread_create(&waiter, NULL, wait_in_thread, &b));
  while(!atomic_load(&queued))
    fds_nap(1);
  fds_nap(50);
  if(by_easy)
    pthread_join(performer, NULL);
  else
    CHECK(finish(&a, 0) < PROMPT);
  pthread_join(waiter, NULL);
  curl_easy_cleanup(easy);
  close_pair(&a, &b);
}

TEST(the_other_multi_is_in_another_thread)
{
  int way;
  for(way = 0; way < WAYS; way++)
    in_another_thread((enum way)way, false);
}

TEST(an_easy_handle_in_another_thread)
{
  int way;
  for(way = 0; way < WAYS; way++)
    in_another_thread((enum way)way, true);
}

/* Eight multis, each driven in its way, for two connections: handles come and go, some are removed while they
 * wait. */
static void *compete(void *arg)
{
  int number = *(int *)arg, i, k;
  struct subject s;
  CURLMoption limit = number % 2 ? CURLMOPT_MAX_TOTAL_CONNECTIONS : CURLMOPT_MAX_HOST_CONNECTIONS;
  open_subject(&s, (enum way)(number % WAYS), limit, 2);
  for(i = 0; i < rounds; i++) {
    for(k = 0; k < MANY; k++)
      THREAD_CHECK_INT(add(&s, k, (i + k + number) % 3 ? "/" : "/close", share), true);
    start(&s);
    drop(&s, (i + number) % MANY);
    for(k = 0; k < MANY; k++) {
      if(!s.easy[k])
        continue;
      THREAD_CHECK_INT(finish(&s, k) < GIVE_UP, true);
      THREAD_CHECK_INT(s.result[k], CURLE_OK);
      drop(&s, k);
    }
  }
  close_subject(&s);
  return NULL;
}

static void eight(bool own_locks)
{
  threads_alone = false;
  share = new_share(own_locks);
  threads_run(compete);
  end();
}

TEST(eight_multis_with_our_locks)
{
  eight(false);
}

TEST(eight_multis_with_the_applications_locks)
{
  eight(true);
}

int main(int argc, char **argv)
{
  threads_begin(argc, argv);
  http_server_start(&server);
  http_server_start(&second_server);
  TEST_RUN(the_other_multi_ends);
  TEST_RUN(the_other_transfer_is_removed);
  TEST_RUN(the_first_of_the_queue_leaves);
  TEST_RUN(the_first_of_the_queue_times_out);
  TEST_RUN(two_slots_become_free_before_the_queue_looks);
  TEST_RUN(a_queue_for_two_pools);
  TEST_RUN(own_ends_at_one_host_do_not_hide_those_of_others_at_another);
  TEST_RUN(a_multi_is_cleaned_up_with_its_queue);
  TEST_RUN(the_multi_that_waits_is_cleaned_up);
  TEST_RUN(no_descriptor_is_left);
  TEST_RUN(out_of_memory);
  TEST_RUN(the_other_multi_is_in_another_thread);
  TEST_RUN(an_easy_handle_in_another_thread);
  TEST_RUN(eight_multis_with_our_locks);
  TEST_RUN(eight_multis_with_the_applications_locks);
  http_server_stop(&second_server);
  http_server_stop(&server);
  return test_end();
}
