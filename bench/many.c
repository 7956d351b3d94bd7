/* many URL N:       N transfers at once in one multi until each has its first bytes (a URL that trickles);
 *                   what a transfer in progress costs.
 * many URL N kept:  one whole transfer on each of N handles at once; what an idle connection and a handle
 *                   that has done its work cost.
 * More words are options, OPTION=VALUE. Before them, first=URL is a transfer before all others, not counted,
 * whose connection they can use; streams=N are so many transfers at once on one connection, and no other;
 * limit=N are whole transfers over so many connections: what a transfer that waits for one costs. */
#include "events.h"

struct work {
  CURL *e;
  long long got; /* bytes */
};

static int started; /* transfers that have bytes */

static size_t first_bytes(char *p, size_t size, size_t n, void *user)
{
  struct work *w = user;
  started += !w->got;
  return bench_write(p, size, n, &w->got);
}

static int finished(struct events *v, int *bad)
{
  CURLMsg *msg;
  int left;
  int done = 0;
  while((msg = curl_multi_info_read(v->multi, &left))) {
    done++;
    if(msg->data.result && !(*bad)++)
      fprintf(stderr, "%s\n", curl_easy_strerror(msg->data.result));
  }
  return done;
}

static void per_handle(const char *name, struct count from, struct count to, int n)
{
  printf("%s bytes=%.1f calls=%.2f peak=%.1f\n", name, (double)(to.live - from.live) / n,
         (double)(to.calls - from.calls) / n, (double)(to.peak - from.live) / n);
}

static void resident(void)
{
  char line[200];
  FILE *f = fopen("/proc/self/status", "r");
  while(f && fgets(line, sizeof line, f))
    if(!strncmp(line, "RssAnon:", 8))
      printf("resident kb=%ld\n", atol(line + 8));
  if(f)
    fclose(f);
}

static int in_progress(struct events *v, struct work *w, int n, struct count begin)
{
  double user = bench_user();
  double sys = bench_system();
  double clock = bench_clock();
  int bad = 0;
  int done = 0;
  int i;
  for(i = 0; i < n; i++)
    curl_multi_add_handle(v->multi, w[i].e);
  while(started < n && !bad && bench_clock() - clock < 120) {
    events_turn(v);
    done += finished(v, &bad);
  }
  user = bench_user() - user;
  sys = bench_system() - sys;
  per_handle("active", begin, bench_count(), n);
  printf("result started=%d done=%d bad=%d user=%.6f system=%.6f clock=%.6f\n", started, done, bad, user, sys,
         bench_clock() - clock);
  resident();
  for(i = 0; i < n; i++) {
    curl_multi_remove_handle(v->multi, w[i].e);
    curl_easy_cleanup(w[i].e);
  }
  return bad || started != n;
}

static int kept(struct events *v, struct work *w, int n, struct count begin)
{
  struct count with;
  struct count without;
  long long got = 0;
  int bad = 0;
  int done = 0;
  int i;
  for(i = 0; i < n; i++)
    curl_multi_add_handle(v->multi, w[i].e);
  while(done < n) {
    events_turn(v);
    done += finished(v, &bad);
  }
  for(i = 0; i < n; i++)
    curl_multi_remove_handle(v->multi, w[i].e);
  with = bench_count();
  for(i = 0; i < n; i++) {
    got += w[i].got;
    curl_easy_cleanup(w[i].e);
  }
  without = bench_count();
  per_handle("handle", without, with, n);
  per_handle("connection", begin, without, n);
  printf("result started=%d done=%d bad=%d bytes=%lld\n", started, done, bad, got);
  return bad != 0;
}

/* What follows the name, if the next word begins with it. */
static const char *option_of(char ***words, const char *name)
{
  size_t n = strlen(name);
  return **words && !strncmp(**words, name, n) ? *(*words)++ + n : NULL;
}

/* One transfer, whose connection is kept. */
static int first(struct events *v, const char *url, char **options)
{
  CURL *e = curl_easy_init();
  long long got = 0;
  int bad = 0;
  bench_setup(e, url, &got);
  bench_options(e, options);
  curl_multi_add_handle(v->multi, e);
  while(!finished(v, &bad))
    events_turn(v);
  curl_multi_remove_handle(v->multi, e);
  curl_easy_cleanup(e);
  return bad;
}

static void set_up(struct work *w, int n, char **argv, char **options)
{
  int i;
  for(i = 0; i < n; i++) {
    w[i].e = curl_easy_init();
    bench_setup(w[i].e, argv[1], &w[i].got);
    curl_easy_setopt(w[i].e, CURLOPT_WRITEFUNCTION, first_bytes);
    curl_easy_setopt(w[i].e, CURLOPT_WRITEDATA, &w[i]);
    curl_easy_setopt(w[i].e, CURLOPT_PRIVATE, &w[i]);
    bench_options(w[i].e, options);
  }
}

static int queued(struct events *v, struct work *w, int n, long connections, struct count begin)
{
  double user = bench_user();
  double sys = bench_system();
  double clock = bench_clock();
  long long got = 0;
  int bad = 0;
  int done = 0;
  int i;
  curl_multi_setopt(v->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
  for(i = 0; i < n; i++)
    curl_multi_add_handle(v->multi, w[i].e);
  events_turn(v);
  per_handle("waiting", begin, bench_count(), n);
  while(done < n && !bad && bench_clock() - clock < 600) {
    events_turn(v);
    done += finished(v, &bad);
  }
  for(i = 0; i < n; i++)
    got += w[i].got;
  printf("result started=%d done=%d bad=%d bytes=%lld user=%.6f system=%.6f clock=%.6f\n", started, done, bad,
         got, bench_user() - user, bench_system() - sys, bench_clock() - clock);
  resident();
  for(i = 0; i < n; i++) {
    curl_multi_remove_handle(v->multi, w[i].e);
    curl_easy_cleanup(w[i].e);
  }
  return bad || done != n;
}

int main(int argc, char **argv)
{
  int n = argc > 2 ? atoi(argv[2]) : 0;
  int whole = argc > 3 && !strcmp(argv[3], "kept");
  char **options = argv + (argc > 3 ? 3 + whole : argc);
  const char *before = option_of(&options, "first=");
  const char *streams = option_of(&options, "streams=");
  const char *limit = option_of(&options, "limit=");
  struct events v;
  struct work *w;
  struct count begin;
  int status;
  if(n < 1)
    return 2;
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  w = calloc((size_t)n, sizeof *w);
  if(!w)
    return 2;
  events_open(&v, n);
  if(streams) {
    curl_multi_setopt(v.multi, CURLMOPT_MAX_CONCURRENT_STREAMS, atol(streams));
    curl_multi_setopt(v.multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1L);
  }
  if(before && first(&v, before, options))
    return 1;
  begin = bench_count();
  if(count_peak_reset)
    count_peak_reset();
  set_up(w, n, argv, options);
  per_handle("set", begin, bench_count(), n);
  if(limit)
    status = queued(&v, w, n, atol(limit), begin);
  else
    status = whole ? kept(&v, w, n, begin) : in_progress(&v, w, n, begin);
  curl_multi_cleanup(v.multi);
  curl_global_cleanup();
  free(w);
  return status;
}
