/* net/names/lookup.h: one name lookup under way, and the ways in which there can be one.
 *
 * A way is a const row. The system's (mote_lookup_system) runs in a thread of its own (lookup.c), or without
 * part threads it asks the port, which looks names up without blocking (lookup_port.c; a port that blocks
 * does so in that call). Parts add other ways to mote_lookup_ways[], each for an option that asks for it.
 *
 * A thread touches the job and nothing else, and the last of thread and owner frees it. So removal, clean-up
 * and exit can abandon a lookup at any time without waiting for it.
 *
 * Ownership:  the maker of a job owns it until release(). A job of the system's way is charged to the
 *             process, since the thread may outlive every handle.
 * Failure:    NULL and error numbers of the port.
 * Threads:    the job belongs to the thread that made it; only the functions below reach into the other one.
 * Tests:      tests/unit/net/test_names.c, test_names_fork.c, tests/threads/test_thread_names.c,
 *             tests/e2e/test_doh.py */
#ifndef MOTE_NET_NAMES_LOOKUP_H
#define MOTE_NET_NAMES_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"
#include "port/addr.h"

struct mote_dns_service;
struct mote_lookup_way;
struct mote_name_query;
struct mote_waitset;

#define MOTE_LOOKUP_MAX 32 /* addresses of one name: more would only be tried after minutes */
#define MOTE_LOOKUP_NO_TTL UINT32_MAX

/* What every way has in front of its own state. Its maker fills way, family, name and name_len. The rest but
 * for `found` is 0 until the lookup is done. */
struct mote_job {
  const struct mote_lookup_way *way;
  const char *name;          /* in the job's block */
  size_t name_len;           /* bytes */
  enum mote_family family;   /* to look for; NONE: any */
  int error;                 /* as mote_port_lookup()'s */
  uint32_t ttl;              /* seconds that the answer may be kept; MOTE_LOOKUP_NO_TTL: unknown */
  uint32_t count;            /* addresses found */
#if MOTE_HAS_H3
  void *besides;             /* the way's alone: what it asks for besides addresses, or NULL */
  const struct mote_dns_service *service; /* what was found besides, the way's; NULL: nothing */
  uint32_t service_size;                  /* bytes of that */
#endif
  struct mote_addr found[MOTE_LOOKUP_MAX];
};

#if MOTE_HAS_H3
#define mote_job_besides(j) ((j)->besides)
#define mote_job_set_besides(j, p) ((j)->besides = (p))
#define mote_job_set_service(j, s) ((j)->service = (s), (j)->service_size = sizeof *(s))
#define mote_job_forget_service(j) ((j)->service = NULL)
#define mote_query_wants_service(q) ((q)->service)
#else
#define mote_job_besides(j) ((void)(j), NULL)
#define mote_job_set_besides(j, p) ((void)(j), (void)(p))
#define mote_job_set_service(j, s) ((void)(j), (void)(s))
#define mote_job_forget_service(j) ((void)(j))
#define mote_query_wants_service(q) ((void)(q), false)
#endif

struct mote_lookup_way {
  const char *name;
  uint16_t option;  /* the option that asks for this way, by its number without type; 0: the system's way */
  bool in_thread;   /* it counts among the threads of a cache, its end wakes the wait set, and it goes on
                       alone after release(); any other way calls mote_names_collect() at its end */
  /* Makes a job that is not started; NULL: out of memory. */
  struct mote_job *(*make)(const struct mote_name_query *q);
  /* 0, or the port's error number. The caller may try again after an error, unless it is out of memory. */
  int (*start)(struct mote_job *j);
  /* Reports whether the members of *j are valid. */
  bool (*done)(struct mote_job *j);
  /* Reports whether the job was started by the process that this one was forked from, so that its thread is
   * not here. It may be started again. NULL: never. */
  bool (*orphaned)(struct mote_job *j);
  /* Gives the job up, started or not. */
  void (*release)(struct mote_job *j);
  /* Sets which wait set the end of the lookup wakes; NULL: none, and the lookup does not touch the earlier
   * set again. A job that is done already wakes nothing, so call done() after this. NULL: not in_thread. */
  void (*set_wake)(struct mote_job *j, struct mote_waitset *set);
  /* Reports whether a query with equal name and family would be answered by this job in the same way. NULL:
   * always. */
  bool (*serves)(const struct mote_job *j, const struct mote_name_query *q);
  /* Reports whether a job that is done may be kept for again(), without an asker. NULL: never. */
  bool (*keeps)(const struct mote_job *j);
  /* Makes a kept job one for this query that is not started. False: it does not suit, and only release() may
   * follow. */
  bool (*again)(struct mote_job *j, const struct mote_name_query *q);
  /* From here on the lookup is made for another asker (struct mote_name_query). NULL: it needs none. */
  void (*adopt)(struct mote_job *j, void *asker);
};

extern const struct mote_lookup_way mote_lookup_system;
/* The ways that an option asks for; NULL ends them. */
extern const struct mote_lookup_way *const mote_lookup_ways[];

/* Bytes of a job of the system's way, charged to the process. */
size_t mote_lookup_size(size_t name_len);

#endif
