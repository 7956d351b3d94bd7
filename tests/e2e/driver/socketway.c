/* socketway.c: a loop around curl_multi_socket_action that trusts nothing but the two callbacks, and is as
 * strict as the programs that use them.
 *
 * Such a program drops its watches and its timer when no transfer runs (curl's example for glib, ostree), may
 * take CURL_POLL_REMOVE for the end of a socket, and never looks at a descriptor that it was not asked to
 * watch. So the loop does as much, and calls it a violation when
 * - a descriptor is announced that is not open, or is announced twice, or is closed before CURL_POLL_REMOVE;
 * - a descriptor stays announced when nothing runs;
 * - one call of the library removes the socket of a transfer and announces it again for the same transfer;
 * - a descriptor that the loop has dropped is readable while a transfer runs;
 * - the pointer of curl_multi_assign does not come back;
 * - a transfer that runs has a deadline before the timer;
 * - the timer is set for a time at which nothing is due.
 * The loop closes no descriptor of the library. What libcurl itself does otherwise is said at each check. */
#include "driver.h"
#include "system.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SLACK_MS 20 /* by which a timer may be late or early: the clock goes on between two calls */

static int is_mote(void)
{
  return strstr(curl_version(), "Mote/") != NULL;
}

static struct watched *find(struct multi *m, curl_socket_t fd)
{
  for(int i = 0; i < m->nwatched; i++)
    if(m->watched[i].what && m->watched[i].fd == fd)
      return &m->watched[i];
  return NULL;
}

/* A free place: the one that this descriptor had before, if there is one. */
static struct watched *claim(struct multi *m, curl_socket_t fd)
{
  struct watched *w = NULL;
  for(int i = 0; i < m->nwatched; i++)
    if(!m->watched[i].what && (!w || m->watched[i].fd == fd))
      w = &m->watched[i];
  if(w)
    return w;
  if(m->nwatched == MAX_WATCHED)
    abort();
  return &m->watched[m->nwatched++];
}

/* The library may have closed it already. */
static void disarm(struct multi *m, struct watched *w)
{
  int error = w->armed ? loop_forget(m->loop, w->fd) : 0;
  if(error)
    violation("removing a socket", m->name, error);
  w->armed = 0;
}

static void unwatch(struct multi *m, struct watched *w, curl_socket_t fd, const CURL *easy)
{
  if(!w) {
    violation("CURL_POLL_REMOVE for a socket that was not announced", m->name, fd);
    return;
  }
  w->what = 0;
  w->removed_for = easy;
  w->removed_in = m->actions;
  disarm(m, w);
}

static void arm(struct multi *m, struct watched *w, int what)
{
  int error = loop_watch(m->loop, w->fd, what, w->armed);
  if(!error) {
    w->armed = 1;
    return;
  }
  violation(w->armed ? "a socket was closed without CURL_POLL_REMOVE"
                     : "a socket was announced that cannot be watched", m->name, error);
}

/* A program that takes CURL_POLL_REMOVE for the end of a socket has no use for it any more. */
static void check_not_removed(struct multi *m, const struct watched *w, curl_socket_t fd, const CURL *easy)
{
  unsigned long long id = socket_identity(fd);
  bool same_call = m->acts && w->removed_in == m->actions && w->removed_for == easy;
  if(same_call && w->fd == fd && id && w->identity == id)
    violation("CURL_POLL_REMOVE for the socket of a transfer that goes on with it", m->name, fd);
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *socketp)
{
  struct multi *m = arg;
  struct watched *w = find(m, fd);
  char *private_pointer;
  if(socketp && socketp != w)
    violation("socket callback with a stale pointer", m->name, fd);
  if(w && !socketp)
    violation("socket callback lost the pointer of curl_multi_assign", m->name, fd);
  if(w && w->named && !easy)
    violation("socket callback names no handle", m->name, what);
  /* the newest libcurl names a handle of its own for its wake-up and its goodbyes, and refuses it here */
  if(easy && is_mote() && curl_easy_getinfo(easy, CURLINFO_PRIVATE, &private_pointer))
    violation("socket callback with a handle that is none", m->name, what);
  if(what == CURL_POLL_REMOVE) {
    unwatch(m, w, fd, easy);
    return 0;
  }
  if(what < CURL_POLL_IN || what > CURL_POLL_INOUT)
    violation("socket callback wants nothing", m->name, what);
  if(w && w->what == what && w->armed)
    violation("a socket was announced twice", m->name, fd);
  if(!w) {
    w = claim(m, fd);
    check_not_removed(m, w, fd, easy);
    w->fd = fd;
    w->named = easy != NULL;
    w->armed = 0;
    w->identity = socket_identity(fd);
    arm(m, w, what);
    CURLMcode rc = curl_multi_assign(m->multi, fd, w);
    if(rc)
      multi_complain(m, "curl_multi_assign", rc);
  }
  else
    arm(m, w, what);
  w->what = what;
  return 0;
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
  struct multi *m = arg;
  if(multi != m->multi)
    violation("timer callback of another multi", m->name, ms);
  if(ms < -1)
    violation("timer callback with a negative time", m->name, ms);
  m->timer_on = ms >= 0;
  m->timer_at = now() + (double)ms / 1000;
  return 0;
}

