/* small/upload/upload.c: POST and PUT (small/upload/upload.h). How many bytes of the body are sent is
 * stats.bytes_up, which begins at 0 with each request of a chain. */
#include "small/upload/upload.h"

#include "base/memory.h"
#include "codec/url/url.h"
#include "codec/url/url_pack.h"
#include "engine/start.h"

#define CONTENT_TYPE "Content-Type: application/x-www-form-urlencoded\r\n"

/* ---- options ---- */

static CURLcode small_upload_set_method(struct mote_options *o, enum mote_method method)
{
  struct mote_option e = {.id = MOTE_OPT_METHOD, .kind = MOTE_KIND_LONG};
  e.v.num = method;
  return mote_few_put(o, &e);
}

/* CURLOPT_COPYPOSTFIELDS copies as many bytes as CURLOPT_POSTFIELDSIZE has said before, or a string. A NUL
 * ends either. */
static CURLcode small_upload_copy_fields(struct mote_options *o, struct mote_option *e)
{
  curl_off_t size = mote_opt_off(o, CURLOPT_POSTFIELDSIZE_LARGE);
  const char *from = e->v.ptr;
  size_t len;
  e->id = MOTE_OPT_ID(CURLOPT_POSTFIELDS);
  if(!from)
    return CURLE_OK;
  len = size < 0 ? strlen(from) : (size_t)size;
  e->v.ptr = len < INT32_MAX ? mote_mem_strndup(o->account, MOTE_PART_STRING, from, len) : NULL;
  e->size = (uint32_t)len + 1;
  return e->v.ptr ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static void make_large(struct mote_option *e, CURLoption large)
{
  e->id = MOTE_OPT_ID(large);
  e->kind = MOTE_KIND_OFF;
  e->v.off = e->v.num;
}

static void small_upload_make_method(struct mote_option *e, enum mote_method method)
{
  e->id = MOTE_OPT_METHOD;
  e->v.num = e->v.num ? method : MOTE_METHOD_GET;
}

CURLcode mote_upload_option(struct mote_options *o, struct mote_option *e)
{
  CURLcode rc = CURLE_OK;
  switch(e->id) {
  case MOTE_OPT_ID(CURLOPT_HTTPGET):
    small_upload_make_method(e, MOTE_METHOD_GET);
    break;
  case MOTE_OPT_ID(CURLOPT_POST):
    small_upload_make_method(e, MOTE_METHOD_POST);
    break;
  case MOTE_OPT_ID(CURLOPT_UPLOAD):
    small_upload_make_method(e, MOTE_METHOD_PUT);
    break;
  case MOTE_OPT_ID(CURLOPT_POSTFIELDSIZE):
    make_large(e, CURLOPT_POSTFIELDSIZE_LARGE);
    break;
  case MOTE_OPT_ID(CURLOPT_INFILESIZE):
    make_large(e, CURLOPT_INFILESIZE_LARGE);
    break;
  case MOTE_OPT_ID(CURLOPT_COPYPOSTFIELDS):
  case MOTE_OPT_ID(CURLOPT_POSTFIELDS):
    if(e->v.ptr)
      rc = small_upload_set_method(o, MOTE_METHOD_POST);
    if(!rc && e->id == MOTE_OPT_ID(CURLOPT_COPYPOSTFIELDS)) /* last, so that no copy is left over */
      rc = small_upload_copy_fields(o, e);
    break;
  default:
    break;
  }
  return rc;
}

bool mote_upload_unset(uint16_t id)
{
  return id == MOTE_OPT_ID(CURLOPT_POSTFIELDSIZE) || id == MOTE_OPT_ID(CURLOPT_INFILESIZE);
}

/* ---- the head ---- */

static bool is_put(const struct mote_transfer *t)
{
  return t->run->request.method == MOTE_METHOD_PUT;
}

static const char *memory_of(const struct mote_transfer *t)
{
  return is_put(t) ? NULL : mote_opt_ptr(&t->options, CURLOPT_POSTFIELDS);
}

/* Bytes of the body; -1: not known. CURLOPT_POSTFIELDSIZE can only shorten a copy that was made before. */
static curl_off_t small_upload_size_of(const struct mote_transfer *t)
{
  const struct mote_option *fields = mote_option_find(&t->options, MOTE_OPT_ID(CURLOPT_POSTFIELDS));
  const char *memory = memory_of(t);
  curl_off_t size = is_put(t) ? mote_opt_off(&t->options, CURLOPT_INFILESIZE_LARGE)
                              : mote_opt_off(&t->options, CURLOPT_POSTFIELDSIZE_LARGE);
  if(t->run->request.method == MOTE_METHOD_GET)
    return 0;
  if(memory && size < 0)
    return (curl_off_t)strlen(memory);
  return memory && fields->size && size >= fields->size ? fields->size - 1 : size;
}

struct mote_slice mote_upload_method(const struct mote_transfer *t)
{
  static const char names[] = "GET POST PUT ";
  enum mote_method method = t->run->request.method;
  return method == MOTE_METHOD_GET ? (struct mote_slice){names, 4} :
         method == MOTE_METHOD_POST ? (struct mote_slice){names + 4, 5} : (struct mote_slice){names + 9, 4};
}

/* Secrets, which blanks after the name do not hide, and a Host are for the first origin only
 * (CURLOPT_HTTPHEADER(3)). */
static bool may_be_sent(const struct mote_transfer *t, const char *line)
{
  struct mote_slice name = mote_slice_trim((struct mote_slice){line, strcspn(line, ":;")});
  return !t->run->request.other_origin || (!mote_slice_is(name, "authorization") &&
                                           !mote_slice_is(name, "cookie") && !mote_slice_is(name, "host"));
}

/* From the ":" or ";" after the name; NULL: there is no such line. */
static const char *own_line(const struct mote_transfer *t, const char *name)
{
  const struct curl_slist *l;
  size_t len = strlen(name);
  for(l = mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER); l; l = l->next)
    if(strcspn(l->data, ":;") == len && l->data[len] && mote_equal_nocase_n(l->data, name, len) &&
       may_be_sent(t, l->data))
      return l->data + len;
  return NULL;
}

