/* tests/unit/connect/test_channel.c: what the driver of a connection with many transfers does for each of
 * them. End to end: tests/toys. */
#include "transfer/channel.h"

#include "engine/multi.h"
#include "net/mux/mux.h"
#include "transfer/protocol.h"
#include "transfer/subject.h"

/* ---- a protocol that notes its events, and returns what a test says ---- */

struct state {
  struct mote_exchange exchange;
  unsigned events;
  enum mote_event_kind last;
};

static CURLcode answer;

static CURLcode deliver(struct mote_transfer *t, const struct mote_event *event)
{
  struct state *s = t->run->channel.state;
  s->events++;
  s->last = event->kind;
  return answer;
}

static unsigned ended;

static void end_exchange(struct mote_transfer *t, CURLcode rc)
{
  (void)t;
  (void)rc;
  ended++;
}

static const struct mote_protocol protocol = {.name = "test", .channel_size = sizeof(struct state),
                                              .deliver = deliver, .end = end_exchange};
static const struct mote_scheme scheme = {.name = "test", .protocol = &protocol};

static struct mote_multi multi;
static struct subject subject;

static struct state *state(void)
{
  return subject.run.channel.state;
}

/* A transfer in the middle of its exchange, which waits. False: out of memory. */
static bool begin(void)
{
  mote_multi_setup(&multi);
  subject_begin(&subject, "http");
  subject.run.request.scheme = &scheme;
  if(mote_channel_open(&subject.t))
    return CHECK(test_mem.failed) && false;
  mote_multi_add(&multi, &subject.t);
  mote_schedule_move(&multi, &subject.t, MOTE_LIST_WAITING);
  subject.t.state = MOTE_STATE_EXCHANGE;
  subject.run.lease.phase = MOTE_PHASE_EXCHANGE;
  answer = CURLE_OK;
  ended = 0;
  return true;
}

static void end(void)
{
  if(subject.t.multi)
    mote_schedule_move(&multi, &subject.t, MOTE_LIST_NONE);
  if(mote_channel_has_state(&subject.run.channel))
    mote_channel_close(&subject.t);
  mote_multi_close(&multi);
  subject_end(&subject);
}

static void send_event(enum mote_event_kind kind)
{
  struct mote_event event = {.kind = kind};
  mote_channel_deliver(&subject.t, &event);
}

TEST(state_begins_as_zero)
{
  begin();
  CHECK(!state()->events && !state()->exchange.parked);
  mote_channel_close(&subject.t);
  CHECK(!mote_channel_has_state(&subject.run.channel));
  end();
}

TEST(event_wakes_the_transfer)
{
  begin();
  send_event(MOTE_EVENT_END);
  CHECK(state()->events == 1 && state()->last == MOTE_EVENT_END);
  CHECK_INT(subject.t.list, MOTE_LIST_READY);
  CHECK(!mote_lease_is_parked(&subject.run.lease));
  end();
}

TEST(pause_is_no_error)
{
  begin();
  answer = CURLE_AGAIN;
  send_event(MOTE_EVENT_BYTES);
  CHECK(!mote_lease_is_parked(&subject.run.lease));
  CHECK_INT(subject.t.list, MOTE_LIST_READY);
  end();
}

/* It is the first error that counts, and a driver goes on with the bytes that it has read. */
TEST(nothing_is_delivered_after_an_error)
{
  begin();
  answer = CURLE_WRITE_ERROR;
  send_event(MOTE_EVENT_BYTES);
  CHECK(mote_lease_is_parked(&subject.run.lease));
  answer = CURLE_RECV_ERROR;
  send_event(MOTE_EVENT_FAILED);
  send_event(MOTE_EVENT_REFUSED);
  CHECK_INT(state()->events, 1);
  CHECK_INT(mote_channel_unpark(&subject.t), CURLE_WRITE_ERROR);
  CHECK_INT(subject.run.lease.phase, MOTE_PHASE_EXCHANGE);
  end();
}

/* The application gave up its multi between the event and the next step. */
TEST(removed_while_an_error_waits)
{
  begin();
  answer = CURLE_WRITE_ERROR;
  send_event(MOTE_EVENT_BYTES);
  mote_transfer_end_exchange(&subject.t, CURLE_ABORTED_BY_CALLBACK);
  CHECK_INT(ended, 1);
  CHECK(!mote_lease_is_parked(&subject.run.lease) && !mote_channel_has_state(&subject.run.channel));
  end();
}

TEST(nothing_is_delivered_before_the_exchange)
{
  begin();
  subject.run.lease.phase = MOTE_PHASE_NONE;
  send_event(MOTE_EVENT_BYTES);
  CHECK(!state()->events);
  CHECK_INT(subject.t.list, MOTE_LIST_WAITING);
  end();
}

/* A request that the peer has not begun with is made again once, and not where something else was said. */
TEST(refused_request_is_retried_once)
{
  begin();
  send_event(MOTE_EVENT_REFUSED);
  CHECK(!state()->events);
  CHECK_INT(subject.run.lease.retry, MOTE_RETRY_REFUSED);
  CHECK_INT(subject.run.lease.kind, MOTE_LEASE_NEW);
  CHECK_INT(mote_channel_unpark(&subject.t), CURLE_RECV_ERROR);
  subject.run.lease.retry = MOTE_RETRY_NEVER;
  send_event(MOTE_EVENT_REFUSED);
  CHECK_INT(subject.run.lease.retry, MOTE_RETRY_NEVER);
  CHECK_INT(mote_channel_unpark(&subject.t), CURLE_RECV_ERROR);
  subject.run.lease.retry = MOTE_RETRY_NONE;
  subject.run.lease.kind = MOTE_LEASE_ONLY_NEW;
  send_event(MOTE_EVENT_REFUSED);
  CHECK_INT(subject.run.lease.retry, MOTE_RETRY_NONE);
  CHECK_INT(mote_channel_unpark(&subject.t), CURLE_RECV_ERROR);
  end();
}

static void scenario(void)
{
  if(begin())
    send_event(MOTE_EVENT_BYTES);
  end();
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(state_begins_as_zero);
  TEST_RUN(event_wakes_the_transfer);
  TEST_RUN(pause_is_no_error);
  TEST_RUN(nothing_is_delivered_after_an_error);
  TEST_RUN(removed_while_an_error_waits);
  TEST_RUN(nothing_is_delivered_before_the_exchange);
  TEST_RUN(refused_request_is_retried_once);
  TEST_RUN(survives);
  return test_end();
}
