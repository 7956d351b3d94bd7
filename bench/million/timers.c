/* timers URL N SECONDS: N transfers that wait for the only connection of their multi, which URL's server
 * never lets go, each until a deadline of its own (CURLOPT_TIMEOUT_MS): by chance within SECONDS, after as
 * many seconds in which all are added. Each has to end with CURLE_OPERATION_TIMEDOUT.
 *
 * late: milliseconds from a deadline to the end of its transfer, the most and the mean. They grow where the
 * machine is busy. */
#include "../events.h"

struct work {
  CURL *e;
  double due;
};

static double processor_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* xorshift: the same deadlines in each run. */
static unsigned chance(void)
{
  static unsigned x = 2463534242u;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

static struct work *add(struct events *v, const char *url, long n, long seconds)
{
  struct work *all = calloc((size_t)n, sizeof *all);
  double end = bench_clock() + (double)seconds;
  long i;
  for(i = 0; all && i < n; i++) {
    struct work *w = &all[i];
    long ms;
    w->due = end + (double)(chance() % (unsigned)(seconds * 1000)) / 1000;
    ms = (long)((w->due - bench_clock()) * 1000);
    w->e = curl_easy_init();
    curl_easy_setopt(w->e, CURLOPT_URL, url);
    curl_easy_setopt(w->e, CURLOPT_PROXY, "");
    curl_easy_setopt(w->e, CURLOPT_PRIVATE, w);
    curl_easy_setopt(w->e, CURLOPT_TIMEOUT_MS, ms > 0 ? ms : 1L);
    curl_multi_add_handle(v->multi, w->e);
    if(!(i % 256))
      events_turn(v);
  }
  return all;
}

int main(int argc, char **argv)
{
  long n = argc > 3 ? atol(argv[2]) : 0, done = 0, bad = 0;
  double late = 0, latest = 0, longest = 0, processor;
  struct events v;
  struct work *all;
  if(n < 1 || atol(argv[3]) < 1)
    return 2;
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  events_open(&v, 1);
  curl_multi_setopt(v.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, 1L);
  all = add(&v, argv[1], n, atol(argv[3]));
  if(!all)
    return 2;
  processor = processor_now();
  while(done < n) {
    double since = processor_now(), took;
    CURLMsg *msg;
    int left;
    events_turn(&v);
    took = processor_now() - since;
    longest = took > longest ? took : longest;
    while((msg = curl_multi_info_read(v.multi, &left))) {
      struct work *w;
      CURL *e = msg->easy_handle;
      double over;
      bad += msg->data.result != CURLE_OPERATION_TIMEDOUT;
      curl_easy_getinfo(e, CURLINFO_PRIVATE, &w);
      over = (bench_clock() - w->due) * 1000;
      late += over;
      latest = over > latest ? over : latest;
      curl_multi_remove_handle(v.multi, e);
      curl_easy_cleanup(e);
      done++;
    }
  }
  printf("result done=%ld bad=%ld processor=%.3f longest_ms=%.3f late_ms=%.3f latest_ms=%.3f\n", done, bad,
         processor_now() - processor, longest * 1e3, late / (double)n, latest);
  curl_multi_cleanup(v.multi);
  free(all);
  curl_global_cleanup();
  return bad != 0;
}
