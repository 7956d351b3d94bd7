/* tests/unit/connect/test_reuse.c: what becomes of a connection whose driver acts when its last transfer has
 * left. Other connections: tests/e2e/test_reuse.py.
 * Needs share, posix. */
#include "connect/dial/dial.h"

#include "engine/multi.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "transfer/multi/share.h"

#include "transfer/subject.h"

#include "net/fds.h"

/* ---- a driver, and an application that watches the descriptors ---- */

static unsigned room(const struct mote_drive *d)
{
  return 10 - d->channels;
}

static const struct mote_driver many = {.name = "many", .size = sizeof(struct mote_drive), .room = room};
static bool may_rest; /* what rest returns */

static bool rest(struct mote_drive *d)
{
  (void)d;
  return may_rest;
}

static const struct mote_driver resting = {
  .name = "resting", .size = sizeof(struct mote_drive), .room = room, .rest = rest,
};
static const struct mote_driver solo = {.name = "solo", .size = sizeof(struct mote_drive)};

static CURL *named; /* in the last call of the socket callback */
static int said;    /* CURL_POLL_* in that call; 0: there was none */

static int on_socket(CURL *e, curl_socket_t fd, int what, void *user, void *assigned)
{
  (void)fd;
  (void)user;
  (void)assigned;
  named = e;
  said = what;
  return 0;
}

static struct mote_multi multi;
static struct subject subject;
static struct mote_conn *conn;
static int ends[2];

/* A connection with one transfer, which has its result. */
static void begin(const struct mote_driver *driver)
{
  struct mote_conn_plan plan = {.key = "k", .key_len = 1, .driver = driver};
  mote_multi_setup(&multi);
  multi.socket_fn = on_socket;
  mote_multi_watch(&multi, true);
  subject_begin(&subject, "http");
  subject.t.multi = &multi;
  CHECK_INT(mote_conn_new(&conn, &multi.account, &plan), CURLE_OK);
  CHECK_INT(mote_drive_start(conn, driver), CURLE_OK);
  conn->drive->channels = 1;
  mote_pool_add(&multi.pool, conn);
  mote_pool_offer(&multi.pool, conn);
  fds_pair(ends);
  conn->set = &multi.set;
  mote_watch_add(&multi.set, &conn->tcp.watch, ends[0]);
  CHECK_INT(mote_conn_want(conn, MOTE_WANT_IN), CURLE_OK);
  conn->reusable = true;
  subject.run.channel.conn = conn;
  said = 0;
}

static void end(void)
{
  mote_multi_close(&multi);
  close(ends[1]);
  CHECK_ACCOUNT(&multi.account);
  subject_end(&subject);
}

/* An application drops its watches when no transfer runs. What the library believed to be watched was never
 * looked at again, and the next transfer on the connection hung. */
TEST(kept_unwatched_where_the_application_watches)
{
  begin(&many);
  subject.t.msg.easy_handle = (CURL *)&subject;
  mote_connect_release(&subject.t, CURLE_OK);
  CHECK_INT(multi.pool.idle_count, 1);
  CHECK_INT(said, 0);
  mote_waitset_settle(&multi.set);
  CHECK_INT(said, CURL_POLL_REMOVE);
  CHECK(named == (CURL *)&subject);
  CHECK_INT(conn->tcp.watch.known, 0);
  CHECK(!conn->tcp.watch.user);
  end();
}

static void take_lock(struct mote_share *s, CURL *e, curl_lock_data data)
{
  (void)s;
  (void)e;
  (void)data;
}

static struct mote_pool shared;
static struct mote_share share = {.pool = &shared, .lock = take_lock, .unlock = take_lock};

/* Releases the connection of a handle that shares connections. */
static void release_with_share(const struct mote_driver *driver, bool made_with_share)
{
  begin(driver);
  mote_pool_init(&shared, &multi.account);
  shared.shared = 1;
  subject.t.share = &share;
  conn->of_share = made_with_share;
  mote_connect_release(&subject.t, CURLE_OK);
}

static void end_share(unsigned of_multi, unsigned of_share)
{
  CHECK_INT(multi.pool.idle_count, of_multi);
  CHECK_INT(multi.pool.count, of_multi);
  CHECK_INT(shared.idle_count, of_share);
  CHECK_INT(shared.count, of_share);
  subject.t.share = NULL;
  mote_pool_close(&shared);
  end();
}

/* Its timer is one of the multi's, and another thread may use the share. */
TEST(not_kept_in_a_share)
{
  release_with_share(&solo, true);
  end_share(1, 0);
}

TEST(rests_in_a_share)
{
  may_rest = true;
  release_with_share(&resting, true);
  CHECK(!conn->set && !mote_watch_find(&multi.set, mote_conn_fd(conn)));
  CHECK_INT(said, CURL_POLL_REMOVE); /* before another thread may take it */
  mote_drive_soon(conn->drive);
  CHECK(!conn->drive->next);
  end_share(0, 1);
}

TEST(does_not_rest_while_its_driver_has_something_to_do)
{
  may_rest = false;
  release_with_share(&resting, true);
  end_share(1, 0);
}

/* The account of its multi pays for it. */
TEST(does_not_rest_in_a_share_that_it_was_not_made_for)
{
  may_rest = true;
  release_with_share(&resting, false);
  end_share(1, 0);
}

int main(void)
{
  TEST_RUN(kept_unwatched_where_the_application_watches);
  TEST_RUN(not_kept_in_a_share);
  TEST_RUN(rests_in_a_share);
  TEST_RUN(does_not_rest_while_its_driver_has_something_to_do);
  TEST_RUN(does_not_rest_in_a_share_that_it_was_not_made_for);
  return test_end();
}
