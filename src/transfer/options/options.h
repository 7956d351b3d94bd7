/* transfer/options/options.h: the options that an application has set, and nothing else.
 *
 * A handle keeps {option, value} pairs in a sparse array with a few slots inline and more on demand. An
 * option that was never set takes no room; its default is in its row (transfer/options/option_rows.h).
 * api/easy/setopt.c resolves aliases, so that only the canonical option is stored here, with times in
 * milliseconds, numbers as curl_off_t where a _LARGE form exists, and USERPWD as user name and password.
 *
 * A string that is replaced or removed while a transfer runs on the handle stays readable until that transfer
 * is over. It becomes a retired entry, which mote_options_sweep() frees. The URL that a transfer has used in
 * place (url_in_use) stays until the next one starts (mote_options_drop_url()). A string that is not in use
 * is replaced in place where the new one fits, and a short URL leaves its room for a later one.
 *
 * Invariants: at most one live entry per option; `seen` has the bit of every live entry.
 * Ownership:  the array owns copies of strings and blobs unless the entry is marked borrowed.
 * Errors:     CURLE_OUT_OF_MEMORY; the old value stays.
 * Tests:      tests/unit/transfer/test_options.c */
#ifndef MOTE_TRANSFER_OPTIONS_OPTIONS_H
#define MOTE_TRANSFER_OPTIONS_OPTIONS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"
#include "transfer/options/option_rows.h"

struct mote_account;
struct mote_slice;

/* The bits in `seen` of the engines that judge the URL of a request (http/hooks.h). */
#define MOTE_OPTION_JUDGES ((uint64_t)1 << (MOTE_OPT_HSTS & 63) | (uint64_t)1 << (MOTE_OPT_ALTSVC & 63))
/* Reports whether a handle with these options has one. */
#if MOTE_HAS_HOST_MEMORY
#define mote_options_judge(o) (((o)->seen & MOTE_OPTION_JUDGES) != 0)
#else
#define mote_options_judge(o) ((void)(o), false)
#endif

#define MOTE_OPTIONS_INLINE 8

struct mote_options {
  uint64_t seen;                     /* bit (id % 64) of every live entry; makes most searches unnecessary */
  union mote_option_value *more;     /* allocated entries after the inline ones, or NULL */
  struct mote_account *account;      /* pays for copies and for `more` */
  uint16_t count;                    /* entries in use, retired ones included */
  uint16_t more_cap;                 /* entries allocated in `more` */
  bool changed;                      /* an option was set or removed since the last transfer began */
  bool running;                      /* a transfer uses the strings: retire them, do not free */
  bool url_in_use;                   /* the run points into the string of CURLOPT_URL, which must stay */
  bool judged : 1;                   /* an option is set that may prevent a start (engine/refuse.h) */
  bool url_changed : 1;              /* CURLOPT_URL was set or removed since the last transfer began */
  union mote_option_value values[MOTE_OPTIONS_INLINE];
  uint16_t ids[MOTE_OPTIONS_INLINE]; /* MOTE_OPT_ID, or a pseudo-option */
  uint8_t tags[MOTE_OPTIONS_INLINE]; /* enum mote_option_kind, and whether the value is borrowed */
};

/* Reports whether an option is set that may prevent a start (engine/refuse.h). */
#define mote_options_may_refuse(o) ((o)->judged)

void mote_options_init(struct mote_options *o, struct mote_account *account);
void mote_options_close(struct mote_options *o);   /* frees everything; o is empty and usable */

/* Copies all of `from` into the empty `to` (curl_easy_duphandle). On failure `to` is empty. */
CURLcode mote_options_dup(struct mote_options *to, const struct mote_options *from);

bool mote_option_has(const struct mote_options *o, uint16_t id); /* the option is set */
/* Returns the entry's value, or NULL. */
const union mote_option_value *mote_option_value(const struct mote_options *o, uint16_t id);
/* Returns the numbers of the allocated entries, which follow their values; their kinds follow the numbers. */
static inline uint16_t *mote_options_more_ids(const struct mote_options *o)
{
  return (uint16_t *)(o->more + o->more_cap);
}
/* Shows the option, and returns whether it is set. What `out` points to is valid until the next change. */
bool mote_option_view(const struct mote_options *o, uint16_t id, struct mote_option *out);

