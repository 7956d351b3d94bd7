/* forms.c: the verbs that build forms piece by piece, "mime" of curl_mime_init() and "formadd" of
 * curl_formadd(), and "env", which sets a variable. */
#include "runner.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS = 4, VARIABLES = 8, POSTS = 2, PAIRS = 10 };

static curl_mime *forms[FORMS];
static curl_mimepart *parts[FORMS]; /* the last one of each */
static char *variables[VARIABLES];
static int nvariables;
static struct curl_httppost *posts[POSTS], *ends[POSTS];

/* What a part's callback reads. */
struct source {
  const char *at;
  size_t len, done, chunk;
};

static size_t source_read(char *to, size_t size, size_t n, void *arg)
{
  struct source *s = arg;
  size_t left = s->len - s->done;
  n *= size;
  if(s->chunk && n > s->chunk)
    n = s->chunk;
  if(n > left)
    n = left;
  memcpy(to, s->at + s->done, n);
  s->done += n;
  return n;
}

static int source_seek(void *arg, curl_off_t at, int whence)
{
  struct source *s = arg;
  if(whence != SEEK_SET || at < 0 || (size_t)at > s->len)
    return CURL_SEEKFUNC_FAIL;
  s->done = (size_t)at;
  return CURL_SEEKFUNC_OK;
}

curl_mime *form_of(const struct field *f)
{
  int i = (int)field_number(f) & (FORMS - 1);
  struct field first = {(char[]){"0"}, 1};
  if(!forms[i])
    forms[i] = curl_mime_init(handle_of(&first)->easy);
  return forms[i];
}

void forms_free(void)
{
  for(int i = 0; i < FORMS; i++) {
    if(forms[i])
      curl_mime_free(forms[i]);
    forms[i] = NULL;
    parts[i] = NULL;
  }
  for(int i = 0; i < POSTS; i++) {
    curl_formfree(posts[i]);
    posts[i] = ends[i] = NULL;
  }
  while(nvariables) {
    unsetenv(variables[--nvariables]);
    free(variables[nvariables]);
  }
}

static CURLcode reader_set(curl_mimepart *part, struct field *f, int n)
{
  struct source s = {0}, *kept;
  s.at = case_copy(f[4].at, f[4].len);
  s.len = f[4].len;
  s.chunk = n > 5 ? (size_t)field_number(&f[5]) : 0;
  kept = case_copy(&s, sizeof s);
  return curl_mime_data_cb(part, (curl_off_t)field_number(&f[3]), source_read, n > 6 ? source_seek : NULL,
                           NULL, kept);
}

static CURLcode subparts_set(curl_mimepart *part, const struct field *f)
{
  CURLcode rc = curl_mime_subparts(part, form_of(f));
  if(!rc)
    forms[(int)field_number(f) & (FORMS - 1)] = NULL; /* freed with the part */
  return rc;
}

static struct curl_slist *own_list(struct field *f, int n)
{
  struct curl_slist *list = NULL;
  for(int i = 0; i < n; i++)
    list = curl_slist_append(list, f[i].at);
  return list;
}

/* mime FORM WHAT [VALUE…] of the last part; without a value: NULL. */
static CURLcode part_set(curl_mimepart *part, struct field *f, int n)
{
  const char *what = f[2].at, *text = n > 3 ? f[3].at : NULL;
  if(!strcmp(what, "name"))
    return curl_mime_name(part, text);
  if(!strcmp(what, "data"))
    return curl_mime_data(part, text, n > 3 ? f[3].len : 0);
  if(!strcmp(what, "type"))
    return curl_mime_type(part, text);
  if(!strcmp(what, "filename"))
    return curl_mime_filename(part, text);
  if(!strcmp(what, "filedata"))
    return curl_mime_filedata(part, text);
  if(!strcmp(what, "encoder"))
    return curl_mime_encoder(part, text);
  if(!strcmp(what, "headers"))
    return curl_mime_headers(part, own_list(f + 3, n - 3), 1);
  if(!strcmp(what, "subparts") && n > 3)
    return subparts_set(part, &f[3]);
  return n > 4 ? reader_set(part, f, n) : CURLE_OK;
}

/* ---- curl_formadd() ---- */

