/* forms.c: the verb "mime", which builds a form piece by piece, and "env", which sets a variable. */
#include "runner.h"
#include <stdlib.h>
#include <string.h>

enum { FORMS = 4, VARIABLES = 8 };

static curl_mime *forms[FORMS];
static curl_mimepart *parts[FORMS]; /* the last one of each */
static char *variables[VARIABLES];
static int nvariables;

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
