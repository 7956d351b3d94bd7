/* transfer/options.c: the sparse option array and the table of all options (transfer/options.h). */
#include "transfer/options.h"

#include <string.h>

#include "auth/memory.h"
#include "base/memory.h"
#include "transfer/mime.h"

#define MORE_STEP 8u

static uint64_t bit_of(uint16_t id)
{
  return (uint64_t)1 << (id & 63u);
}

static struct mote_option *entry_at(const struct mote_options *o, unsigned i)
{
  if(i < MOTE_OPTIONS_INLINE)
    return (struct mote_option *)&o->slots[i];
  return &o->more[i - MOTE_OPTIONS_INLINE];
}

void mote_options_init(struct mote_options *o, struct mote_account *account)
{
  memset(o, 0, sizeof *o);
  o->account = account;
}

/* The form of a copied handle is a copy, too. */
static bool is_own_form(const struct mote_option *e)
{
  return MOTE_HAS_FORMS && e->kind == MOTE_KIND_PTR && !e->borrowed;
}

static bool is_memory(const struct mote_option *e)
{
  return MOTE_HAS_HTTP && (e->id == MOTE_OPT_AUTH || e->id == MOTE_OPT_PROXY_AUTH);
}

/* The application may free a form before or after its handle. */
static void release_form(const struct mote_option *e)
{
  struct curl_mime *form = e->v.ptr;
  if(form)
    form->user = NULL;
}

static void free_value(struct mote_options *o, const struct mote_option *e)
{
  bool owned = (e->kind == MOTE_KIND_STR || e->kind == MOTE_KIND_BLOB) && !e->borrowed;
  if(is_memory(e))
    mote_auth_memory_free(o->account, e->v.ptr);
  if(is_own_form(e))
    mote_mime_drop(e->v.ptr);
  else if(MOTE_HAS_FORMS && e->id == MOTE_OPT_ID(CURLOPT_MIMEPOST) && e->kind == MOTE_KIND_PTR)
    release_form(e);
  if(owned)
    mote_mem_free(o->account, MOTE_PART_STRING, e->v.ptr, e->size);
}

void mote_options_close(struct mote_options *o)
{
  struct mote_account *account = o->account;
  unsigned i;
  for(i = 0; i < o->count; i++)
    free_value(o, entry_at(o, i));
  mote_mem_free(account, MOTE_PART_HANDLE, o->more, o->more_cap * sizeof *o->more);
  mote_options_init(o, account);
}

static void drop_entry(struct mote_options *o, unsigned i)
{
  o->count--;
  if(i != o->count)
    *entry_at(o, i) = *entry_at(o, o->count);
}

void mote_options_sweep(struct mote_options *o)
{
  unsigned i;
  o->running = false;
  if(!mote_option_maybe(o, MOTE_OPT_RETIRED))
    return;
  for(i = 0; i < o->count;) {
    struct mote_option *e = entry_at(o, i);
    if(e->id != MOTE_OPT_RETIRED) {
      i++;
      continue;
    }
    free_value(o, e);
    drop_entry(o, i);
  }
}

static const struct mote_option *search(const struct mote_option *e, unsigned count, uint16_t id)
{
  for(; count; count--, e++)
    if(e->id == id)
      return e;
  return NULL;
}

static inline const struct mote_option *find(const struct mote_options *o, uint16_t id)
{
  const struct mote_option *e;
  if(o->count <= MOTE_OPTIONS_INLINE)
    return search(o->slots, o->count, id);
  e = search(o->slots, MOTE_OPTIONS_INLINE, id);
  return e ? e : search(o->more, o->count - MOTE_OPTIONS_INLINE, id);
}

static inline const struct mote_option *look_up(const struct mote_options *o, uint16_t id)
{
  return mote_option_maybe(o, id) ? find(o, id) : NULL;
}

const struct mote_option *mote_option_find(const struct mote_options *o, uint16_t id)
{
  return look_up(o, id);
}

static struct mote_option *find_index(struct mote_options *o, uint16_t id, unsigned *index)
{
  unsigned i;
  if(!mote_option_maybe(o, id))
    return NULL;
  for(i = 0; i < o->count; i++) {
    struct mote_option *e = entry_at(o, i);
    if(e->id == id) {
      *index = i;
      return e;
    }
  }
  return NULL;
}

