/* verbs.c: the verbs that prepare and run transfers, and those that set options. */
#include "runner.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static CURLSH *shares[2];

CURLSH *share_of(const struct field *f)
{
  int i = (int)field_number(f) & 1;
  if(!shares[i])
    shares[i] = curl_share_init();
  return shares[i];
}

void shares_free(void)
{
  for(int i = 0; i < 2; i++) {
    if(shares[i])
      curl_share_cleanup(shares[i]);
    shares[i] = NULL;
  }
}

static void duplicate(struct handle *h, struct handle *copy)
{
  CURL *easy = curl_easy_duphandle(h->easy);
  if(!easy || h == copy || copy->added)
    return;
  curl_easy_cleanup(copy->easy);
  copy->easy = easy;
  copy->body = h->body;
  copy->chunk = h->chunk;
  callbacks_install(copy, "write");
  callbacks_install(copy, "header");
  callbacks_install(copy, "read");
  curl_easy_setopt(copy->easy, CURLOPT_ERRORBUFFER, copy->error);
}

static void body_set(struct handle *h, struct field *f, int n)
{
  h->body.at = case_copy(f[2].at, f[2].len);
  h->body.len = f[2].len;
  h->chunk = n > 3 ? (size_t)field_number(&f[3]) : 0;
}

static void trailers_set(struct handle *h, struct field *f, int n)
{
  curl_slist_free_all(h->trailers);
  h->trailers = NULL;
  for(int i = 2; i < n; i++)
    h->trailers = curl_slist_append(h->trailers, f[i].at);
}

static int verb_handle(struct field *f, int n)
{
  const char *verb = f[0].at;
  if(!strcmp(verb, "cb"))
    for(int i = 2; i < n; i++)
      callbacks_install(handle_of(&f[1]), f[i].at);
  else if(!strcmp(verb, "act"))
    callbacks_action(handle_of(&f[1]), f, n);
  else if(!strcmp(verb, "body") && n > 2)
    body_set(handle_of(&f[1]), f, n);
  else if(!strcmp(verb, "trailers"))
    trailers_set(handle_of(&f[1]), f, n);
  else if(!strcmp(verb, "reset")) {
    struct handle *h = handle_of(&f[1]);
    curl_easy_reset(h->easy);
    handle_defaults(h);
    callbacks_install(h, "write");
    callbacks_install(h, "header");
  }
  else if(!strcmp(verb, "dup") && n > 2)
    duplicate(handle_of(&f[1]), handle_of(&f[2]));
  else
    return 0;
  return 1;
}

int verb_transfer(struct field *f, int n)
{
  const char *verb = f[0].at;
  if(!strcmp(verb, "answer") || !strcmp(verb, "sends") || !strcmp(verb, "says") ||
     !strcmp(verb, "reply") || !strcmp(verb, "data"))
    net_answer(f, n);
  else if(!strcmp(verb, "perform"))
    drive(f, n);
  else if(!strcmp(verb, "way"))
    drive_way(f[1].at);
  else
    return n > 1 ? verb_handle(f, n) : 0;
  return 1;
}

/* ---- options ---- */

static CURLoption option_of(const struct field *f)
{
  const struct curl_easyoption *o;
  if(f->at[0] >= '0' && f->at[0] <= '9')
    return (CURLoption)field_number(f);
  o = curl_easy_option_by_name(f->at);
  return o ? o->id : (CURLoption)0;
}

static CURLcode set_blob(CURL *easy, CURLoption id, struct field *f, int n)
{
  struct curl_blob blob;
  blob.data = n > 5 ? case_copy(f[5].at, f[5].len) : NULL;
  blob.len = (size_t)field_number(&f[4]);
  blob.flags = CURL_BLOB_COPY;
  if(n > 5 && blob.len > f[5].len)
    blob.len = f[5].len;
  return curl_easy_setopt(easy, id, &blob);
}

/* A string of so many bytes: COUNT of the byte, then what follows. */
static CURLcode set_repeated(CURL *easy, CURLoption id, struct field *f, int n)
{
  struct bytes b = {0};
  CURLcode rc;
  for(long long i = field_number(&f[4]); i > 0; i--)
    bytes_add(&b, n > 5 ? f[5].at : "a", 1);
  if(n > 6)
    bytes_add(&b, f[6].at, f[6].len);
  rc = curl_easy_setopt(easy, id, b.at);
  bytes_free(&b);
  return rc;
}

