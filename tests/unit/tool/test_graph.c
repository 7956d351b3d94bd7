/* Tests of tool/show/graph.h: the recording, and the picture's figures. */
#include "tool_test.h"

#include "tool/show/graph.h"
#include "tool/show/messages.h"

#include <fcntl.h>
#include <unistd.h>

static struct graph_bucket buckets[GRAPH_BUCKETS];

static struct graph fresh(void)
{
  struct graph g = { .width = GRAPH_FIRST_WIDTH, .buckets = buckets, .overhead = 77 };
  memset(buckets, 0, sizeof buckets);
  g.names[0] = "one";
  g.names[1] = "two";
  g.names[GRAPH_TLS] = "OpenSSL";
  return g;
}

static void note(struct graph *g, size_t one, size_t two, curl_off_t at)
{
  struct graph_state state = { .bytes = { one, two }, .total = one + two };
  mote_cli_graph_note(g, &state, at);
}

TEST(a_state_fills_its_time)
{
  struct graph g = fresh();
  note(&g, 5, 0, 40);   /* buckets 0 to 2 */
  note(&g, 1, 0, 100);  /* 2 to 6; the fuller one stays in 2 */
  CHECK_INT(mote_cli_graph_used(&g), 7);
  CHECK_INT(buckets[0].most.total, 5);
  CHECK_INT(buckets[2].most.total, 5);
  CHECK_INT(buckets[3].most.total, 1);
  CHECK_INT(buckets[6].most.total, 1);
  CHECK_INT(buckets[7].most.total, 0);
}

TEST(peak_is_when_it_began)
{
  struct graph g = fresh();
  note(&g, 5, 1, 40);
  note(&g, 30, 4, 90);
  note(&g, 7, 20, 120);
  note(&g, 30, 4, 130);
  CHECK_INT(g.peak.total, 34);
  CHECK_INT(g.peak.bytes[0], 30);
  CHECK_INT(g.peak_at, 40);
  CHECK_INT(g.own[0], 30);
  CHECK_INT(g.own[1], 20);
}

TEST(time_does_not_go_back)
{
  struct graph g = fresh();
  note(&g, 5, 0, 40);
  note(&g, 6, 0, 30);
  CHECK_INT(g.last, 40);
  CHECK_INT(buckets[2].most.total, 6);
}

TEST(stretches_double)
{
  struct graph g = fresh();
  const curl_off_t all = GRAPH_BUCKETS * GRAPH_FIRST_WIDTH;
  note(&g, 1, 0, 16);
  note(&g, 9, 9, 17);
  g.received = 100;
  note(&g, 2, 0, all - 1);
  CHECK_INT(g.width, GRAPH_FIRST_WIDTH);
  CHECK_INT(mote_cli_graph_used(&g), GRAPH_BUCKETS);
  note(&g, 3, 0, all);
  CHECK_INT(g.width, 2 * GRAPH_FIRST_WIDTH);
  CHECK_INT(mote_cli_graph_used(&g), GRAPH_BUCKETS / 2 + 1);
  CHECK_INT(buckets[0].most.total, 18);
  CHECK_INT(buckets[0].most.bytes[1], 9);
  CHECK_INT(buckets[1].most.total, 2);
  CHECK_INT(buckets[1].received, 100);
  CHECK_INT(buckets[GRAPH_BUCKETS / 2].most.total, 3);
  CHECK_INT(buckets[GRAPH_BUCKETS / 2 + 1].most.total, 0);
}

/* Against a list of all states, for random ones and for years. */
TEST(nothing_is_lost)
{
  struct graph g = fresh();
  size_t most = 0;
  curl_off_t at = 0, when = 0;
  for(int i = 0; i < 5000; i++) {
    size_t one = test_random() % 100000;
    if(one > most) {
      most = one;
      when = at;
    }
    at += test_random() % (i < 4000 ? 50 : 1u << 31);
    note(&g, one, 0, at);
  }
  CHECK_INT(g.peak.total, most);
  CHECK_INT(g.peak_at, when);
  CHECK_INT(buckets[when / g.width].most.total, most);
  CHECK(mote_cli_graph_used(&g) > GRAPH_BUCKETS / 2 && mote_cli_graph_used(&g) <= GRAPH_BUCKETS);
  for(unsigned i = 0; i < mote_cli_graph_used(&g); i++)
    CHECK(buckets[i].most.total);
}

