/* transfer/options.h: what an application has set, and nothing else.
 *
 * A handle keeps {option, value} pairs in a sparse array: a few slots inline, more on demand. What was
 * never set takes no room; its default is in the const table (transfer/options.c). Aliases are resolved
 * when they are set (api/setopt.c): here only the canonical option is ever stored, times in milliseconds,
 * numbers as curl_off_t where a _LARGE form exists, USERPWD as user name and password.
 *
 * A string that is replaced or removed while a transfer runs on the handle stays readable until that
 * transfer is over: it is kept as a retired entry and given back by mote_options_sweep(). The URL that a
 * transfer has used in place (url_in_use) stays until the next one starts: mote_options_drop_url().
 *
 * Invariants: at most one live entry per option; `seen` has the bit of every live entry.
 * Ownership:  strings and blobs are copies of ours unless the entry is marked borrowed.
 * Failure:    CURLE_OUT_OF_MEMORY; the old value stays.
 * Tests:      tests/unit/transfer/test_options.c */
#ifndef MOTE_TRANSFER_OPTIONS_H
#define MOTE_TRANSFER_OPTIONS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"

struct mote_account;

/* An option's number without its type class. */
#define MOTE_OPT_ID(option) ((uint16_t)((unsigned)(option) % 10000u))

/* Pseudo-options: numbers that no CURLOPT has. */
enum {
  MOTE_OPT_METHOD = 900, /* long: enum mote_method; the last of HTTPGET, POST, NOBODY, UPLOAD … wins */
  MOTE_OPT_LAST_URL,     /* the last transfer's URL after the application has replaced it, for getinfo */
  MOTE_OPT_NO_AUTH,      /* long: no scheme of the last CURLOPT_HTTPAUTH is built in */
  MOTE_OPT_AUTH,         /* the scheme that a server has chosen, and its origin (protocol/http_auth.c) */
  MOTE_OPT_SHOWN_URL,    /* CURLOPT_URL without credentials, for getinfo before a transfer */
  MOTE_OPT_RETIRED = 0   /* a string of the running transfer that the application has replaced */
};

enum mote_method {
  MOTE_METHOD_GET,
  MOTE_METHOD_HEAD,
  MOTE_METHOD_POST,     /* body from POSTFIELDS or the read callback */
  MOTE_METHOD_PUT,      /* UPLOAD: body from the read callback */
  MOTE_METHOD_MIME      /* MIMEPOST, HTTPPOST */
};

enum mote_option_kind {
  MOTE_KIND_NONE,  /* no such option */
  MOTE_KIND_LONG,
  MOTE_KIND_OFF,   /* curl_off_t */
  MOTE_KIND_STR,   /* NUL-terminated, copied */
  MOTE_KIND_PTR,   /* the application's, not looked into: user data, FILE, error buffer, slist, … */
  MOTE_KIND_FN,    /* a callback */
  MOTE_KIND_BLOB   /* struct curl_blob; copied or borrowed by its flag */
};

/* Part in the connection's identity (DESIGN section 3): a row without an answer does not compile,
 * since 0 is none of them and the table is checked by a test. */
enum mote_identity_when {
  MOTE_IDENTITY_NEVER = 1, /* does not concern the connection */
  MOTE_IDENTITY_ALWAYS,    /* two connections that differ here are different */
  MOTE_IDENTITY_TLS,       /* only when the connection uses TLS */
  MOTE_IDENTITY_PROXY,     /* only through a proxy */
  MOTE_IDENTITY_AUTH       /* only with authentication that binds to the connection */
};

/* What `built` of a row says. */
enum mote_option_built {
  MOTE_OPTION_LACKING,  /* of a feature that is left out: only the value that asks for nothing is accepted */
  MOTE_OPTION_BUILT,    /* works: the value is kept */
  MOTE_OPTION_HARMLESS, /* checked, accepted and forgotten: it can change nothing in this build */
  MOTE_OPTION_REFUSED,  /* as LACKING, and it would change what is sent or checked: transfers end with
                           CURLE_NOT_BUILT_IN until what asks for nothing is set */
  MOTE_OPTION_JUDGED    /* the value is kept; the start of a transfer judges it (transfer/refuse.h) */
};

