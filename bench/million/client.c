/* client PORT SERVERS TRANSFERS CONNECTIONS CHUNKS [OPTION=VALUE ...]: TRANSFERS downloads in progress at the
 * same time, in one multi of one thread that curl_multi_socket_action() drives (million.h).
 *
 * Transfer I asks the server at PORT + I % SERVERS, over at most CONNECTIONS connections in all. When each
 * has its first chunk, a line "started" is printed, and one of input is waited for; then all run to their
 * ends.
 * A transfer is right when its status is 200 and each byte of its body is its own.
 *
 * longest: the most processor time of a single call of curl_multi_socket_action(), curl_multi_add_handle() or
 * curl_multi_remove_handle(). */
#include "../events.h"

#include "million.h"

struct work {
  CURL *e;
  unsigned got; /* bytes */
};

static struct work *all;
static long long started; /* transfers that have their first chunk */
static long long chunks_got, wrong;
static double longest[3]; /* seconds: action, add, remove */

static double processor_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void note(int what, double since)
{
  double took = processor_now() - since;
  if(took > longest[what])
    longest[what] = took;
}

static size_t take(char *p, size_t size, size_t n, void *user)
{
  struct work *w = user;
  size_t len = size * n;
  wrong += million_wrong(p, len, (unsigned long)(w - all), w->got);
  started += w->got < CHUNK && w->got + len >= CHUNK;
  chunks_got += (long long)((w->got + len) / CHUNK - w->got / CHUNK);
  w->got += (unsigned)len;
  return len;
}

/* events_turn() of events.h, with a watch on each call. */
static void turn(struct events *v)
{
  struct epoll_event ev[256];
  double left = v->deadline < 0 ? 1 : v->deadline - bench_clock();
  int running, i, n = epoll_wait(v->epoll, ev, 256, left <= 0 ? 0 : left > 1 ? 1000 : (int)(left * 1000) + 1);
  double since;
  for(i = 0; i < n; i++) {
    int ready = (ev[i].events & (EPOLLIN | EPOLLHUP) ? CURL_CSELECT_IN : 0) |
                (ev[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                (ev[i].events & EPOLLERR ? CURL_CSELECT_ERR : 0);
    since = processor_now();
    curl_multi_socket_action(v->multi, ev[i].data.fd, ready, &running);
    note(0, since);
  }
  if(v->deadline >= 0 && bench_clock() >= v->deadline) {
    v->deadline = -1;
    since = processor_now();
    curl_multi_socket_action(v->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    note(0, since);
  }
}

static void add_all(struct events *v, long count, int port, int servers, char **options)
{
  char url[64];
  long i;
  for(i = 0; i < count; i++) {
    double since;
    struct work *w = &all[i];
    w->e = curl_easy_init();
    snprintf(url, sizeof url, "http://127.0.0.1:%d/%ld", port + (int)(i % servers), i);
    curl_easy_setopt(w->e, CURLOPT_URL, url);
    curl_easy_setopt(w->e, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(w->e, CURLOPT_WRITEDATA, w);
    curl_easy_setopt(w->e, CURLOPT_PRIVATE, w);
    curl_easy_setopt(w->e, CURLOPT_PROXY, "");
    bench_options(w->e, options);
    since = processor_now();
    if(curl_multi_add_handle(v->multi, w->e))
      exit(1);
    note(1, since);
    if(!(i % 256))
      turn(v);
  }
}

/* Transfers that have ended, and are removed and freed; *bad of them wrong. */
static long finished(struct events *v, unsigned chunks, long *bad)
{
  CURLMsg *msg;
  int left;
  long done = 0, status;
  while((msg = curl_multi_info_read(v->multi, &left))) {
    struct work *w;
    CURLcode rc = msg->data.result;
    CURL *e = msg->easy_handle;
    double since;
    curl_easy_getinfo(e, CURLINFO_PRIVATE, &w);
    curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &status);
    if(rc || status != 200 || w->got != chunks * CHUNK)
      if(!(*bad)++)
        fprintf(stderr, "transfer %ld: %s, status %ld, %u bytes\n", (long)(w - all),
                curl_easy_strerror(rc), status, w->got);
    since = processor_now();
    curl_multi_remove_handle(v->multi, e);
    note(2, since);
    curl_easy_cleanup(e);
    done++;
  }
  return done;
}

static long resident_kb(void)
{
  char line[200];
  long kb = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while(f && fgets(line, sizeof line, f))
    if(!strncmp(line, "RssAnon:", 8))
      kb = atol(line + 8);
  if(f)
    fclose(f);
  return kb;
}

struct moment {
  double user, system, clock;
};

static struct moment moment_now(void)
{
  struct moment m = {bench_user(), bench_system(), bench_clock()};
  return m;
}

static void say(const char *name, struct moment from, long long events)
{
  struct moment to = moment_now();
  printf("%s user=%.3f system=%.3f clock=%.3f events=%lld\n", name, to.user - from.user,
         to.system - from.system, to.clock - from.clock, events);
}

int main(int argc, char **argv)
{
  long count = argc > 5 ? atol(argv[3]) : 0, done = 0, bad = 0, before;
  int servers = argc > 5 ? atoi(argv[2]) : 0;
  unsigned chunks = argc > 5 ? (unsigned)atoi(argv[5]) : 0;
  struct count begin, at;
  struct moment from;
  struct events v;
  char line[16];
  if(count < 1 || servers < 1 || chunks < 2)
    return 2;
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  all = calloc((size_t)count, sizeof *all);
  if(!all)
    return 2;
  events_open(&v, atol(argv[4]));
  curl_multi_setopt(v.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, atol(argv[4]));
  curl_multi_setopt(v.multi, CURLMOPT_MAX_HOST_CONNECTIONS, atol(argv[4]) / servers);
  begin = bench_count();
  before = resident_kb();
  from = moment_now();
  add_all(&v, count, atoi(argv[1]), servers, argv + 6);
  while(started < count && !bad) {
    turn(&v);
    done += finished(&v, chunks, &bad);
  }
  say("start", from, started);
  at = bench_count();
  printf("memory bytes=%.1f resident_kb=%ld\n", (double)(at.live - begin.live) / (double)count,
         resident_kb() - before);
  puts("started");
  if(!fgets(line, sizeof line, stdin))
    return 1;
  from = moment_now();
  chunks_got = 0;
  while(done < count) {
    turn(&v);
    done += finished(&v, chunks, &bad);
  }
  say("run", from, chunks_got);
  printf("longest action_ms=%.3f add_ms=%.3f remove_ms=%.3f\n", longest[0] * 1e3, longest[1] * 1e3,
         longest[2] * 1e3);
  printf("result done=%ld bad=%ld wrong=%lld\n", done, bad, wrong);
  curl_multi_cleanup(v.multi);
  curl_global_cleanup();
  return bad || wrong;
}
