/* callbacks.c: every callback of an easy handle, and what a case makes it do.
 *
 * act HANDLE EVENT AT ACTION [VALUE]: when the event's count (bytes of write and read and progress, calls
 * of the others) reaches AT: "return VALUE", "pause" (it goes on a moment later). Each action happens
 * once. */
#include "runner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS = 16 };

static struct action {
  struct handle *h;
  const char *event, *what;
  long long at, value;
  int used;
} actions[ACTIONS];
static int nactions;

void callbacks_reset(void)
{
  nactions = 0;
}

void callbacks_action(struct handle *h, struct field *f, int n)
{
  struct action *a = &actions[nactions];
  if(n < 5 || nactions == ACTIONS)
    return;
  a->h = h;
  a->event = case_copy(f[2].at, f[2].len);
  a->at = field_number(&f[3]);
  a->what = case_copy(f[4].at, f[4].len);
  a->value = n > 5 ? field_number(&f[5]) : 0;
  a->used = 0;
  nactions++;
  if(!strcmp(a->what, "pause"))
    callbacks_install(h, "progress"); /* it goes on in there */
}

/* 1: an action says what to return. */
static int acts(struct handle *h, const char *event, long long count, long long *value)
{
  for(int i = 0; i < nactions; i++) {
    struct action *a = &actions[i];
    if(a->used || a->h != h || strcmp(a->event, event) != 0 || count < a->at)
      continue;
    a->used = 1;
    *value = a->value;
    if(!strcmp(a->what, "pause")) {
      *value = !strcmp(event, "read") ? CURL_READFUNC_PAUSE : CURL_WRITEFUNC_PAUSE;
      h->paused = 1;
      h->paused_at = clock_now();
    }
    return 1;
  }
  return 0;
}

void callbacks_begin(struct handle *h)
{
  h->at = 0;
  h->reads = h->sent = h->received = h->headers = 0;
  h->paused = 0;
  h->error[0] = 0;
  memset(h->progress, 0, sizeof h->progress);
}

void callbacks_resume(struct handle *h)
{
  CURLcode rc;
  if(!h->paused || clock_now() - h->paused_at < 20000)
    return;
  h->paused = 0;
  rc = curl_easy_pause(h->easy, CURLPAUSE_CONT);
  if(rc)
    log_line("unpause", h->number, rc == CURLE_WRITE_ERROR ? "refused" : "failed");
}

static size_t on_write(char *data, size_t size, size_t n, void *user)
{
  struct handle *h = user;
  long long value;
  n *= size;
  if(acts(h, "write", h->received + (long long)n, &value)) {
    if(value != CURL_WRITEFUNC_PAUSE)
      log_line("refused", h->number, "write");
    return (size_t)value;
  }
  h->received += (long long)n;
  if(n)
    log_piece("body", h->number, data, n);
  return n;
}

static size_t on_header(char *data, size_t size, size_t n, void *user)
{
  struct handle *h = user;
  long long value;
  log_begin("header");
  log_number(h->number);
  log_field(data, n * size);
  log_end();
  return acts(h, "header", ++h->headers, &value) ? (size_t)value : n * size;
}

static size_t on_read(char *to, size_t size, size_t n, void *user)
{
  struct handle *h = user;
  long long value;
  size_t left = h->body.len - h->at;
  n *= size;
  if(h->chunk && n > h->chunk)
    n = h->chunk;
  if(n > left)
    n = left;
  if(acts(h, "read", h->sent, &value))
    return (size_t)value;
  if(n)
    memcpy(to, h->body.at + h->at, n);
  h->at += n;
  h->sent += (long long)n;
  return n;
}

static int on_seek(void *user, curl_off_t offset, int origin)
{
  struct handle *h = user;
  long long value;
  log_begin("seek");
  log_number(h->number);
  log_number(offset);
  log_number(origin);
  log_end();
  if(acts(h, "seek", 1, &value))
    return (int)value;
  if(offset < 0 || (size_t)offset > h->body.len || origin != SEEK_SET)
    return CURL_SEEKFUNC_FAIL;
  h->at = (size_t)offset;
  return CURL_SEEKFUNC_OK;
}

static int on_progress(void *user, curl_off_t dltotal, curl_off_t dlnow, curl_off_t ultotal, curl_off_t ulnow)
{
  struct handle *h = user;
  long long value;
  h->progress[0] = dltotal;
  h->progress[1] = dlnow;
  h->progress[2] = ultotal;
  h->progress[3] = ulnow;
  callbacks_resume(h);
  return acts(h, "progress", dlnow + ulnow, &value) ? (int)value : 0;
}

