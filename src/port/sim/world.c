/* port/sim/world.c: seed and tape, the clock, events, descriptors; random bytes and the environment.
 *
 * Random bytes come from a generator of their own, which is seeded alike in every world: what the library
 * makes of them (boundaries, nonces) is then the same when a tape is played with fewer numbers in it. */
#include <stdio.h>
#include <string.h>

#include "port/env.h"
#include "port/port.h"
#include "port/set.h"
#include "port/sim/internal.h"

#define START ((mote_time)100000 * MOTE_SECOND) /* the clock at the beginning */
#define WALL INT64_C(1795000000)                /* Unix time then: 18 November 2026 */
#define IDLE_WAITS 10000 /* in a row, and no time passes and nothing happens: the caller turns in a circle */

static struct {
  mote_time now;
  struct mote_heap events;
  uint64_t chance;      /* state of the generator of this world's chances */
  uint64_t bytes;       /* state of that of random bytes */
  bool plays;           /* answers come from `played` */
  const struct mote_sim_drawn *played;
  size_t played_count;
  size_t drawn;
  unsigned harms;
  unsigned idle;        /* waits since something happened */
  unsigned open;        /* descriptors */
  unsigned next;        /* where the search for a new number begins */
  uint32_t births;
  struct mote_sim_weather weather;
} world;

static struct mote_sim_drawn tape[MOTE_SIM_TAPE];
static struct sim_descriptor descriptors[SIM_DESCRIPTORS];

/* ---- beginning and end ---- */

static void world_reset(void)
{
  memset(&world, 0, sizeof world);
  memset(descriptors, 0, sizeof descriptors);
  world.now = START;
  world.bytes = UINT64_C(0x9e3779b97f4a7c15);
}

void mote_sim_begin(uint64_t seed)
{
  world_reset();
  world.chance = seed * UINT64_C(0xd1342543de82ef95) + 1;
}

void mote_sim_play(const struct mote_sim_drawn *played, size_t count)
{
  world_reset();
  world.plays = true;
  world.played = played;
  world.played_count = count;
}

unsigned mote_sim_end(void)
{
  unsigned open;
  mote_sim_threads_end();
  open = world.open;
  mote_sim_streams_end();
  mote_sim_sets_end();
  mote_sim_names_end();
  mote_sim_files_end();
  return open;
}

/* ---- chances ---- */

