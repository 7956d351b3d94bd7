/* small/setopt.c: curl_easy_setopt(3) by a table of numbers and kinds. A negative number is an error, and an
 * option that is not in the table is CURLE_UNKNOWN_OPTION. */
#include <stdarg.h>
#include <string.h>

#include "api/easy/easy_handle.h"
#include "base/memory.h"
#include "small/upload/upload.h"

#define SMALLEST_BUFFER 512L /* bytes; no profile promises less */

struct row {
  uint16_t id;  /* MOTE_OPT_ID */
  uint8_t kind; /* enum mote_option_kind */
};

#define ROW_1(option, type) {MOTE_OPT_ID(option), MOTE_TYPE_##type},
#define ROW_0(option, type)
#define ROW_OF(has, option, type) ROW_##has(option, type)
#define ROW(has, option, type) ROW_OF(has, option, type)
#define HAVE(name, type, rule, part, identity, value) ROW(MOTE_HAS_##part, CURLOPT_##name, type)

static const struct row rows[] = {
#include "transfer/options/option_rows.inc"
};

static const struct row *small_setopt_row_of(CURLoption option)
{
  unsigned i;
  for(i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if(rows[i].id == MOTE_OPT_ID(option))
      return &rows[i];
  return NULL;
}

static long clip(long value, long least, long most)
{
  return value < least ? least : value > most ? most : value;
}

/* Stores seconds as milliseconds, under the number of the option in milliseconds. What is too large is
 * clipped as in the large implementation. */
static CURLcode small_setopt_take_number(struct mote_option *e, long value)
{
  bool unset = value == -1 && (e->id == MOTE_OPT_ID(CURLOPT_MAXREDIRS) || mote_upload_unset(e->id));
  if(value < 0 && !unset)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(e->id == MOTE_OPT_ID(CURLOPT_TIMEOUT) || e->id == MOTE_OPT_ID(CURLOPT_CONNECTTIMEOUT)) {
    if(value > INT32_MAX / 1000)
      return CURLE_BAD_FUNCTION_ARGUMENT;
    value *= 1000;
    e->id = e->id == MOTE_OPT_ID(CURLOPT_TIMEOUT) ? MOTE_OPT_ID(CURLOPT_TIMEOUT_MS)
                                                 : MOTE_OPT_ID(CURLOPT_CONNECTTIMEOUT_MS);
  }
  if(e->id == MOTE_OPT_ID(CURLOPT_BUFFERSIZE))
    value = clip(value, SMALLEST_BUFFER, CURL_MAX_READ_SIZE);
  e->v.num = clip(value, -1, e->id == MOTE_OPT_ID(CURLOPT_MAXREDIRS) ? INT16_MAX : INT32_MAX);
  return CURLE_OK;
}

/* size 0: NULL stays NULL. */
static CURLcode take_copy(struct mote_options *o, struct mote_option *e, const void *from, size_t size)
{
  void *copy;
  if(!size)
    return CURLE_OK;
  copy = mote_mem_alloc(o->account, MOTE_PART_STRING, size);
  if(!copy)
    return CURLE_OUT_OF_MEMORY;
  e->v.ptr = memcpy(copy, from, size);
  e->size = (uint32_t)size;
  return CURLE_OK;
}

static CURLcode small_setopt_take_blob(struct mote_options *o, struct mote_option *e,
                                       const struct curl_blob *blob)
{
  if(!blob->data || !blob->len)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(blob->flags & CURL_BLOB_COPY)
    return take_copy(o, e, blob->data, blob->len);
  e->v.ptr = blob->data;
  e->size = (uint32_t)blob->len;
  e->borrowed = 1;
  return CURLE_OK;
}

static CURLcode small_setopt_take(struct mote_options *o, struct mote_option *e, va_list args)
{
  const struct curl_blob *blob;
  const char *text;
  switch((enum mote_option_kind)e->kind) {
  case MOTE_KIND_LONG:
    return small_setopt_take_number(e, va_arg(args, long));
  case MOTE_KIND_OFF:
    e->v.off = va_arg(args, curl_off_t); /* a size, -1: not known */
    return e->v.off < -1 ? CURLE_BAD_FUNCTION_ARGUMENT : CURLE_OK;
  case MOTE_KIND_STR:
    text = va_arg(args, const char *);
    return take_copy(o, e, text, text ? strlen(text) + 1 : 0);
  case MOTE_KIND_BLOB:
    blob = va_arg(args, const struct curl_blob *);
    return blob ? small_setopt_take_blob(o, e, blob) : CURLE_OK;
  default: /* objects and functions alike */
    e->v.ptr = va_arg(args, void *);
    return CURLE_OK;
  }
}

CURLcode(curl_easy_setopt)(CURL *curl, CURLoption option, ...)
{
  struct mote_easy *easy = mote_easy_of(curl);
  const struct row *row = small_setopt_row_of(option);
  struct mote_option e = {0};
  CURLcode rc;
  va_list args;
  if(!easy)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(!row)
    return CURLE_UNKNOWN_OPTION;
  e.id = row->id;
  e.kind = row->kind;
  va_start(args, option);
  rc = small_setopt_take(&easy->t.options, &e, args);
  va_end(args);
  if(!rc)
    rc = mote_upload_option(&easy->t.options, &e);
  return rc ? rc : mote_few_put(&easy->t.options, &e);
}
