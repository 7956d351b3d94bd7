/* commands.c: the commands about handles, multis and shares. */
#include "driver.h"
#include "system.h"
#include "torture.h"
#include "triggers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* where a command that lacks its object is given up, when calls fail on purpose */
jmp_buf given_up;

struct handle *need(struct field *f)
{
  struct handle *h = handle_find(f->bytes);
  if(!h && torture) {
    log_code("nohandle", f->bytes, "", 0);
    longjmp(given_up, 1);
  }
  if(!h) {
    fprintf(stderr, "driver: no handle named %s\n", f->bytes);
    _exit(2);
  }
  return h;
}

struct multi *need_multi(const char *name)
{
  struct multi *m = multi_find(name);
  if(!m)
    m = multi_new(name, default_way);
  if(!m && torture) {
    log_code("nomulti", name, "", 0);
    longjmp(given_up, 1);
  }
  return m;
}

static void cmd_easy(struct field *f, int n)
{
  CURL *e = curl_easy_init();
  (void)n;
  if(!e) {
    log_code("noeasy", f[1].bytes, "", 0);
    return;
  }
  callbacks_install(handle_new(f[1].bytes, e));
}

static void cmd_dup(struct field *f, int n)
{
  struct handle *from = tolerant ? handle_find(f[1].bytes) : need(&f[1]);
  CURL *e = from ? curl_easy_duphandle(from->easy) : NULL;
  (void)n;
  if(!e) {
    log_code("noeasy", f[2].bytes, "", 0);
    return;
  }
  struct handle *h = handle_new(f[2].bytes, e);
  h->source = from->source;
  h->trailers = from->trailers;
  callbacks_install(h);
}

static void cmd_reset(struct field *f, int n)
{
  struct handle *h = need(&f[1]);
  (void)n;
  curl_easy_reset(h->easy);
  callbacks_install(h);
}

static void cmd_setopt(struct field *f, int n)
{
  struct handle *h = handle_find(f[1].bytes);
  if(!h) {
    log_code("nohandle", f[1].bytes, "setopt", 0);
    return;
  }
  CURLcode rc = option_set(h, f, n);
  if(rc) {
    h->spoilt = tolerant || (torture && rc == CURLE_OUT_OF_MEMORY);
    log_code("setopt", h->name, f[2].bytes, rc);
  }
}

static void cmd_enable(struct field *f, int n)
{
  struct handle *h = handle_find(f[1].bytes);
  for(int i = 2; h && i < n; i++) {
    if(!strcmp(f[i].bytes, "debugprint"))
      h->debug_print = 1;
    else if(!strcmp(f[i].bytes, "quiet"))
      h->quiet = 1;
    else if(!strcmp(f[i].bytes, "wsmeta"))
      h->ws_meta = 1;
    else if(!callbacks_enable(h, f[i].bytes))
      violation("unknown callback", f[i].bytes, 0);
  }
}

/* on NAME EVENT call|bytes|every N ACTION ARG... */
static void cmd_on(struct field *f, int n)
{
  struct handle *h = need(&f[1]);
  struct trigger *t = &h->triggers[h->ntriggers++];
  memset(t, 0, sizeof *t);
  t->event = (enum event)event_by_name(f[2].bytes);
  t->by_bytes = !strcmp(f[3].bytes, "every") ? -1 : !strcmp(f[3].bytes, "bytes");
  t->at = strtoull(f[4].bytes, NULL, 0);
  snprintf(t->action, sizeof t->action, "%s", f[5].bytes);
  for(int i = 6; i < n && i < 10; i++) {
    t->arg[t->nargs].len = f[i].len;
    t->arg[t->nargs].bytes = malloc(f[i].len + 1);
    memcpy(t->arg[t->nargs++].bytes, f[i].bytes, f[i].len + 1);
  }
}

static void cmd_calm(struct field *f, int n)
{
  (void)n;
  struct handle *h = need(&f[1]);
  for(int i = 0; i < h->ntriggers; i++)
    h->triggers[i].fired = 1, h->triggers[i].by_bytes = 0;
}

