/* rate URL TOTAL N [OPTION=VALUE...]: TOTAL GETs, N at a time over kept connections: an event loop, or
 * curl_easy_perform() when N is 0. */
#include "events.h"

struct tally {
  int done;
  int bad;
  long connections; /* opened */
  long long got;    /* bytes */
};

static void report(const struct tally *t, double clock, double user, double sys, long calls)
{
  printf("result rate=%.1f done=%d bad=%d bytes=%lld connections=%ld ", t->done / clock, t->done, t->bad,
         t->got, t->connections);
  printf("user_us=%.3f system_us=%.3f calls=%.4f\n", user * 1e6 / t->done, sys * 1e6 / t->done,
         (double)calls / t->done);
}

static void one_done(struct tally *t, CURL *e, CURLcode rc)
{
  long opened = 0;
  t->done++;
  t->bad += rc != CURLE_OK;
  curl_easy_getinfo(e, CURLINFO_NUM_CONNECTS, &opened);
  t->connections += opened;
}

static CURL *make(struct tally *t, char **argv)
{
  CURL *e = curl_easy_init();
  bench_setup(e, argv[1], &t->got);
  bench_options(e, argv + 4);
  return e;
}

static void by_perform(struct tally *t, char **argv, int total)
{
  CURL *e = make(t, argv);
  while(t->done < total)
    one_done(t, e, curl_easy_perform(e));
  curl_easy_cleanup(e);
}

static void by_events(struct tally *t, char **argv, int total, int n, struct count *warm)
{
  CURL **e = calloc((size_t)n, sizeof(CURL *));
  struct events v;
  CURLMsg *msg;
  int begun = 0;
  int left;
  int i;
  if(!e)
    exit(2);
  events_open(&v, n + 10L);
  for(i = 0; i < n; i++)
    e[i] = make(t, argv);
  for(; begun < n && begun < total; begun++)
    curl_multi_add_handle(v.multi, e[begun]);
  while(t->done < total) {
    events_turn(&v);
    while((msg = curl_multi_info_read(v.multi, &left))) {
      CURL *h = msg->easy_handle;
      one_done(t, h, msg->data.result);
      curl_multi_remove_handle(v.multi, h);
      if(begun < total) {
        begun++;
        curl_multi_add_handle(v.multi, h);
      }
      if(t->done == total / 2)
        *warm = bench_count();
    }
  }
  for(i = 0; i < n; i++)
    curl_easy_cleanup(e[i]);
  curl_multi_cleanup(v.multi);
  free(e);
}

int main(int argc, char **argv)
{
  struct tally t = { 0, 0, 0, 0 };
  struct count warm = { 0, 0, 0, 0, 0, 0 };
  struct count end;
  double clock;
  double user;
  double sys;
  int total = argc > 3 ? atoi(argv[2]) : 0;
  int n = argc > 3 ? atoi(argv[3]) : 0;
  if(total < 1 || n < 0)
    return 2;
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  clock = bench_clock();
  user = bench_user();
  sys = bench_system();
  if(n)
    by_events(&t, argv, total, n, &warm);
  else
    by_perform(&t, argv, total);
  end = bench_count();
  report(&t, bench_clock() - clock, bench_user() - user, bench_system() - sys, end.calls);
  if(count_now)
    printf("second_half calls=%.4f\n", (double)(end.calls - warm.calls) / (total - total / 2));
  curl_global_cleanup();
  return t.bad != 0;
}
