/* drive.c: the three ways of driving.
 *
 * With curl_multi_socket_action the program is the event loop: a table of what the library asked to be
 * watched, and one timer. Both are taken at their word. A descriptor that is watched and not open breaks a
 * rule, and so does one that is watched when no transfer runs. */
#include "drive.h"

#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "port/port.h"
#include "port/sim/sim.h"
#include "transfer.h"

#define WATCHES 256
#define LONGEST (7 * 24 * 3600 * MOTE_SECOND) /* of a world: no deadline is that far away */

/* ---- one after the other ---- */

/* The handle of the last transfer stays, with its connections, until the next one is over, or serves that. */
static void drive_easy(struct transfer *all, unsigned count)
{
  struct transfer *before = NULL;
  bool same = mote_sim_draw("one handle, reset for each transfer", 2) != 0;
  unsigned i;
  for(i = 0; i < count; i++) {
    struct transfer *t = &all[i];
    t->pause = 0; /* nothing could go on with it */
    if(!transfer_make(t, same ? before : NULL))
      continue;
    transfer_begins(t);
    transfer_ends(t, curl_easy_perform(t->easy));
    if(before)
      transfer_free(before);
    before = t;
  }
  if(before)
    transfer_free(before);
}

/* ---- a multi handle ---- */

struct driver {
  CURLM *multi;
  struct transfer *all;
  unsigned count, begun;
  int running;
  bool limited;    /* connections */
  unsigned odd;    /* chance in 1,000 of calls that nothing asks for */
  mote_time began;
  mote_time timer; /* what the library wants to be called at; 0: no time */
  unsigned watches;
  struct curl_waitfd watched[WATCHES];
};

/* Transfers begin in turn: all at once, or another one whenever one is over. */
static void begin_next(struct driver *d)
{
  while(d->begun < d->count) {
    struct transfer *t = &d->all[d->begun++];
    t->waits_for_others = d->limited;
    t->multi = d->multi;
    if(!transfer_make(t, NULL))
      continue;
    transfer_begins(t);
    if(curl_multi_add_handle(d->multi, t->easy)) {
      t->running = false;
      transfer_free(t);
      continue;
    }
    if(d->begun < d->count && mote_sim_draw("the next transfer begins later", 3))
      return;
  }
}

static void take_messages(struct driver *d)
{
  int left;
  CURLMsg *m;
  while((m = curl_multi_info_read(d->multi, &left)) != NULL) {
    struct transfer *t = NULL;
    CURLcode code = m->data.result;
    if(m->msg != CURLMSG_DONE || curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &t) || !t ||
       t->easy != m->easy_handle)
      mote_sim_broken("a message that is about no transfer");
    transfer_ends(t, code);
    if(curl_multi_remove_handle(d->multi, t->easy))
      mote_sim_broken("a handle that is over cannot be removed");
    transfer_free(t);
    begin_next(d);
  }
}

/* Takes transfers out of the multi in the middle, some of which begin again. */
static void remove_some(struct driver *d)
{
  unsigned i;
  for(i = 0; i < d->begun; i++) {
    struct transfer *t = &d->all[i];
    if(!t->running || !mote_sim_chance("a transfer is removed", t->removes))
      continue;
    t->running = false;
    if(curl_multi_remove_handle(d->multi, t->easy))
      mote_sim_broken("a handle that runs cannot be removed");
    t->removes = 0;
    transfer_rewind(t);
    if(t->begins_again) {
      transfer_begins(t);
      if(!curl_multi_add_handle(d->multi, t->easy))
        continue;
      t->running = false;
    }
    transfer_free(t);
    begin_next(d);
  }
}

/* Goes on with paused transfers whose time has come, and returns that of the next one. 0: none. */
static mote_time resume(struct driver *d)
{
  mote_time next = 0;
  unsigned i;
  for(i = 0; i < d->count; i++) {
    struct transfer *t = &d->all[i];
    if(!t->running || !t->paused)
      continue;
    if(t->resumes <= mote_port_now()) {
      t->paused = false;
      (void)curl_easy_pause(t->easy, CURLPAUSE_CONT);
    }
    if(t->running && t->paused && (!next || t->resumes < next))
      next = t->resumes;
  }
  return next;
}

/* A call may fail for want of memory, and for nothing else: the program goes on. */
static void look_at_call(CURLMcode code, const char *rule)
{
  if(code && (code != CURLM_OUT_OF_MEMORY || !memory_refused()))
    mote_sim_broken(rule);
}

static bool any_left(const struct driver *d)
{
  unsigned i;
  if(mote_port_now() - d->began > LONGEST)
    mote_sim_broken("a transfer never ends");
  for(i = 0; i < d->count; i++)
    if(d->all[i].running)
      return true;
  return false;
}

static void drive_poll(struct driver *d)
{
  begin_next(d);
  while(any_left(d)) {
    mote_time next;
    int wait;
    look_at_call(curl_multi_perform(d->multi, &d->running), "curl_multi_perform fails");
    take_messages(d);
    if(!any_left(d))
      break;
    remove_some(d);
    if(!any_left(d))
      break;
    next = resume(d);
    wait = next ? mote_time_wait_ms(next - mote_port_now()) : 60000;
    look_at_call(curl_multi_poll(d->multi, NULL, 0, wait, NULL), "curl_multi_poll fails");
  }
}