struct mote_option_row {
  uint8_t kind;     /* enum mote_option_kind of the canonical value */
  uint8_t identity; /* enum mote_identity_when */
  uint8_t built;    /* enum mote_option_built */
  int32_t preset;   /* default of LONG and OFF */
};

/* All rows by option number; only for numbers of the table (every CURLOPT_ that is read somewhere is in
 * it). */
extern const struct mote_option_row mote_option_rows[];

/* The row of a canonical option number; kind is MOTE_KIND_NONE for numbers that are none. */
const struct mote_option_row *mote_option_row(uint16_t id);

/* ---- what is known of an option when the library is built ----
 *
 * An option whose part is left out (cmake/options.cmake) is not set, for sure: where it is read by its name
 * the compiler knows what it stands for, and drops what would have used another value. */

/* The default of CURLOPT_MAXREDIRS; a profile may lower it (LIMITS). */
#ifndef MOTE_MAX_REDIRECTS
#define MOTE_MAX_REDIRECTS 30
#endif

/* MOTE_BUILT_CURLOPT_X: 1 where its part is in this build, or 0. MOTE_DEFAULT_CURLOPT_X: what a number that
 * is not set stands for. */
enum {
#define HAVE(name, kind, identity, value) \
  MOTE_BUILT_CURLOPT_##name = MOTE_WITH_##name, MOTE_DEFAULT_CURLOPT_##name = (value),
#define HARMLESS(name, kind, identity, value) MOTE_BUILT_CURLOPT_##name = 1, MOTE_DEFAULT_CURLOPT_##name = 0,
#define LACK(name, kind, identity, value) MOTE_BUILT_CURLOPT_##name = 1, MOTE_DEFAULT_CURLOPT_##name = 0,
#define REFUSE(name, kind, identity, value) MOTE_BUILT_CURLOPT_##name = 1, MOTE_DEFAULT_CURLOPT_##name = 0,
#define JUDGE(name, kind, identity, value) MOTE_BUILT_CURLOPT_##name = 1, MOTE_DEFAULT_CURLOPT_##name = 0,
#include "transfer/option_rows.inc"
#undef HAVE
#undef HARMLESS
#undef LACK
#undef REFUSE
#undef JUDGE
};

typedef void (*mote_fn)(void); /* any callback; converted back to its own type before the call */

struct mote_option {
  uint16_t id;       /* MOTE_OPT_ID */
  uint8_t kind;      /* enum mote_option_kind; decides which member of v */
  uint8_t borrowed;  /* 1: v.str or v.ptr is the application's */
  uint32_t size;     /* STR: bytes with the NUL; BLOB: bytes */
  union {
    long num;
    curl_off_t off;
    const char *str;
    void *ptr;
    mote_fn fn;
  } v;
};

#define MOTE_OPTIONS_INLINE 6

struct mote_options {
#if !MOTE_HAS_SMALL
  uint64_t seen;                     /* bit (id % 64) of every live entry: a quick no */
#endif
  struct mote_option *more;          /* entries beyond the inline ones, or NULL */
  struct mote_account *account;      /* pays for copies and for `more` */
  uint16_t count;                    /* entries in use, retired ones included */
  uint16_t more_cap;                 /* entries allocated in `more` */
  bool changed;                      /* something was set or removed since the last transfer began */
  bool running;                      /* a transfer uses the strings: retire, don't free */
  bool url_in_use;                   /* the run points into the string of CURLOPT_URL: it is kept */
  bool judged;                       /* an option was set that decides whether a transfer may start at all
                                        (transfer/refuse.h) */
#if !MOTE_HAS_SMALL
  struct mote_option slots[MOTE_OPTIONS_INLINE];
#endif
};

void mote_options_init(struct mote_options *o, struct mote_account *account);
void mote_options_close(struct mote_options *o);   /* everything given back; empty and usable */

/* The live entry, or NULL. Valid until the next change. */
const struct mote_option *mote_option_find(const struct mote_options *o, uint16_t id);

/* All of `from` into the empty `to`, copies copied again (curl_easy_duphandle). On failure `to` is empty. */
CURLcode mote_options_dup(struct mote_options *to, const struct mote_options *from);

#if !MOTE_HAS_SMALL

void mote_options_sweep(struct mote_options *o);   /* give retired strings back; the transfer is over */
void mote_options_drop_url(struct mote_options *o); /* nobody points into the last transfer's URL any more */

