/* api/form/formadd.c: curl_formadd(3), curl_formfree(3) and curl_formget(3), the interface to forms before
 * curl_mime_init(3). The list is the application's; CURLOPT_HTTPPOST makes a form of it
 * (transfer/upload/mime_post.c). */
#include <curl/curl.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "transfer/upload/mime.h"
#include "transfer/upload/source.h"

/* One call of curl_formadd(). The entry that is being filled is `now`, one of first and its `more`. */
struct adding {
  struct curl_httppost *first;
  struct curl_httppost *now;
  bool named_length;
  bool contents; /* something gives content */
};

static char *copy_of(const char *text, size_t len, CURLFORMcode *rc)
{
  char *copy = mote_mem_public_alloc(len + 1);
  if(!copy) {
    *rc = CURL_FORMADD_MEMORY;
    return NULL;
  }
  memcpy(copy, text, len);
  copy[len] = 0;
  return copy;
}

static struct curl_httppost *formadd_new_entry(void)
{
  struct curl_httppost *p = mote_mem_public_alloc(sizeof *p);
  if(p)
    memset(p, 0, sizeof *p);
  return p;
}

/* ---- one option ----
 *
 * A name and contents are copied when all options are known, as their lengths may follow. */

static CURLFORMcode set_name(struct adding *a, char *name, bool borrowed)
{
  if(a->first->name)
    return CURL_FORMADD_OPTION_TWICE;
  if(!name)
    return CURL_FORMADD_NULL;
  a->first->name = name;
  a->first->flags |= borrowed ? CURL_HTTPPOST_PTRNAME : 0;
  return CURL_FORMADD_OK;
}

/* Contents and files are refused after anything that the part can be. */
static bool is_given(const struct curl_httppost *p)
{
  return p->contents || p->buffer || (p->flags & CURL_HTTPPOST_CALLBACK);
}

static CURLFORMcode form_set_contents(struct adding *a, char *bytes, long flags)
{
  if(is_given(a->first))
    return CURL_FORMADD_OPTION_TWICE;
  if(!bytes)
    return CURL_FORMADD_NULL;
  a->first->contents = bytes;
  a->first->flags |= flags;
  a->contents = true;
  return CURL_FORMADD_OK;
}

/* A buffer is sent in the place of contents that are set already. */
static CURLFORMcode form_set_buffer(struct adding *a, char *bytes)
{
  if(a->first->buffer)
    return CURL_FORMADD_OPTION_TWICE;
  if(!bytes)
    return CURL_FORMADD_NULL;
  a->first->buffer = bytes;
  a->first->flags |= CURL_HTTPPOST_BUFFER | CURL_HTTPPOST_PTRBUFFER;
  a->contents = true;
  return CURL_FORMADD_OK;
}

/* A file or a stream takes the place of contents that are set already. Those are still the application's. */
static void drop_contents(struct curl_httppost *p)
{
  if(p->flags & (CURL_HTTPPOST_FILENAME | CURL_HTTPPOST_READFILE))
    mote_mem_public_free(p->contents);
  p->contents = NULL;
  p->flags &= ~(long)(CURL_HTTPPOST_FILENAME | CURL_HTTPPOST_READFILE | CURL_HTTPPOST_PTRCONTENTS);
}

static CURLFORMcode set_read_file(struct adding *a, const char *path)
{
  struct curl_httppost *p = a->first;
  CURLFORMcode rc = CURL_FORMADD_OK;
  char *copy;
  if(p->flags & (CURL_HTTPPOST_READFILE | CURL_HTTPPOST_PTRCONTENTS))
    return CURL_FORMADD_OPTION_TWICE;
  if(!path)
    return CURL_FORMADD_NULL;
  copy = copy_of(path, strlen(path), &rc);
  if(!copy)
    return rc;
  drop_contents(p);
  p->contents = copy;
  p->flags |= CURL_HTTPPOST_READFILE;
  a->contents = true;
  return rc;
}

