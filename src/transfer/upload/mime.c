/* transfer/upload/mime.c: the tree of a form's parts: made, changed, copied and freed
 * (transfer/upload/mime.h). */
#include "transfer/upload/mime.h"

#include <string.h>

#include "base/containers/slist.h"
#include "base/memory.h"
#include "port/file.h"
#include "port/path.h"
#include "port/port.h"
#include "transfer/upload/source.h"

#define PARTS MOTE_PART_CODEC
#define DASHES 24 /* of a boundary; the rest is random */

/* ---- forms ---- */

static size_t form_bytes(void)
{
  return sizeof(struct curl_mime) + MOTE_SOURCE_BYTES;
}

/* Each character is one of 62, by six random bits where these are below 62, else by the next ones. */
static CURLcode make_boundary(char *out)
{
  static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  unsigned char random[2 * (MOTE_MIME_BOUNDARY - DASHES)];
  size_t i, at = DASHES;
  memset(out, '-', DASHES);
  while(at < MOTE_MIME_BOUNDARY) {
    CURLcode rc = mote_port_random(random, sizeof random);
    if(rc)
      return rc;
    for(i = 0; i < sizeof random && at < MOTE_MIME_BOUNDARY; i++)
      if((random[i] & 63u) < 62)
        out[at++] = letters[random[i] & 63u];
  }
  out[at] = 0;
  return CURLE_OK;
}

struct curl_mime *mote_mime_new(void)
{
  struct curl_mime *m = mote_mem_zalloc(mote_mem_process(), PARTS, form_bytes());
  if(m && make_boundary(m->boundary)) {
    mote_mem_free(mote_mem_process(), PARTS, m, form_bytes());
    return NULL;
  }
  if(m)
    m->in_head = true;
  return m;
}

static void drop_string(struct curl_mimepart *p, struct mote_mime_string *s)
{
  bool inside = s->ptr >= p->tail && s->ptr < p->tail + sizeof p->tail;
  if(s->ptr && s->size && !inside)
    mote_mem_free(mote_mem_process(), PARTS, s->ptr, s->size);
  else if(inside && s->ptr + s->size == p->tail + p->tail_used) /* the last one in the tail */
    p->tail_used = (uint16_t)(s->ptr - p->tail);
  s->ptr = NULL;
  s->size = 0;
}

static void close_part(struct curl_mimepart *p)
{
  mote_mime_clear(p);
  mote_mime_set_headers(p, NULL, false);
  drop_string(p, &p->name);
  drop_string(p, &p->filename);
  drop_string(p, &p->type);
  mote_mem_free(mote_mem_process(), PARTS, p, sizeof *p);
}

/* A form that is the content of a part leaves it without content. */
void mote_mime_close(struct curl_mime *m)
{
  struct curl_mimepart *p, *next;
  if(!m)
    return;
  if(m->parent) {
    m->parent->kind = MOTE_MIME_NONE;
    m->parent->from.inner = NULL;
  }
  for(p = m->first; p; p = next) {
    next = p->next;
    close_part(p);
  }
  mote_mem_free(mote_mem_process(), PARTS, m, form_bytes());
}

void mote_mime_return(void *chain)
{
  struct curl_mime *m = mote_container_of(chain, struct curl_mime, chain);
  if(m->freed)
    mote_mime_close(m);
}

struct curl_mimepart *mote_mime_add(struct curl_mime *m)
{
  struct curl_mimepart *p = mote_mem_alloc(mote_mem_process(), PARTS, sizeof *p);
  if(!p)
    return NULL;
  memset(p, 0, offsetof(struct curl_mimepart, drain));
  p->form = m;
  p->file = -1;
  if(m->last)
    m->last->next = p;
  else
    m->first = m->at = p;
  m->last = p;
  return p;
}

/* ---- what a part has ---- */

/* The old text goes last, because the new one may be part of it. */
CURLcode mote_mime_keep(struct curl_mimepart *p, struct mote_mime_string *s, const char *from, size_t len)
{
  struct mote_mime_string made = {NULL, 0};
  if(from) {
    if(len > SIZE_MAX - 1)
      return CURLE_OUT_OF_MEMORY;
    made.size = len + 1;
    if(made.size <= sizeof p->tail - p->tail_used) {
      made.ptr = p->tail + p->tail_used;
      p->tail_used = (uint16_t)(p->tail_used + made.size);
    }
    else
      made.ptr = mote_mem_alloc(mote_mem_process(), PARTS, made.size);
    if(!made.ptr)
      return CURLE_OUT_OF_MEMORY;
    if(len)
      memcpy(made.ptr, from, len);
    made.ptr[len] = 0;
  }
  drop_string(p, s);
  *s = made;
  return CURLE_OK;
}

void mote_mime_forget(struct curl_mimepart *p)
{
  if(p->file >= 0)
    (void)mote_port_file_close(p->file);
  p->file = -1;
  p->at = 0;
  p->drain_at = p->drain_len = 0;
  p->coded = false;
  memset(&p->coder, 0, sizeof p->coder);
}

void mote_mime_clear(struct curl_mimepart *p)
{
  uint8_t kind = p->kind;
  mote_mime_forget(p);
  drop_string(p, &p->text);
  p->kind = MOTE_MIME_NONE;
  p->size = 0;
  p->touched = false;
  if(kind == MOTE_MIME_CALLBACK && p->from.call.free)
    p->from.call.free(p->from.call.arg);
  if(kind == MOTE_MIME_FORM) {
    p->from.inner->parent = NULL;
    mote_mime_close(p->from.inner);
  }
}

