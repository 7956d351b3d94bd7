/* tests/threads/test_thread_slots.c: a transfer that waits because a shared pool is full goes on when another
 * multi, in this thread or another, leaves a connection; whichever way its multi is driven. */
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>

#include "threads.h"

#define MANY 4       /* handles of one multi at most */
#define PROMPT 15000 /* ms; an end without a wake-up comes later */
#define GIVE_UP 20000

enum way { BY_POLL, BY_WAIT, BY_SELECT, BY_SOCKET, BY_PERFORM, WAYS };

struct subject {
  CURLM *multi;
  enum way way;
  CURL *easy[MANY];
  CURLcode result[MANY]; /* CURLE_AGAIN: not over */
  int running;
  /* BY_SOCKET */
  struct pollfd fds[16];
  unsigned count;
  long timer_ms; /* -1: none */
};

static struct http_server server;
static CURLSH *share;
static pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
static atomic_int locks_held; /* by callbacks of the share */
static bool threads_alone;    /* one thread, which itself holds any lock */

/* In the place of the C library's. */
static bool refuse_eventfd;
int eventfd(unsigned count, int flags);
int eventfd(unsigned count, int flags)
{
  if(!refuse_eventfd)
    return (int)syscall(SYS_eventfd2, count, flags);
  errno = EMFILE;
  return -1;
}

static long long now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void lock(CURL *easy, curl_lock_data data, curl_lock_access access, void *user)
{
  (void)access;
  (void)user;
  THREAD_CHECK_INT(easy != NULL, true);
  pthread_mutex_lock(&locks[data]);
  atomic_fetch_add(&locks_held, 1);
}

static void unlock(CURL *easy, curl_lock_data data, void *user)
{
  (void)easy;
  (void)user;
  atomic_fetch_sub(&locks_held, 1);
  pthread_mutex_unlock(&locks[data]);
}

static CURLSH *new_share(bool own_locks)
{
  CURLSH *s = curl_share_init();
  int i;
  (void)curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
  for(i = 0; i < CURL_LOCK_DATA_LAST; i++)
    pthread_mutex_init(&locks[i], NULL);
  if(own_locks) {
    (void)curl_share_setopt(s, CURLSHOPT_LOCKFUNC, lock);
    (void)curl_share_setopt(s, CURLSHOPT_UNLOCKFUNC, unlock);
  }
  return s;
}

/* ---- one multi, driven in its way ---- */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *of_fd)
{
  struct subject *s = user;
  unsigned i;
  (void)of_fd;
  THREAD_CHECK_INT(easy != NULL, true);
  if(threads_alone)
    THREAD_CHECK_INT(atomic_load(&locks_held), 0);
  for(i = 0; i < s->count && s->fds[i].fd != fd; i++)
    ;
  if(i == s->count && what != CURL_POLL_REMOVE)
    s->fds[s->count++].fd = fd;
  if(what == CURL_POLL_REMOVE && i < s->count)
    s->fds[i] = s->fds[--s->count];
  else if(i < s->count)
    s->fds[i].events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
  return 0;
}

static int on_timer(CURLM *multi, long ms, void *user)
{
  (void)multi;
  ((struct subject *)user)->timer_ms = ms;
  return 0;
}

static void open_subject(struct subject *s, enum way way, CURLMoption limit, long most)
{
  int i;
  memset(s, 0, sizeof *s);
  s->way = way;
  s->timer_ms = -1;
  s->multi = curl_multi_init();
  for(i = 0; i < MANY; i++)
    s->result[i] = CURLE_AGAIN;
  if(!s->multi)
    return;
  (void)curl_multi_setopt(s->multi, limit, most);
  if(way != BY_SOCKET)
    return;
  (void)curl_multi_setopt(s->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  (void)curl_multi_setopt(s->multi, CURLMOPT_SOCKETDATA, s);
  (void)curl_multi_setopt(s->multi, CURLMOPT_TIMERFUNCTION, on_timer);
  (void)curl_multi_setopt(s->multi, CURLMOPT_TIMERDATA, s);
}

static size_t swallow(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  (void)user;
  return size * n;
}

/* NULL: no memory. */
static CURL *easy_for(const char *path, CURLSH *of)
{
  CURL *e = curl_easy_init();
  char url[60];
  snprintf(url, sizeof url, "http://127.0.0.1:%u%s", server.port, path);
  if(e && !curl_easy_setopt(e, CURLOPT_URL, url) && !curl_easy_setopt(e, CURLOPT_SHARE, of) &&
     !curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, swallow))
    return e;
  curl_easy_cleanup(e);
  return NULL;
}

/* False: no memory. */
static bool add(struct subject *s, int i, const char *path, CURLSH *of)
{
  s->easy[i] = easy_for(path, of);
  s->result[i] = CURLE_AGAIN;
  return s->easy[i] && s->multi && curl_multi_add_handle(s->multi, s->easy[i]) == CURLM_OK;
}

static void drop(struct subject *s, int i)
{
  if(s->multi && s->easy[i])
    (void)curl_multi_remove_handle(s->multi, s->easy[i]);
  curl_easy_cleanup(s->easy[i]);
  s->easy[i] = NULL;
}

static void close_subject(struct subject *s)
{
  int i;
  for(i = 0; i < MANY; i++)
    drop(s, i);
  (void)curl_multi_cleanup(s->multi);
  if(s->way == BY_SOCKET)
    THREAD_CHECK_INT(s->count, 0);
}

static void read_messages(struct subject *s)
{
  CURLMsg *msg;
  int left, i;
  while((msg = curl_multi_info_read(s->multi, &left)) != NULL)
    for(i = 0; i < MANY; i++)
      if(s->easy[i] == msg->easy_handle)
        s->result[i] = msg->data.result;
}

