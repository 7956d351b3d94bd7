/* soak SECONDS SEED AT_ONCE KIND=URL...: transfers of every kind for so many seconds, AT_ONCE at a time, on
 * one multi handle. In each of PERIODS it lets all of them end and prints what the process holds: memory,
 * descriptors, and how many allocations a transfer took. It ends with 1 if the last third of the periods
 * holds more than the middle third, or if a transfer ended otherwise than its kind may. At its end it prints
 * a line for each kind and for each reason of a wrong end. h3_soak.py runs it.
 *
 * Kinds: get     a whole response                  pause  the same, paused in its first bytes for some rounds
 *        put     an upload to URL and the slot's   back   reads that upload again, after each put (no job)
 *                number, where the server keeps    echo   an upload that is its own response
 *                it                                fail   whatever the server makes of it
 *        abort   ended by the write callback       leave  removed after some rounds
 *
 * Each upload has bytes of its own, and each byte that comes back is compared.
 *
 * A handle is reset, freed and made again, or used as it is, by the seed. With tests/preload allocations are
 * counted.
 *
 * Environment: SOAK_CA=file; SOAK_VERSION: CURLOPT_HTTP_VERSION. */
#include <curl/curl.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../preload/preload.h"

#define PERIODS    12
#define UPLOAD     200000L
#define SLOTS_MOST 500
#define CONNECTION 115000 /* bytes of one, its TLS included */

#define URL_MOST   200

enum kind { GET, PAUSE, PUT, BACK, ECHO, FAIL, ABORT, LEAVE, KINDS };
static const char *const kind_names[KINDS] = {"get",  "pause", "put",   "back",
                                              "echo", "fail",  "abort", "leave"};

struct slot {
  CURL *easy;
  enum kind kind;
  char url[URL_MOST];
  long sent, taken; /* bytes of the body */
  unsigned salt;    /* makes its upload differ from others */
  int differs;      /* a byte of the upload came back as another */
  int stored;       /* the server has the upload, which is to be read again */
  int rounds; /* until it goes on, or leaves */
  int running;
  char error[CURL_ERROR_SIZE];
};

/* What is held at the end of a period. */
struct held {
  long live; /* bytes of the library's blocks, but for what connections have; 0: they are not counted */
  long resident; /* bytes */
  long descriptors;
  double each; /* allocations of a transfer */
};

static char **jobs;
static int job_count;
static unsigned long long seed;
static CURLM *multi;
static struct slot slots[SLOTS_MOST];
static long transfers, wrong;

/* Of a kind: how many ended, the longest of those that ended as they may, and the others by their code. */
static struct tally {
  long ended;
  double slowest; /* seconds */
  long wrong[CURL_LAST + 1]; /* [CURL_LAST]: another status, or other bytes */
} tallies[KINDS];

