/* objects.c: the handles, multis and shares of a script, found by name. */
#include "driver.h"
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

struct share {
  char name[24];
  CURLSH *share;
  pthread_mutex_t locks[16];
  pthread_mutex_t count_lock;
  int use_locks;
  long long locked, unlocked;
  int held[16]; /* 1 while that data is locked */
};

static struct handle *handles[MAX_OBJECTS];
static int nhandles;
/* their callbacks may still come: a kept connection is closed later */
static struct handle *dropped[8 * MAX_OBJECTS];
static int ndropped;
static struct multi *multis[16];
static int nmultis;
static struct share *shares[16];
static int nshares;
static _Thread_local int locks_held; /* of any share, by this thread */

struct handle *handle_find(const char *name)
{
  for(int i = nhandles - 1; i >= 0; i--)
    if(!strcmp(handles[i]->name, name))
      return handles[i];
  return NULL;
}

struct handle *handle_new(const char *name, CURL *easy)
{
  struct handle *h = nhandles < MAX_OBJECTS ? calloc(1, sizeof *h) : NULL;
  if(!h)
    abort();
  snprintf(h->name, sizeof h->name, "%s", name);
  h->easy = easy;
  handles[nhandles++] = h;
  return h;
}

void handle_forget_triggers(struct handle *h)
{
  for(int i = 0; i < h->ntriggers; i++)
    for(int j = 0; j < h->triggers[i].nargs; j++)
      free(h->triggers[i].arg[j].bytes);
  h->ntriggers = 0;
}

static void handle_drop(struct handle *h)
{
  handle_forget_triggers(h);
  free(h->body);
  free(h->held);
  free(h);
}

void handle_free(struct handle *h)
{
  for(int i = 0; i < nhandles; i++)
    if(handles[i] == h) {
      handles[i] = handles[--nhandles];
      break;
    }
  if(h->multi)
    h->multi->attached--;
  curl_easy_cleanup(h->easy);
  if(ndropped == sizeof dropped / sizeof *dropped)
    abort();
  dropped[ndropped++] = h;
}

void objects_each(void (*fn)(struct handle *))
{
  for(int i = 0; i < nhandles; i++)
    fn(handles[i]);
}

struct multi *multi_find(const char *name)
{
  for(int i = 0; i < nmultis; i++)
    if(!strcmp(multis[i]->name, name))
      return multis[i];
  return NULL;
}

void multi_register(struct multi *m)
{
  multis[nmultis++] = m;
}

void multi_forget(struct multi *m)
{
  for(int i = 0; i < nmultis; i++)
    if(multis[i] == m) {
      multis[i] = multis[--nmultis];
      break;
    }
  for(int i = 0; i < nhandles; i++)
    if(handles[i]->multi == m)
      handles[i]->multi = NULL;
}

static struct share *share_entry(const char *name)
{
  for(int i = 0; i < nshares; i++)
    if(!strcmp(shares[i]->name, name))
      return shares[i];
  return NULL;
}

CURLSH *share_find(const char *name)
{
  struct share *s = share_entry(name);
  return s ? s->share : NULL;
}

CURLSH *share_new(const char *name)
{
  struct share *s = calloc(1, sizeof *s);
  if(!s)
    abort();
  snprintf(s->name, sizeof s->name, "%s", name);
  pthread_mutex_init(&s->count_lock, NULL);
  for(int i = 0; i < 16; i++)
    pthread_mutex_init(&s->locks[i], NULL);
  s->share = curl_share_init();
  if(!s->share) {
    free(s);
    return NULL;
  }
  shares[nshares++] = s;
  return s->share;
}

CURLSHcode share_free(const char *name)
{
  for(int i = 0; i < nshares; i++) {
    struct share *s = shares[i];
    if(strcmp(s->name, name))
      continue;
    CURLSHcode rc = curl_share_cleanup(s->share);
    if(rc)
      return rc;
    if(s->use_locks) {
      log_begin("locks");
      log_text(s->name);
      log_num(s->locked);
      log_num(s->unlocked);
      log_end();
    }
    shares[i] = shares[--nshares];
    free(s);
    return rc;
  }
  return CURLSHE_INVALID;
}

static void on_lock(CURL *easy, curl_lock_data data, curl_lock_access access, void *arg)
{
  struct share *s = arg;
  (void)easy;
  (void)access;
  if((int)data < 0 || (int)data >= 16) {
    violation("lock of unknown data", s->name, data);
    return;
  }
  pthread_mutex_lock(&s->locks[data]);
  s->held[data] = 1;
  locks_held++;
  pthread_mutex_lock(&s->count_lock);
  s->locked++;
  pthread_mutex_unlock(&s->count_lock);
}

static void on_unlock(CURL *easy, curl_lock_data data, void *arg)
{
  struct share *s = arg;
  (void)easy;
  if((int)data < 0 || (int)data >= 16 || !s->held[data]) {
    violation("unlock of what is not locked", s->name, data);
    return;
  }
  pthread_mutex_lock(&s->count_lock);
  s->unlocked++;
  pthread_mutex_unlock(&s->count_lock);
  s->held[data] = 0;
  locks_held--;
  pthread_mutex_unlock(&s->locks[data]);
}

int share_locks_held(void)
{
  return locks_held;
}

/* sharesetopt S lock | SHARE|UNSHARE NUMBER */
void share_set(struct field *f, int n)
{
  struct share *s = share_entry(f[1].bytes);
  CURLSHcode rc = CURLSHE_INVALID;
  if(s && !strcmp(f[2].bytes, "lock")) {
    s->use_locks = 1;
    rc = curl_share_setopt(s->share, CURLSHOPT_USERDATA, s);
    if(!rc)
      rc = curl_share_setopt(s->share, CURLSHOPT_LOCKFUNC, on_lock);
    if(!rc)
      rc = curl_share_setopt(s->share, CURLSHOPT_UNLOCKFUNC, on_unlock);
  }
  else if(s && n > 3) {
    int what = atoi(f[3].bytes);
    int share = !strcmp(f[2].bytes, "SHARE");
    rc = curl_share_setopt(s->share, share ? CURLSHOPT_SHARE : CURLSHOPT_UNSHARE, what);
  }
  log_code("shcode", f[1].bytes, f[2].bytes, rc);
}

void objects_free(void)
{
  while(nhandles) {
    struct handle *h = handles[nhandles - 1];
    if(h->multi)
      multi_remove(h->multi, h);
    handle_free(h);
  }
  while(nmultis)
    multi_free(multis[nmultis - 1]);
  while(nshares) {
    char name[24];
    memcpy(name, shares[nshares - 1]->name, sizeof name);
    CURLSHcode rc = share_free(name);
    if(rc) {
      violation("share not freed", name, rc);
      break;
    }
  }
  while(ndropped)
    handle_drop(dropped[--ndropped]);
  forms_free();
}
