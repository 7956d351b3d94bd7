/* drive.c: transfers to their end: curl_easy_perform(), or a multi handle with each way of waiting.
 *
 * The event interface trusts nothing but its two callbacks: what they announce is kept in a table, waited
 * for with poll, and what became ready is handed to curl_multi_socket_action(). */
#include "runner.h"
#include <poll.h>
#include <string.h>
#include <sys/select.h>

enum way { WAY_EASY, WAY_POLL, WAY_WAIT, WAY_FDSET, WAY_WAITFDS, WAY_SOCKET };
enum { WATCHED = 64 };
/* Idle connections of a multi, unless the case says another number: how many the libraries keep by
 * themselves differs (docs/compat.md). */
static const long KEPT = 16;

static enum way way;
static CURLM *multi;
static struct pollfd watched[WATCHED];
static int nwatched;
static long timer = -1;        /* milliseconds from timer_set on; -1: none */
static long long timer_set;
extern int net_transfers;

void drive_way(const char *name)
{
  static const char *const names[] = {"easy", "poll", "wait", "fdset", "waitfds", "socket"};
  for(int i = 0; i < 6; i++)
    if(!strcmp(names[i], name) && !multi)
      way = (enum way)i;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *own)
{
  int i = 0;
  (void)easy;
  (void)user;
  (void)own;
  while(i < nwatched && watched[i].fd != fd)
    i++;
  if(what == CURL_POLL_REMOVE) {
    if(i < nwatched)
      watched[i] = watched[--nwatched];
    return 0;
  }
  if(i == WATCHED)
    give_up("too many sockets");
  if(i == nwatched)
    nwatched++;
  watched[i].fd = fd;
  watched[i].events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
  return 0;
}

static int on_timer(CURLM *m, long milliseconds, void *user)
{
  (void)m;
  (void)user;
  timer = milliseconds;
  timer_set = clock_now();
  return 0;
}

CURLM *drive_multi(void)
{
  if(multi)
    return multi;
  multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, KEPT);
  if(way == WAY_SOCKET) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  }
  return multi;
}

static void take_out(struct handle *h)
{
  if(h->added)
    curl_multi_remove_handle(multi, h->easy);
  h->added = 0;
}

void drive_reset(void)
{
  handles_each(take_out);
  if(multi)
    curl_multi_cleanup(multi);
  multi = NULL;
  nwatched = 0;
  timer = -1;
  way = WAY_EASY;
}

/* ---- the end of a transfer ---- */

/* The newest takes a connection that was used a moment ago without a look. Not while others still run, whose
 * time would be over. */
static void pass_a_moment(void)
{
  clock_advance(2000000);
}

static void finished(struct handle *h, CURLcode rc)
{
  net_transfers++;
  log_begin("result");
  log_number(h->number);
  log_number(rc);
  log_text(rc && !h->error[0] ? "no text" : "");
  log_end();
  log_begin("progress");
  log_number(h->number);
  for(int i = 0; i < 4; i++)
    log_number(h->progress[i]);
  log_end();
  infos_log(h);
}

static int collect(void)
{
  CURLMsg *m;
  int left, done = 0;
  while((m = curl_multi_info_read(multi, &left))) {
    struct handle *h = NULL;
    CURLcode rc = m->data.result;
    if(m->msg != CURLMSG_DONE || curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &h) || !h || !h->added)
      give_up("a message about no transfer");
    take_out(h);
    finished(h, rc);
    done++;
  }
  return done;
}

/* ---- steps ---- */

static void socket_event(void)
{
  struct pollfd ready[WATCHED];
  int n = nwatched, running, ms = 20;
  if(timer >= 0) {
    long long left = timer_set + timer * 1000 - clock_now();
    if(left <= 0) {
      timer = -1;
      curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
      return;
    }
    ms = (int)(left / 1000) + 1;
  }
  if(ms > 20)
    ms = 20;
  memcpy(ready, watched, sizeof ready);
  poll(ready, (nfds_t)n, ms);
  for(int i = 0; i < n; i++) {
    int what = (ready[i].revents & (POLLIN | POLLHUP) ? CURL_CSELECT_IN : 0) |
               (ready[i].revents & POLLOUT ? CURL_CSELECT_OUT : 0) |
               (ready[i].revents & POLLERR ? CURL_CSELECT_ERR : 0);
    int still = 0;
    for(int k = 0; k < nwatched; k++)
      still |= watched[k].fd == ready[i].fd;
    if(what && still)
      curl_multi_socket_action(multi, ready[i].fd, what, &running);
  }
}

static void wait_fdset(void)
{
  fd_set in, to, odd;
  int top = -1;
  long ms = -1;
  struct timeval length;
  FD_ZERO(&in);
  FD_ZERO(&to);
  FD_ZERO(&odd);
  curl_multi_fdset(multi, &in, &to, &odd, &top);
  curl_multi_timeout(multi, &ms);
  if(ms < 0 || ms > 20)
    ms = 20;
  length.tv_sec = 0;
  length.tv_usec = ms * 1000;
  select(top + 1, &in, &to, &odd, &length);
}

static void wait_waitfds(void)
{
  struct curl_waitfd list[WATCHED];
  struct pollfd fds[WATCHED];
  unsigned int n = 0;
  long ms = -1;
  curl_multi_waitfds(multi, list, WATCHED, &n);
  for(unsigned int i = 0; i < n && i < WATCHED; i++) {
    fds[i].fd = list[i].fd;
    fds[i].events = (short)((list[i].events & CURL_WAIT_POLLIN ? POLLIN : 0) |
                            (list[i].events & CURL_WAIT_POLLOUT ? POLLOUT : 0));
  }
  curl_multi_timeout(multi, &ms);
  poll(fds, n, ms < 0 || ms > 20 ? 20 : (int)ms);
}

static void step(void)
{
  int running, n;
  if(way == WAY_SOCKET) {
    socket_event();
    return;
  }
  curl_multi_perform(multi, &running);
  if(!running)
    return;
  if(way == WAY_FDSET)
    wait_fdset();
  else if(way == WAY_WAITFDS)
    wait_waitfds();
  else if(way == WAY_WAIT)
    curl_multi_wait(multi, NULL, 0, 20, &n);
  else
    curl_multi_poll(multi, NULL, 0, 20, &n);
}

static void through_multi(struct field *f, int n)
{
  int waiting = 0, turns = 0;
  drive_multi();
  for(int i = 1; i < n; i++) {
    struct handle *h = handle_of(&f[i]);
    CURLMcode rc;
    if(h->added)
      continue;
    callbacks_begin(h);
    curl_easy_setopt(h->easy, CURLOPT_PRIVATE, h);
    h->added = 1;
    rc = curl_multi_add_handle(multi, h->easy);
    if(rc) {
      log_line("add", h->number, curl_multi_strerror(rc));
      h->added = 0;
    }
    else
      waiting++;
  }
  while(waiting > 0) {
    step();
    waiting -= collect();
    handles_each(callbacks_resume);
    if(++turns > 100000)
      give_up("busy");
  }
  pass_a_moment();
}

void drive(struct field *f, int n)
{
  if(way != WAY_EASY) {
    through_multi(f, n);
    return;
  }
  for(int i = 1; i < n; i++) {
    struct handle *h = handle_of(&f[i]);
    callbacks_begin(h);
    CURLcode rc = curl_easy_perform(h->easy);
    pass_a_moment();
    finished(h, rc);
  }
}
