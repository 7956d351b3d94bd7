/* tests/unit/net/watches.h: what the tests of a wait set share: watches on pairs of sockets; after test.h. */
#ifndef MOTE_TEST_WATCHES_H
#define MOTE_TEST_WATCHES_H

#include "net/waitset.h"

#include <poll.h>

#include "base/containers/list.h"
#include "net/stream.h"
#include "net/wakeup.h"
#include "port/port.h"

#include "net/fds.h"

#define MANY 100 /* watches: more than one round of kernel events */
/* Sets of the kernel are there, and many watches are in one; otherwise they are polled. */
#define HAS_SETS (strcmp(MOTE_TEST_PORT, "posix") != 0)

struct item {
  struct mote_watch watch;
  int other;       /* the pair's other end */
  int fired;       /* calls of ready */
  unsigned events; /* of the last one */
};

static struct mote_account account;
static struct mote_waitset set;
static struct item items[MANY];
static struct mote_watch *victim; /* removed by the first ready that comes */
static int fds_before;

static inline void on_ready(struct mote_watch *w, unsigned events)
{
  struct item *i = mote_container_of(w, struct item, watch);
  i->fired++;
  i->events = events;
  if(victim) {
    struct mote_watch *gone = victim == w ? &items[1].watch : victim;
    int fd = gone->fd;
    victim = NULL;
    mote_watch_remove(&set, gone);
    close(fd);
  }
}

static inline void begin(int count, unsigned want)
{
  int i;
  fds_before = fds_open();
  memset(&account, 0, sizeof account);
  memset(items, 0, sizeof items);
  mote_waitset_init(&set, &account);
  for(i = 0; i < MANY; i++)
    mote_watch_init(&items[i].watch, on_ready);
  for(i = 0; i < count; i++) {
    int fd[2];
    fds_pair(fd);
    items[i].other = fd[1];
    mote_watch_add(&set, &items[i].watch, fd[0]);
    CHECK_INT(mote_watch_want(&set, &items[i].watch, want), CURLE_OK);
  }
}

static inline void drop(struct item *i)
{
  int fd = i->watch.fd;
  mote_watch_remove(&set, &i->watch);
  if(fd != CURL_SOCKET_BAD)
    close(fd);
  if(i->other)
    close(i->other);
  i->other = 0;
}

static inline void end(void)
{
  int i;
  for(i = 0; i < MANY; i++)
    drop(&items[i]);
  CHECK_INT(set.by_fd.count, set.wakeup != NULL);
  mote_waitset_close(&set);
  CHECK_ACCOUNT(&account);
  CHECK_INT(fds_open(), fds_before);
}

static inline void poke(int i)
{
  CHECK_INT(write(items[i].other, "x", 1), 1);
}

/* A wait of a second or more must be ended by something, and on a busy machine that takes its time. */
static inline int wait_for(int timeout_ms, bool with_wake)
{
  bool ended = timeout_ms >= 1000;
  int most = ended ? 20000 : timeout_ms;
  mote_time until = mote_port_now() + most * MOTE_MS;
  struct mote_wait wait = {.timeout_ms = most, .with_wake = with_wake, .events = -1};
  CHECK_INT(mote_waitset_wait(&set, &wait), CURLM_OK);
  CHECK(!ended || mote_port_now() < until);
  return wait.events;
}

static inline int waited(int timeout_ms)
{
  return wait_for(timeout_ms, false);
}

static inline int polled(int timeout_ms)
{
  return wait_for(timeout_ms, true);
}

static inline int all_fired(void)
{
  int i, n = 0;
  for(i = 0; i < MANY; i++)
    n += items[i].fired;
  return n;
}

#endif
