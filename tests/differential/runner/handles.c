/* handles.c: easy handles by number, and what lives until the case ends. */
#include "runner.h"
#include <stdlib.h>
#include <string.h>

static struct handle handles[HANDLES];
static void *copies[1024];
static int ncopies;
static struct curl_slist *lists[256];
static int nlists;

/* What is not compared: the default CA file depends on how a library was built. */
void handle_defaults(const struct handle *h)
{
  curl_easy_setopt(h->easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(h->easy, CURLOPT_CAINFO, "/etc/ssl/certs/ca-certificates.crt");
}

struct handle *handle_of(const struct field *f)
{
  int i = (int)field_number(f) & (HANDLES - 1);
  struct handle *h = &handles[i];
  if(!h->easy) {
    memset(h, 0, sizeof *h);
    h->number = i;
    h->easy = curl_easy_init();
    callbacks_install(h, "write");
    callbacks_install(h, "header");
    callbacks_install(h, "read");
    curl_easy_setopt(h->easy, CURLOPT_ERRORBUFFER, h->error);
    handle_defaults(h);
  }
  return h;
}

void handles_each(void (*call)(struct handle *h))
{
  for(int i = 0; i < HANDLES; i++)
    if(handles[i].easy)
      call(&handles[i]);
}

void handles_free(void)
{
  for(int i = 0; i < HANDLES; i++) {
    if(handles[i].easy)
      curl_easy_cleanup(handles[i].easy);
    curl_slist_free_all(handles[i].trailers);
    memset(&handles[i], 0, sizeof handles[i]);
  }
}

void *case_copy(const void *data, size_t n)
{
  char *copy = malloc(n + 1);
  if(!copy || ncopies == sizeof copies / sizeof *copies)
    abort();
  memcpy(copy, data, n);
  copy[n] = 0;
  copies[ncopies++] = copy;
  return copy;
}

struct curl_slist *case_list(struct field *f, int n)
{
  struct curl_slist *list = NULL;
  for(int i = 0; i < n; i++)
    list = curl_slist_append(list, f[i].at);
  if(nlists == sizeof lists / sizeof *lists)
    abort();
  lists[nlists++] = list;
  return list;
}

void case_free(void)
{
  while(ncopies)
    free(copies[--ncopies]);
  while(nlists)
    curl_slist_free_all(lists[--nlists]);
}