/* Each further file has an entry of its own. */
static CURLFORMcode formadd_set_file(struct adding *a, const char *path)
{
  struct curl_httppost *p = a->now;
  CURLFORMcode rc = CURL_FORMADD_OK;
  if(is_given(p) && !(p->flags & CURL_HTTPPOST_FILENAME))
    return CURL_FORMADD_OPTION_TWICE;
  if(!path)
    return CURL_FORMADD_NULL;
  if(p->contents) {
    p = formadd_new_entry();
    if(!p)
      return CURL_FORMADD_MEMORY;
    a->now->more = p;
    a->now = p;
  }
  p->contents = copy_of(path, strlen(path), &rc);
  p->flags |= CURL_HTTPPOST_FILENAME;
  a->contents = true;
  return rc;
}

static CURLFORMcode set_stream(struct adding *a, void *arg)
{
  struct curl_httppost *p = a->first;
  if(p->flags & CURL_HTTPPOST_CALLBACK)
    return CURL_FORMADD_OPTION_TWICE;
  if(!arg)
    return CURL_FORMADD_NULL;
  drop_contents(p);
  p->flags |= CURL_HTTPPOST_CALLBACK;
  p->userp = arg;
  a->contents = true;
  return CURL_FORMADD_OK;
}

static CURLFORMcode set_copied(char **slot, const char *text)
{
  CURLFORMcode rc = CURL_FORMADD_OK;
  if(*slot)
    return CURL_FORMADD_OPTION_TWICE;
  if(!text)
    return CURL_FORMADD_NULL;
  *slot = copy_of(text, strlen(text), &rc);
  return rc;
}

static CURLFORMcode formadd_set_headers(struct adding *a, struct curl_slist *list)
{
  if(a->now->contentheader)
    return CURL_FORMADD_OPTION_TWICE;
  a->now->contentheader = list;
  return CURL_FORMADD_OK;
}

static CURLFORMcode set_name_length(struct adding *a, long len)
{
  if(a->named_length || len < 0)
    return CURL_FORMADD_OPTION_TWICE;
  a->named_length = len > 0;
  a->first->namelength = len;
  return CURL_FORMADD_OK;
}

static CURLFORMcode set_buffer_length(struct adding *a, long len)
{
  if(a->first->bufferlength)
    return CURL_FORMADD_OPTION_TWICE;
  a->first->bufferlength = len;
  return CURL_FORMADD_OK;
}

static CURLFORMcode set_length(struct adding *a, curl_off_t len)
{
  a->first->contentlen = len;
  a->first->flags |= CURL_HTTPPOST_LARGE;
  return CURL_FORMADD_OK;
}

static CURLFORMcode formadd_set_pointer(struct adding *a, CURLformoption option, void *value)
{
  switch(option) {
  case CURLFORM_COPYNAME:
  case CURLFORM_PTRNAME:
    return set_name(a, value, option == CURLFORM_PTRNAME);
  case CURLFORM_COPYCONTENTS:
    return form_set_contents(a, value, 0);
  case CURLFORM_PTRCONTENTS:
    return form_set_contents(a, value, CURL_HTTPPOST_PTRCONTENTS);
  case CURLFORM_FILECONTENT:
    return set_read_file(a, value);
  case CURLFORM_FILE:
    return formadd_set_file(a, value);
  case CURLFORM_BUFFER: /* names the buffer, if there is one */
  case CURLFORM_FILENAME:
    return set_copied(&a->now->showfilename, value);
  case CURLFORM_BUFFERPTR:
    return form_set_buffer(a, value);
  case CURLFORM_STREAM:
    return set_stream(a, value);
  case CURLFORM_CONTENTTYPE:
    return set_copied(&a->now->contenttype, value);
  case CURLFORM_CONTENTHEADER:
    return formadd_set_headers(a, value);
  default:
    return CURL_FORMADD_UNKNOWN_OPTION;
  }
}