/* splitmix64: each state gives one number, and all follow from the first. */
static uint64_t mix(uint64_t *state)
{
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* The next answer: of the tape that is played, else by chance, `in_1000` for any that is not 0. */
static uint32_t draw_next(uint32_t bound, unsigned in_1000)
{
  uint32_t value;
  if(world.plays) /* a simpler tape may ask other questions than the one it was made of */
    return world.drawn < world.played_count ? world.played[world.drawn].value % bound : 0;
  value = (uint32_t)(mix(&world.chance) >> 32);
  if(in_1000)
    return (uint64_t)value * 1000 >> 32 < in_1000;
  return (uint32_t)((uint64_t)value * bound >> 32);
}

static uint32_t draw_kept(const char *what, uint32_t bound, unsigned in_1000)
{
  uint32_t value;
  if(world.drawn == MOTE_SIM_TAPE)
    return 0;
  value = draw_next(bound, in_1000);
  tape[world.drawn].what = what;
  tape[world.drawn++].value = value;
  return value;
}

uint32_t mote_sim_draw(const char *what, uint32_t bound)
{
  return draw_kept(what, bound, 0);
}

bool mote_sim_chance(const char *what, unsigned in_1000)
{
  return in_1000 && draw_kept(what, 2, in_1000);
}

const struct mote_sim_drawn *mote_sim_tape(size_t *count)
{
  *count = world.drawn;
  return tape;
}

struct mote_sim_weather *mote_sim_weather(void)
{
  return &world.weather;
}

void mote_sim_note(enum mote_sim_harm harm)
{
  world.harms |= (unsigned)harm;
}

unsigned mote_sim_harms(void)
{
  return world.harms;
}

mote_time mote_sim_delay(const char *what, unsigned most)
{
  return most ? (mote_time)mote_sim_draw(what, most + 1) : 0;
}

/* ---- time ---- */

mote_time mote_port_now(void)
{
  return world.now;
}

int64_t mote_port_wall(void)
{
  return WALL + (world.now - START) / MOTE_SECOND;
}

void mote_sim_at(struct mote_sim_event *e, mote_time at)
{
  mote_heap_update(&world.events, &e->node, at > world.now ? at : world.now);
}

void mote_sim_cancel(struct mote_sim_event *e)
{
  mote_heap_remove(&world.events, &e->node);
}

void mote_sim_run(void)
{
  while(world.events.top && world.events.top->key <= world.now) {
    struct mote_sim_event *e = (struct mote_sim_event *)(void *)world.events.top;
    mote_heap_remove(&world.events, &e->node);
    world.idle = 0;
    e->fire(e);
  }
}

bool mote_sim_advance(mote_time deadline)
{
  const struct mote_heap_node *top = world.events.top;
  if(!top && !deadline)
    mote_sim_broken("a wait without a timeout, and nothing is to come");
  if(!top || (deadline && top->key > deadline)) {
    if(deadline > world.now)
      world.idle = 0;
    world.now = deadline > world.now ? deadline : world.now;
    return false;
  }
  if(top->key > world.now)
    world.now = top->key;
  world.idle = 0;
  return true;
}

void mote_sim_waited(void)
{
  if(++world.idle > IDLE_WAITS)
    mote_sim_broken("many waits in a row without time passing or anything happening");
  if(mote_sim_locks())
    mote_sim_broken("a wait while a lock is held");
}

/* ---- descriptors ---- */

static unsigned free_number(void)
{
  unsigned i, start = world.weather.new_numbers ? world.next : 0;
  for(i = 0; i < SIM_DESCRIPTORS; i++) {
    unsigned n = (start + i) % SIM_DESCRIPTORS;
    if(n >= SIM_FIRST && descriptors[n].kind == SIM_FREE)
      return n;
  }
  return 0;
}

int mote_sim_open(enum sim_kind kind, curl_socket_t *out)
{
  unsigned most = world.weather.descriptors;
  unsigned n = most && world.open >= most ? 0 : free_number();
  *out = CURL_SOCKET_BAD;
  if(!n) {
    mote_sim_note(MOTE_SIM_NO_DESCRIPTOR);
    return EMFILE;
  }
  memset(&descriptors[n], 0, sizeof descriptors[n]);
  descriptors[n].kind = kind;
  descriptors[n].birth = ++world.births;
  world.next = n + 1;
  world.open++;
  *out = (curl_socket_t)n;
  return 0;
}

struct sim_descriptor *mote_sim_descriptor_any(int fd)
{
  if(fd < 0 || fd >= SIM_DESCRIPTORS || descriptors[fd].kind == SIM_FREE)
    return NULL;
  return &descriptors[fd];
}

bool mote_sim_is_open(int fd)
{
  return mote_sim_descriptor_any(fd) != NULL;
}

struct sim_descriptor *mote_sim_descriptor(int fd, enum sim_kind kind)
{
  struct sim_descriptor *d = mote_sim_descriptor_any(fd);
  if(!d)
    mote_sim_broken("a call with a descriptor that is not open");
  if(d->kind != kind)
    mote_sim_broken("a call with a descriptor of another kind");
  return d;
}

void mote_sim_shut(struct sim_descriptor *d)
{
  d->kind = SIM_FREE;
  world.open--;
}

/* ---- random bytes, error texts, environment ---- */

CURLcode mote_port_random(void *p, size_t n)
{
  unsigned char *at = p;
  if(mote_sim_chance("no random bytes", world.weather.no_random)) {
    mote_sim_note(MOTE_SIM_NO_RANDOM);
    return CURLE_FAILED_INIT;
  }
  while(n--)
    *at++ = (unsigned char)(mix(&world.bytes) >> 32);
  return CURLE_OK;
}

size_t mote_port_error_text(int error, char *out, size_t cap)
{
  (void)snprintf(out, cap, "%s", strerror(error));
  return strlen(out);
}

const char *mote_port_getenv(const char *name)
{
  (void)name;
  return NULL;
}

bool mote_port_env_proxies(const char *scheme, size_t len)
{
  (void)scheme;
  (void)len;
  return false;
}

bool mote_port_env_no_proxy(void)
{
  return false;
}

bool mote_port_hostname(char *out, size_t size)
{
  if(size < sizeof "sim")
    return false;
  memcpy(out, "sim", sizeof "sim");
  return true;
}

long (mote_port_pid)(void)
{
  return 1;
}
