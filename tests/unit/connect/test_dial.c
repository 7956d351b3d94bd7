/* tests/unit/connect/test_dial.c: the owner of a dial, those who wait for it, and its last phase. Names,
 * races and TLS are tested end to end. Needs socket_callbacks. */
#include "connect/dial/dial_phases.h"

#include "connect/dial/dial.h"
#include "engine/multi.h"
#include "net/conn.h"
#include "net/conn_struct.h"

#include "transfer/subject.h"

/* ---- a protocol that greets, and whose connections carry many transfers ---- */

static CURLcode greeted; /* what the next greeting returns */

static CURLcode greet(struct mote_transfer *t, mote_time now)
{
  (void)t;
  (void)now;
  return greeted;
}

static unsigned room(const struct mote_drive *d)
{
  return 10 - d->channels;
}

static const struct mote_driver many = {.name = "many", .size = sizeof(struct mote_drive), .room = room};
static const struct mote_protocol protocol = {.name = "test", .driver = &many, .greet = greet};
static const struct mote_scheme scheme = {.name = "test", .protocol = &protocol};

#define SUBJECTS 12

static struct mote_account account;
static struct mote_multi multi;
static struct mote_conn *conn;
static struct subject subjects[SUBJECTS];

static struct mote_transfer *transfer(int i)
{
  return &subjects[i].t;
}

static struct mote_dial *dial_of(int i)
{
  return subjects[i].run.channel.dial;
}

/* Transfer 0 begins the dial. False: out of memory. */
static bool begin(void)
{
  struct mote_conn_plan plan = {.key = "k", .key_len = 1, .driver = &many};
  int i;
  memset(&account, 0, sizeof account);
  mote_multi_setup(&multi);
  for(i = 0; i < SUBJECTS; i++) {
    subject_begin(&subjects[i], "http");
    subjects[i].run.request.scheme = &scheme;
    transfer(i)->state = MOTE_STATE_CONNECTING;
    transfer(i)->multi = &multi;
  }
  greeted = CURLE_AGAIN;
  if(mote_conn_new(&conn, &account, &plan))
    return CHECK(test_mem.failed) && false;
  if(mote_dial_begin(transfer(0), conn))
    return CHECK(test_mem.failed) && false;
  dial_of(0)->phase = MOTE_DIAL_GREETING;
  return true;
}

static void end(void)
{
  int i;
  for(i = 0; i < SUBJECTS; i++) {
    mote_dial_leave(transfer(i));
    subject_end(&subjects[i]);
  }
  if(conn) {
    mote_drive_end(conn);
    mote_conn_close(conn, false);
  }
  conn = NULL;
  mote_multi_close(&multi);
  CHECK_ACCOUNT(&account);
}

TEST(owner_steps_it)
{
  begin();
  CHECK(mote_dial_is_of(conn));
  CHECK(!mote_dial_join(transfer(1), conn));
  CHECK_INT(mote_dial_step(transfer(0), 1), CURLE_AGAIN);
  greeted = CURLE_OK;
  CHECK_INT(mote_dial_step(transfer(1), 1), CURLE_AGAIN);
  CHECK_INT(mote_dial_step(transfer(0), 1), CURLE_OK);
  CHECK(subjects[0].run.channel.conn == conn && !dial_of(0));
  CHECK(!subjects[1].run.channel.conn && !dial_of(1)); /* it chooses again */
  CHECK_INT(mote_dial_step(transfer(1), 1), CURLE_OK);
  CHECK(conn->drive->driver == &many);
  CHECK_INT(conn->drive->channels, 1);
  CHECK(!conn->env.report);
  end();
}

TEST(oldest_waiter_takes_it_over)
{
  begin();
  CHECK(!mote_dial_join(transfer(1), conn));
  CHECK(!mote_dial_join(transfer(2), conn));
  mote_dial_leave(transfer(0));
  CHECK(!subjects[0].run.channel.conn && !dial_of(0));
  CHECK(subjects[1].run.channel.conn == conn && dial_of(1)->owner == transfer(1));
  CHECK(!subjects[2].run.channel.conn && dial_of(2) == dial_of(1));
  CHECK(conn->env.report == &transfer(1)->report && conn->tcp.watch.user == transfer(1));
  greeted = CURLE_OK;
  CHECK_INT(mote_dial_step(transfer(1), 1), CURLE_OK);
  end();
}

static curl_socket_t open_none(void *data, curlsocktype purpose, struct curl_sockaddr *to)
{
  (void)data;
  (void)purpose;
  (void)to;
  return CURL_SOCKET_BAD;
}

/* The dial has called the callbacks of its owner, and must not go on with others. */
TEST(waiter_with_other_callbacks_chooses_again)
{
  begin();
  CHECK(!mote_option_set_fn(&transfer(1)->options, ID(OPENSOCKETFUNCTION), (mote_fn)open_none));
  CHECK(!mote_dial_join(transfer(1), conn));
  CHECK(!mote_dial_join(transfer(2), conn));
  mote_dial_leave(transfer(0));
  CHECK(dial_of(1) && dial_of(1)->owner == transfer(2));
  mote_dial_leave(transfer(2));
  CHECK(!dial_of(1) && !conn->drive);
  CHECK(subjects[2].run.channel.conn == conn); /* for the caller to close */
  end();
}

/* They would find no stream: each waited for every dial to its host in turn. */
TEST(no_more_wait_than_there_are_streams)
{
  begin();
  multi.max_streams = 3;
  CHECK_INT(conn->drive->driver->room(conn->drive), 2);
  CHECK(!mote_dial_join(transfer(1), conn));
  CHECK(!mote_dial_join(transfer(2), conn));
  CHECK_INT(conn->drive->driver->room(conn->drive), 0);
  mote_dial_leave(transfer(1));
  CHECK_INT(conn->drive->driver->room(conn->drive), 1);
  multi.max_streams = 0;
  CHECK_INT(conn->drive->driver->room(conn->drive), 98);
  end();
}

TEST(failed_dial_is_not_handed_on)
{
  begin();
  CHECK(!mote_dial_join(transfer(1), conn));
  greeted = CURLE_WEIRD_SERVER_REPLY;
  CHECK_INT(mote_dial_step(transfer(0), 1), CURLE_WEIRD_SERVER_REPLY);
  mote_dial_leave(transfer(0));
  CHECK(!dial_of(1) && !subjects[1].run.channel.conn && !conn->drive);
  end();
}

TEST(waiter_leaves)
{
  int i;
  begin();
  for(i = 1; i < SUBJECTS; i++)
    CHECK(!mote_dial_join(transfer(i), conn));
  for(i = 1; i < SUBJECTS; i += 2)
    mote_dial_leave(transfer(i));
  CHECK_INT(dial_of(0)->waiting, SUBJECTS / 2 - 1);
  mote_dial_leave(transfer(0));
  CHECK(dial_of(2)->owner == transfer(2));
  end();
}

static void scenario(void)
{
  bool first = false;
  if(begin())
    first = !mote_dial_join(transfer(1), conn);
  if(first) {
    greeted = CURLE_OK;
    if(mote_dial_step(transfer(0), 1)) /* no memory for the driver */
      CHECK(test_mem.failed);
  }
  end();
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(owner_steps_it);
  TEST_RUN(oldest_waiter_takes_it_over);
  TEST_RUN(waiter_with_other_callbacks_chooses_again);
  TEST_RUN(no_more_wait_than_there_are_streams);
  TEST_RUN(failed_dial_is_not_handed_on);
  TEST_RUN(waiter_leaves);
  TEST_RUN(survives);
  return test_end();
}