bool mote_upload_replaces(const struct mote_transfer *t, const char *name)
{
  return own_line(t, name) != NULL;
}

struct out {
  char *to; /* NULL: nothing is written */
  size_t len;
};

static void small_upload_put(struct out *out, const char *text)
{
  size_t len = strlen(text);
  if(out->to)
    memcpy(out->to + out->len, text, len);
  out->len += len;
}

/* "Name:" without a value only keeps the usual field away. rest: from the ":". */
static bool has_value(const char *rest)
{
  return *rest == ':' && rest[1 + strspn(rest + 1, " \t")];
}

/* "Name;" is a field without a value. */
static void put_line(struct out *out, const char *line)
{
  size_t name = strcspn(line, ":;");
  bool empty = line[name] == ';' && !line[name + 1];
  if(!empty && !has_value(line + name))
    return;
  small_upload_put(out, line);
  if(empty && out->to)
    out->to[out->len - 1] = ':';
  small_upload_put(out, "\r\n");
}

size_t mote_upload_fields(const struct mote_transfer *t, char *to)
{
  struct out out = {to, 0};
  const struct curl_slist *l;
  char number[21];
  for(l = mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER); l; l = l->next)
    if(may_be_sent(t, l->data))
      put_line(&out, l->data);
  if(t->run->request.method == MOTE_METHOD_GET)
    return out.len;
  if(!mote_upload_replaces(t, "Content-Length")) {
    (void)mote_print_dec(number, (uint64_t)small_upload_size_of(t));
    small_upload_put(&out, "Content-Length: ");
    small_upload_put(&out, number);
    small_upload_put(&out, "\r\n");
  }
  if(!is_put(t) && !mote_upload_replaces(t, "Content-Type"))
    small_upload_put(&out, CONTENT_TYPE);
  return out.len;
}

/* ---- the body ---- */

CURLcode mote_upload_begin(struct mote_transfer *t)
{
  const struct mote_run *r = t->run;
  curl_seek_callback seek = (curl_seek_callback)mote_opt_fn(&t->options, CURLOPT_SEEKFUNCTION);
  const char *coding = own_line(t, "Transfer-Encoding");
  curl_off_t size = small_upload_size_of(t);
  bool begun = r->request.redirects || r->lease.kind == MOTE_LEASE_ONLY_NEW;
  int failed;
  if(size < 0 || (coding && has_value(coding) && r->request.method != MOTE_METHOD_GET))
    return CURLE_NOT_BUILT_IN;
  if(!size || memory_of(t) || !begun)
    return CURLE_OK;
  t->in_callback = true;
  failed = !seek || seek(mote_opt_ptr(&t->options, CURLOPT_SEEKDATA), 0, SEEK_SET);
  t->in_callback = false;
  return failed ? CURLE_SEND_FAIL_REWIND : CURLE_OK;
}

CURLcode mote_upload_next(struct mote_transfer *t, char *to, size_t room, uint32_t *n)
{
  curl_read_callback fn = (curl_read_callback)mote_opt_fn(&t->options, CURLOPT_READFUNCTION);
  curl_off_t *sent = &t->run->stats.bytes_up;
  curl_off_t left = small_upload_size_of(t) - *sent;
  const char *memory = memory_of(t);
  size_t len = left < (curl_off_t)room ? (size_t)left : room;
  *n = 0;
  if(!len)
    return CURLE_OK;
  if(memory)
    memcpy(to, memory + *sent, len);
  else {
    if(!fn)
      return CURLE_READ_ERROR;
    t->in_callback = true;
    room = fn(to, 1, len, mote_opt_ptr(&t->options, CURLOPT_READDATA));
    t->in_callback = false;
    if(room == CURL_READFUNC_ABORT)
      return CURLE_ABORTED_BY_CALLBACK;
    if(!room || room > len)
      return CURLE_READ_ERROR;
    len = room;
  }
  *sent += (curl_off_t)len;
  *n = (uint32_t)len;
  return CURLE_OK;
}

CURLcode mote_upload_redirect(struct mote_transfer *t, int status)
{
  struct mote_request *request = &t->run->request;
  struct mote_url first, next;
  CURLcode rc = mote_start_parse_url(t, &first);
  if(rc)
    return rc;
  mote_url_unpack(&request->url, &next);
  request->other_origin = !mote_url_same_origin(&first, &next);
  mote_url_close(&first);
  if(status == 303 || (status < 303 && request->method == MOTE_METHOD_POST))
    request->method = MOTE_METHOD_GET;
  return CURLE_OK;
}
