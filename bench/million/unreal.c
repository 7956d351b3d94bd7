/* unreal TRANSFERS CHUNKS: downloads in progress at the same time over as many connections of HTTP/1.1, in a
 * world without a kernel (src/port/sim), where a process may have a million sockets. million.h says what the
 * server answers; it sends a chunk to every transfer in each second of simulated time.
 *
 * The library runs as it is, on another port. What it takes is what it asks its allocator for. Processor time
 * has the world's part in it, and is no measure of the library's. */
#include <curl/curl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "million.h"
#include "port/addr.h"
#include "port/port.h"
#include "port/sim/sim.h"

#define HOST "10.0.0.1"
#define BATCH 10000 /* transfers that are added before their connections get a turn */

_Noreturn void mote_sim_broken(const char *rule)
{
  fprintf(stderr, "unreal: a rule is broken: %s\n", rule);
  exit(1);
}

/* ---- the library's memory ---- */

static size_t held; /* bytes, as large as malloc made them */

static void *unreal_malloc(size_t size)
{
  void *p = malloc(size);
  held += malloc_usable_size(p);
  return p;
}

static void unreal_free(void *p)
{
  held -= malloc_usable_size(p);
  free(p);
}

static void *unreal_realloc(void *p, size_t size)
{
  held -= malloc_usable_size(p);
  p = realloc(p, size);
  held += malloc_usable_size(p);
  return p;
}

static char *unreal_strdup(const char *s)
{
  char *p = unreal_malloc(strlen(s) + 1);
  return p ? strcpy(p, s) : NULL;
}

static void *unreal_calloc(size_t n, size_t size)
{
  void *p = calloc(n, size);
  held += malloc_usable_size(p);
  return p;
}

/* ---- the server ---- */

static unsigned long chunks;
static mote_time round_at; /* of the next chunk; 0: not all transfers have begun */

struct answer {
  unsigned long number, sent; /* sent: chunks */
};

static void send_chunk(struct mote_sim_peer *p, struct answer *a, const char *head)
{
  char out[128], chunk[CHUNK + 1];
  size_t n = (size_t)snprintf(out, sizeof out, "%s", head);
  million_chunk(chunk, a->number);
  memcpy(out + n, chunk, CHUNK);
  if(mote_sim_peer_write(p, out, n + CHUNK) != n + CHUNK)
    mote_sim_broken("a chunk fits");
  a->sent++;
}

static void readable(struct mote_sim_peer *p)
{
  struct answer *a = mote_sim_peer_state(p);
  char in[512], head[96];
  size_t n = mote_sim_peer_read(p, in, sizeof in - 1);
  if(!n) {
    mote_sim_peer_close(p);
    return;
  }
  in[n] = 0;
  if(sscanf(in, "GET /%lu ", &a->number) != 1)
    mote_sim_broken("a request in one piece");
  snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %lu\r\n\r\n", chunks * CHUNK);
  send_chunk(p, a, head);
  mote_sim_peer_wait(p, MOTE_SECOND);
}

static void due(struct mote_sim_peer *p)
{
  struct answer *a = mote_sim_peer_state(p);
  mote_time now = mote_port_now();
  if(round_at && now >= round_at)
    send_chunk(p, a, "");
  if(a->sent < chunks)
    mote_sim_peer_wait(p, MOTE_SECOND - now % MOTE_SECOND); /* all at the same moment */
}

static const struct mote_sim_service service = {
  .state = sizeof(struct answer), .readable = readable, .due = due,
};

/* ---- the program ---- */

struct work {
  CURL *e;
  unsigned got; /* bytes */
};

static struct work *all;
static long started, wrong, events;
static struct curl_waitfd *watched; /* by descriptor */
static unsigned watched_end;        /* above the highest */
static long timer_ms;               /* what the library wants to be called after; -1: not at all */
static double longest;              /* seconds of processor time of one call */

static double processor_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t take(char *p, size_t size, size_t n, void *user)
{
  struct work *w = user;
  size_t len = size * n;
  wrong += million_wrong(p, len, (unsigned long)(w - all), w->got);
  started += !w->got;
  w->got += (unsigned)len;
  return len;
}

static int on_socket(CURL *e, curl_socket_t s, int what, void *user, void *assigned)
{
  (void)e;
  (void)user;
  (void)assigned;
  watched[s].fd = what == CURL_POLL_REMOVE ? -1 : s;
  watched[s].events = (short)((what & CURL_POLL_IN ? CURL_WAIT_POLLIN : 0) |
                              (what & CURL_POLL_OUT ? CURL_WAIT_POLLOUT : 0));
  if((unsigned)s >= watched_end)
    watched_end = (unsigned)s + 1;
  return 0;
}