TEST(without_buckets)
{
  struct graph g = fresh();
  g.buckets = NULL;
  note(&g, 5, 1, 40);
  note(&g, 1, 1, (curl_off_t)1 << 40);
  CHECK_INT(g.peak.total, 6);
}

TEST(percent)
{
  CHECK_INT(mote_cli_graph_percent(0, 0), 0);
  CHECK_INT(mote_cli_graph_percent(1, 3), 33);
  CHECK_INT(mote_cli_graph_percent(2, 3), 67);
  CHECK_INT(mote_cli_graph_percent(7, 7), 100);
}

static const char *drawn(const struct graph *g)
{
  static char text[200000];
  char name[] = "/tmp/mote-graph-XXXXXX";
  int fd = mkstemp(name);
  ssize_t n;
  CHECK(fd >= 0 && mote_cli_graph_draw(g, fd));
  n = pread(fd, text, sizeof text - 1, 0);
  text[n > 0 ? n : 0] = 0;
  close(fd);
  unlink(name);
  return text;
}

TEST(picture_shows_the_peak)
{
  struct graph g = fresh();
  const char *svg;
  note(&g, 5, 0, 1000);
  g.received = 4096;
  note(&g, 1500, 1234567, 90000);
  note(&g, 10, 10, 100000);
  svg = drawn(&g);
  CHECK(strstr(svg, "peak 1,236,067</text>") != NULL);
  CHECK(strstr(svg, ">1,234,567</text>") != NULL);
  CHECK(strstr(svg, ">&lt;1%</text>") != NULL);
  CHECK(strstr(svg, "the 4,096 bytes of bodies received") != NULL);
  CHECK(strstr(svg, "the 77 bytes of this recording") != NULL);
  CHECK(strstr(svg, "Without the TLS library") == NULL);
  CHECK(strstr(svg, "data-part=\"two\"") < strstr(svg, "data-part=\"one\""));
  CHECK(strstr(svg, "</svg>\n") != NULL);
}

TEST(picture_of_nothing)
{
  struct graph g = fresh();
  const char *svg;
  g.names[GRAPH_TLS] = NULL;
  svg = drawn(&g);
  CHECK(strstr(svg, "peak 0</text>") != NULL);
  CHECK(strstr(svg, "Without the TLS library's own memory.") != NULL);
}

TEST(picture_that_cannot_be_written)
{
  struct graph g = fresh();
  int fd = open("/dev/full", O_WRONLY);
  note(&g, 5, 1, 40);
  CHECK(fd >= 0 && !mote_cli_graph_draw(&g, fd));
  close(fd);
}

static void look_nowhere(void)
{
}

/* What the command holds is known to the byte, whatever fails. */
static void scenario(void)
{
  size_t before = mote_cli_held();
  void *p = mote_cli_alloc(10), *q;
  CHECK_INT(mote_cli_held() - before, p ? 10 : 0);
  q = mote_cli_realloc(p, 1000);
  CHECK_INT(mote_cli_held() - before, q ? 1000 : p ? 10 : 0);
  mote_cli_free(q ? q : p);
  CHECK_INT(mote_cli_held(), before);
}

TEST(held_by_the_command)
{
  run_cli_failures(scenario);
  mote_cli_memory_watch(look_nowhere);
  scenario();
  mote_cli_memory_watch(NULL);
  CHECK(!mote_cli_realloc(NULL, (size_t)-8));
}

int main(void)
{
  mote_cli.flags |= 1UL << GLOBAL_SILENT;
  TEST_RUN(a_state_fills_its_time);
  TEST_RUN(peak_is_when_it_began);
  TEST_RUN(time_does_not_go_back);
  TEST_RUN(stretches_double);
  TEST_RUN(nothing_is_lost);
  TEST_RUN(without_buckets);
  TEST_RUN(percent);
  TEST_RUN(picture_shows_the_peak);
  TEST_RUN(picture_of_nothing);
  TEST_RUN(picture_that_cannot_be_written);
  TEST_RUN(held_by_the_command);
  return test_end();
}