static unsigned draw(unsigned n)
{
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(seed >> 33) % n;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- a transfer ---- */

static char byte_of(const struct slot *s, long at)
{
  return (char)(at * 7 + (at >> 8) + s->salt);
}

static int uploads(const struct slot *s)
{
  return s->kind == PUT || s->kind == ECHO;
}

static int brings_upload(const struct slot *s)
{
  return s->kind == BACK || s->kind == ECHO;
}

static size_t take(char *p, size_t size, size_t n, void *user)
{
  struct slot *s = user;
  size_t i;
  if(s->kind == ABORT)
    return 0;
  if(s->kind == PAUSE && !s->rounds) {
    s->rounds = 1 + (int)draw(20);
    return CURL_WRITEFUNC_PAUSE;
  }
  for(i = 0; brings_upload(s) && i < size * n; i++)
    s->differs |= p[i] != byte_of(s, s->taken + (long)i);
  s->taken += (long)(size * n);
  return size * n;
}

static size_t give(char *p, size_t size, size_t n, void *user)
{
  struct slot *s = user;
  size_t most = size * n < (size_t)(UPLOAD - s->sent) ? size * n : (size_t)(UPLOAD - s->sent);
  size_t i;
  for(i = 0; i < most; i++)
    p[i] = byte_of(s, s->sent + (long)i);
  s->sent += (long)most;
  return most;
}

static int rewind_upload(void *user, curl_off_t offset, int origin)
{
  (void)origin;
  ((struct slot *)user)->sent = (long)offset;
  return CURL_SEEKFUNC_OK;
}

static void prepare(struct slot *s)
{
  const char *version = getenv("SOAK_VERSION");
  curl_easy_setopt(s->easy, CURLOPT_PRIVATE, s);
  curl_easy_setopt(s->easy, CURLOPT_ERRORBUFFER, s->error);
  curl_easy_setopt(s->easy, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(s->easy, CURLOPT_WRITEDATA, s);
  curl_easy_setopt(s->easy, CURLOPT_READFUNCTION, give);
  curl_easy_setopt(s->easy, CURLOPT_READDATA, s);
  curl_easy_setopt(s->easy, CURLOPT_SEEKFUNCTION, rewind_upload);
  curl_easy_setopt(s->easy, CURLOPT_SEEKDATA, s);
  curl_easy_setopt(s->easy, CURLOPT_CAINFO, getenv("SOAK_CA"));
  curl_easy_setopt(s->easy, CURLOPT_HTTP_VERSION, version ? atol(version) : (long)CURL_HTTP_VERSION_3ONLY);
  curl_easy_setopt(s->easy, CURLOPT_PIPEWAIT, 1L);
}

/* What was stored is read again, else a job is drawn. */
static void choose(struct slot *s)
{
  const char *job = jobs[draw((unsigned)job_count)], *url = strchr(job, '=') + 1;
  s->sent = s->taken = 0;
  s->differs = 0;
  s->kind = BACK;
  if(s->stored) {
    s->stored = 0;
    return;
  }
  for(s->kind = GET; strncmp(kind_names[s->kind], job, strlen(kind_names[s->kind])); s->kind++)
    ;
  s->salt = draw(256);
  if(s->kind == PUT)
    snprintf(s->url, sizeof s->url, "%s%d", url, (int)(s - slots));
  else
    snprintf(s->url, sizeof s->url, "%s", url);
}

static void begin(struct slot *s)
{
  choose(s);
  switch(s->easy ? draw(4) : 0) {
  case 0:
    curl_easy_cleanup(s->easy);
    s->easy = curl_easy_init();
    prepare(s);
    break;
  case 1:
    curl_easy_reset(s->easy);
    prepare(s);
    break;
  default:
    break;
  }
  s->rounds = s->kind == LEAVE ? 1 + (int)draw(10) : 0;
  curl_easy_setopt(s->easy, CURLOPT_URL, s->url);
  /* All transfers of the lossy path share a connection and its congestion window: 31 s were seen. */
  curl_easy_setopt(s->easy, CURLOPT_TIMEOUT, strstr(s->url, "/harmed-") ? 180L : 60L);
  curl_easy_setopt(s->easy, CURLOPT_UPLOAD, uploads(s) ? 1L : 0L);
  curl_easy_setopt(s->easy, CURLOPT_INFILESIZE, uploads(s) ? UPLOAD : -1L);
  if(!uploads(s))
    curl_easy_setopt(s->easy, CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(s->easy, CURLOPT_FRESH_CONNECT, draw(50) ? 0L : 1L);
  s->running = !curl_multi_add_handle(multi, s->easy);
}

/* After an end that its kind may have: are status and bytes what they should be? */
static int is_whole(const struct slot *s)
{
  long status = 0;
  if(s->kind == FAIL || s->kind == ABORT)
    return 1;
  curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &status);
  return status / 100 == 2 && (!brings_upload(s) || (s->taken == UPLOAD && !s->differs));
}

static void judge(struct slot *s, CURLcode rc)
{
  struct tally *t = &tallies[s->kind];
  int ended = s->kind == FAIL || rc == (s->kind == ABORT ? CURLE_WRITE_ERROR : CURLE_OK);
  double took = 0;
  transfers++;
  t->ended++;
  if(ended && is_whole(s)) {
    curl_easy_getinfo(s->easy, CURLINFO_TOTAL_TIME, &took);
    t->slowest = took > t->slowest ? took : t->slowest;
    s->stored = s->kind == PUT;
    return;
  }
  wrong++;
  t->wrong[ended || rc > CURL_LAST ? CURL_LAST : rc]++;
  fprintf(stderr, "wrong: %s ended with %d %s, %ld bytes%s\n", kind_names[s->kind], (int)rc, s->error,
          s->taken, s->differs ? " that differ" : "");
}

static void end(struct slot *s)
{
  curl_multi_remove_handle(multi, s->easy);
  s->running = 0;
}

/* Those that are paused go on, and those that leave do, after their rounds. */
static void pass_round(struct slot *s)
{
  if(!s->running || s->rounds <= 0 || --s->rounds)
    return;
  if(s->kind == LEAVE) {
    end(s);
    transfers++;
    tallies[LEAVE].ended++;
    return;
  }
  s->rounds = -1;
  curl_easy_pause(s->easy, CURLPAUSE_CONT);
}

/* Returns how many are running. */
static int turn(int at_once, int more)
{
  struct slot *s;
  CURLMsg *msg;
  int left, i, running = 0;
  for(i = 0; i < at_once; i++) {
    pass_round(&slots[i]);
    if(!slots[i].running && (more || slots[i].stored))
      begin(&slots[i]);
    running += slots[i].running;
  }
  curl_multi_perform(multi, &left);
  while((msg = curl_multi_info_read(multi, &left))) {
    CURLcode rc = msg->data.result;
    curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, (char **)&s);
    judge(s, rc);
    end(s);
  }
  curl_multi_poll(multi, NULL, 0, 5, &left);
  return running;
}

/* What was sent last is held until its acknowledgement comes. */
static void settle(int at_once)
{
  double until = now() + 0.3;
  while(now() < until)
    (void)turn(at_once, 0);
}

/* ---- what is held ---- */

static long descriptors(void)
{
  DIR *d = opendir("/proc/self/fd");
  long n = 0;
  while(d && readdir(d))
    n++;
  if(d)
    closedir(d);
  return n;
}

static long resident(void)
{
  FILE *f = fopen("/proc/self/statm", "r");
  long all, pages = 0;
  if(f && fscanf(f, "%ld %ld", &all, &pages) != 2)
    pages = 0;
  if(f)
    fclose(f);
  return pages * sysconf(_SC_PAGESIZE);
}

static struct held look(long calls_before, long transfers_before, long *calls)
{
  void (*count_now)(struct count *) = NULL;
  struct count c;
  struct held h = {0, resident(), descriptors(), 0};
  memset(&c, 0, sizeof c);
  *(void **)(&count_now) = dlsym(RTLD_DEFAULT, "mote_count_now");
  if(count_now)
    count_now(&c);
  *calls = c.calls;
  h.live = c.live ? c.live - CONNECTION * h.descriptors : 0;
  h.each = transfers > transfers_before
             ? (double)(c.calls - calls_before) / (double)(transfers - transfers_before)
             : 0;
  return h;
}

static int grew(const char *what, double before, double after, double more, double slack)
{
  if(after <= before * more + slack)
    return 0;
  printf("grew: %s from %.0f to %.0f\n", what, before, after);
  return 1;
}

/* The most of each, and the mean of allocations. */
static struct held most(const struct held *from, int n)
{
  struct held m = {from[0].live, 0, 0, 0};
  for(int i = 0; i < n; i++) {
    m.live = from[i].live > m.live ? from[i].live : m.live;
    m.resident = from[i].resident > m.resident ? from[i].resident : m.resident;
    m.descriptors = from[i].descriptors > m.descriptors ? from[i].descriptors : m.descriptors;
    m.each += from[i].each / n;
  }
  return m;
}

/* at_once: so many connections more or less may be kept at the end of a period. */
static int is_flat(const struct held *all, int at_once)
{
  struct held middle = most(all + PERIODS / 3, PERIODS / 3), last = most(all + 2 * PERIODS / 3, PERIODS / 3);
  return !(
    grew("live bytes", (double)middle.live, (double)last.live, 1, 3 * CONNECTION) |
    (last.live && /* a sanitizer keeps what is freed */
     grew("resident bytes", (double)middle.resident, (double)last.resident, 1.03, at_once * CONNECTION)) |
    grew("descriptors", (double)middle.descriptors, (double)last.descriptors, 1, at_once) |
    grew("allocations of a transfer", middle.each, last.each, 1.1, 60));
}

static void summarize(const struct held *start, const struct held *last)
{
  int kind, code;
  printf("transfers: %ld, wrong: %ld\n", transfers, wrong);
  for(kind = 0; kind < KINDS; kind++)
    if(tallies[kind].ended)
      printf("  %-5s %8ld, slowest %.1f s\n", kind_names[kind], tallies[kind].ended, tallies[kind].slowest);
  for(kind = 0; kind < KINDS; kind++)
    for(code = 0; code <= CURL_LAST; code++)
      if(tallies[kind].wrong[code])
        printf("  wrong: %s %ld times: %s\n", kind_names[kind], tallies[kind].wrong[code],
               code == CURL_LAST ? "another status or other bytes" : curl_easy_strerror((CURLcode)code));
  printf("descriptors: %ld at the beginning, %ld at the end\n", start->descriptors, last->descriptors);
  printf("resident bytes: %ld at the beginning, %ld at the end\n", start->resident, last->resident);
}

int main(int argc, char **argv)
{
  struct held held[PERIODS], start;
  long calls = 0;
  int at_once, i;
  if(argc < 5) {
    fprintf(stderr, "usage: soak SECONDS SEED AT_ONCE KIND=URL...\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  seed = strtoull(argv[2], NULL, 10);
  at_once = atoi(argv[3]) < SLOTS_MOST ? atoi(argv[3]) : SLOTS_MOST;
  jobs = argv + 4;
  job_count = argc - 4;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  multi = curl_multi_init();
  start = look(0, 0, &calls);
  for(i = 0; i < PERIODS; i++) {
    double until = now() + atof(argv[1]) / PERIODS;
    long before = transfers, calls_before = calls;
    while(now() < until)
      (void)turn(at_once, 1);
    while(turn(at_once, 0))
      ;
    settle(at_once);
    held[i] = look(calls_before, before, &calls);
    printf("period %d: transfers %ld wrong %ld live %ld resident %ld descriptors %ld allocations %.1f\n",
           i + 1, transfers, wrong, held[i].live, held[i].resident, held[i].descriptors, held[i].each);
  }
  for(i = 0; i < at_once; i++)
    curl_easy_cleanup(slots[i].easy);
  curl_multi_cleanup(multi);
  curl_global_cleanup();
  summarize(&start, &held[PERIODS - 1]);
  return is_flat(held, at_once) && !wrong ? 0 : 1;
}