/* ---- events ---- */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *of_fd)
{
  struct driver *d = arg;
  unsigned i;
  (void)of_fd;
  if(!easy)
    mote_sim_broken("a socket callback without a handle");
  if(!mote_sim_is_open(fd))
    mote_sim_broken("a socket callback about a descriptor that is not open");
  for(i = 0; i < d->watches && d->watched[i].fd != fd; i++)
    ;
  if(what == CURL_POLL_REMOVE) {
    if(i == d->watches)
      mote_sim_broken("a descriptor is removed that was not watched");
    d->watched[i] = d->watched[--d->watches];
    return 0;
  }
  if(i == d->watches && d->watches++ == WATCHES)
    mote_sim_broken("more descriptors are watched than there are transfers for");
  d->watched[i].fd = fd;
  d->watched[i].events = (short)((what & CURL_POLL_IN ? CURL_WAIT_POLLIN : 0) |
                                 (what & CURL_POLL_OUT ? CURL_WAIT_POLLOUT : 0));
  return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *arg)
{
  struct driver *d = arg;
  (void)multi;
  if(transfer_traces())
    fprintf(stderr, "* %lld: timer %ld\n", (long long)mote_port_now(), timeout_ms);
  d->timer = timeout_ms < 0 ? 0 : mote_port_now() + timeout_ms * MOTE_MS;
  return 0;
}

static void act(struct driver *d, curl_socket_t fd, int events)
{
  if(transfer_traces())
    fprintf(stderr, "* %lld: action %d %d\n", (long long)mote_port_now(), (int)fd, events);
  look_at_call(curl_multi_socket_action(d->multi, fd, events, &d->running), "curl_multi_socket_action fails");
}

static void look_at_watches(const struct driver *d)
{
  unsigned i;
  for(i = 0; i < d->watches; i++)
    if(!mote_sim_is_open(d->watched[i].fd))
      mote_sim_broken("a descriptor is watched that is not open");
}

static int event_bits(int revents)
{
  return (revents & CURL_WAIT_POLLIN ? CURL_CSELECT_IN : 0) |
         (revents & CURL_WAIT_POLLOUT ? CURL_CSELECT_OUT : 0) |
         (revents & (MOTE_POLL_ERROR | MOTE_POLL_HANGUP) ? CURL_CSELECT_ERR : 0);
}

/* Waits for an event or the timer, and hands them over. */
static void turn(struct driver *d)
{
  struct curl_waitfd now[WATCHES];
  mote_time until = resume(d);
  unsigned i, count = d->watches;
  if(d->timer && (!until || d->timer < until))
    until = d->timer;
  look_at_watches(d);
  memcpy(now, d->watched, count * sizeof *now);
  (void)mote_sim_wait(now, count, until);
  if(d->timer && d->timer <= mote_port_now()) {
    d->timer = 0;
    act(d, CURL_SOCKET_TIMEOUT, 0);
  }
  for(i = 0; i < count; i++) {
    unsigned w;
    for(w = 0; w < d->watches && d->watched[w].fd != now[i].fd; w++)
      ;
    if(now[i].revents && w < d->watches) /* an earlier event may have ended this watch */
      act(d, now[i].fd, event_bits(now[i].revents));
  }
}

/* A program may be wrong about what has happened: that costs a turn, and nothing else. */
static void act_oddly(struct driver *d)
{
  static const int events[] = { CURL_CSELECT_IN, CURL_CSELECT_OUT, CURL_CSELECT_IN | CURL_CSELECT_OUT, 0,
                                CURL_CSELECT_ERR };
  unsigned what;
  if(!mote_sim_chance("an event that was none", d->odd))
    return;
  what = mote_sim_draw("which one", 3);
  if(what == 0)
    act(d, CURL_SOCKET_TIMEOUT, 0);
  else if(what == 1 && d->watches)
    act(d, d->watched[mote_sim_draw("of which descriptor", d->watches)].fd,
        events[mote_sim_draw("events", 5)]);
  else
    act(d, 900, CURL_CSELECT_IN); /* no descriptor of the library's */
}

static void drive_socket(struct driver *d)
{
  curl_multi_setopt(d->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(d->multi, CURLMOPT_SOCKETDATA, d);
  curl_multi_setopt(d->multi, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(d->multi, CURLMOPT_TIMERDATA, d);
  begin_next(d);
  while(any_left(d)) {
    turn(d);
    act_oddly(d);
    take_messages(d);
    remove_some(d);
  }
  if(d->watches)
    mote_sim_broken("a descriptor is watched and no transfer runs");
}

static void set_connections(struct driver *d)
{
  static const struct {
    const char *what;
    CURLMoption option;
  } limits[] = {
    { "CURLMOPT_MAX_HOST_CONNECTIONS", CURLMOPT_MAX_HOST_CONNECTIONS },
    { "CURLMOPT_MAX_TOTAL_CONNECTIONS", CURLMOPT_MAX_TOTAL_CONNECTIONS },
    { "CURLMOPT_MAXCONNECTS", CURLMOPT_MAXCONNECTS },
  };
  size_t i;
  for(i = 0; i < sizeof limits / sizeof *limits; i++)
    if(mote_sim_draw(limits[i].what, 6) == 5) {
      d->limited = true;
      (void)curl_multi_setopt(d->multi, limits[i].option, 1L + (long)mote_sim_draw("more connections", 3));
    }
}

void drive(enum way way, struct transfer *all, unsigned count)
{
  struct driver d = { .all = all, .count = count, .began = mote_port_now() };
  if(way == WAY_EASY) {
    drive_easy(all, count);
    return;
  }
  d.multi = curl_multi_init();
  if(!d.multi)
    return;
  set_connections(&d);
  d.odd = mote_sim_draw("events that are none", 6) == 5 ? 100 : 0;
  if(way == WAY_POLL)
    drive_poll(&d);
  else
    drive_socket(&d);
  if(curl_multi_cleanup(d.multi))
    mote_sim_broken("curl_multi_cleanup fails");
}
