/* tests/unit/transfer/test_progress.c: progress callbacks, the low speed limit and speed limits, by a clock
 * of the test's own. */
#include "transfer/report/progress.h"

#include <limits.h>

#include "subject.h"

#define SECOND MOTE_SECOND
#define START (1000 * MOTE_SECOND)

static struct {
  int calls;
  curl_off_t total_down, down, total_up, up;
  int answer;
} reported;

static int xferinfo(void *user, curl_off_t dltotal, curl_off_t dlnow, curl_off_t ultotal, curl_off_t ulnow)
{
  CHECK(user == &reported);
  reported.calls++;
  reported.total_down = dltotal;
  reported.down = dlnow;
  reported.total_up = ultotal;
  reported.up = ulnow;
  return reported.answer;
}

static void begin(struct subject *s)
{
  memset(&reported, 0, sizeof reported);
  subject_begin(s, "http");
  s->run.stats.started = START;
  s->run.response.size_down = -1;
  s->run.request.size_up = -1;
}

static void end(struct subject *s)
{
  mote_speed_free(&s->t);
  mote_speed_free(&s->t);
  subject_end(s);
}

static void set_long(struct subject *s, uint16_t id, long v)
{
  CHECK(!mote_option_set_long(&s->t.options, id, v));
}

TEST(nothing_wanted_costs_nothing)
{
  struct subject s;
  begin(&s);
  CHECK_INT(mote_speed_start(&s.t), CURLE_OK);
  CHECK(!s.run.speed);
  CHECK_INT(mote_speed_check(&s.t, START, true), CURLE_OK);
  CHECK_INT(mote_speed_allow_down(&s.t, START, 12345), 12345);
  CHECK_INT(mote_speed_allow_up(&s.t, START, 12345), 12345);
  mote_speed_passed_down(&s.t, 5);
  mote_speed_passed_up(&s.t, 5);
  CHECK_INT(s.run.deadline[MOTE_TIMER_SPEED], 0);
  end(&s);
}

/* ---- progress ---- */

static void callbacks(void)
{
  struct subject s;
  CURLcode rc;
  begin(&s);
  rc = mote_option_set_long(&s.t.options, ID(NOPROGRESS), 0);
  rc = rc ? rc : mote_option_set_fn(&s.t.options, ID(XFERINFOFUNCTION), (mote_fn)xferinfo);
  rc = rc ? rc : mote_option_set_ptr(&s.t.options, ID(XFERINFODATA), &reported);
  rc = rc ? rc : mote_speed_start(&s.t);
  if(rc)
    CHECK(rc == CURLE_OUT_OF_MEMORY && test_mem.failed);
  else {
    s.run.response.size_down = 100;
    s.run.stats.bytes_down = 40;
    s.run.stats.bytes_up = 7;
    CHECK_INT(mote_speed_check(&s.t, START, true), CURLE_OK);
    CHECK(reported.calls == 1 && reported.total_down == 100 && reported.down == 40);
  CHECK(reported.total_up == 0 && reported.up == 7);
    CHECK_INT(mote_speed_check(&s.t, START + SECOND / 2, false), CURLE_OK);
    CHECK_INT(reported.calls, 1);
    CHECK_INT(mote_timer_at(&s.run, MOTE_TIMER_SPEED), START + SECOND);
    CHECK_INT(mote_speed_check(&s.t, START + SECOND, false), CURLE_OK);
    CHECK_INT(reported.calls, 2);
    reported.answer = 1;
    CHECK_INT(mote_speed_check(&s.t, START + 2 * SECOND, false), CURLE_ABORTED_BY_CALLBACK);
    CHECK(!s.t.in_callback);
  }
  end(&s);
}

TEST(progress_is_reported)
{
  run_with_failures(callbacks);
}

/* ---- too slow ---- */

static void begin_slow(struct subject *s, long limit, long seconds)
{
  begin(s);
  set_long(s, ID(LOW_SPEED_LIMIT), limit);
  set_long(s, ID(LOW_SPEED_TIME), seconds);
  CHECK_INT(mote_speed_start(&s->t), CURLE_OK);
}

/* Looks four times a second, `rate` bytes per second meanwhile. The second in which it gave up, or -1. */
static int looked_at(struct subject *s, mote_time from, int seconds, int rate)
{
  int i;
  for(i = 0; i <= seconds * 4; i++) {
    mote_time now = from + i * SECOND / 4;
    if(i)
      s->run.stats.bytes_down += rate / 4;
    if(mote_speed_check(&s->t, now, false) == CURLE_OPERATION_TIMEDOUT)
      return i / 4;
  }
  return -1;
}

TEST(too_slow_for_too_long)
{
  struct subject s;
  begin_slow(&s, 1000, 3);
  CHECK_INT(looked_at(&s, START, 20, 1000), -1);
  end(&s);
  begin_slow(&s, 1000, 3);
  CHECK_INT(looked_at(&s, START, 20, 900), 3);
  end(&s);
  begin_slow(&s, 1000, 3);
  CHECK_INT(looked_at(&s, START, 20, 0), 3);
  end(&s);
  begin_slow(&s, 1000, 0); /* no time: no limit */
  CHECK_INT(looked_at(&s, START, 20, 0), -1);
  end(&s);
}

TEST(fast_again_in_time)
{
  struct subject s;
  begin_slow(&s, 1000, 3);
  CHECK_INT(looked_at(&s, START, 2, 0), -1);
  CHECK_INT(looked_at(&s, START + 2 * SECOND, 2, 4000), -1);
  CHECK_INT(looked_at(&s, START + 4 * SECOND, 2, 0), -1);
  CHECK(looked_at(&s, START + 6 * SECOND, 20, 0) >= 0);
  end(&s);
}