/* body NAME bytes DATA CHUNK | body NAME pattern LEN CHUNK */
static void cmd_body(struct field *f, int n)
{
  struct handle *h = handle_find(f[1].bytes);
  struct source *s;
  if(!h)
    return;
  s = &h->source;
  memset(s, 0, sizeof *s);
  if(!strcmp(f[2].bytes, "bytes")) {
    s->len = f[3].len;
    s->bytes = keep_copy(f[3].bytes, f[3].len);
  }
  else
    s->len = strtoull(f[3].bytes, NULL, 0);
  s->chunk = n > 4 ? strtoul(f[4].bytes, NULL, 0) : 0;
}

struct goal {
  int n;
  struct handle **handles;
  struct multi *m;
  const char *kind;
  int event;
  unsigned long long at;
};

static int all_done(void *arg)
{
  struct goal *g = arg;
  for(int i = 0; i < g->n; i++)
    if(!g->handles[i]->done)
      return 0;
  return 1;
}

static void cmd_perform(struct field *f, int n)
{
  struct goal g = {0};
  struct handle *list[MAX_FIELDS];
  g.handles = list;
  for(int i = 1; i < n; i++) {
    struct handle *h = handle_find(f[i].bytes);
    if(h && !h->spoilt)
      list[g.n++] = h;
    else
      log_code("nohandle", f[i].bytes, "perform", 0);
  }
  if(default_way == WAY_EASY) {
    for(int i = 0; i < g.n; i++) {
      transfer_begin(list[i]);
      CURLcode rc = curl_easy_perform(list[i]->easy);
      transfer_log(list[i], rc);
    }
    return;
  }
  g.m = need_multi("default");
  if(!g.m) {
    log_code("nomulti", "default", "", 0);
    return;
  }
  for(int i = 0; i < g.n; i++) {
    CURLMcode rc = multi_add(g.m, list[i]);
    if(rc) {
      log_code("mcode", list[i]->name, "add", rc);
      list[i]->done = 1;
    }
  }
  if(!multi_drive(g.m, all_done, &g, 1e6) && !torture)
    violation("perform did not end", g.m->name, 0);
}

static void cmd_add(struct field *f, int n)
{
  struct multi *m = need_multi(f[1].bytes);
  for(int i = 2; i < n; i++) {
    struct handle *h = need(&f[i]);
    CURLMcode rc = h->spoilt ? CURLM_OK : multi_add(m, h);
    if(rc)
      log_code("mcode", f[i].bytes, "add", rc);
  }
}

static void cmd_remove(struct field *f, int n)
{
  struct multi *m = need_multi(f[1].bytes);
  for(int i = 2; i < n; i++)
    log_code("mcode", f[i].bytes, "remove", multi_remove(m, need(&f[i])));
}

static int goal_met(void *arg)
{
  struct goal *g = arg;
  struct handle *h = g->handles[0];
  if(torture && h && !h->multi)
    return 1; /* what should have attached it failed: nothing will come */
  if(!strcmp(g->kind, "all"))
    return g->m->attached == 0;
  if(!strcmp(g->kind, "stdin")) {
    if(!g->m->attached)
      script_idle();
    return script_line_ready();
  }
  if(!strcmp(g->kind, "for"))
    return 0;
  if(!strcmp(g->kind, "done"))
    return h->done;
  if(!strcmp(g->kind, "paused"))
    return h->paused_read || h->paused_write || h->done;
  if(!strcmp(g->kind, "calls"))
    return h->calls[g->event] >= g->at || h->done;
  if(!strcmp(g->kind, "bytes"))
    return h->bytes[g->event] >= g->at || h->done;
  return 1;
}

/* drive M all|stdin | for MS | done H | paused H | calls H EVENT N | bytes H EVENT N */
static void cmd_drive(struct field *f, int n)
{
  struct goal g = {0};
  struct handle *h = NULL;
  double seconds = 1e6;
  g.handles = &h;
  g.m = need_multi(f[1].bytes);
  g.kind = f[2].bytes;
  if(!strcmp(g.kind, "for"))
    seconds = atof(f[3].bytes) / 1000;
  else if(n > 3)
    h = need(&f[3]);
  if(n > 5) {
    g.event = event_by_name(f[4].bytes);
    g.at = strtoull(f[5].bytes, NULL, 0);
  }
  script_watch = !strcmp(g.kind, "stdin");
  g.m->loops = 0;
  multi_drive(g.m, goal_met, &g, seconds);
  script_watch = 0;
  log_code("loops", g.m->name, g.kind, (long long)g.m->loops);
}

