/* transfer/multi/push.h: what a server pushes (RFC 9113 section 8.4), between the protocol that hears of it
 * (protocol/http2/h2_push.c) and the application, which decides (CURLMOPT_PUSHFUNCTION(3)).
 *
 * Ownership: the multi owns struct mote_push, made when one of its options is set, until mote_push_close().
 * Tests:     tests/e2e/test_h2_push.py */
#ifndef MOTE_TRANSFER_MULTI_PUSH_H
#define MOTE_TRANSFER_MULTI_PUSH_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "transfer/multi/multi.h"

struct mote_transfer;

/* The fields of one promised request, for the time of the callback (curl_pushheader_bynum(3)). */
struct curl_pushheaders {
  char **lines; /* "name:value", those of pseudo-fields (":path:/") first; borrowed */
  size_t count;
};

struct mote_push {
  curl_push_callback fn; /* NULL: nothing is pushed to this multi */
  void *data;
  /* Makes the handle of a promised GET or HEAD, with the options of its parent. NULL: out of memory. */
  struct mote_transfer *(*make)(struct mote_transfer *parent, const char *url, bool head);
  /* Frees one that the application did not take. */
  void (*drop)(struct mote_transfer *t);
};

/* Returns the value of the first field with that name, or NULL. A name may begin with a colon. */
char *mote_push_field(const struct curl_pushheaders *h, const char *name);

#if MOTE_HAS_H2
/* Reports whether the application wants to hear of pushes. A session says so once, when it begins. */
static inline bool mote_push_is_wanted(const struct mote_multi *m)
{
  return m->push && m->push->fn;
}

static inline void mote_push_close(struct mote_multi *m)
{
  mote_mem_free(&m->account, MOTE_PART_MULTI, m->push, sizeof *m->push);
  m->push = NULL;
}
#else
#define mote_push_close(m) ((void)(m))
#endif

#endif