void mote_options_drop_url(struct mote_options *o)
{
  unsigned i;
  o->url_in_use = false;
  if(!mote_option_maybe(o, MOTE_OPT_LAST_URL))
    return;
  for(i = 0; i < o->count; i++)
    if(entry_at(o, i)->id == MOTE_OPT_LAST_URL) {
      free_value(o, entry_at(o, i));
      drop_entry(o, i);
      return;
    }
}

static bool is_url_in_use(const struct mote_options *o, uint16_t id)
{
  return o->url_in_use && id == MOTE_OPT_ID(CURLOPT_URL);
}

/* Reports whether the running transfer or curl_easy_getinfo() may still read the entry's string. */
static bool in_use(const struct mote_options *o, const struct mote_option *e)
{
  bool owned = ((e->kind == MOTE_KIND_STR || e->kind == MOTE_KIND_BLOB) && !e->borrowed) || is_own_form(e);
  return owned && (o->running || is_url_in_use(o, e->id));
}

static void retire(struct mote_options *o, struct mote_option *e)
{
  bool last_url = is_url_in_use(o, e->id);
  e->id = last_url ? MOTE_OPT_LAST_URL : MOTE_OPT_RETIRED;
  o->seen |= bit_of(e->id);
  if(last_url)
    o->url_in_use = false;
}

void mote_options_clear(struct mote_options *o)
{
  unsigned i;
  for(i = 0; i < o->count;) {
    struct mote_option *e = entry_at(o, i);
    bool kept = e->id == MOTE_OPT_RETIRED || e->id == MOTE_OPT_LAST_URL;
    if(!kept && in_use(o, e))
      retire(o, e);
    else if(!kept) {
      free_value(o, e);
      drop_entry(o, i);
      continue;
    }
    i++;
  }
  o->changed = true;
}

/* Appends an empty entry. */
static struct mote_option *append_entry(struct mote_options *o)
{
  if(o->count == MOTE_OPTIONS_INLINE + o->more_cap) {
    size_t old = o->more_cap * sizeof *o->more;
    struct mote_option *more =
      mote_mem_realloc(o->account, MOTE_PART_HANDLE, o->more, old, old + MORE_STEP * sizeof *more);
    if(!more)
      return NULL;
    o->more = more;
    o->more_cap = (uint16_t)(o->more_cap + MORE_STEP);
  }
  return entry_at(o, o->count++);
}

/* Returns the entry for a new value. The old value is freed or retired. */
static struct mote_option *claim(struct mote_options *o, uint16_t id)
{
  unsigned index;
  struct mote_option *e = find_index(o, id, &index);
  o->changed = true;
  if(!e || in_use(o, e)) {
    struct mote_option *fresh = append_entry(o);
    if(!fresh)
      return NULL;
    if(e) /* append_entry() may have moved the array */
      retire(o, entry_at(o, index));
    e = fresh;
  }
  else
    free_value(o, e);
  memset(e, 0, sizeof *e);
  e->id = id;
  o->seen |= bit_of(id);
  return e;
}

CURLcode mote_option_set_long(struct mote_options *o, uint16_t id, long value)
{
  struct mote_option *e = claim(o, id);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  e->kind = MOTE_KIND_LONG;
  e->v.num = value;
  return CURLE_OK;
}

CURLcode mote_option_set_off(struct mote_options *o, uint16_t id, curl_off_t value)
{
  struct mote_option *e = claim(o, id);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  e->kind = MOTE_KIND_OFF;
  e->v.off = value;
  return CURLE_OK;
}

CURLcode mote_option_set_ptr(struct mote_options *o, uint16_t id, void *value)
{
  struct mote_option *e;
  if(!value) {
    mote_option_unset(o, id);
    return CURLE_OK;
  }
  e = claim(o, id);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  e->kind = MOTE_KIND_PTR;
  e->borrowed = 1;
  e->v.ptr = value;
  return CURLE_OK;
}

CURLcode mote_option_set_form(struct mote_options *o, struct curl_mime *form)
{
  CURLcode rc;
  if(form && (form->parent || (form->user && form->user != o)))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  rc = mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_MIMEPOST), form);
  if(form && !rc)
    form->user = o;
  return rc;
}

