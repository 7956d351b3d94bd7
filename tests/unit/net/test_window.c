/* The windows of HTTP/2 streams: when they grow, how far, and what many hold together. Needs h2. */
#include "net/mux/window.h"

#include "test.h"

static struct mote_mux_windows all;

TEST(grows_to_its_limit)
{
  struct mote_mux_window w = { 0, 0 };
  uint32_t size = MOTE_MUX_WINDOW;
  mote_mux_windows_init(&all, 0, false);
  mote_mux_window_open(&w, &all);
  CHECK_INT(w.size, 65536);
  while(size < MOTE_MUX_WINDOW_LIMIT) {
    CHECK_INT(mote_mux_window_take(&w, &all, size / 2), 0);
    CHECK_INT(mote_mux_window_take(&w, &all, size / 2 - 1), 0);
    size *= 2;
    CHECK_INT(mote_mux_window_take(&w, &all, 1), size);
    CHECK_INT(w.size, size);
    CHECK_INT(all.granted, size);
  }
  CHECK_INT(mote_mux_window_take(&w, &all, size), 0);
  CHECK_INT(w.size, 4 << 20);
  mote_mux_window_close(&w, &all);
  CHECK_INT(all.granted, 0);
  mote_mux_window_close(&w, &all);
  CHECK_INT(all.granted, 0);
}

TEST(a_pause_begins_again)
{
  struct mote_mux_window w = { 0, 0 };
  mote_mux_windows_init(&all, 0, false);
  mote_mux_window_open(&w, &all);
  mote_mux_window_take(&w, &all, 65535);
  mote_mux_window_pause(&w);
  CHECK_INT(mote_mux_window_take(&w, &all, 65535), 0);
  CHECK_INT(mote_mux_window_take(&w, &all, 1), 131072);
  mote_mux_window_close(&w, &all);
}

TEST(none_grows_in_a_static_block)
{
  struct mote_mux_window w = { 0, 0 };
  mote_mux_windows_init(&all, 0, true);
  mote_mux_window_open(&w, &all);
  CHECK_INT(mote_mux_window_take(&w, &all, 1 << 20), 0);
  CHECK_INT(w.size, 65536);
  mote_mux_window_close(&w, &all);
}

TEST(a_limit_of_the_account_bounds_growth)
{
  struct mote_mux_window w = { 0, 0 };
  mote_mux_windows_init(&all, 1 << 20, false);
  mote_mux_window_open(&w, &all);
  CHECK_INT(mote_mux_window_take(&w, &all, 65536), 131072);
  CHECK_INT(mote_mux_window_take(&w, &all, 131072), 262144);
  CHECK_INT(mote_mux_window_take(&w, &all, 1 << 20), 0);
  mote_mux_window_close(&w, &all);
}

/* Any number of streams that read as fast as they can hold at most 16 MB, or 64 KB each. */
TEST(all_streams_together_are_bounded)
{
  static struct mote_mux_window w[1000];
  unsigned count;
  unsigned i;
  unsigned round;
  uint64_t sum;
  for(count = 10; count <= 1000; count *= 10) {
    mote_mux_windows_init(&all, 0, false);
    for(i = 0; i < count; i++)
      mote_mux_window_open(&w[i], &all);
    for(round = 0; round < 10; round++)
      for(i = 0; i < count; i++)
        mote_mux_window_take(&w[i], &all, w[i].size);
    sum = 0;
    for(i = 0; i < count; i++)
      sum += w[i].size;
    CHECK_INT(all.granted, sum);
    CHECK(sum <= (count < 256 ? 16u << 20 : count * 65536));
    CHECK(sum > (count < 256 ? 15u << 20 : 0));
    for(i = 0; i < count; i++)
      mote_mux_window_close(&w[i], &all);
    CHECK_INT(all.granted, 0);
  }
}

/* What a stream that ended has held, another may grow into. */
TEST(the_end_of_a_stream_makes_room)
{
  struct mote_mux_window w[5] = { { 0, 0 } };
  unsigned i;
  mote_mux_windows_init(&all, 0, false);
  for(i = 0; i < 5; i++)
    mote_mux_window_open(&w[i], &all);
  for(i = 0; i < 4; i++)
    while(mote_mux_window_take(&w[i], &all, w[i].size))
      ;
  CHECK_INT(w[2].size, 4 << 20);
  CHECK_INT(w[3].size, 2 << 20);
  CHECK_INT(mote_mux_window_take(&w[3], &all, 2 << 20), 0);
  mote_mux_window_close(&w[4], &all);
  mote_mux_window_close(&w[0], &all);
  CHECK_INT(mote_mux_window_take(&w[3], &all, 2 << 20), 4 << 20);
  for(i = 0; i < 5; i++)
    mote_mux_window_close(&w[i], &all);
  CHECK_INT(all.granted, 0);
}

int main(void)
{
  TEST_RUN(grows_to_its_limit);
  TEST_RUN(a_pause_begins_again);
  TEST_RUN(none_grows_in_a_static_block);
  TEST_RUN(a_limit_of_the_account_bounds_growth);
  TEST_RUN(all_streams_together_are_bounded);
  TEST_RUN(the_end_of_a_stream_makes_room);
  return test_end();
}