struct curl_httppost *post_of(const struct field *f)
{
  return posts[field_number(f) & (POSTS - 1)];
}

static CURLformoption form_option(const char *name)
{
  static const char *const names[] = {
    "NOTHING",        "COPYNAME",     "PTRNAME",     "NAMELENGTH",    "COPYCONTENTS", "PTRCONTENTS",
    "CONTENTSLENGTH", "FILECONTENT",  "ARRAY",       "OBSOLETE",      "FILE",         "BUFFER",
    "BUFFERPTR",      "BUFFERLENGTH", "CONTENTTYPE", "CONTENTHEADER", "FILENAME",     "END",
    "OBSOLETE2",      "STREAM",       "CONTENTLEN",
  };
  for(size_t i = 0; i < sizeof names / sizeof *names; i++)
    if(!strcmp(names[i], name))
      return (CURLformoption)i;
  return CURLFORM_LASTENTRY;
}

/* A value: s text, l number, z list of one line, h handle, whose read callback a stream is; n NULL. */
static const char *form_value(struct field *f)
{
  struct field rest = {f->at + 1, f->len - (f->len != 0)};
  switch(f->at[0]) {
  case 's':
    return case_copy(rest.at, rest.len);
  case 'l':
    return (const char *)(uintptr_t)field_number(&rest);
  case 'z':
    return (const char *)case_list(&rest, 1);
  case 'h':
    return (const char *)handle_of(&rest);
  default:
    return NULL;
  }
}

/* formadd POST OPTION VALUE… by arguments, formarray … by CURLFORM_ARRAY. */
static void post_add(struct field *f, int n)
{
  int i = (int)field_number(&f[1]) & (POSTS - 1), k;
  struct curl_forms a[PAIRS + 1];
  CURLFORMcode rc;
  for(k = 0; k < PAIRS && 3 + 2 * k < n; k++) {
    a[k].option = form_option(f[2 + 2 * k].at);
    a[k].value = form_value(&f[3 + 2 * k]);
  }
  for(; k <= PAIRS; k++)
    a[k] = (struct curl_forms){CURLFORM_END, NULL};
  rc = !strcmp(f[0].at, "formarray")
         ? curl_formadd(&posts[i], &ends[i], CURLFORM_ARRAY, a, CURLFORM_END)
         : curl_formadd(&posts[i], &ends[i], a[0].option, a[0].value, a[1].option, a[1].value, a[2].option,
                        a[2].value, a[3].option, a[3].value, a[4].option, a[4].value, a[5].option, a[5].value,
                        a[6].option, a[6].value, a[7].option, a[7].value, a[8].option, a[8].value,
                        a[9].option, a[9].value, CURLFORM_END);
  if(rc)
    log_line("formadd", rc, f[1].at);
}

static size_t form_piece(void *arg, const char *data, size_t n)
{
  bytes_add(arg, data, n);
  return n;
}

static void post_get(const struct field *f)
{
  struct bytes b = {0};
  int rc = curl_formget(post_of(f), &b, form_piece);
  log_begin("formget");
  log_number(rc);
  log_field(b.at, b.len);
  log_end();
  bytes_free(&b);
}

int verb_form(struct field *f, int n)
{
  int i = n > 1 ? (int)field_number(&f[1]) & (FORMS - 1) : 0;
  CURLcode rc;
  if(!strcmp(f[0].at, "env") && n > 2) {
    if(nvariables < VARIABLES) {
      variables[nvariables++] = strdup(f[1].at);
      setenv(f[1].at, f[2].at, 1);
    }
    return 1;
  }
  if(!strncmp(f[0].at, "form", 4) && n > 1) {
    if(!strcmp(f[0].at, "formget"))
      post_get(&f[1]);
    else
      post_add(f, n);
    return 1;
  }
  if(strcmp(f[0].at, "mime") != 0 || n < 3)
    return 0;
  if(!strcmp(f[2].at, "part")) {
    parts[i] = curl_mime_addpart(form_of(&f[1]));
    return 1;
  }
  rc = part_set(forms[i] ? parts[i] : NULL, f, n);
  if(rc)
    log_line("mime", rc, f[2].at);
  return 1;
}