CURLcode mote_option_set_null(struct mote_options *o, uint16_t id)
{
  struct mote_option *e = claim(o, id);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  e->kind = MOTE_KIND_PTR;
  e->borrowed = 1;
  return CURLE_OK;
}

CURLcode mote_option_set_fn(struct mote_options *o, uint16_t id, mote_fn value)
{
  struct mote_option *e;
  if(!value) {
    mote_option_unset(o, id);
    return CURLE_OK;
  }
  e = claim(o, id);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  e->kind = MOTE_KIND_FN;
  e->v.fn = value;
  return CURLE_OK;
}

/* Copies before freeing, because the new value may be part of the old one. */
static CURLcode set_copy(struct mote_options *o, uint16_t id, uint8_t kind, const void *data, size_t len,
                         size_t nul)
{
  struct mote_option *e;
  char *copy;
  if(len > UINT32_MAX - 1)
    return CURLE_TOO_LARGE;
  copy = mote_mem_alloc(o->account, MOTE_PART_STRING, len + nul);
  if(!copy)
    return CURLE_OUT_OF_MEMORY;
  if(len)
    memcpy(copy, data, len);
  if(nul)
    copy[len] = 0;
  e = claim(o, id);
  if(!e) {
    mote_mem_free(o->account, MOTE_PART_STRING, copy, len + nul);
    return CURLE_OUT_OF_MEMORY;
  }
  e->kind = kind;
  e->size = (uint32_t)(len + nul);
  e->v.str = copy;
  return CURLE_OK;
}

CURLcode mote_option_set_str(struct mote_options *o, uint16_t id, const char *value, size_t len)
{
  return set_copy(o, id, MOTE_KIND_STR, value, len, 1);
}

CURLcode mote_option_set_blob(struct mote_options *o, uint16_t id, const void *data, size_t len, bool copy)
{
  struct mote_option *e;
  if(copy)
    return set_copy(o, id, MOTE_KIND_BLOB, data, len, 0);
  if(len > UINT32_MAX)
    return CURLE_TOO_LARGE;
  e = claim(o, id);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  e->kind = MOTE_KIND_BLOB;
  e->borrowed = 1;
  e->size = (uint32_t)len;
  e->v.ptr = (void *)(uintptr_t)data;
  return CURLE_OK;
}

void *mote_option_make_block(struct mote_options *o, uint16_t id, size_t size)
{
  void *block = mote_mem_zalloc(o->account, MOTE_PART_OTHER, size);
  if(block && mote_option_set_ptr(o, id, block)) {
    mote_mem_free(o->account, MOTE_PART_OTHER, block, size);
    block = NULL;
  }
  return block;
}

void mote_option_free_block(struct mote_options *o, uint16_t id, size_t size)
{
  void *block = mote_opt_find_ptr(o, id);
  mote_option_unset(o, id);
  mote_mem_free(o->account, MOTE_PART_OTHER, block, size);
}

CURLcode mote_option_lend(struct mote_options *o, const struct mote_option *e)
{
  struct mote_option *own = claim(o, e->id);
  if(!own)
    return CURLE_OUT_OF_MEMORY;
  *own = *e;
  own->borrowed = 1;
  return CURLE_OK;
}

void mote_option_unset(struct mote_options *o, uint16_t id)
{
  unsigned index;
  struct mote_option *e = find_index(o, id, &index);
  if(!e)
    return;
  o->changed = true;
  if(in_use(o, e))
    retire(o, e);
  else {
    free_value(o, e);
    drop_entry(o, index);
  }
  /* The bit stays, since another option may share it. It only means that a search may succeed. */
}

static CURLcode dup_entry(struct mote_options *to, const struct mote_option *e)
{
  struct mote_option *copy;
  struct curl_mime *form = NULL;
  if(e->kind == MOTE_KIND_STR && !e->borrowed)
    return mote_option_set_str(to, e->id, e->v.str, e->size - 1);
  if(e->kind == MOTE_KIND_BLOB && !e->borrowed)
    return mote_option_set_blob(to, e->id, e->v.ptr, e->size, true);
  if(MOTE_HAS_FORMS && e->id == MOTE_OPT_ID(CURLOPT_MIMEPOST)) {
    form = mote_mime_dup(e->v.ptr);
    if(!form)
      return CURLE_OUT_OF_MEMORY;
  }
  copy = claim(to, e->id);
  if(!copy) {
    mote_mime_drop(form);
    return CURLE_OUT_OF_MEMORY;
  }
  *copy = *e;
  if(form) {
    copy->v.ptr = form;
    copy->borrowed = 0;
  }
  return CURLE_OK;
}