void mote_mime_set_callback(struct curl_mimepart *p, curl_off_t size, const struct mote_mime_callback *call)
{
  mote_mime_clear(p);
  if(!call->read)
    return;
  p->kind = MOTE_MIME_CALLBACK;
  p->from.call = *call;
  p->size = size < 0 ? -1 : size;
}

void mote_mime_set_headers(struct curl_mimepart *p, struct curl_slist *headers, bool own)
{
  if(p->owns_headers && p->headers != headers)
    mote_slist_free(p->headers);
  p->headers = headers;
  p->owns_headers = own;
}

/* A pipe is not opened to find out, as that would wait for a writer. */
static bool can_read(const char *path, struct mote_file_info *info)
{
  int file;
  if(!*path || mote_port_path_info(path, info))
    return false;
  if(!info->regular)
    return true;
  if(mote_port_file_open(path, MOTE_FILE_READ, 0, &file))
    return false;
  (void)mote_port_file_close(file);
  return true;
}

static CURLcode name_file(struct curl_mimepart *p, const char *path)
{
  const char *base = mote_port_path_name(path);
  CURLcode rc = mote_mime_keep(p, &p->filename, base, strlen(base));
  return rc ? rc : mote_mime_keep(p, &p->text, path, strlen(path));
}

CURLcode mote_mime_set_file(struct curl_mimepart *p, const char *path)
{
  struct mote_file_info info;
  CURLcode rc;
  mote_mime_clear(p);
  if(!can_read(path, &info))
    return CURLE_READ_ERROR;
  rc = name_file(p, path);
  if(rc)
    return rc;
  p->kind = MOTE_MIME_FILE;
  p->regular = info.regular;
  p->size = info.regular ? info.size : -1;
  return CURLE_OK;
}

static unsigned levels_above(const struct curl_mime *m)
{
  unsigned n = 1;
  for(; m->parent; m = m->parent->form)
    n++;
  return n;
}

/* The deepest path down, without recursion: forms inside are visited in the order of parts. */
static unsigned levels_below(const struct curl_mime *top)
{
  const struct curl_mime *m = top;
  const struct curl_mimepart *p = top->first;
  unsigned level = 1, most = 1;
  for(;;) {
    if(p && p->kind == MOTE_MIME_FORM) {
      m = p->from.inner;
      p = m->first;
      level++;
      most = level > most ? level : most;
    }
    else if(p)
      p = p->next;
    else if(m == top)
      return most;
    else {
      p = m->parent->next;
      m = m->parent->form;
      level--;
    }
  }
}

CURLcode mote_mime_set_form(struct curl_mimepart *p, struct curl_mime *inner)
{
  const struct curl_mime *m = p->form;
  if(p->kind == MOTE_MIME_FORM && p->from.inner == inner)
    return CURLE_OK;
  if(!inner) {
    mote_mime_clear(p);
    return CURLE_OK;
  }
  while(m->parent)
    m = m->parent->form;
  if(inner->user || inner->parent || m == inner ||
     levels_above(p->form) + levels_below(inner) > MOTE_MIME_DEPTH)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  mote_mime_clear(p);
  p->kind = MOTE_MIME_FORM;
  p->from.inner = inner;
  inner->parent = p;
  return CURLE_OK;
}

/* ---- a copy ---- */

static CURLcode dup_string(struct curl_mimepart *p, struct mote_mime_string *s,
                           const struct mote_mime_string *from)
{
  return mote_mime_keep(p, s, from->ptr, from->size ? from->size - 1 : 0);
}

static CURLcode dup_headers(struct curl_mimepart *p, const struct curl_slist *from)
{
  struct curl_slist **end = &p->headers;
  p->owns_headers = true;
  for(; from; from = from->next) {
    size_t size = strlen(from->data) + 1;
    struct curl_slist *node = mote_slist_node(size);
    if(!node)
      return CURLE_OUT_OF_MEMORY;
    memcpy(node->data, from->data, size);
    *end = node;
    end = &node->next;
  }
  return CURLE_OK;
}

static CURLcode dup_part(struct curl_mimepart *p, const struct curl_mimepart *from)
{
  CURLcode rc = dup_string(p, &p->name, &from->name);
  if(!rc)
    rc = dup_string(p, &p->filename, &from->filename);
  if(!rc)
    rc = dup_string(p, &p->type, &from->type);
  if(!rc)
    rc = dup_string(p, &p->text, &from->text);
  if(!rc)
    rc = dup_headers(p, from->headers);
  if(rc)
    return rc;
  p->coding = from->coding;
  p->size = from->size;
  p->regular = from->regular;
  if(from->kind == MOTE_MIME_FORM) { /* the depth is that of the first one */
    struct curl_mime *inner = mote_mime_dup(from->from.inner);
    if(!inner)
      return CURLE_OUT_OF_MEMORY;
    inner->parent = p;
    p->from.inner = inner;
  }
  else
    p->from = from->from;
  p->kind = from->kind;
  return CURLE_OK;
}

struct curl_mime *mote_mime_dup(const struct curl_mime *from)
{
  struct curl_mime *m = mote_mime_new();
  const struct curl_mimepart *p;
  if(!m)
    return NULL;
  for(p = from->first; p; p = p->next) {
    struct curl_mimepart *copy = mote_mime_add(m);
    if(!copy || dup_part(copy, p)) {
      mote_mime_close(m);
      return NULL;
    }
  }
  return m;
}
