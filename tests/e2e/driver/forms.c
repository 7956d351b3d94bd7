/* forms.c: the commands about forms: curl_mime_*(3) and curl_formadd(3).
 *
 * form M [H]              curl_mime_init() for the handle H
 * part M KEY=VALUE...     curl_mime_addpart(), then in this order: name, filename, type, encoder, data, file,
 *                         header (taken over), sub (a form's name), callback (data of a read callback; before
 *                         it: size, chunk, noseek, tag, and turn=N:VALUE for what the N-th call returns);
 *                         KEY alone: NULL
 * freeform M, freeinner M curl_mime_free(), of a form on top, and of one that is a part's content
 * post P KEY=VALUE...     curl_formadd(): name, ptrname, contents, ptrcontents, length, file, filecontent,
 *                         filename, type, buffer, bufferptr, bufferlength, stream, header
 * formget P, freepost P   curl_formget(), curl_formfree()
 * Forms that are left are freed at the end. */
#define CURL_DISABLE_DEPRECATION
#include "driver.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FORMS 64

static struct form {
  char name[24];
  curl_mime *mime;
  struct curl_httppost *first, *last;
  int inside; /* it belongs to a part */
} forms[MAX_FORMS];
static int nforms;

/* What a read callback gives. */
struct content {
  char tag[24];
  char *bytes; /* kept */
  size_t len, at, chunk;
  int calls, turn;
  size_t turn_value;
};

static struct form *form_find(const char *name)
{
  for(int i = 0; i < nforms; i++)
    if(!strcmp(forms[i].name, name))
      return &forms[i];
  return NULL;
}

static struct form *form_make(const char *name)
{
  struct form *f = form_find(name);
  if(!f && nforms < MAX_FORMS)
    f = &forms[nforms++];
  if(f) {
    memset(f, 0, sizeof *f);
    snprintf(f->name, sizeof f->name, "%s", name);
  }
  return f;
}

void *form_of(const char *name, int old)
{
  struct form *f = form_find(name);
  return !f ? NULL : old ? (void *)f->first : (void *)f->mime;
}

static void call_log(const struct content *c, const char *what, long long n)
{
  log_begin("formcall");
  log_text(c->tag);
  log_text(what);
  log_num(n);
  log_end();
}

static size_t content_read(char *to, size_t size, size_t n, void *arg)
{
  struct content *c = arg;
  size_t room = size * n;
  if(++c->calls == c->turn) {
    call_log(c, "turn", (long long)c->turn_value);
    return c->turn_value;
  }
  if(room > c->len - c->at)
    room = c->len - c->at;
  if(c->chunk && room > c->chunk)
    room = c->chunk;
  memcpy(to, c->bytes + c->at, room);
  c->at += room;
  call_log(c, "read", (long long)room);
  return room;
}

static int content_seek(void *arg, curl_off_t offset, int origin)
{
  struct content *c = arg;
  call_log(c, "seek", offset);
  c->at = (size_t)offset;
  return origin == SEEK_SET ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK;
}

static void content_free(void *arg)
{
  call_log(arg, "free", 0);
}

static void cmd_form(struct field *f, int n)
{
  struct form *form = form_make(f[1].bytes);
  struct handle *h = n > 2 ? handle_find(f[2].bytes) : NULL;
  if(form)
    form->mime = curl_mime_init(h ? h->easy : NULL);
}

struct pending {
  curl_off_t size;
  size_t chunk;
  int noseek;
  int turn;
  size_t turn_value;
  char tag[24];
};

static CURLcode set_callback(curl_mimepart *part, const struct pending *p, const char *bytes, size_t len)
{
  struct content *c = calloc(1, sizeof *c);
  keep(c);
  memcpy(c->tag, p->tag, sizeof c->tag);
  c->bytes = keep_copy(bytes, len);
  c->len = len;
  c->chunk = p->chunk;
  c->turn = p->turn;
  c->turn_value = p->turn_value;
  return curl_mime_data_cb(part, p->size, content_read, p->noseek ? NULL : content_seek, content_free, c);
}

