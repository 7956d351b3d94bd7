/* port/sim/wait.c: waiting on arrays and sets, and waking. A wait is where time passes: it lets the world
 * go on from event to event until something is ready or the wait is over.
 *
 * A set is a list of its members, which each look walks: made for tens of them, not for thousands. */
#include <stdlib.h>
#include <string.h>

#include "port/port.h"
#include "port/set.h"
#include "port/sim/internal.h"
#include "port/wake.h"

struct member {
  curl_socket_t fd;
  uint32_t birth;
  unsigned events;
  void *tag;
};

struct sim_set {
  struct sim_set *next, **link; /* in `sets` */
  struct member *members;
  unsigned count, cap;
  unsigned first;               /* where the next look begins, so that each has its turn */
};

static struct sim_set *sets;

/* ---- what is ready ---- */

static unsigned set_ready(struct sim_set *s, struct mote_port_event *events, unsigned max);

static unsigned ready_of(const struct sim_descriptor *d)
{
  if(d->kind == SIM_STREAM)
    return mote_sim_stream_ready(d);
  if(d->kind == SIM_WAKE)
    return d->signalled ? CURL_WAIT_POLLIN : 0;
  if(d->kind == SIM_SET) {
    struct mote_port_event one;
    return set_ready(d->of, &one, 1) ? CURL_WAIT_POLLIN : 0;
  }
  return CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT; /* a file */
}

#define ALWAYS (MOTE_POLL_ERROR | MOTE_POLL_HANGUP)

/* Forgets members that were closed. */
static void set_sweep(struct sim_set *s)
{
  unsigned i, kept = 0;
  for(i = 0; i < s->count; i++) {
    const struct sim_descriptor *d = mote_sim_descriptor_any(s->members[i].fd);
    if(d && d->birth == s->members[i].birth)
      s->members[kept++] = s->members[i];
  }
  s->count = kept;
}

static unsigned set_ready(struct sim_set *s, struct mote_port_event *events, unsigned max)
{
  unsigned i, found = 0;
  set_sweep(s);
  for(i = 0; i < s->count && found < max; i++) {
    const struct member *m = &s->members[(s->first + i) % s->count];
    unsigned ready = ready_of(mote_sim_descriptor_any(m->fd)) & (m->events | ALWAYS);
    if(!ready)
      continue;
    events[found].tag = m->tag;
    events[found++].ready = ready;
  }
  if(s->count)
    s->first = (s->first + i) % s->count;
  return found;
}

static unsigned array_ready(struct curl_waitfd *fds, unsigned count)
{
  unsigned i, found = 0;
  for(i = 0; i < count; i++) {
    const struct sim_descriptor *d = mote_sim_descriptor_any(fds[i].fd);
    unsigned ready = MOTE_POLL_INVALID;
    if(fds[i].fd < 0)
      ready = 0; /* as poll(2) */
    else if(d)
      ready = ready_of(d) & ((unsigned short)fds[i].events | ALWAYS);
    fds[i].revents = (short)ready;
    found += ready != 0;
  }
  return found;
}

/* ---- a wait ---- */

struct sim_wait {
  struct curl_waitfd *fds; /* NULL: it waits for `set` */
  struct sim_set *set;
  struct mote_port_event *events;
  unsigned count;          /* of fds, or of the room in `events` */
};

static unsigned wait_look(const struct sim_wait *w)
{
  return w->set ? set_ready(w->set, w->events, w->count) : array_ready(w->fds, w->count);
}

/* deadline: 0: none. */
static unsigned sim_wait_until(const struct sim_wait *w, mote_time deadline)
{
  unsigned found;
  mote_sim_waited();
  mote_sim_run();
  found = wait_look(w);
  if(found || (deadline && deadline <= mote_port_now()) ||
     mote_sim_chance("a wait that is interrupted", mote_sim_weather()->interrupted))
    return found;
  while(!found && mote_sim_advance(deadline)) {
    mote_sim_run();
    found = wait_look(w);
  }
  return found;
}

static unsigned sim_wait_for(const struct sim_wait *w, int timeout_ms)
{
  return sim_wait_until(w, timeout_ms < 0 ? 0 : mote_port_now() + timeout_ms * MOTE_MS);
}

