/* pushes.c: what servers push (CURLMOPT_PUSHFUNCTION). */
#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the application answers, and the handles that it takes. The first push is "pushed1". */
static struct {
  struct multi *m;
  char answer[16]; /* ok, abuse (ok after what is forbidden there), deny, errorout, or a number */
  int count;
  struct field options[8]; /* of each new handle: names and values in turn; borrowed */
  int noptions;
} push;

static int answer(void)
{
  if(!strcmp(push.answer, "ok") || !strcmp(push.answer, "abuse"))
    return CURL_PUSH_OK;
  if(!strcmp(push.answer, "deny"))
    return CURL_PUSH_DENY;
  return strcmp(push.answer, "errorout") ? atoi(push.answer) : CURL_PUSH_ERROROUT;
}

static void log_fields(const char *name, size_t count, struct curl_pushheaders *fields)
{
  const char *path = curl_pushheader_byname(fields, ":path");
  log_begin("push");
  log_text(name);
  log_text(path ? path : "none");
  for(size_t i = 0; i < count; i++)
    log_text(curl_pushheader_bynum(fields, i));
  log_end();
  if(curl_pushheader_bynum(fields, count) || curl_pushheader_byname(fields, "path") ||
     curl_pushheader_byname(fields, ""))
    violation("a field of a push that is not there", name, (long long)count);
}

/* What the application must not do in there is refused. */
static void try_what_is_forbidden(CURL *easy)
{
  CURLMcode rc = curl_multi_add_handle(push.m->multi, easy);
  if(rc != CURLM_RECURSIVE_API_CALL)
    violation("a pushed handle was added in the callback", push.m->name, rc);
  if(curl_easy_perform(easy) != CURLE_RECURSIVE_API_CALL)
    violation("a pushed handle was performed in the callback", push.m->name, 0);
  curl_easy_cleanup(easy);
}

static void take(CURL *easy, const struct handle *parent, const char *name)
{
  struct handle *h = handle_new(name, easy);
  struct field f[4];
  h->quiet = parent->quiet;
  h->multi = push.m;
  push.m->attached++;
  callbacks_install(h);
  for(int i = 0; i + 1 < push.noptions; i += 2) {
    memset(f, 0, sizeof f);
    f[2] = push.options[i];
    f[3] = push.options[i + 1];
    (void)option_set(h, f, 4);
  }
  transfer_begin(h);
}

static int on_push(CURL *parent, CURL *easy, size_t count, struct curl_pushheaders *fields, void *arg)
{
  struct handle *from = NULL;
  char name[24];
  int rc = answer();
  snprintf(name, sizeof name, "pushed%d", ++push.count);
  if(arg != &push)
    violation("the callback for pushes got other data", name, 0);
  curl_easy_getinfo(parent, CURLINFO_PRIVATE, &from);
  if(!from || from->easy != parent)
    violation("the callback for pushes got another parent", name, 0);
  log_fields(name, count, fields);
  if(!strcmp(push.answer, "abuse"))
    try_what_is_forbidden(easy);
  if(rc == CURL_PUSH_OK && from)
    take(easy, from, name);
  return rc;
}

/* push M ok|abuse|deny|errorout|NUMBER [OPTION VALUE ...] */
void cmd_push(struct field *f, int n)
{
  struct multi *m = need_multi(f[1].bytes);
  CURLMcode rc;
  memset(&push, 0, sizeof push);
  push.m = m;
  snprintf(push.answer, sizeof push.answer, "%s", f[2].bytes);
  for(int i = 3; i < n && push.noptions < 8; i++) {
    push.options[push.noptions].bytes = strdup(f[i].bytes);
    push.options[push.noptions++].len = f[i].len;
    keep(push.options[push.noptions - 1].bytes);
  }
  rc = curl_multi_setopt(m->multi, CURLMOPT_PUSHFUNCTION, on_push);
  if(!rc)
    rc = curl_multi_setopt(m->multi, CURLMOPT_PUSHDATA, &push);
  if(rc)
    log_code("mcode", m->name, "push", rc);
}
