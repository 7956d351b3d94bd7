/* Threads and mutexes. Needs posix. */
#define _GNU_SOURCE /* pthread_getattr_np */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "port/lock.h"
#include "port/port.h"
#include "port/thread.h"
#include "test.h"

enum { THREADS = 8, ROUNDS = 20000 };

static struct mote_mutex mutex = MOTE_MUTEX_INIT;
static long counter; /* guarded by mutex */
static atomic_int finished;
static atomic_size_t stack_size;
static atomic_bool takes_signals;

/* Polling, so that no other part of the port is needed. */
static void wait_for_threads(int n)
{
  unsigned ready;
  int i;
  for(i = 0; i < 10000 && atomic_load(&finished) < n; i++)
    (void)mote_port_poll(NULL, 0, 1, &ready);
  CHECK_INT(atomic_load(&finished), n);
}

static void *count(void *arg)
{
  int i;
  for(i = 0; i < ROUNDS; i++) {
    long before;
    mote_port_lock(&mutex);
    before = counter;
    if(i % 1000 == 0) {
      unsigned ready;
      (void)mote_port_poll(NULL, 0, 1, &ready);
    }
    counter = before + 1;
    mote_port_unlock(&mutex);
  }
  atomic_fetch_add(&finished, 1);
  return arg;
}

TEST(mutual_exclusion)
{
  int i;
  counter = 0;
  atomic_store(&finished, 0);
  for(i = 0; i < THREADS; i++)
    CHECK_INT(mote_port_thread_start(count, NULL), 0);
  wait_for_threads(THREADS);
  mote_port_lock(&mutex);
  CHECK_INT(counter, THREADS * ROUNDS);
  mote_port_unlock(&mutex);
  CHECK_INT(atomic_load(&mutex.state), 0);
}

static void *look(void *arg)
{
  pthread_attr_t attr;
  size_t size = 0;
  sigset_t blocked;
  sigemptyset(&blocked);
  if(!pthread_getattr_np(pthread_self(), &attr)) {
    (void)pthread_attr_getstacksize(&attr, &size);
    (void)pthread_attr_destroy(&attr);
  }
  (void)pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  atomic_store(&stack_size, size);
  atomic_store(&takes_signals, !sigismember(&blocked, SIGALRM) || !sigismember(&blocked, SIGTERM));
  *(int *)arg = 42;
  atomic_fetch_add(&finished, 1);
  return NULL;
}

TEST(small_stack_no_signals)
{
  int seen = 0;
  sigset_t before;
  sigset_t after;
  atomic_store(&finished, 0);
  pthread_sigmask(SIG_BLOCK, NULL, &before);
  CHECK_INT(mote_port_thread_start(look, &seen), 0);
  pthread_sigmask(SIG_BLOCK, NULL, &after);
  CHECK(!sigismember(&after, SIGALRM) && !sigismember(&before, SIGALRM));
  wait_for_threads(1);
  CHECK_INT(seen, 42);
  CHECK(!atomic_load(&takes_signals));
  CHECK(atomic_load(&stack_size) >= 64 * 1024);
  CHECK(atomic_load(&stack_size) <= 1024 * 1024); /* sanitizers make it larger */
}

int main(void)
{
  TEST_RUN(mutual_exclusion);
  TEST_RUN(small_stack_no_signals);
  return test_end();
}