void mote_options_clear(struct mote_options *o);   /* removes all, and retires what is in use */
void mote_options_sweep(struct mote_options *o);   /* the transfer is over: frees retired strings */
void mote_options_drop_url(struct mote_options *o); /* the last transfer's URL is no longer needed */

/* Setting an option. A LONG, OFF or FN that equals its default may be stored or removed, which is the same
 * to readers. */
CURLcode mote_option_set_long(struct mote_options *o, uint16_t id, long value);
CURLcode mote_option_set_off(struct mote_options *o, uint16_t id, curl_off_t value);
CURLcode mote_option_set_ptr(struct mote_options *o, uint16_t id, void *value);      /* NULL removes */
/* Sets CURLOPT_MIMEPOST. CURLE_BAD_FUNCTION_ARGUMENT: the form is another handle's, or a part's content. */
CURLcode mote_option_set_form(struct mote_options *o, struct curl_mime *form);
CURLcode mote_option_set_null(struct mote_options *o, uint16_t id);   /* stores NULL as a value */
CURLcode mote_option_set_fn(struct mote_options *o, uint16_t id, mote_fn value);     /* NULL removes */
CURLcode mote_option_set_str(struct mote_options *o, uint16_t id, const char *value, size_t len); /* copies */
CURLcode mote_option_set_blob(struct mote_options *o, uint16_t id, const void *data, size_t len, bool copy);
/* Sets the option of a copy of `e`, whose string or blob is borrowed. */
CURLcode mote_option_lend(struct mote_options *o, const struct mote_option *e);
void mote_option_unset(struct mote_options *o, uint16_t id);

/* What a feature remembers for its handle is a block that a pseudo-option points to. The first makes one of
 * `size` zeros; NULL: out of memory, and nothing has changed. The other removes the option and frees it. */
void *mote_option_make_block(struct mote_options *o, uint16_t id, size_t size);
void mote_option_free_block(struct mote_options *o, uint16_t id, size_t size);
/* Returns a block of `size` bytes that the array keeps from the first call on, and frees like a blob. NULL:
 * out of memory. Bytes of the block and of the entry's room are at most MOTE_OPTION_BLOCK(o, size). */
void *mote_option_keep_block(struct mote_options *o, uint16_t id, size_t size);
#define MOTE_OPTION_BLOCK(o, size) \
  ((size) + sizeof(struct mote_option) + 2 * ((o)->count + 16u) * sizeof(struct mote_option))

/* False: the option is certainly not set. True: search for it. */
static inline bool mote_option_maybe(const struct mote_options *o, uint16_t id)
{
  return (o->seen >> (id & 63u)) & 1u;
}

/* Shows the next option with the entry `when` (MOTE_IDENTITY_ALWAYS, _TLS, _CLIENT, _PROXY or _AUTH) in the
 * column `identity` that distinguishes the handle's connections from those of a handle where all is default.
 * Returns false after the last one. *at is 0 before the first call. */
bool mote_options_identity(const struct mote_options *o, enum mote_identity_when when, unsigned *at,
                           struct mote_option *out);

/* Returns the value, or `preset` (NULL for a pointer) while the option is not set. */
long mote_opt_find_long(const struct mote_options *o, uint16_t id, long preset);
curl_off_t mote_opt_find_off(const struct mote_options *o, uint16_t id, curl_off_t preset);
void *mote_opt_find_ptr(const struct mote_options *o, uint16_t id);
void *mote_opt_find_ptr_or(const struct mote_options *o, uint16_t id, void *preset);
mote_fn mote_opt_find_fn(const struct mote_options *o, uint16_t id);

/* Checks an option named by its constant, most of which are not set. This costs one test, and none where
 * the option is not built. A build for size (-Os) leaves the test to the function that finds the option, as
 * its two hundred copies would take 4 KB. */
#ifndef __OPTIMIZE_SIZE__
#define MOTE_OPT_MAYBE(o, option) (MOTE_BUILT_##option && mote_option_maybe(o, MOTE_OPT_ID(option)))
#else
#define MOTE_OPT_MAYBE(o, option) ((void)(o), MOTE_BUILT_##option)
#endif

/* ptr NULL: unset. */
struct mote_slice mote_opt_blob(const struct mote_options *o, CURLoption option);
/* Returns the bytes of all strings and blobs, borrowed ones included. */
size_t mote_options_text(const struct mote_options *o);
bool mote_opt_is_set(const struct mote_options *o, CURLoption option);

#endif