/* set HANDLE OPTION TYPE VALUE…: l number, s string, n NULL, z list, b blob LENGTH [BYTES], r repeated
 * string, p a pointer to bytes that stay, u a URL handle, h a share, m a form, f a list of
 * curl_formadd(). */
static CURLcode set_typed(CURL *easy, CURLoption id, struct field *f, int n)
{
  switch(f[3].at[0]) {
  case 'n':
    return curl_easy_setopt(easy, id, NULL);
  case 'z':
    return curl_easy_setopt(easy, id, case_list(f + 4, n - 4));
  }
  if(n < 5)
    return CURLE_OK;
  switch(f[3].at[0]) {
  case 'l':
    return id > 30000 ? curl_easy_setopt(easy, id, (curl_off_t)field_number(&f[4]))
                      : curl_easy_setopt(easy, id, (long)field_number(&f[4]));
  case 's':
    return curl_easy_setopt(easy, id, f[4].at);
  case 'p':
    return curl_easy_setopt(easy, id, case_copy(f[4].at, f[4].len));
  case 'b':
    return set_blob(easy, id, f, n);
  case 'r':
    return set_repeated(easy, id, f, n);
  case 'm':
    return curl_easy_setopt(easy, id, form_of(&f[4]));
  case 'f':
    return curl_easy_setopt(easy, id, post_of(&f[4]));
  case 'u':
    return curl_easy_setopt(easy, id, url_of(&f[4]));
  case 'h':
    return curl_easy_setopt(easy, id, share_of(&f[4]));
  default:
    return CURLE_OK;
  }
}

static void option_set(struct field *f, int n)
{
  struct handle *h = handle_of(&f[1]);
  CURLoption id = option_of(&f[2]);
  CURLcode rc = set_typed(h->easy, id, f, n);
  if(rc)
    log_line("set", rc, f[2].at);
}

static void share_set(struct field *f)
{
  CURLSH *s = share_of(&f[1]);
  CURLSHcode rc = curl_share_setopt(s, (CURLSHoption)field_number(&f[2]), (int)field_number(&f[3]));
  log_line("share", rc, f[3].at);
}

static void multi_set(struct field *f, int n)
{
  int id = (int)field_number(&f[1]);
  long value = n > 2 ? (long)field_number(&f[2]) : 0;
  CURLMcode rc = id > 30000 ? curl_multi_setopt(drive_multi(), (CURLMoption)id, (curl_off_t)value)
                            : curl_multi_setopt(drive_multi(), (CURLMoption)id, value);
  log_line("multi", rc, f[1].at);
}

static void option_names(struct field *f)
{
  const struct curl_easyoption *o = f[1].at[0] >= '0' && f[1].at[0] <= '9'
                                      ? curl_easy_option_by_id((CURLoption)field_number(&f[1]))
                                      : curl_easy_option_by_name(f[1].at);
  log_begin("option");
  log_text(o ? o->name : NULL);
  log_number(o ? (long long)o->id : -1);
  log_number(o ? (long long)o->type : -1);
  log_number(o ? (long long)o->flags : -1);
  log_end();
}

int verb_option(struct field *f, int n)
{
  const char *verb = f[0].at;
  if(!strcmp(verb, "set") && n > 3)
    option_set(f, n);
  else if(!strcmp(verb, "shset") && n > 3)
    share_set(f);
  else if(!strcmp(verb, "mset") && n > 1)
    multi_set(f, n);
  else if(!strcmp(verb, "info") && n > 2)
    info_log(handle_of(&f[1]), (int)field_number(&f[2]));
  else if(!strcmp(verb, "infonull") && n > 2)
    log_line("infonull", curl_easy_getinfo(handle_of(&f[1])->easy, (CURLINFO)field_number(&f[2]), NULL),
             f[2].at);
  else if(!strcmp(verb, "option") && n > 1)
    option_names(f);
  else
    return 0;
  return 1;
}