int mote_port_poll(struct curl_waitfd *fds, unsigned count, int timeout_ms, unsigned *ready)
{
  struct sim_wait w = { .fds = fds, .count = count };
  *ready = sim_wait_for(&w, timeout_ms);
  return 0;
}

unsigned mote_sim_wait(struct curl_waitfd *fds, unsigned count, mote_time until)
{
  struct sim_wait w = { .fds = fds, .count = count };
  return sim_wait_until(&w, until);
}

/* ---- sets ---- */

int (mote_port_set_open)(curl_socket_t *out)
{
  struct sim_set *s = calloc(1, sizeof *s);
  int error = s ? mote_sim_open(SIM_SET, out) : ENOMEM;
  if(error) {
    *out = CURL_SOCKET_BAD;
    free(s);
    return error;
  }
  s->next = sets;
  s->link = &sets;
  if(sets)
    sets->link = &s->next;
  sets = s;
  mote_sim_descriptor(*out, SIM_SET)->of = s;
  return 0;
}

static int set_grow(struct sim_set *s)
{
  unsigned cap = s->cap ? s->cap * 2 : 16;
  struct member *more = s->count < s->cap ? s->members : realloc(s->members, cap * sizeof *more);
  if(!more)
    return ENOMEM;
  s->cap = s->count < s->cap ? s->cap : cap;
  s->members = more;
  return 0;
}

static int set_add(struct sim_set *s, const struct member *m)
{
  unsigned i;
  for(i = 0; i < s->count; i++)
    if(s->members[i].fd == m->fd) {
      s->members[i] = *m;
      return 0;
    }
  if(set_grow(s))
    return ENOMEM;
  s->members[s->count++] = *m;
  return 0;
}

int (mote_port_set_change)(curl_socket_t set, curl_socket_t fd, unsigned before, unsigned now, void *tag)
{
  struct sim_set *s = mote_sim_descriptor(set, SIM_SET)->of;
  const struct sim_descriptor *d = mote_sim_descriptor_any(fd);
  struct member m = { fd, d ? d->birth : 0, now, tag };
  unsigned i;
  (void)before;
  set_sweep(s);
  if(now)
    return d ? set_add(s, &m) : EBADF;
  for(i = 0; i < s->count; i++)
    if(s->members[i].fd == fd) {
      s->members[i] = s->members[--s->count];
      break;
    }
  return 0;
}

int (mote_port_set_wait)(curl_socket_t set, struct mote_port_event *events, unsigned max, int timeout_ms,
                         unsigned *ready)
{
  struct sim_wait w = { .set = mote_sim_descriptor(set, SIM_SET)->of, .events = events, .count = max };
  *ready = sim_wait_for(&w, timeout_ms);
  return 0;
}

static void set_free(struct sim_set *s)
{
  *s->link = s->next;
  if(s->next)
    s->next->link = s->link;
  free(s->members);
  free(s);
}

bool (mote_port_set_nests)(void)
{
  return true;
}

void (mote_port_set_close)(curl_socket_t set, uint32_t owner)
{
  struct sim_descriptor *d = mote_sim_descriptor(set, SIM_SET);
  (void)owner;
  set_free(d->of);
  mote_sim_shut(d);
}

void mote_sim_sets_end(void)
{
  while(sets)
    set_free(sets);
}

/* ---- waking ---- */

int (mote_port_wake_open)(struct mote_wake *w)
{
  int error = mote_sim_open(SIM_WAKE, &w->in);
  w->out = w->in;
  return error;
}

int (mote_port_wake_signal)(const struct mote_wake *w)
{
  mote_sim_descriptor(w->out, SIM_WAKE)->signalled = true;
  return 0;
}

int (mote_port_wake_drain)(const struct mote_wake *w)
{
  mote_sim_descriptor(w->in, SIM_WAKE)->signalled = false;
  return 0;
}

void (mote_port_wake_close)(struct mote_wake *w)
{
  if(w->in != CURL_SOCKET_BAD)
    mote_sim_shut(mote_sim_descriptor(w->in, SIM_WAKE));
  w->in = w->out = CURL_SOCKET_BAD;
}
