/* net/lookup.h: one name lookup in a thread of its own.
 *
 * The thread touches the job and nothing else, and the last of thread and owner frees it. So removal,
 * clean-up and exit can abandon a lookup at any time without waiting for it.
 *
 * Invariants: a job that was not started has one reference, the owner's; the thread holds another.
 * Ownership:  charged to the process, since the thread may outlive every handle.
 * Failure:    NULL and error numbers of the port.
 * Threads:    the job belongs to the thread that made it; only the functions below reach into the other one.
 * Without part threads mote_job_done() asks the port, which looks names up without blocking (lookup_port.c).
 * A port that blocks does so in that call.
 * Tests:      tests/unit/net/test_names.c, tests/threads/test_thread_names.c */
#ifndef MOTE_NET_LOOKUP_H
#define MOTE_NET_LOOKUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "port/addr.h"
#include "parts.h"
#include "port/lock.h"

struct mote_waitset;

#define MOTE_LOOKUP_MAX 32 /* addresses of one name: more would only be tried after minutes */

struct mote_job {
#if MOTE_HAS_THREADS
  atomic_int refs;           /* 1 or 2 */
  struct mote_mutex lock;    /* over `wake` */
  struct mote_waitset *wake; /* the set to wake when the lookup ends; NULL: no transfer waits */
  atomic_bool done;          /* what follows `family` is valid */
#else
  bool started;
  bool done;
#endif
  enum mote_family family;   /* to look for; NONE: any */
  int error;                 /* mote_port_lookup()'s */
  size_t count;              /* addresses found */
  struct mote_addr found[MOTE_LOOKUP_MAX];
  size_t name_len;           /* bytes, without the NUL */
  char name[];               /* NUL-terminated */
};

/* Bytes of a job, charged to the process. */
static inline size_t mote_job_size(size_t name_len)
{
  return sizeof(struct mote_job) + name_len + 1;
}

/* Makes a job that is not started yet; NULL: out of memory. */
struct mote_job *mote_job_new(const char *name, size_t name_len, enum mote_family family);

/* 0, or the port's error number. After an error there is no thread, and the caller may try again. */
int mote_job_start(struct mote_job *j);

#if MOTE_HAS_THREADS

/* Sets which wait set the end of the lookup wakes; NULL: none. A job that is done already wakes nothing, so
 * call mote_job_done() after this. After NULL the thread does not touch the earlier set again. */
void mote_job_set_wake(struct mote_job *j, struct mote_waitset *set);

static inline bool mote_job_done(const struct mote_job *j)
{
  return atomic_load(&j->done);
}

#else

#define mote_job_set_wake(j, set) ((void)(j), (void)(set))

bool mote_job_done(struct mote_job *j);
#endif

/* Gives the owner's reference back; a thread under way goes on alone. */
void mote_job_unref(struct mote_job *j);

#endif