static int on_timer(CURLM *m, long ms, void *user)
{
  (void)m;
  (void)user;
  timer_ms = ms;
  return 0;
}

static void act(CURLM *m, curl_socket_t s, int what)
{
  double since = processor_now();
  int running;
  curl_multi_socket_action(m, s, what, &running);
  since = processor_now() - since;
  longest = since > longest ? since : longest;
  events++;
}

/* Waits once, until then at the latest, and hands over what is ready. */
static void turn(CURLM *m, mote_time until)
{
  unsigned i;
  while(!timer_ms) {
    timer_ms = -1;
    act(m, CURL_SOCKET_TIMEOUT, 0);
  }
  if(!mote_sim_wait(watched, watched_end, until))
    return;
  for(i = 0; i < watched_end; i++)
    if(watched[i].fd >= 0 && watched[i].revents)
      act(m, (curl_socket_t)i, (watched[i].revents & CURL_WAIT_POLLIN ? CURL_CSELECT_IN : 0) |
                                 (watched[i].revents & CURL_WAIT_POLLOUT ? CURL_CSELECT_OUT : 0));
}

static void add(CURLM *m, long i)
{
  struct work *w = &all[i];
  char url[64];
  w->e = curl_easy_init();
  snprintf(url, sizeof url, "http://" HOST "/%ld", i);
  curl_easy_setopt(w->e, CURLOPT_URL, url);
  curl_easy_setopt(w->e, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(w->e, CURLOPT_WRITEDATA, w);
  curl_easy_setopt(w->e, CURLOPT_PRIVATE, w);
  if(curl_multi_add_handle(m, w->e))
    exit(1);
}

static long take_ends(CURLM *m, long *bad)
{
  CURLMsg *msg;
  int left;
  long done = 0;
  while((msg = curl_multi_info_read(m, &left))) {
    struct work *w;
    CURL *e = msg->easy_handle;
    curl_easy_getinfo(e, CURLINFO_PRIVATE, &w);
    *bad += msg->data.result || w->got != chunks * CHUNK;
    curl_multi_remove_handle(m, e);
    curl_easy_cleanup(e);
    done++;
  }
  return done;
}

static CURLM *begin(long count)
{
  struct mote_addr at = {.family = MOTE_FAMILY_IP4, .ip = {10, 0, 0, 1}, .port = 80};
  CURLM *m;
  long i;
  mote_sim_begin(1);
  mote_sim_weather()->new_numbers = 1;
  mote_sim_weather()->window = 512;
  mote_sim_listen(&at, &service, NULL);
  curl_global_init_mem(CURL_GLOBAL_DEFAULT, unreal_malloc, unreal_free, unreal_realloc, unreal_strdup,
                       unreal_calloc);
  all = calloc((size_t)count, sizeof *all);
  watched = calloc(SIM_DESCRIPTORS, sizeof *watched);
  for(i = 0; i < SIM_DESCRIPTORS; i++)
    watched[i].fd = -1;
  timer_ms = -1;
  m = curl_multi_init();
  curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(m, CURLMOPT_MAXCONNECTS, 1L);
  return m;
}

int main(int argc, char **argv)
{
  long count = argc > 2 ? atol(argv[1]) : 0, done = 0, bad = 0, i;
  double processor;
  size_t before;
  CURLM *m;
  chunks = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
  if(count < 1 || count > SIM_DESCRIPTORS - 100 || chunks < 2)
    return 2;
  m = begin(count);
  before = held;
  processor = processor_now();
  for(i = 0; i < count; i++) {
    add(m, i);
    if(!((i + 1) % BATCH))
      turn(m, mote_port_now());
  }
  while(started < count && !bad) {
    turn(m, mote_port_now() + MOTE_SECOND);
    done += take_ends(m, &bad);
  }
  printf("start processor=%.3f\n", processor_now() - processor);
  printf("memory bytes=%.1f\n", (double)(held - before) / (double)count);
  round_at = mote_port_now() + 1;
  processor = processor_now();
  events = 0;
  while(done < count && !bad) {
    turn(m, mote_port_now() + 10 * MOTE_SECOND);
    done += take_ends(m, &bad);
  }
  printf("run processor=%.3f events=%ld\n", processor_now() - processor, events);
  curl_multi_cleanup(m);
  curl_global_cleanup();
  printf("result done=%ld bad=%ld wrong=%ld longest_ms=%.3f left_open=%u held=%zu\n", done, bad, wrong,
         longest * 1e3, mote_sim_end(), held);
  free(all);
  free(watched);
  return bad || wrong;
}
