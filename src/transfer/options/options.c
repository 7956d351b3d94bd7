/* transfer/options/options.c: the sparse array of options: sets, finds and frees them
 * (transfer/options/options.h). */
#include "transfer/options/options.h"

#include <string.h>

#include "auth/memory.h"
#include "base/memory.h"
#include "transfer/upload/mime.h"

#define MORE_FIRST 4u
#define MORE_STEP 8u

/* A longer URL is not kept to be replaced by the one after the next. */
#define SPARE_MOST 256u

/* The bit beside enum mote_option_kind of an entry whose string, blob or pointer is the application's. */
#define BORROWED 0x80u

/* What is asked for with most requests has a bit in `seen` that is set with it, or by nothing else that is
 * common, so that the question costs one test (transfer/options/options.h). */
#define SAME_BIT(pseudo, option) \
  _Static_assert(((pseudo) & 63) == (MOTE_OPT_ID(option) & 63), #pseudo " has not the bit of " #option)
SAME_BIT(MOTE_OPT_COOKIES, CURLOPT_COOKIE);
SAME_BIT(MOTE_OPT_SOURCE, CURLOPT_UPLOAD);
SAME_BIT(MOTE_OPT_NETRC, CURLOPT_NETRC);
SAME_BIT(MOTE_OPT_RTSP, CURLOPT_RTSP_REQUEST);
SAME_BIT(MOTE_OPT_COPIED_URL, CURLOPT_URL);
SAME_BIT(MOTE_OPT_SPARE_URL, MOTE_OPT_LAST_URL);
_Static_assert((MOTE_OPT_HSTS & 63) == 40 && (MOTE_OPT_ALTSVC & 63) == 59, "bits of rare options");

/* The block of a string that the array owns. */
struct text {
  uint32_t room;        /* bytes that fit, the NUL included */
  char bytes[];
};

/* The block of a blob that the array owns. */
struct blob {
  uint32_t size;        /* bytes */
  _Alignas(int64_t) unsigned char bytes[];
};

/* The block of a blob that is the application's. */
struct lent {
  void *bytes;
  uint32_t size;
};

static uint64_t transfer_options_bit_of(uint16_t id)
{
  return (uint64_t)1 << (id & 63u);
}

static size_t transfer_options_more_size(size_t entries)
{
  return entries * (sizeof(union mote_option_value) + sizeof(uint16_t) + sizeof(uint8_t));
}

static union mote_option_value *value_at(const struct mote_options *o, unsigned i)
{
  if(i < MOTE_OPTIONS_INLINE)
    return (union mote_option_value *)&o->values[i];
  return &o->more[i - MOTE_OPTIONS_INLINE];
}

static uint16_t *id_at(const struct mote_options *o, unsigned i)
{
  if(i < MOTE_OPTIONS_INLINE)
    return (uint16_t *)&o->ids[i];
  return &mote_options_more_ids(o)[i - MOTE_OPTIONS_INLINE];
}

static uint8_t *tag_at(const struct mote_options *o, unsigned i)
{
  if(i < MOTE_OPTIONS_INLINE)
    return (uint8_t *)&o->tags[i];
  return (uint8_t *)(mote_options_more_ids(o) + o->more_cap) + (i - MOTE_OPTIONS_INLINE);
}

static enum mote_option_kind kind_at(const struct mote_options *o, unsigned i)
{
  return (enum mote_option_kind)(*tag_at(o, i) & ~BORROWED);
}

static bool is_borrowed(const struct mote_options *o, unsigned i)
{
  return (*tag_at(o, i) & BORROWED) != 0;
}

static void set_id(struct mote_options *o, unsigned i, uint16_t id)
{
  *id_at(o, i) = id;
  o->seen |= transfer_options_bit_of(id);
}

static struct text *transfer_options_text_of(union mote_option_value v)
{
  return (struct text *)(void *)((char *)v.ptr - offsetof(struct text, bytes));
}

static struct blob *blob_of(union mote_option_value v)
{
  return (struct blob *)(void *)((char *)v.ptr - offsetof(struct blob, bytes));
}

static struct mote_option view_of(const struct mote_options *o, unsigned i)
{
  struct mote_option e = {
    .id = *id_at(o, i), .kind = (uint8_t)kind_at(o, i), .borrowed = is_borrowed(o, i), .v = *value_at(o, i),
  };
  const struct lent *lent = e.v.ptr;
  if(e.kind == MOTE_KIND_STR)
    e.size = (uint32_t)strlen(e.v.str) + 1;
  else if(e.kind == MOTE_KIND_BLOB && !e.borrowed)
    e.size = blob_of(e.v)->size;
  else if(e.kind == MOTE_KIND_BLOB) {
    e.size = lent->size;
    e.v.ptr = lent->bytes;
  }
  return e;
}

/* ---- finding ---- */

static inline const uint16_t *transfer_options_search(const uint16_t *ids, unsigned count, uint16_t id)
{
  for(; count; count--, ids++)
    if(*ids == id)
      return ids;
  return NULL;
}

/* Unused entries have the number 0, which is never searched for, so that there is nothing to count. */
static inline const uint16_t *search_inline(const struct mote_options *o, uint16_t id)
{
  const uint16_t *ids = o->ids;
  for(; ids < o->ids + MOTE_OPTIONS_INLINE; ids += 4) {
    if(ids[0] == id)
      return ids;
    if(ids[1] == id)
      return ids + 1;
    if(ids[2] == id)
      return ids + 2;
    if(ids[3] == id)
      return ids + 3;
  }
  return NULL;
}

static inline const union mote_option_value *transfer_options_look_up(const struct mote_options *o,
                                                                      uint16_t id)
{
  const uint16_t *at;
  if(!mote_option_maybe(o, id))
    return NULL;
  at = search_inline(o, id);
  if(at)
    return &o->values[at - o->ids];
  if(o->count <= MOTE_OPTIONS_INLINE)
    return NULL;
  at = transfer_options_search(mote_options_more_ids(o), o->count - MOTE_OPTIONS_INLINE, id);
  return at ? &o->more[at - mote_options_more_ids(o)] : NULL;
}

const union mote_option_value *mote_option_value(const struct mote_options *o, uint16_t id)
{
  return transfer_options_look_up(o, id);
}

bool mote_option_has(const struct mote_options *o, uint16_t id)
{
  return transfer_options_look_up(o, id) != NULL;
}

bool mote_opt_is_set(const struct mote_options *o, CURLoption option)
{
  return mote_option_has(o, MOTE_OPT_ID(option));
}

long mote_opt_find_long(const struct mote_options *o, uint16_t id, long preset)
{
  const union mote_option_value *v = transfer_options_look_up(o, id);
  return v ? v->num : preset;
}

curl_off_t mote_opt_find_off(const struct mote_options *o, uint16_t id, curl_off_t preset)
{
  const union mote_option_value *v = transfer_options_look_up(o, id);
  return v ? v->off : preset;
}

void *mote_opt_find_ptr(const struct mote_options *o, uint16_t id)
{
  const union mote_option_value *v = transfer_options_look_up(o, id);
  return v ? v->ptr : NULL;
}

void *mote_opt_find_ptr_or(const struct mote_options *o, uint16_t id, void *preset)
{
  const union mote_option_value *v = transfer_options_look_up(o, id);
  return v ? v->ptr : preset;
}

mote_fn mote_opt_find_fn(const struct mote_options *o, uint16_t id)
{
  const union mote_option_value *v = transfer_options_look_up(o, id);
  return v ? v->fn : NULL;
}

/* ---- keeping ---- */

void mote_options_init(struct mote_options *o, struct mote_account *account)
{
  memset(o, 0, sizeof *o);
  o->account = account;
}

/* The form of a copied handle is a copy, too. */
static bool is_own_form(const struct mote_options *o, unsigned i)
{
  return MOTE_HAS_FORMS && kind_at(o, i) == MOTE_KIND_PTR && !is_borrowed(o, i);
}

static bool is_own_bytes(const struct mote_options *o, unsigned i)
{
  return (kind_at(o, i) == MOTE_KIND_STR || kind_at(o, i) == MOTE_KIND_BLOB) && !is_borrowed(o, i);
}

static bool is_memory(uint16_t id)
{
  return MOTE_HAS_HTTP && (id == MOTE_OPT_AUTH || id == MOTE_OPT_PROXY_AUTH);
}

/* The application may free a form before or after its handle. */
static void release_form(struct curl_mime *form)
{
  if(form)
    form->user = NULL;
}

static void free_bytes(struct mote_options *o, unsigned i)
{
  union mote_option_value v = *value_at(o, i);
  if(kind_at(o, i) == MOTE_KIND_BLOB && is_borrowed(o, i))
    mote_mem_free(o->account, MOTE_PART_STRING, v.ptr, sizeof(struct lent));
  else if(kind_at(o, i) == MOTE_KIND_BLOB)
    mote_mem_free(o->account, MOTE_PART_STRING, blob_of(v), sizeof(struct blob) + blob_of(v)->size);
  else if(kind_at(o, i) == MOTE_KIND_STR && !is_borrowed(o, i))
    mote_mem_free(o->account, MOTE_PART_STRING, transfer_options_text_of(v),
                  sizeof(struct text) + transfer_options_text_of(v)->room);
}

static void transfer_options_free_value(struct mote_options *o, unsigned i)
{
  void *ptr = value_at(o, i)->ptr;
  if(is_memory(*id_at(o, i)))
    mote_auth_memory_free(o->account, ptr);
  if(is_own_form(o, i))
    mote_mime_drop(ptr);
  else if(MOTE_HAS_FORMS && *id_at(o, i) == MOTE_OPT_ID(CURLOPT_MIMEPOST) && kind_at(o, i) == MOTE_KIND_PTR)
    release_form(ptr);
  free_bytes(o, i);
}

void mote_options_close(struct mote_options *o)
{
  struct mote_account *account = o->account;
  unsigned i;
  for(i = 0; i < o->count; i++)
    transfer_options_free_value(o, i);
  mote_mem_free(account, MOTE_PART_HANDLE, o->more, transfer_options_more_size(o->more_cap));
  mote_options_init(o, account);
}

/* The last entry takes the place of a removed one. */
static void drop_entry(struct mote_options *o, unsigned i)
{
  transfer_options_free_value(o, i);
  o->count--;
  *value_at(o, i) = *value_at(o, o->count);
  *id_at(o, i) = *id_at(o, o->count);
  *tag_at(o, i) = *tag_at(o, o->count);
  *id_at(o, o->count) = 0;
}

void mote_options_sweep(struct mote_options *o)
{
  unsigned i;
  o->running = false;
  if(!mote_option_maybe(o, MOTE_OPT_RETIRED))
    return;
  for(i = 0; i < o->count;)
    if(*id_at(o, i) == MOTE_OPT_RETIRED)
      drop_entry(o, i);
    else
      i++;
}

/* Returns the entry's place, or the number of entries. */
static unsigned find_index(const struct mote_options *o, uint16_t id)
{
  const union mote_option_value *v = mote_option_value(o, id);
  if(!v)
    return o->count;
  return (unsigned)(v >= o->values && v < o->values + MOTE_OPTIONS_INLINE ? v - o->values
                                                                         : v - o->more + MOTE_OPTIONS_INLINE);
}

bool mote_option_view(const struct mote_options *o, uint16_t id, struct mote_option *out)
{
  unsigned i = find_index(o, id);
  if(i == o->count)
    return false;
  *out = view_of(o, i);
  return true;
}

/* A short string stays, for the URL after the next one. */
void mote_options_drop_url(struct mote_options *o)
{
  unsigned i, spare;
  o->url_in_use = false;
  if(!mote_option_maybe(o, MOTE_OPT_LAST_URL))
    return;
  i = find_index(o, MOTE_OPT_LAST_URL);
  if(i == o->count)
    return;
  if(transfer_options_text_of(*value_at(o, i))->room > SPARE_MOST) {
    drop_entry(o, i);
    return;
  }
  spare = find_index(o, MOTE_OPT_SPARE_URL);
  set_id(o, i, MOTE_OPT_SPARE_URL);
  if(spare < o->count)
    drop_entry(o, spare);
}

static bool is_url_in_use(const struct mote_options *o, uint16_t id)
{
  return o->url_in_use && id == MOTE_OPT_ID(CURLOPT_URL);
}

/* Reports whether the running transfer or curl_easy_getinfo() may still read the entry's string. */
static bool in_use(const struct mote_options *o, unsigned i)
{
  return (is_own_bytes(o, i) || is_own_form(o, i)) && (o->running || is_url_in_use(o, *id_at(o, i)));
}

static void transfer_options_retire(struct mote_options *o, unsigned i)
{
  bool last_url = is_url_in_use(o, *id_at(o, i));
  set_id(o, i, last_url ? MOTE_OPT_LAST_URL : MOTE_OPT_RETIRED);
  if(last_url)
    o->url_in_use = false;
}

void mote_options_clear(struct mote_options *o)
{
  unsigned i;
  for(i = 0; i < o->count;) {
    bool kept = *id_at(o, i) == MOTE_OPT_RETIRED || *id_at(o, i) == MOTE_OPT_LAST_URL;
    if(!kept && in_use(o, i))
      transfer_options_retire(o, i);
    else if(!kept) {
      drop_entry(o, i);
      continue;
    }
    i++;
  }
  o->changed = true;
}

/* The numbers and kinds move up to make room for more values, and the kinds for more numbers. */
static bool transfer_options_grow(struct mote_options *o)
{
  size_t cap = o->more_cap, grown = cap + (cap ? MORE_STEP : MORE_FIRST);
  union mote_option_value *more =
    mote_mem_realloc(o->account, MOTE_PART_HANDLE, o->more, transfer_options_more_size(cap),
                     transfer_options_more_size(grown));
  if(!more)
    return false;
  memmove((uint16_t *)(more + grown) + grown, (uint16_t *)(more + cap) + cap, cap);
  memmove(more + grown, more + cap, cap * sizeof(uint16_t));
  o->more = more;
  o->more_cap = (uint16_t)grown;
  return true;
}

/* Stores the value in the option's entry; `kind` is its tag. The old value is freed or retired. */
static CURLcode transfer_options_put(struct mote_options *o, uint16_t id, unsigned kind,
                                     union mote_option_value v)
{
  unsigned i = find_index(o, id);
  if(i < o->count && !in_use(o, i))
    transfer_options_free_value(o, i);
  else {
    if(o->count == MOTE_OPTIONS_INLINE + o->more_cap && !transfer_options_grow(o))
      return CURLE_OUT_OF_MEMORY;
    if(i < o->count)
      transfer_options_retire(o, i);
    i = o->count++;
  }
  *value_at(o, i) = v;
  *tag_at(o, i) = (uint8_t)kind;
  set_id(o, i, id);
  o->changed = true;
  return CURLE_OK;
}

CURLcode mote_option_set_long(struct mote_options *o, uint16_t id, long value)
{
  union mote_option_value v = {0};
  v.num = value;
  return transfer_options_put(o, id, MOTE_KIND_LONG, v);
}

CURLcode mote_option_set_off(struct mote_options *o, uint16_t id, curl_off_t value)
{
  union mote_option_value v = {.off = value};
  return transfer_options_put(o, id, MOTE_KIND_OFF, v);
}

static CURLcode put_ptr(struct mote_options *o, uint16_t id, void *value, bool borrowed)
{
  union mote_option_value v = {0};
  v.ptr = value;
  return transfer_options_put(o, id, borrowed ? MOTE_KIND_PTR | BORROWED : MOTE_KIND_PTR, v);
}

CURLcode mote_option_set_ptr(struct mote_options *o, uint16_t id, void *value)
{
  if(value)
    return put_ptr(o, id, value, true);
  mote_option_unset(o, id);
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
  return put_ptr(o, id, NULL, true);
}

CURLcode mote_option_set_fn(struct mote_options *o, uint16_t id, mote_fn value)
{
  union mote_option_value v = {0};
  if(!value) {
    mote_option_unset(o, id);
    return CURLE_OK;
  }
  v.fn = value;
  return transfer_options_put(o, id, MOTE_KIND_FN, v);
}

/* Writes the string over an old one of about its size, so that a handle that changes its URL each time takes
 * no memory. The new value may be part of the old one. */
static bool overwrite(struct mote_options *o, uint16_t id, const char *value, size_t len)
{
  unsigned i = find_index(o, id), old = i;
  struct text *text;
  if(i < o->count && is_url_in_use(o, id))
    i = find_index(o, MOTE_OPT_SPARE_URL);
  if(i == o->count || kind_at(o, i) != MOTE_KIND_STR || is_borrowed(o, i) || (i == old && in_use(o, i)))
    return false;
  text = transfer_options_text_of(*value_at(o, i));
  if(len >= text->room || text->room - len > SPARE_MOST)
    return false;
  if(len)
    memmove(text->bytes, value, len);
  text->bytes[len] = 0;
  if(i != old) {
    transfer_options_retire(o, old);
    set_id(o, i, id);
  }
  o->changed = true;
  return true;
}

/* Copies before freeing, because the new value may be part of the old one. */
CURLcode mote_option_set_str(struct mote_options *o, uint16_t id, const char *value, size_t len)
{
  union mote_option_value v = {0};
  struct text *text;
  CURLcode rc;
  if(len > UINT32_MAX - sizeof *text - 1)
    return CURLE_TOO_LARGE;
  if(id == MOTE_OPT_ID(CURLOPT_URL))
    o->url_changed = true;
  if(overwrite(o, id, value, len))
    return CURLE_OK;
  text = mote_mem_alloc(o->account, MOTE_PART_STRING, sizeof *text + len + 1);
  if(!text)
    return CURLE_OUT_OF_MEMORY;
  text->room = (uint32_t)(len + 1);
  memcpy(text->bytes, value, len);
  text->bytes[len] = 0;
  v.ptr = text->bytes;
  rc = transfer_options_put(o, id, MOTE_KIND_STR, v);
  if(rc)
    mote_mem_free(o->account, MOTE_PART_STRING, text, sizeof *text + len + 1);
  return rc;
}

static CURLcode lend_blob(struct mote_options *o, uint16_t id, const void *data, size_t len)
{
  union mote_option_value v = {0};
  struct lent *lent = mote_mem_alloc(o->account, MOTE_PART_STRING, sizeof *lent);
  CURLcode rc;
  if(!lent)
    return CURLE_OUT_OF_MEMORY;
  lent->bytes = (void *)(uintptr_t)data;
  lent->size = (uint32_t)len;
  v.ptr = lent;
  rc = transfer_options_put(o, id, MOTE_KIND_BLOB | BORROWED, v);
  if(rc)
    mote_mem_free(o->account, MOTE_PART_STRING, lent, sizeof *lent);
  return rc;
}

/* Stores a copy of the bytes, or, without data, a block of so many. */
static CURLcode set_bytes(struct mote_options *o, uint16_t id, const void *data, size_t len)
{
  union mote_option_value v = {0};
  struct blob *blob;
  CURLcode rc;
  blob = mote_mem_alloc(o->account, MOTE_PART_STRING, sizeof *blob + len);
  if(!blob)
    return CURLE_OUT_OF_MEMORY;
  blob->size = (uint32_t)len;
  if(data && len)
    memcpy(blob->bytes, data, len);
  v.ptr = blob->bytes;
  rc = transfer_options_put(o, id, MOTE_KIND_BLOB, v);
  if(rc)
    mote_mem_free(o->account, MOTE_PART_STRING, blob, sizeof *blob + len);
  return rc;
}

CURLcode mote_option_set_blob(struct mote_options *o, uint16_t id, const void *data, size_t len, bool copy)
{
  if(len > UINT32_MAX - sizeof(struct blob))
    return CURLE_TOO_LARGE;
  return copy ? set_bytes(o, id, data, len) : lend_blob(o, id, data, len);
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

void *mote_option_keep_block(struct mote_options *o, uint16_t id, size_t size)
{
  void *block = mote_opt_find_ptr(o, id);
  bool changed = o->changed;
  if(!block && !set_bytes(o, id, NULL, size))
    block = mote_opt_find_ptr(o, id);
  o->changed = changed;
  return block;
}

CURLcode mote_option_lend(struct mote_options *o, const struct mote_option *e)
{
  if(e->kind == MOTE_KIND_BLOB)
    return lend_blob(o, e->id, e->v.ptr, e->size);
  return transfer_options_put(o, e->id, e->kind | BORROWED, e->v);
}

void mote_option_unset(struct mote_options *o, uint16_t id)
{
  unsigned i = find_index(o, id);
  if(i == o->count)
    return;
  o->changed = true;
  if(id == MOTE_OPT_ID(CURLOPT_URL))
    o->url_changed = true;
  if(in_use(o, i))
    transfer_options_retire(o, i);
  else
    drop_entry(o, i);
  /* The bit stays, since another option may share it. It only means that a search may succeed. */
}

static CURLcode transfer_options_dup_entry(struct mote_options *to, const struct mote_option *e)
{
  struct curl_mime *form;
  CURLcode rc;
  if(e->kind == MOTE_KIND_STR && !e->borrowed)
    return mote_option_set_str(to, e->id, e->v.str, e->size - 1);
  if(e->kind == MOTE_KIND_BLOB)
    return mote_option_set_blob(to, e->id, e->v.ptr, e->size, !e->borrowed);
  if(!MOTE_HAS_FORMS || e->id != MOTE_OPT_ID(CURLOPT_MIMEPOST))
    return transfer_options_put(to, e->id, e->borrowed ? e->kind | BORROWED : e->kind, e->v);
  form = mote_mime_dup(e->v.ptr);
  if(!form)
    return CURLE_OUT_OF_MEMORY;
  rc = put_ptr(to, e->id, form, false);
  if(rc)
    mote_mime_drop(form);
  return rc;
}

/* What a copy of the handle does not get. */
static bool is_of_handle(uint16_t id)
{
  return id == MOTE_OPT_RETIRED || id == MOTE_OPT_LAST_URL || id == MOTE_OPT_SPARE_URL ||
         id == MOTE_OPT_SHOWN_URL || id == MOTE_OPT_COOKIES || id == MOTE_OPT_NETRC || id == MOTE_OPT_HSTS ||
         id == MOTE_OPT_ALTSVC || id == MOTE_OPT_SOURCE || id == MOTE_OPT_SIGV4 || id == MOTE_OPT_RTSP ||
         is_memory(id);
}

CURLcode mote_options_dup(struct mote_options *to, const struct mote_options *from)
{
  unsigned i;
  for(i = 0; i < from->count; i++) {
    struct mote_option e = view_of(from, i);
    CURLcode rc = is_of_handle(e.id) ? CURLE_OK : transfer_options_dup_entry(to, &e);
    if(rc) {
      mote_options_close(to);
      return rc;
    }
  }
  to->judged = from->judged;
  return CURLE_OK;
}

struct mote_slice mote_opt_blob(const struct mote_options *o, CURLoption option)
{
  struct mote_option e;
  if(!mote_option_view(o, MOTE_OPT_ID(option), &e))
    return (struct mote_slice){NULL, 0};
  return (struct mote_slice){e.v.ptr, e.size};
}

size_t mote_options_text(const struct mote_options *o)
{
  size_t sum = 0;
  unsigned i;
  for(i = 0; i < o->count; i++) {
    struct mote_option e = view_of(o, i);
    sum += e.size;
  }
  return sum;
}