static CURLcode set_sub(curl_mimepart *part, const char *name)
{
  struct form *inner = name ? form_find(name) : NULL;
  CURLcode rc;
  if(name && (!inner || !inner->mime))
    return CURLE_OUT_OF_MEMORY;
  rc = curl_mime_subparts(part, inner ? inner->mime : NULL);
  if(!rc && inner)
    inner->inside = 1;
  return rc;
}

static CURLcode set_headers(curl_mimepart *part, struct curl_slist **list, const char *line)
{
  struct curl_slist *more = line ? curl_slist_append(*list, line) : NULL;
  CURLcode rc;
  if(line && !more)
    return CURLE_OUT_OF_MEMORY;
  if(*list) { /* it has its list already, which was made longer */
    *list = more;
    return CURLE_OK;
  }
  rc = curl_mime_headers(part, more, 1);
  *list = more;
  return rc;
}

static int is_pending(struct pending *p, const char *key, const char *value)
{
  if(!strcmp(key, "size"))
    p->size = strtoll(value, NULL, 0);
  else if(!strcmp(key, "chunk"))
    p->chunk = strtoul(value, NULL, 0);
  else if(!strcmp(key, "noseek"))
    p->noseek = 1;
  else if(!strcmp(key, "tag"))
    snprintf(p->tag, sizeof p->tag, "%s", value);
  else if(!strcmp(key, "turn")) {
    char *end;
    p->turn = (int)strtol(value, &end, 0);
    p->turn_value = strtoul(end + 1, NULL, 0);
  }
  else
    return 0;
  return 1;
}

static CURLcode set_attribute(curl_mimepart *part, const char *key, const char *value, size_t len,
                              struct pending *p, struct curl_slist **headers)
{
  if(value && is_pending(p, key, value))
    return CURLE_OK;
  if(!strcmp(key, "name"))
    return curl_mime_name(part, value);
  if(!strcmp(key, "filename"))
    return curl_mime_filename(part, value);
  if(!strcmp(key, "type"))
    return curl_mime_type(part, value);
  if(!strcmp(key, "encoder"))
    return curl_mime_encoder(part, value);
  if(!strcmp(key, "data"))
    return curl_mime_data(part, value, len);
  if(!strcmp(key, "file"))
    return curl_mime_filedata(part, value);
  if(!strcmp(key, "sub"))
    return set_sub(part, value);
  if(!strcmp(key, "header"))
    return set_headers(part, headers, value);
  if(!strcmp(key, "callback"))
    return set_callback(part, p, value, len);
  return CURLE_UNKNOWN_OPTION;
}

/* Cuts "key=value" in two; NULL: there is no value. */
static char *value_of(struct field *f, size_t *len)
{
  char *value = strchr(f->bytes, '=');
  if(!value)
    return NULL;
  *value++ = 0;
  *len = f->len - (size_t)(value - f->bytes);
  return value;
}

static void cmd_part(struct field *f, int n)
{
  struct form *form = form_find(f[1].bytes);
  curl_mimepart *part = form && form->mime ? curl_mime_addpart(form->mime) : NULL;
  struct pending p = {.size = -1};
  struct curl_slist *headers = NULL;
  if(!part) {
    log_code("form", f[1].bytes, "nopart", CURLE_OUT_OF_MEMORY);
    return;
  }
  for(int i = 2; i < n; i++) {
    size_t len = 0;
    char *value = value_of(&f[i], &len);
    CURLcode rc = set_attribute(part, f[i].bytes, value, len, &p, &headers);
    if(rc)
      log_code("form", f[1].bytes, f[i].bytes, rc);
  }
}

static void form_free(struct form *form)
{
  if(!form->inside)
    curl_mime_free(form->mime);
  curl_formfree(form->first);
  form->mime = NULL;
  form->first = form->last = NULL;
}

static void cmd_freeform(struct field *f, int n)
{
  struct form *form = form_find(f[1].bytes);
  (void)n;
  if(form)
    form_free(form);
}

/* freeinner M: a form that is inside a part */
static void cmd_freeinner(struct field *f, int n)
{
  struct form *form = form_find(f[1].bytes);
  (void)n;
  if(!form)
    return;
  form->inside = 0;
  form_free(form);
}