/* An array has its numbers in the place of pointers. */
static CURLFORMcode from_array(struct adding *a, const struct curl_forms *f)
{
  CURLFORMcode rc = f ? CURL_FORMADD_OK : CURL_FORMADD_NULL;
  for(; !rc && f->option != CURLFORM_END; f++) {
    long number = (long)(intptr_t)f->value;
    if(f->option == CURLFORM_ARRAY)
      rc = CURL_FORMADD_ILLEGAL_ARRAY;
    else if(f->option == CURLFORM_NAMELENGTH)
      rc = set_name_length(a, number);
    else if(f->option == CURLFORM_BUFFERLENGTH)
      rc = set_buffer_length(a, number);
    else if(f->option == CURLFORM_CONTENTSLENGTH || f->option == CURLFORM_CONTENTLEN)
      rc = set_length(a, number);
    else
      rc = formadd_set_pointer(a, f->option, (void *)(uintptr_t)f->value);
  }
  return rc;
}

static CURLFORMcode from_arguments(struct adding *a, va_list args)
{
  CURLFORMcode rc = CURL_FORMADD_OK;
  while(!rc) {
    CURLformoption option = va_arg(args, CURLformoption);
    if(option == CURLFORM_END)
      break;
    if(option == CURLFORM_ARRAY)
      rc = from_array(a, va_arg(args, struct curl_forms *));
    else if(option == CURLFORM_NAMELENGTH)
      rc = set_name_length(a, va_arg(args, long));
    else if(option == CURLFORM_BUFFERLENGTH)
      rc = set_buffer_length(a, va_arg(args, long));
    else if(option == CURLFORM_CONTENTSLENGTH)
      rc = set_length(a, va_arg(args, long));
    else if(option == CURLFORM_CONTENTLEN)
      rc = set_length(a, va_arg(args, curl_off_t));
    else if(option > CURLFORM_NOTHING && option < CURLFORM_LASTENTRY)
      rc = formadd_set_pointer(a, option, va_arg(args, void *));
    else
      rc = CURL_FORMADD_UNKNOWN_OPTION;
  }
  return rc;
}

/* ---- all options are known ---- */

static CURLFORMcode formadd_judge(const struct adding *a)
{
  const struct curl_httppost *p = a->first;
  bool nul = p->name && p->namelength && memchr(p->name, 0, (size_t)p->namelength);
  bool sized_file = p->contentlen && (p->flags & CURL_HTTPPOST_FILENAME);
  if(!p->name || !a->contents || p->contentlen < 0 || sized_file)
    return CURL_FORMADD_INCOMPLETE;
  return nul ? CURL_FORMADD_NULL : CURL_FORMADD_OK;
}

/* An uploaded file has a type in any case. Where its name does not say which, it has that of the file before
 * it in the same call, or NULL: none is before it. */
static CURLFORMcode choose_type(struct curl_httppost *p, const char *before)
{
  const char *type;
  CURLFORMcode rc = CURL_FORMADD_OK;
  if(p->contenttype || !(p->flags & (CURL_HTTPPOST_FILENAME | CURL_HTTPPOST_BUFFER)))
    return rc;
  type = mote_mime_type_of(p->flags & CURL_HTTPPOST_BUFFER ? p->showfilename : p->contents);
  type = type ? type : before ? before : "application/octet-stream";
  p->contenttype = copy_of(type, strlen(type), &rc);
  return rc;
}

/* Copies what is still the application's. What could not be copied is NULL. */
static CURLFORMcode take_over(struct curl_httppost *p)
{
  const long owned = CURL_HTTPPOST_FILENAME | CURL_HTTPPOST_READFILE | CURL_HTTPPOST_PTRCONTENTS;
  CURLFORMcode rc = CURL_FORMADD_OK;
  if(!(p->flags & CURL_HTTPPOST_PTRNAME))
    p->name = copy_of(p->name, p->namelength ? (size_t)p->namelength : strlen(p->name), &rc);
  if(p->contents && !(p->flags & owned))
    p->contents = copy_of(p->contents, p->contentlen ? (size_t)p->contentlen : strlen(p->contents), &rc);
  return rc;
}

/* ---- the functions ---- */

