/* torture.c: failures on purpose, and the clean transfers after them. */
#define _GNU_SOURCE
#include "torture.h"
#include "driver.h"
#include "system.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int torture;
const char *after;
static const char *armed;            /* the words, as given */
static long long script_calls, script_fired;

static long long control(const char *what, long long n)
{
  typedef long long control_fn(const char *, long long);
  static control_fn *fn;
  return fn || find_function("mote_fault_control", &fn) ? fn(what, n) : -1;
}

/* at and from are made smaller by `less`: calls that were made before */
static int arm(const char *words, long long less)
{
  char copy[256], *save = NULL;
  int rc = control("calls", 0) < 0 ? -1 : 0;
  snprintf(copy, sizeof copy, "%s", words);
  for(char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
    char *eq = strchr(w, '=');
    long long n = eq ? atoll(eq + 1) : 0;
    if(eq)
      *eq = 0;
    if(!strcmp(w, "at") || !strcmp(w, "from")) {
      n -= n ? less : 0;
      if(n <= 0 && w[0] == 'f')
        n = 1;
      if(n <= 0)
        continue;
    }
    rc = control(w, n) < 0 ? -1 : rc;
  }
  return rc;
}

int torture_arm(const char *words)
{
  armed = words;
  return arm(words, 0);
}

long long torture_fired(void)
{
  return torture ? control("fired", 0) : 0;
}

static void again(struct handle *h)
{
  if(h->multi)
    multi_remove(h->multi, h);
  handle_forget_triggers(h);
  h->spoilt = h->quiet = h->debug_print = h->ws_meta = 0;
  curl_easy_reset(h->easy);
  if(callbacks_install(h) || curl_easy_setopt(h->easy, CURLOPT_URL, after) ||
     curl_easy_setopt(h->easy, CURLOPT_PROXY, "")) /* whatever the environment says */
    violation("a handle that takes no options afterwards", h->name, 0);
}

static void again_perform(struct handle *h)
{
  struct field f[2] = {{(char[]){"perform"}, 7}, {h->name, strlen(h->name)}};
  log_code("after", h->name, "", 0);
  command_run(f, 2);
}

void torture_after(void)
{
  script_calls = control("calls", 0);
  script_fired = control("disarm", 0);
  control("short", 0);
  control("cut", -1);
  if(after) {
    objects_each(again);
    objects_each(again_perform);
    log_code("afterwards", "", "", 0);
  }
  if(!armed || script_fired > 0)
    return; /* what fired first stays in the report */
  control("at", 0);
  arm(armed, script_calls);
}

/* A lookup thread that was abandoned gives its block back when it has come to its end. */
static void wait_for_threads(void)
{
  for(int i = 0; i < 50 && control("live", 0) > 0; i++)
    usleep(10000);
}

void torture_figures(void)
{
  wait_for_threads();
  long long clean_up = script_fired > 0 ? 0 : control("calls", 0);
  log_begin("calls");
  log_num(script_calls);
  log_num(clean_up);
  log_num(script_fired > 0 ? script_fired : control("fired", 0));
  log_end();
}

void torture_idle(long lines)
{
  static long reported = -1;
  if(lines == reported)
    return;
  reported = lines;
  log_begin("idle");
  log_num(lines);
  log_end();
}