TEST(each_request_has_its_time)
{
  struct subject s;
  begin_slow(&s, 1000, 3);
  CHECK_INT(looked_at(&s, START, 2, 0), -1);
  CHECK_INT(mote_speed_end(&s.t, START + 2 * SECOND, CURLE_AGAIN), CURLE_OK); /* a redirect */
  CHECK_INT(looked_at(&s, START + 2 * SECOND, 2, 0), -1);
  CHECK_INT(looked_at(&s, START + 4 * SECOND, 20, 0), 1);
  end(&s);
}

TEST(a_pause_is_not_slow)
{
  struct subject s;
  begin_slow(&s, 1000, 3);
  CHECK_INT(looked_at(&s, START, 5, 5000), -1);
  s.run.flow.recv.paused = true;
  CHECK_INT(looked_at(&s, START + 5 * SECOND, 60, 0), -1);
  s.run.flow.recv.paused = false;
  CHECK_INT(looked_at(&s, START + 65 * SECOND, 5, 5000), -1);
  CHECK_INT(looked_at(&s, START + 70 * SECOND, 20, 0), 3);
  end(&s);
}

/* After a redirect the bytes count from 0 again: that is no slowness either. */
TEST(another_request_of_the_chain)
{
  struct subject s;
  begin_slow(&s, 1000, 1);
  CHECK_INT(looked_at(&s, START, 5, 50000), -1);
  s.run.stats.bytes_down = 0;
  CHECK_INT(looked_at(&s, START + 5 * SECOND, 5, 2000), -1);
  end(&s);
}

TEST(the_largest_values)
{
  struct subject s;
  begin_slow(&s, LONG_MAX, LONG_MAX);
  CHECK_INT(looked_at(&s, START, 5, 100), -1);
  end(&s);
}

/* ---- not faster than ---- */

/* As a reader does: at most `most` at a time, asking again when the timer says. Bytes in so many seconds. */
static curl_off_t passed(curl_off_t rate, size_t most, int seconds, int *asked)
{
  struct subject s;
  curl_off_t all = 0;
  mote_time now = START;
  *asked = 0;
  begin(&s);
  CHECK(!mote_option_set_off(&s.t.options, ID(MAX_RECV_SPEED_LARGE), rate));
  CHECK_INT(mote_speed_start(&s.t), CURLE_OK);
  while(now < START + seconds * SECOND && all < ((curl_off_t)1 << 45)) {
    size_t n = mote_speed_allow_down(&s.t, now, most);
    ++*asked;
    all += (curl_off_t)n;
    mote_speed_passed_down(&s.t, n);
    if(!n) {
      mote_time at = mote_timer_at(&s.run, MOTE_TIMER_SPEED);
      if(!CHECK(at > now))
        break;
      now = at;
      mote_timer_set(&s.t, MOTE_TIMER_SPEED, 0);
    }
    else if(n == most && rate > 1000000000)
      now += 100; /* what the network takes */
  }
  end(&s);
  return all;
}

TEST(speed_limits_are_kept)
{
  static const curl_off_t rates[] = {1, 10, 1000, 16384, 20000, 100000, 1000000, 100000000};
  size_t i;
  for(i = 0; i < sizeof rates / sizeof *rates; i++) {
    curl_off_t rate = rates[i], burst = rate < 16384 ? rate : 16384, all;
    int asked;
    all = passed(rate, 16384, 60, &asked);
    CHECK(all <= 60 * rate + burst + 1);
    CHECK(all >= 60 * rate * 9 / 10);
  }
}

/* A wait for one byte's time made a turn of each byte or two of a slow transfer. */
TEST(a_limited_transfer_waits_for_a_piece)
{
  static const curl_off_t rates[] = {1, 17, 1000, 16384, 100000, 1000000};
  size_t i;
  for(i = 0; i < sizeof rates / sizeof *rates; i++) {
    int asked;
    (void)passed(rates[i], 16384, 60, &asked);
    CHECK(asked <= 60 * 2 * (rates[i] > 16384 * 10 ? 130 : 21));
  }
}

TEST(limits_that_are_none)
{
  int asked;
  CHECK(passed((curl_off_t)1 << 62, 16384, 1, &asked) == (curl_off_t)asked * 16384);
  CHECK(passed(0x7fffffffffffffff, 1 << 20, 1, &asked) == (curl_off_t)asked << 20);
}

TEST(after_a_long_wait)
{
  struct subject s;
  begin(&s);
  CHECK(!mote_option_set_off(&s.t.options, ID(MAX_SEND_SPEED_LARGE), 1000));
  CHECK_INT(mote_speed_start(&s.t), CURLE_OK);
  CHECK_INT(mote_speed_allow_up(&s.t, START, 99999), 1000);
  mote_speed_passed_up(&s.t, 1000);
  CHECK_INT(mote_speed_allow_up(&s.t, START, 99999), 0);
  CHECK_INT(mote_speed_allow_up(&s.t, START + 1000000 * SECOND, 99999), 1000); /* no credit for an hour of
                                                                                  silence */
  CHECK_INT(mote_speed_allow_down(&s.t, START, 99999), 99999);
  end(&s);
}

int main(void)
{
  TEST_RUN(nothing_wanted_costs_nothing);
  TEST_RUN(progress_is_reported);
  TEST_RUN(too_slow_for_too_long);
  TEST_RUN(fast_again_in_time);
  TEST_RUN(each_request_has_its_time);
  TEST_RUN(a_pause_is_not_slow);
  TEST_RUN(another_request_of_the_chain);
  TEST_RUN(the_largest_values);
  TEST_RUN(speed_limits_are_kept);
  TEST_RUN(a_limited_transfer_waits_for_a_piece);
  TEST_RUN(limits_that_are_none);
  TEST_RUN(after_a_long_wait);
  return test_end();
}