static void cmd_msetopt(struct field *f, int n)
{
  static const struct {
    const char *name;
    int id;
  } options[] = {{"PIPELINING", 3}, {"MAXCONNECTS", 6}, {"MAX_HOST_CONNECTIONS", 7},
                 {"MAX_TOTAL_CONNECTIONS", 13}, {"MAX_CONCURRENT_STREAMS", 16}, {"NETWORK_CHANGED", 17},
                 {"BAD", 9999}};
  struct multi *m = need_multi(f[1].bytes);
  (void)n;
  for(size_t i = 0; i < sizeof options / sizeof *options; i++)
    if(!strcmp(options[i].name, f[2].bytes)) {
      CURLMcode rc = curl_multi_setopt(m->multi, (CURLMoption)options[i].id, strtol(f[3].bytes, NULL, 0));
      log_code("mcode", m->name, f[2].bytes, rc);
      return;
    }
  violation("unknown multi option", f[2].bytes, 0);
}

static void cmd_multi(struct field *f, int n)
{
  int way = n > 2 ? way_by_name(f[2].bytes) : (int)default_way;
  if(!multi_new(f[1].bytes, (enum way)way))
    log_code("nomulti", f[1].bytes, "", 0);
}

static void cmd_mcleanup(struct field *f, int n)
{
  struct multi *m = multi_find(f[1].bytes);
  (void)n;
  if(m)
    multi_free(m);
}

static void cmd_cleanup(struct field *f, int n)
{
  for(int i = 1; i < n; i++) {
    struct handle *h = handle_find(f[i].bytes);
    if(h)
      handle_free(h);
  }
}

static void cmd_getinfo(struct field *f, int n)
{
  struct handle *h = handle_find(f[1].bytes);
  for(int i = 2; h && i < n; i++)
    info_log(h, f[i].bytes);
}

/* headers NAME ORIGIN REQUEST: every header that curl_easy_nextheader gives */
static void cmd_headers(struct field *f, int n)
{
  struct handle *h = need(&f[1]);
  unsigned origin = (unsigned)atoi(f[2].bytes);
  struct curl_header *p = NULL;
  (void)n;
  while((p = curl_easy_nextheader(h->easy, origin, atoi(f[3].bytes), p))) {
    log_begin("nextheader");
    log_text(h->name);
    log_text(p->name);
    log_text(p->value);
    log_num((long long)p->amount);
    log_num((long long)p->index);
    log_num(p->origin & 31); /* the manual: more bits may be set */
    log_end();
  }
}

/* getheader NAME HEADER INDEX ORIGIN REQUEST */
static void cmd_getheader(struct field *f, int n)
{
  struct handle *h = need(&f[1]);
  struct curl_header *p = NULL;
  (void)n;
  CURLHcode rc = curl_easy_header(h->easy, f[2].bytes, strtoul(f[3].bytes, NULL, 0),
                                  (unsigned)atoi(f[4].bytes), atoi(f[5].bytes), &p);
  log_begin("getheader");
  log_text(h->name);
  log_text(f[2].bytes);
  log_num(rc);
  if(!rc) {
    log_text(p->value);
    log_num((long long)p->amount);
    log_num((long long)p->index);
  }
  log_end();
}

static void cmd_pause(struct field *f, int n)
{
  struct handle *h = need(&f[1]);
  int bits = atoi(f[2].bytes);
  (void)n;
  h->paused_write = bits & CURLPAUSE_RECV ? h->paused_write : 0;
  h->paused_read = bits & CURLPAUSE_SEND ? h->paused_read : 0;
  log_code("pause", h->name, f[2].bytes, curl_easy_pause(h->easy, bits));
}

static void cmd_share(struct field *f, int n)
{
  (void)n;
  if(!share_new(f[1].bytes))
    log_code("noshare", f[1].bytes, "", 0);
}

static void cmd_shcleanup(struct field *f, int n)
{
  (void)n;
  log_code("shcode", f[1].bytes, "cleanup", share_free(f[1].bytes));
}

static void cmd_mtimeout(struct field *f, int n)
{
  struct multi *m = need_multi(f[1].bytes);
  long ms = -2;
  (void)n;
  log_code("mcode", m->name, "timeout", curl_multi_timeout(m->multi, &ms));
  log_code("mtimeout", m->name, "", ms);
}