CURLcode mote_options_dup(struct mote_options *to, const struct mote_options *from)
{
  unsigned i;
  for(i = 0; i < from->count; i++) {
    const struct mote_option *e = entry_at(from, i);
    bool old = e->id == MOTE_OPT_RETIRED || e->id == MOTE_OPT_LAST_URL ||
               e->id == MOTE_OPT_SHOWN_URL || e->id == MOTE_OPT_COOKIES || e->id == MOTE_OPT_NETRC ||
               e->id == MOTE_OPT_HSTS || e->id == MOTE_OPT_ALTSVC || is_memory(e);
    CURLcode rc = old ? CURLE_OK : dup_entry(to, e);
    if(rc) {
      mote_options_close(to);
      return rc;
    }
  }
  to->judged = from->judged;
  return CURLE_OK;
}

long mote_opt_find_long(const struct mote_options *o, uint16_t id, long preset)
{
  const struct mote_option *e = look_up(o, id);
  return e ? e->v.num : preset;
}

curl_off_t mote_opt_find_off(const struct mote_options *o, uint16_t id, curl_off_t preset)
{
  const struct mote_option *e = look_up(o, id);
  return e ? e->v.off : preset;
}

void *mote_opt_find_ptr(const struct mote_options *o, uint16_t id)
{
  const struct mote_option *e = look_up(o, id);
  return e ? e->v.ptr : NULL;
}

void *mote_opt_find_ptr_or(const struct mote_options *o, uint16_t id, void *preset)
{
  const struct mote_option *e = look_up(o, id);
  return e ? e->v.ptr : preset;
}

mote_fn mote_opt_find_fn(const struct mote_options *o, uint16_t id)
{
  const struct mote_option *e = look_up(o, id);
  return e ? e->v.fn : NULL;
}

bool mote_opt_blob(const struct mote_options *o, CURLoption option, struct curl_blob *out)
{
  const struct mote_option *e = mote_option_find(o, MOTE_OPT_ID(option));
  if(!e)
    return false;
  out->data = e->v.ptr;
  out->len = e->size;
  out->flags = CURL_BLOB_NOCOPY;
  return true;
}

bool mote_opt_is_set(const struct mote_options *o, CURLoption option)
{
  return mote_option_find(o, MOTE_OPT_ID(option)) != NULL;
}

size_t mote_options_text(const struct mote_options *o)
{
  size_t sum = 0;
  unsigned i;
  for(i = 0; i < o->count; i++) {
    const struct mote_option *e = entry_at(o, i);
    if(e->kind == MOTE_KIND_STR || e->kind == MOTE_KIND_BLOB)
      sum += e->size;
  }
  return sum;
}

/* ---- rows of options, by number; numbers only, to need no relocation ---- */

/* The first macro must paste the names, because TCP_NODELAY may itself be a macro (0x01 in lwIP). Identity,
 * which is never 0, stands there so that a row without an answer does not compile. */