static void go(struct subject *s)
{
  (void)curl_multi_perform(s->multi, &s->running);
  read_messages(s);
}

static void wait_select(struct subject *s, int ms)
{
  struct timeval t;
  fd_set in, out, exc;
  long due = -1;
  int max = -1;
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_ZERO(&exc);
  (void)curl_multi_fdset(s->multi, &in, &out, &exc, &max);
  (void)curl_multi_timeout(s->multi, &due);
  if(due >= 0 && due < ms)
    ms = (int)due;
  t.tv_sec = ms / 1000;
  t.tv_usec = ms % 1000 * 1000;
  (void)select(max + 1, &in, &out, &exc, &t);
}

static void wait_sockets(struct subject *s, int ms)
{
  struct pollfd fds[16];
  unsigned i, n = s->count;
  bool due = s->timer_ms >= 0 && s->timer_ms <= ms;
  memcpy(fds, s->fds, sizeof fds);
  if(poll(fds, n, due ? (int)s->timer_ms : ms) <= 0) {
    if(due)
      s->timer_ms = -1;
    if(due)
      (void)curl_multi_socket_action(s->multi, CURL_SOCKET_TIMEOUT, 0, &s->running);
    return;
  }
  for(i = 0; i < n; i++)
    if(fds[i].revents)
      (void)curl_multi_socket_action(s->multi, fds[i].fd,
                                     (fds[i].revents & POLLOUT ? CURL_CSELECT_OUT : 0) |
                                       (fds[i].revents & ~POLLOUT ? CURL_CSELECT_IN : 0),
                                     &s->running);
}

/* Wait at most so long, and do what is to be done. */
static void turn(struct subject *s, int ms)
{
  if(s->way == BY_POLL)
    (void)curl_multi_poll(s->multi, NULL, 0, ms, NULL);
  else if(s->way == BY_WAIT)
    (void)curl_multi_wait(s->multi, NULL, 0, ms, NULL);
  else if(s->way == BY_SELECT)
    wait_select(s, ms);
  else if(s->way == BY_PERFORM)
    fds_nap(ms < 5 ? ms : 5);
  else
    wait_sockets(s, ms);
  if(s->way == BY_SOCKET)
    read_messages(s);
  else
    go(s);
}

static void start(struct subject *s)
{
  if(s->way == BY_SOCKET)
    turn(s, 0);
  else
    go(s);
}

/* Milliseconds until it was over; GIVE_UP: it was not. */
static long long finish(struct subject *s, int i)
{
  long long begun = now_ms();
  while(s->result[i] == CURLE_AGAIN && now_ms() - begun < GIVE_UP)
    turn(s, GIVE_UP);
  return s->result[i] == CURLE_AGAIN ? GIVE_UP : now_ms() - begun;
}

static void stays_queued(struct subject *s, int i)
{
  long long begun = now_ms();
  int rounds_before = s->way == BY_PERFORM ? 0 : 6, n;
  for(n = 0; n < rounds_before; n++)
    turn(s, 30);
  CHECK_INT(s->result[i], CURLE_AGAIN);
  CHECK(s->way == BY_PERFORM || now_ms() - begun >= 4 * 30); /* nothing ends the waits */
}

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
static void open_pair(struct subject *a, struct subject *b, long most)
{
  begin();
  open_subject(a, BY_POLL, CURLMOPT_MAX_TOTAL_CONNECTIONS, most);
  open_subject(b, BY_POLL, CURLMOPT_MAX_TOTAL_CONNECTIONS, most);
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
  open_pair(&a, &b, 1);
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
static void first_leaves(bool before)
{
  struct subject a, b;
  open_pair(&a, &b, 1);
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
  first_leaves(true);
  first_leaves(false);
}

/* Its own time-out ends the first of the queue: no message is lost, and the second goes on. */
TEST(the_first_of_the_queue_times_out)
{
  struct subject a, b;
  open_pair(&a, &b, 1);
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

/* Two slots with one notification: the first of the queue takes one for long, the second must get the
 * other. */
TEST(two_slots_become_free_before_the_queue_looks)
{
  struct subject a, b;
  open_pair(&a, &b, 2);
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

/* One multi, two pools: the transfer of the multi's own pool is in front of the one that could go on, and the
 * reverse. */
TEST(a_queue_for_two_pools)
{
  struct subject a, b;
  open_pair(&a, &b, 1);
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
  open_pair(&a, &b, 1);
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
static void scenario(void)
{
  struct subject a, b;
  CURLSH *s = new_share(false);
  if(!s)
    return;
  open_subject(&a, BY_POLL, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1);
  open_subject(&b, BY_SOCKET, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1);
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
  TEST_RUN(the_other_multi_ends);
  TEST_RUN(the_other_transfer_is_removed);
  TEST_RUN(the_first_of_the_queue_leaves);
  TEST_RUN(the_first_of_the_queue_times_out);
  TEST_RUN(two_slots_become_free_before_the_queue_looks);
  TEST_RUN(a_queue_for_two_pools);
  TEST_RUN(a_multi_is_cleaned_up_with_its_queue);
  TEST_RUN(the_multi_that_waits_is_cleaned_up);
  TEST_RUN(no_descriptor_is_left);
  TEST_RUN(out_of_memory);
  TEST_RUN(the_other_multi_is_in_another_thread);
  TEST_RUN(an_easy_handle_in_another_thread);
  TEST_RUN(eight_multis_with_our_locks);
  TEST_RUN(eight_multis_with_the_applications_locks);
  http_server_stop(&server);
  return test_end();
}
