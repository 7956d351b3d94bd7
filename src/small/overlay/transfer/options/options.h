/* small/overlay/transfer/options/options.h: the options that an application has set, in one array that is
 * searched from its beginning (small/options.c).
 *
 * A replaced string is freed at once, because nothing points into the array's strings across a callback.
 *
 * Ownership: the array owns copies of strings and blobs unless the entry is marked borrowed.
 * Errors:    CURLE_OUT_OF_MEMORY; the old value stays. */
#ifndef MOTE_TRANSFER_OPTIONS_OPTIONS_H
#define MOTE_TRANSFER_OPTIONS_OPTIONS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transfer/options/option_rows.h"

struct mote_account;
struct mote_slice;

struct mote_options {
  struct mote_option *more;     /* all entries, or NULL */
  struct mote_account *account; /* pays for copies and for `more` */
  uint16_t count;               /* entries in use */
  uint16_t more_cap;            /* entries allocated */
  bool changed;                 /* an option was set since the last transfer began */
  bool running;                 /* a transfer uses the strings */
  bool url_in_use;              /* the run points into the string of CURLOPT_URL, which must stay */
  bool url_changed;             /* for the large getinfo alone */
};

/* Neither hosts that are remembered nor options that may prevent a start. */
#define mote_options_judge(o) ((void)(o), false)
#define mote_options_may_refuse(o) ((void)(o), false)

void mote_options_init(struct mote_options *o, struct mote_account *account);
void mote_options_close(struct mote_options *o); /* frees everything; o is empty and usable */
/* Copies all of `from` into the empty `to`. On failure `to` is empty. */
CURLcode mote_options_dup(struct mote_options *to, const struct mote_options *from);

/* Returns the entry, or NULL. It is valid until the next change. */
const struct mote_option *mote_option_find(const struct mote_options *o, uint16_t id);
/* Stores the entry in the place of an earlier one. The array takes a string or blob over.
 * CURLE_OUT_OF_MEMORY: nothing has changed, and the string or blob is freed. */
CURLcode mote_few_put(struct mote_options *o, const struct mote_option *value);

static inline void mote_options_sweep(struct mote_options *o)
{
  o->running = false;
}

/* A transfer is over when its handle can be reset. */
#define mote_options_clear(o) ((void)(o))

static inline void mote_options_drop_url(struct mote_options *o)
{
  o->url_in_use = false;
}

/* Returns the value, or `preset` (NULL for a pointer) while the option is not set. */
long mote_opt_find_long(const struct mote_options *o, uint16_t id, long preset);
curl_off_t mote_opt_find_off(const struct mote_options *o, uint16_t id, curl_off_t preset);
void *mote_opt_find_ptr(const struct mote_options *o, uint16_t id);

/* Object and function pointers have the same size on every platform of part small. */
static inline mote_fn mote_opt_find_fn(const struct mote_options *o, uint16_t id)
{
  return (mote_fn)(uintptr_t)mote_opt_find_ptr(o, id);
}

/* The search covers only those that are built. */
#define MOTE_OPT_MAYBE(o, option) MOTE_BUILT_##option

/* ptr NULL: unset. */
struct mote_slice mote_opt_blob(const struct mote_options *o, CURLoption option);

#endif