int socket_install(struct multi *m)
{
  CURLMcode rc = curl_multi_setopt(m->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  m->loop = loop_open();
  rc = rc ? rc : curl_multi_setopt(m->multi, CURLMOPT_SOCKETDATA, m);
  rc = rc ? rc : curl_multi_setopt(m->multi, CURLMOPT_TIMERFUNCTION, on_timer);
  rc = rc ? rc : curl_multi_setopt(m->multi, CURLMOPT_TIMERDATA, m);
  if(rc)
    multi_complain(m, "curl_multi_setopt", rc);
  return !rc;
}

/* The loop's end, as far as a program is concerned whose transfers are over. The next transfer has to
 * announce what it needs. */
static void drop_all(struct multi *m)
{
  for(int i = 0; i < m->nwatched; i++) {
    struct watched *w = &m->watched[i];
    if(!w->what || !w->armed)
      continue;
    violation("a socket stays announced when nothing runs", m->name, w->fd);
    disarm(m, w);
  }
  m->timer_on = 0;
}

static void action(struct multi *m, curl_socket_t fd, int bits)
{
  int running = 0;
  m->actions++;
  m->acts = 1;
  CURLMcode rc = curl_multi_socket_action(m->multi, fd, bits, &running);
  m->acts = 0;
  if(rc)
    multi_complain(m, "curl_multi_socket_action", rc);
  if(running > m->attached)
    violation("more running than attached", m->name, running);
  if(!running)
    drop_all(m);
}

static int watching(struct multi *m)
{
  int n = 0;
  for(int i = 0; i < m->nwatched; i++)
    n += m->watched[i].what && m->watched[i].armed;
  return n;
}

static void check_dropped(struct multi *m)
{
  for(int i = 0; i < m->nwatched; i++) {
    struct pollfd p = {m->watched[i].fd, POLLIN, 0};
    if(m->watched[i].what && !m->watched[i].armed && poll(&p, 1, 0) > 0)
      violation("a readable socket that is not watched", m->name, p.fd);
  }
}

/* Returns the milliseconds until the timer, 0 where the loop is late. */
static double until_timer(const struct multi *m)
{
  double left = (m->timer_at - now()) * 1000;
  return left < 0 ? 0 : left;
}

/* libcurl leaves its timer as it is when what it was for is over, so that it comes early there. On a busy
 * machine the library may read the clock long after the line before it, or long before the line after. */
static void check_timer(struct multi *m)
{
  long due = -1;
  double before = until_timer(m), after;
  CURLMcode rc = curl_multi_timeout(m->multi, &due);
  after = until_timer(m);
  if(rc)
    multi_complain(m, "curl_multi_timeout", rc);
  if(due >= 0 && (!m->timer_on || after > (double)due + SLACK_MS))
    violation("a deadline that the timer callback was not called for", m->name, due);
  if(is_mote() && m->timer_on && (due < 0 || before < (double)due - SLACK_MS))
    violation("the timer is set for a time at which nothing is due", m->name, due);
}


void socket_step(struct multi *m, int ms, int extra)
{
  struct ready ready[64];
  int n;
  if(m->timer_on) {
    double left = (m->timer_at - now()) * 1000;
    if(left < ms)
      ms = left <= 0 ? 0 : (int)left + 1;
  }
  else if(!watching(m) && m->attached && extra < 0)
    log_code("nothingtowaitfor", m->name, "", m->attached);
  if(m->attached) {
    check_dropped(m);
    check_timer(m);
  }
  if(extra >= 0)
    (void)loop_watch(m->loop, (curl_socket_t)extra, CURL_POLL_IN, 0);
  n = loop_wait(m->loop, ready, 64, ms);
  if(extra >= 0)
    (void)loop_forget(m->loop, (curl_socket_t)extra);
  for(int i = 0; i < n; i++)
    if(find(m, ready[i].fd)) /* not the script, nor what an earlier event of the same wait removed */
      action(m, ready[i].fd, ready[i].bits);
  if(m->timer_on && now() >= m->timer_at) {
    m->timer_on = 0;
    action(m, CURL_SOCKET_TIMEOUT, 0);
  }
}
