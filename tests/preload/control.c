/* control.c: which module a call comes from, which call fails, and the figures at the end (preload.h). */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "inner.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct preload_settings preload_settings = { .recv_cut = -1 };

static char lock_word;
static char armed[16]; /* a kind; empty: none is */
static long long countdown, seen;
static bool fired;

/* glibc's _dl_find_object takes no lock and allocates nothing. */
enum preload_module preload_module_of(void *caller)
{
  struct dl_find_object found;
  const char *path;
  const char *name;
  if(_dl_find_object(caller, &found))
    return PRELOAD_OTHER;
  path = found.dlfo_link_map->l_name;
  if(!*path)
    return PRELOAD_PROGRAM;
  name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  if(!strncmp(name, "libcurl", 7) || !strncmp(name, "libmote", 7))
    return PRELOAD_LIBRARY;
  if(!strncmp(name, "libssl", 6) || !strncmp(name, "libcrypto", 9))
    return PRELOAD_TLS;
  return PRELOAD_OTHER;
}

bool preload_fails(const char *kind)
{
  bool hit = false;
  if(!armed[0] || (strcmp(armed, kind) && (strcmp(armed, "any") || !strcmp(kind, "alloc"))))
    return false;
  while(__atomic_test_and_set(&lock_word, __ATOMIC_ACQUIRE))
    ;
  seen++;
  if(countdown < 0 || (countdown > 0 && --countdown == 0))
    fired = hit = true;
  __atomic_clear(&lock_word, __ATOMIC_RELEASE);
  return hit;
}

static bool answered(const char *what, long long *out)
{
  const struct {
    const char *what;
    long long value;
  } answers[] = {
    { "seen", seen },
    { "fired", fired },
    { "live", preload_held.blocks },
    { "livebytes", preload_held.bytes },
    { "peak", preload_held.peak },
    { "allocs", preload_held.calls },
  };
  for(size_t i = 0; i < sizeof answers / sizeof *answers; i++)
    if(!strcmp(what, answers[i].what)) {
      *out = answers[i].value;
      return true;
    }
  return false;
}

static bool was_set(const char *what, long long n)
{
  if(!strcmp(what, "recvmax"))
    preload_settings.recv_max = n;
  else if(!strcmp(what, "sendmax"))
    preload_settings.send_max = n;
  else if(!strcmp(what, "recvcut"))
    preload_settings.recv_cut = n;
  else if(!strcmp(what, "sndbuf"))
    preload_settings.send_buffer = (int)n;
  else if(!strcmp(what, "interrupt"))
    preload_settings.interrupts = n != 0;
  else
    return false;
  return true;
}

PRELOAD_EXPORT long long mote_preload_control(const char *what, long long n)
{
  long long answer;
  if(answered(what, &answer))
    return answer;
  if(!strcmp(what, "disarm")) {
    armed[0] = 0;
    return fired;
  }
  if(was_set(what, n))
    return n;
  seen = 0;
  fired = false;
  countdown = n;
  strncpy(armed, what, sizeof armed - 1);
  return n;
}

__attribute__((constructor)) static void preload_begin(void)
{
  const char *word = getenv("PRELOAD_CONTROL");
  preload_settings.loopback = getenv("PRELOAD_HOST");
  while(word && *word) {
    char what[sizeof armed] = "";
    size_t n = strcspn(word, "=,");
    memcpy(what, word, n < sizeof what ? n : sizeof what - 1);
    mote_preload_control(what, word[n] == '=' ? atoll(word + n + 1) : 0);
    word = strchr(word, ',');
    word += word != NULL;
  }
}

__attribute__((destructor)) static void preload_end(void)
{
  const char *name = getenv("COUNT_OUT");
  struct count c;
  char line[200];
  int fd;
  int n;
  if(!name)
    return;
  mote_count_now(&c);
  n = snprintf(line, sizeof line, "calls=%ld peak=%ld live=%ld own_calls=%ld own_peak=%ld own_live=%ld\n",
               c.calls, c.peak, c.live, c.own_calls, c.own_peak, c.own_live);
  fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if(fd < 0)
    return;
  if(write(fd, line, (size_t)n) != n)
    _exit(99);
  close(fd);
}
