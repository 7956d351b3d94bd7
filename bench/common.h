/* common.h: what the measuring programs share. They use the public interface only, are compiled against the
 * system's <curl/curl.h> and run on whichever libcurl.so.4 LD_LIBRARY_PATH names.
 *
 * Environment: BENCH_CA=file  CA certificates for https. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <preload.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static void (*count_now)(struct count *);
static void (*count_peak_reset)(void);

/* Finds the counting library, if it is preloaded, and gives stdout a buffer that is in no figure. */
static inline void bench_begin(void)
{
  static char out[4096];
  setvbuf(stdout, out, _IOLBF, sizeof out);
  *(void **)(&count_now) = dlsym(RTLD_DEFAULT, "mote_count_now");
  *(void **)(&count_peak_reset) = dlsym(RTLD_DEFAULT, "mote_count_peak_reset");
}

static inline struct count bench_count(void)
{
  struct count c;
  memset(&c, 0, sizeof c);
  if(count_now)
    count_now(&c);
  return c;
}

/* One line of what was allocated since the last phase; live and peak are the process's. */
static inline void bench_phase(const char *name)
{
  static struct count last;
  struct count c;
  if(!count_now)
    return;
  c = bench_count();
  printf("phase=%s calls=%ld live=%ld peak=%ld own_calls=%ld\n", name, c.calls - last.calls, c.live, c.peak,
         c.own_calls - last.own_calls);
  last = c;
  count_peak_reset();
}

static inline double bench_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double bench_user(void)
{
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6;
}

static inline double bench_system(void)
{
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (double)r.ru_stime.tv_sec + (double)r.ru_stime.tv_usec / 1e6;
}

static inline size_t bench_write(char *p, size_t size, size_t n, void *user)
{
  (void)p;
  *(long long *)user += (long long)(size * n);
  return size * n;
}

/* URL, write callback and CA: what every transfer here sets. */
static inline void bench_setup(CURL *e, const char *url, long long *got)
{
  const char *ca = getenv("BENCH_CA");
  curl_easy_setopt(e, CURLOPT_URL, url);
  curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, bench_write);
  curl_easy_setopt(e, CURLOPT_WRITEDATA, got);
  if(ca)
    curl_easy_setopt(e, CURLOPT_CAINFO, ca);
}

/* Sets an option by "NAME=VALUE". A list has one line, which is never freed. */
static inline CURLcode bench_option(CURL *e, const char *word)
{
  const char *value = strchr(word, '=');
  char name[64];
  const struct curl_easyoption *o;
  if(!value || (size_t)(value - word) >= sizeof name)
    return CURLE_UNKNOWN_OPTION;
  memcpy(name, word, (size_t)(value - word));
  name[value++ - word] = 0;
  o = curl_easy_option_by_name(name);
  if(!o)
    return CURLE_UNKNOWN_OPTION;
  if(o->type == CURLOT_STRING)
    return curl_easy_setopt(e, o->id, value);
  if(o->type == CURLOT_SLIST)
    return curl_easy_setopt(e, o->id, curl_slist_append(NULL, value));
  return curl_easy_setopt(e, o->id, atol(value));
}

/* Sets the options of words up to NULL, or ends the program. */
static inline void bench_options(CURL *e, char **words)
{
  for(; *words; words++)
    if(bench_option(e, *words)) {
      fprintf(stderr, "the library does not take %s\n", *words);
      exit(2);
    }
}

#endif