/* Setting. A value equal to the default of a LONG, OFF or FN may be stored or removed: nobody can tell. */
CURLcode mote_option_set_long(struct mote_options *o, uint16_t id, long value);
CURLcode mote_option_set_off(struct mote_options *o, uint16_t id, curl_off_t value);
CURLcode mote_option_set_ptr(struct mote_options *o, uint16_t id, void *value);      /* NULL removes */
CURLcode mote_option_set_fn(struct mote_options *o, uint16_t id, mote_fn value);     /* NULL removes */
CURLcode mote_option_set_str(struct mote_options *o, uint16_t id, const char *value, size_t len); /* copies */
CURLcode mote_option_set_blob(struct mote_options *o, uint16_t id, const void *data, size_t len, bool copy);
void mote_option_unset(struct mote_options *o, uint16_t id);

/* False: the option is not set, for sure. */
static inline bool mote_option_maybe(const struct mote_options *o, uint16_t id)
{
  return (o->seen >> (id & 63u)) & 1u;
}

/* The value, or `preset` and NULL where the option is not set. */
long mote_opt_find_long(const struct mote_options *o, uint16_t id, long preset);
curl_off_t mote_opt_find_off(const struct mote_options *o, uint16_t id, curl_off_t preset);
void *mote_opt_find_ptr(const struct mote_options *o, uint16_t id);
mote_fn mote_opt_find_fn(const struct mote_options *o, uint16_t id);

/* Of an option that is named by its constant, while most are not set: one test then, and none where it is
 * not built. */
#define MOTE_OPT_MAYBE(o, option) (MOTE_BUILT_##option && mote_option_maybe(o, MOTE_OPT_ID(option)))

#else

/* Few options, each of a part that may be left out; only what is built is searched for. A string that is
 * replaced is given back at once: nobody points into the array's strings across a callback. */
static inline void mote_options_sweep(struct mote_options *o)
{
  o->running = false;
}

static inline void mote_options_drop_url(struct mote_options *o)
{
  o->url_in_use = false;
}

/* The value, or `preset` and NULL where the option is not set. */
long mote_opt_find_long(const struct mote_options *o, uint16_t id, long preset);
curl_off_t mote_opt_find_off(const struct mote_options *o, uint16_t id, curl_off_t preset);
void *mote_opt_find_ptr(const struct mote_options *o, uint16_t id);

/* Objects and functions have pointers of one size wherever this is built. */
static inline mote_fn mote_opt_find_fn(const struct mote_options *o, uint16_t id)
{
  return (mote_fn)(uintptr_t)mote_opt_find_ptr(o, id);
}

#define MOTE_OPT_MAYBE(o, option) MOTE_BUILT_##option

/* small/setopt.c's one way to store: this entry in the place of what there was. A string or blob is the
 * array's from then on. CURLE_OUT_OF_MEMORY: nothing has changed, and what was to be stored is given back. */
CURLcode mote_few_put(struct mote_options *o, const struct mote_option *value);
#endif

/* Reading an option that is named by its constant: its value, or what it stands for while it is not set
 * (NULL but for numbers). */
#define mote_opt_long(o, option) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_long(o, MOTE_OPT_ID(option), MOTE_DEFAULT_##option) \
                             : (long)MOTE_DEFAULT_##option)
#define mote_opt_off(o, option) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_off(o, MOTE_OPT_ID(option), MOTE_DEFAULT_##option) \
                             : (curl_off_t)MOTE_DEFAULT_##option)
#define mote_opt_ptr(o, option) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_ptr(o, MOTE_OPT_ID(option)) : NULL)
#define mote_opt_str(o, option) ((const char *)mote_opt_ptr(o, option))
#define mote_opt_fn(o, option) \
  (MOTE_OPT_MAYBE(o, option) ? mote_opt_find_fn(o, MOTE_OPT_ID(option)) : (mote_fn)NULL)

bool mote_opt_blob(const struct mote_options *o, CURLoption option, struct curl_blob *out); /* is it set? */
/* Bytes of all strings and blobs, borrowed ones included. */
size_t mote_options_text(const struct mote_options *o);
bool mote_opt_is_set(const struct mote_options *o, CURLoption option);

#endif