static void formadd_free_entry(struct curl_httppost *p)
{
  const long path = CURL_HTTPPOST_FILENAME | CURL_HTTPPOST_READFILE; /* a stream may be set as well */
  if(!(p->flags & CURL_HTTPPOST_PTRNAME))
    mote_mem_public_free(p->name);
  if((p->flags & path) || !(p->flags & (CURL_HTTPPOST_PTRCONTENTS | CURL_HTTPPOST_CALLBACK)))
    mote_mem_public_free(p->contents);
  mote_mem_public_free(p->contenttype);
  mote_mem_public_free(p->showfilename);
  mote_mem_public_free(p);
}

static void free_form(struct curl_httppost *form)
{
  while(form) {
    struct curl_httppost *next = form->next, *more = form->more;
    while(more) {
      struct curl_httppost *further = more->more;
      formadd_free_entry(more);
      more = further;
    }
    formadd_free_entry(form);
    form = next;
  }
}

void curl_formfree(struct curl_httppost *form)
{
  free_form(form);
}

/* Before take_over() name and contents are the application's. */
static void formadd_give_up(struct curl_httppost *first)
{
  first->name = NULL;
  if(!(first->flags & (CURL_HTTPPOST_FILENAME | CURL_HTTPPOST_READFILE)))
    first->contents = NULL;
  free_form(first);
}

static CURLFORMcode formadd_complete(const struct adding *a)
{
  struct curl_httppost *p, *before = NULL;
  CURLFORMcode rc = formadd_judge(a);
  for(p = a->first; p && !rc; before = p, p = p->more)
    rc = choose_type(p, before ? before->contenttype : NULL);
  if(rc) {
    formadd_give_up(a->first);
    return rc;
  }
  rc = take_over(a->first);
  if(rc)
    free_form(a->first);
  return rc;
}

CURLFORMcode curl_formadd(struct curl_httppost **httppost, struct curl_httppost **last_post, ...)
{
  struct adding a = {.first = formadd_new_entry()};
  CURLFORMcode rc;
  va_list args;
  if(!a.first)
    return CURL_FORMADD_MEMORY;
  a.now = a.first;
  va_start(args, last_post);
  rc = from_arguments(&a, args);
  va_end(args);
  if(rc) {
    formadd_give_up(a.first);
    return rc;
  }
  rc = formadd_complete(&a);
  if(rc)
    return rc;
  if(*last_post)
    (*last_post)->next = a.first;
  else
    *httppost = a.first;
  *last_post = a.first;
  return CURL_FORMADD_OK;
}

/* There is no read callback yet that could give a stream (curl_formget(3)). */
static size_t no_stream(char *to, size_t size, size_t n, void *arg)
{
  (void)to;
  (void)size;
  (void)n;
  (void)arg;
  return CURL_READFUNC_ABORT;
}

static bool formadd_gave(curl_formget_callback append, void *arg, const char *bytes, size_t len)
{
  return append(arg, bytes, len) == len;
}

static CURLcode give_form(struct curl_mime *m, void *arg, curl_formget_callback append)
{
  static const char field[] = "Content-Type: multipart/form-data; boundary=";
  const struct mote_mime_reading how = {.t = NULL};
  char room[4096];
  struct mote_piece p = {.room = room, .most = sizeof room};
  CURLcode rc = CURLE_OK;
  if(!formadd_gave(append, arg, field, sizeof field - 1) ||
     !formadd_gave(append, arg, m->boundary, MOTE_MIME_BOUNDARY) ||
     !formadd_gave(append, arg, "\r\n\r\n", 4))
    return CURLE_READ_ERROR;
  while(!rc && !p.end) {
    rc = mote_mime_read(&how, m, true, &p);
    if(p.len && !formadd_gave(append, arg, p.bytes, p.len))
      return CURLE_READ_ERROR;
  }
  return rc;
}

int curl_formget(struct curl_httppost *form, void *arg, curl_formget_callback append)
{
  struct curl_mime *m;
  CURLcode rc = mote_mime_from_post(form, no_stream, &m);
  if(!rc)
    rc = give_form(m, arg, append);
  mote_mime_close(m);
  return (int)rc;
}