/* what the socket callback has asked for of connections, CURL_POLL_*, all together: not of a wake-up */
static void cmd_watched(struct field *f, int n)
{
  struct multi *m = need_multi(f[1].bytes);
  struct sockaddr_in peer;
  int what = 0;
  (void)n;
  for(int i = 0; i < m->nwatched; i++) {
    socklen_t size = sizeof peer;
    if(!getpeername(m->watched[i].fd, (struct sockaddr *)&peer, &size) && peer.sin_family == AF_INET)
      what |= m->watched[i].what;
  }
  log_code("watched", m->name, "", what);
}

static void cmd_hosts(struct field *f, int n)
{
  need(&f[1])->hosts = list_of(f + 2, n - 2);
}

static void cmd_verifylater(struct field *f, int n)
{
  (void)n;
  need(&f[1])->verify_later = atoi(f[2].bytes);
}

static void cmd_trailers(struct field *f, int n)
{
  need(&f[1])->trailers = list_of(f + 2, n - 2);
}

static void cmd_mark(struct field *f, int n)
{
  log_begin("mark");
  log_text(n > 1 ? f[1].bytes : "");
  log_end();
}

static void cmd_fds(struct field *f, int n)
{
  (void)n;
  (void)f;
  log_begin("fds");
  log_num(open_descriptors());
  log_end();
}

/* A packet of RTSP; one that begins "$" and 255 is refused. */
static size_t on_packet(char *bytes, size_t size, size_t n, void *arg)
{
  const struct handle *h = arg;
  log_begin("packet");
  log_text(h->name);
  log_bytes(bytes, size * n);
  log_end();
  return n > 1 && bytes[1] == (char)255 ? 0 : size * n;
}

/* packets H */
static void cmd_packets(struct field *f, int n)
{
  struct handle *h = handle_find(f[1].bytes);
  CURLcode rc = CURLE_BAD_FUNCTION_ARGUMENT;
  (void)n;
  if(h)
    rc = curl_easy_setopt(h->easy, CURLOPT_INTERLEAVEFUNCTION, on_packet);
  if(!rc)
    rc = curl_easy_setopt(h->easy, CURLOPT_INTERLEAVEDATA, h);
  if(rc && h)
    h->spoilt = 1;
  if(rc)
    log_code("setopt", f[1].bytes, "INTERLEAVEFUNCTION", rc);
}

static const struct {
  const char *name;
  int least; /* fields */
  void (*run)(struct field *f, int n);
} commands[] = {
  {"easy", 2, cmd_easy}, {"dup", 3, cmd_dup}, {"reset", 2, cmd_reset}, {"setopt", 3, cmd_setopt},
  {"enable", 3, cmd_enable}, {"on", 6, cmd_on}, {"calm", 2, cmd_calm}, {"body", 4, cmd_body},
  {"perform", 2, cmd_perform}, {"add", 3, cmd_add}, {"remove", 3, cmd_remove}, {"drive", 3, cmd_drive},
  {"multi", 2, cmd_multi}, {"msetopt", 4, cmd_msetopt}, {"mcleanup", 2, cmd_mcleanup},
  {"mtimeout", 2, cmd_mtimeout}, {"cleanup", 2, cmd_cleanup}, {"getinfo", 3, cmd_getinfo},
  {"headers", 4, cmd_headers}, {"getheader", 6, cmd_getheader}, {"pause", 3, cmd_pause},
  {"share", 2, cmd_share}, {"sharesetopt", 3, share_set}, {"shcleanup", 2, cmd_shcleanup},
  {"trailers", 2, cmd_trailers}, {"hosts", 2, cmd_hosts}, {"mark", 1, cmd_mark}, {"fds", 1, cmd_fds},
  {"verifylater", 3, cmd_verifylater},
  {"watched", 2, cmd_watched}, {"packets", 2, cmd_packets}, {"push", 3, cmd_push}
};

int command_run(struct field *f, int n)
{
  if(setjmp(given_up))
    return 1;
  for(size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if(!strcmp(commands[i].name, f[0].bytes) && n >= commands[i].least) {
      commands[i].run(f, n);
      return 1;
    }
  return 0;
}