#define ROW(state, option, type, what, id, value) \
  [MOTE_OPT_ID(option)] = {.kind = MOTE_IDENTITY_##id ? MOTE_TYPE_##type : MOTE_KIND_NONE, \
                           .built = (state), .rule = MOTE_RULE_##what, .preset = (value)},
/* The row of an option whose part is left out. Without TLS its options concern nothing, but with TLS they
 * must not be ignored. */
#define LEFT_OUT(id) \
  (MOTE_IDENTITY_##id != MOTE_IDENTITY_TLS ? MOTE_OPTION_LACKING \
   : MOTE_HAS_HTTPS                        ? MOTE_OPTION_REFUSED \
                                           : MOTE_OPTION_HARMLESS)
#define HAVE(name, type, what, part, id, value) \
  ROW(MOTE_HAS_##part ? MOTE_OPTION_BUILT : LEFT_OUT(id), CURLOPT_##name, type, what, id, value)
#define HARMLESS(name, type, what, part, id, value) \
  ROW(MOTE_OPTION_HARMLESS, CURLOPT_##name, type, what, id, value)
#define LACK(name, type, what, part, id, value) \
  ROW(MOTE_OPTION_LACKING, CURLOPT_##name, type, what, id, value)
#define REFUSE(name, type, what, part, id, value) \
  ROW(MOTE_OPTION_REFUSED, CURLOPT_##name, type, what, id, value)

static const struct mote_option_row rows[] = {
#include "transfer/option_rows.inc"
};

const struct mote_option_row *mote_option_row(uint16_t id)
{
  static const struct mote_option_row none = {.kind = MOTE_KIND_NONE};
  return id < sizeof rows / sizeof rows[0] ? &rows[id] : &none;
}

/* ---- the column `identity` of the rows ---- */

/* An option that distinguishes connections, and when. */
struct distinction {
  uint16_t id;  /* MOTE_OPT_ID */
  uint8_t when; /* MOTE_IDENTITY_ALWAYS, _TLS, _PROXY or _AUTH */
};

/* What ROUTE rows lead to is in the key by other names. */
#define DIFFERS_NEVER(option)
#define DIFFERS_ROUTE(option)
#define DIFFERS_ALWAYS(option) {MOTE_OPT_ID(option), MOTE_IDENTITY_ALWAYS},
#define DIFFERS_TLS(option) {MOTE_OPT_ID(option), MOTE_IDENTITY_TLS},
#define DIFFERS_PROXY(option) {MOTE_OPT_ID(option), MOTE_IDENTITY_PROXY},
#define DIFFERS_AUTH(option) {MOTE_OPT_ID(option), MOTE_IDENTITY_AUTH},
static const struct distinction distinctions[] = {
#define HAVE(name, type, rule, part, when, value) DIFFERS_##when(CURLOPT_##name)
#include "transfer/option_rows.inc"
};

/* The bits of these options in `seen` of the handle, of which most handles have none. */
#define BIT(option, when, wanted) \
  | ((uint64_t)(MOTE_IDENTITY_##when == (wanted)) << (MOTE_OPT_ID(option) & 63u))
static const uint64_t always_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_ALWAYS)
#include "transfer/option_rows.inc"
  ;
static const uint64_t tls_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_TLS)
#include "transfer/option_rows.inc"
  ;
static const uint64_t proxy_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_PROXY)
#include "transfer/option_rows.inc"
  ;
static const uint64_t auth_bits = 0
#define HAVE(name, type, rule, part, when, value) BIT(CURLOPT_##name, when, MOTE_IDENTITY_AUTH)
#include "transfer/option_rows.inc"
  ;

/* Options that make a difference only with another option, or only without it. */
static const struct condition {
  uint16_t id;
  uint16_t other;
  bool set; /* what the other must be */
} conditions[] = {
#define WITH(name, other) {MOTE_OPT_ID(CURLOPT_##name), MOTE_OPT_ID(CURLOPT_##other), true},
#define WITHOUT(name, other) {MOTE_OPT_ID(CURLOPT_##name), MOTE_OPT_ID(CURLOPT_##other), false},
#include "transfer/option_rows.inc"
};

/* Returns the entry of an option that has another value than its default, or NULL. */
static const struct mote_option *not_default(const struct mote_options *o, uint16_t id)
{
  const struct mote_option *e = mote_option_find(o, id);
  if(e && e->kind == MOTE_KIND_LONG && e->v.num == mote_option_row(id)->preset)
    return NULL;
  return e;
}

static bool applies(const struct mote_options *o, uint16_t id)
{
  unsigned i;
  for(i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
    if(conditions[i].id == id && !not_default(o, conditions[i].other) == conditions[i].set)
      return false;
  return true;
}

const struct mote_option *mote_options_identity(const struct mote_options *o, enum mote_identity_when when,
                                                unsigned *at)
{
  const uint64_t bits[] = {
    [MOTE_IDENTITY_ALWAYS] = always_bits, [MOTE_IDENTITY_TLS] = tls_bits,
    [MOTE_IDENTITY_PROXY] = proxy_bits, [MOTE_IDENTITY_AUTH] = auth_bits,
  };
  if(!(o->seen & bits[when]))
    return NULL;
  while(*at < sizeof distinctions / sizeof distinctions[0]) {
    const struct distinction *d = &distinctions[(*at)++];
    const struct mote_option *e = d->when == when ? not_default(o, d->id) : NULL;
    if(e && applies(o, d->id))
      return e;
  }
  return NULL;
}