void forms_free(void)
{
  while(nforms)
    form_free(&forms[--nforms]);
}

/* ---- curl_formadd(3), by an array, which takes any options ---- */

static CURLformoption option_of(const char *key)
{
  static const struct {
    const char *key;
    CURLformoption option;
  } options[] = {
    {"name", CURLFORM_COPYNAME}, {"ptrname", CURLFORM_PTRNAME}, {"contents", CURLFORM_COPYCONTENTS},
    {"ptrcontents", CURLFORM_PTRCONTENTS}, {"length", CURLFORM_CONTENTSLENGTH}, {"file", CURLFORM_FILE},
    {"filecontent", CURLFORM_FILECONTENT}, {"filename", CURLFORM_FILENAME}, {"type", CURLFORM_CONTENTTYPE},
    {"buffer", CURLFORM_BUFFER}, {"bufferptr", CURLFORM_BUFFERPTR}, {"bufferlength", CURLFORM_BUFFERLENGTH},
    {"stream", CURLFORM_STREAM}, {"header", CURLFORM_CONTENTHEADER}, {"namelength", CURLFORM_NAMELENGTH},
  };
  for(size_t i = 0; i < sizeof options / sizeof *options; i++)
    if(!strcmp(options[i].key, key))
      return options[i].option;
  return CURLFORM_NOTHING;
}

static const char *option_value(CURLformoption option, const char *value, size_t len)
{
  if(option == CURLFORM_CONTENTSLENGTH || option == CURLFORM_BUFFERLENGTH || option == CURLFORM_NAMELENGTH)
    return (const char *)(intptr_t)strtoll(value, NULL, 0);
  if(option == CURLFORM_STREAM)
    return value ? (const char *)handle_find(value) : NULL;
  if(option == CURLFORM_CONTENTHEADER) {
    struct curl_slist *list = curl_slist_append(NULL, value);
    keep_list(list);
    return (const char *)list;
  }
  return value ? keep_copy(value, len) : NULL;
}

static void cmd_post(struct field *f, int n)
{
  struct form *form = form_find(f[1].bytes);
  struct curl_forms options[MAX_FIELDS];
  CURLFORMcode rc;
  if(!form)
    form = form_make(f[1].bytes);
  for(int i = 2; i < n; i++) {
    size_t len = 0;
    char *value = value_of(&f[i], &len);
    options[i - 2].option = option_of(f[i].bytes);
    options[i - 2].value = option_value(options[i - 2].option, value, len);
  }
  options[n - 2].option = CURLFORM_END;
  rc = curl_formadd(&form->first, &form->last, CURLFORM_ARRAY, options, CURLFORM_END);
  if(rc)
    log_code("post", f[1].bytes, "", rc);
}

static struct {
  char bytes[BODY_SHOWN];
  size_t len;
} got;

static size_t append(void *arg, const char *bytes, size_t len)
{
  (void)arg;
  if(got.len + len > sizeof got.bytes)
    return 0;
  memcpy(got.bytes + got.len, bytes, len);
  got.len += len;
  return len;
}

static void cmd_formget(struct field *f, int n)
{
  struct form *form = form_find(f[1].bytes);
  int rc;
  (void)n;
  got.len = 0;
  rc = curl_formget(form ? form->first : NULL, NULL, append);
  log_begin("formget");
  log_num(rc);
  log_bytes(got.bytes, got.len);
  log_end();
}

int forms_run(struct field *f, int n)
{
  static const struct {
    const char *name;
    int least;
    void (*run)(struct field *f, int n);
  } commands[] = {
    {"form", 2, cmd_form}, {"part", 2, cmd_part}, {"freeform", 2, cmd_freeform}, {"post", 2, cmd_post},
    {"formget", 2, cmd_formget}, {"freeinner", 2, cmd_freeinner}, {"freepost", 2, cmd_freeform},
  };
  for(size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if(!strcmp(f[0].bytes, commands[i].name) && n >= commands[i].least) {
      commands[i].run(f, n);
      return 1;
    }
  return 0;
}