static int on_debug(CURL *easy, curl_infotype type, char *data, size_t n, void *user)
{
  static const char *const words[] = {NULL, "d-header-in", "d-header-out"};
  struct handle *h = user;
  (void)easy;
  if(type == CURLINFO_HEADER_OUT || type == CURLINFO_HEADER_IN)
    log_piece(words[type], h->number, data, n);
  return 0;
}

static int on_prereq(void *user, char *peer, char *local, int peer_port, int local_port)
{
  struct handle *h = user;
  long long value;
  (void)local_port;
  log_begin("prereq");
  log_number(h->number);
  log_text(peer);
  log_text(local);
  log_number(peer_port);
  log_end();
  return acts(h, "prereq", 1, &value) ? (int)value : CURL_PREREQFUNC_OK;
}

static int on_trailer(struct curl_slist **list, void *user)
{
  struct handle *h = user;
  long long value;
  log_line("trailer", h->number, "");
  *list = h->trailers;
  h->trailers = NULL;
  return acts(h, "trailer", 1, &value) ? (int)value : CURL_TRAILERFUNC_OK;
}

static int on_sockopt(void *user, curl_socket_t fd, curlsocktype purpose)
{
  struct handle *h = user;
  long long value;
  (void)fd;
  log_line("sockopt", h->number, purpose == CURLSOCKTYPE_IPCXN ? "ipcxn" : "accept");
  return acts(h, "sockopt", 1, &value) ? (int)value : CURL_SOCKOPT_OK;
}

static int on_close(void *user, curl_socket_t fd)
{
  int close(int fd);
  (void)user;
  log_line("closesocket", 0, "");
  return close(fd);
}

static int on_resolve(void *state, void *reserved, void *user)
{
  struct handle *h = user;
  long long value;
  (void)state;
  (void)reserved;
  log_line("resolve", h->number, "");
  return acts(h, "resolve", 1, &value) ? (int)value : 0;
}

static const struct kind {
  const char *name;
  CURLoption function, data;
  union {
    curl_write_callback write;
    curl_seek_callback seek;
    curl_xferinfo_callback progress;
    curl_debug_callback debug;
    curl_prereq_callback prereq;
    curl_trailer_callback trailer;
    curl_sockopt_callback sockopt;
    curl_closesocket_callback close;
    curl_resolver_start_callback resolve;
  } call;
} kinds[] = {
  {"write", CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA, {.write = on_write}},
  {"header", CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA, {.write = on_header}},
  {"read", CURLOPT_READFUNCTION, CURLOPT_READDATA, {.write = on_read}},
  {"seek", CURLOPT_SEEKFUNCTION, CURLOPT_SEEKDATA, {.seek = on_seek}},
  {"progress", CURLOPT_XFERINFOFUNCTION, CURLOPT_XFERINFODATA, {.progress = on_progress}},
  {"debug", CURLOPT_DEBUGFUNCTION, CURLOPT_DEBUGDATA, {.debug = on_debug}},
  {"prereq", CURLOPT_PREREQFUNCTION, CURLOPT_PREREQDATA, {.prereq = on_prereq}},
  {"trailer", CURLOPT_TRAILERFUNCTION, CURLOPT_TRAILERDATA, {.trailer = on_trailer}},
  {"sockopt", CURLOPT_SOCKOPTFUNCTION, CURLOPT_SOCKOPTDATA, {.sockopt = on_sockopt}},
  {"closesocket", CURLOPT_CLOSESOCKETFUNCTION, CURLOPT_CLOSESOCKETDATA, {.close = on_close}},
  {"resolve", CURLOPT_RESOLVER_START_FUNCTION, CURLOPT_RESOLVER_START_DATA, {.resolve = on_resolve}},
};

void callbacks_install(struct handle *h, const char *name)
{
  for(size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const struct kind *k = &kinds[i];
    if(strcmp(k->name, name) != 0)
      continue;
    curl_easy_setopt(h->easy, k->function, k->call.write);
    curl_easy_setopt(h->easy, k->data, h);
    if(k->function == CURLOPT_XFERINFOFUNCTION)
      curl_easy_setopt(h->easy, CURLOPT_NOPROGRESS, 0L);
    if(k->function == CURLOPT_DEBUGFUNCTION)
      curl_easy_setopt(h->easy, CURLOPT_VERBOSE, 1L);
  }
}
