/* tests/unit/net/pooled.h: a pool whose connections are socket pairs, for its tests. */
#ifndef MOTE_TEST_POOLED_H
#define MOTE_TEST_POOLED_H

#include "net/pool.h"

#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "net/stream.h"
#include "net/timers.h"
#include "net/waitset.h"
#include "port/port.h"

#include "fds.h"

#define SECONDS(n) ((mote_time)(n) * MOTE_SECOND)

static struct mote_account account;
static struct mote_pool pool;
static int other_end[64]; /* by CURLINFO_CONN_ID; 0: closed */
static int fds_before;

static void begin(void)
{
  memset(&account, 0, sizeof account);
  memset(other_end, 0, sizeof other_end);
  fds_before = fds_open();
  mote_pool_init(&pool, &account);
}

static void end(void)
{
  size_t i;
  mote_pool_close(&pool);
  CHECK_INT(pool.count, 0);
  CHECK_INT(pool.idle_count, 0);
  for(i = 0; i < 64; i++)
    if(other_end[i])
      close(other_end[i]);
  CHECK_ACCOUNT(&account);
  CHECK_INT(fds_open(), fds_before);
}

static const struct mote_driver *driver; /* of the connections that are added */

/* A busy connection; its number, or -1: out of memory. */
static struct mote_conn *add(const char *key, size_t key_len)
{
  struct mote_conn_plan plan = {.key = key, .key_len = key_len, .driver = driver};
  struct mote_conn *c;
  int pair[2];
  CURLcode rc = mote_conn_new(&c, &account, &plan);
  if(rc) {
    CHECK(rc == CURLE_OUT_OF_MEMORY && test_mem.failed);
    return NULL;
  }
  fds_pair(pair);
  c->tcp.watch.fd = pair[0];
  c->reusable = true;
  mote_pool_add(&pool, c);
  other_end[c->id] = pair[1];
  return c;
}

/* An idle one, last used at that second. */
static int keep(const char *key, int second)
{
  struct mote_conn *c = add(key, strlen(key));
  int id;
  if(!c)
    return -1;
  id = c->id;
  c->created = mote_conn_seconds(SECONDS(second));
  mote_pool_release(&pool, c, 100, SECONDS(second));
  return id;
}

static struct mote_pool_query query(const char *key, int second)
{
  struct mote_pool_query q = {.key = key, .key_len = strlen(key), .now = SECONDS(second)};
  return q;
}

static int take(const struct mote_pool_query *q)
{
  struct mote_conn *c = mote_pool_take(&pool, q);
  return c ? c->id : -1;
}

/* Is the connection with that number still open? Asked of its other end. */
static bool is_open(int id)
{
  char byte;
  return recv(other_end[id], &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

static void hang_up(int id)
{
  close(other_end[id]);
  other_end[id] = 0;
}

#endif
