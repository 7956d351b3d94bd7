/* triggers.c: actions inside callbacks: return a value, pause, call the library again. */
#include "torture.h"
#include "triggers.h"
#include <stdlib.h>
#include <string.h>

static void act_library(struct handle *h, struct trigger *t)
{
  struct multi *m = h->multi;
  const char *a = t->action;
  int running;
  if(!strcmp(a, "call_pause"))
    log_code("incb", h->name, a, curl_easy_pause(h->easy, atoi(t->arg[0].bytes)));
  else if(!strcmp(a, "unpause")) {
    struct handle *other = handle_find(t->arg[0].bytes);
    if(!other)
      return; /* it could not be made: torture */
    other->paused_read = other->paused_write = 0;
    log_code("incb", h->name, a, curl_easy_pause(other->easy, CURLPAUSE_CONT));
  }
  else if(!strcmp(a, "perform"))
    log_code("incb", h->name, a, curl_easy_perform(h->easy));
  else if(!strcmp(a, "setopt")) {
    struct field f[4] = {{NULL, 0}, {NULL, 0}, t->arg[0], t->arg[1]};
    log_code("incb", h->name, a, option_set(h, f, t->nargs + 2));
  }
  else if(!strcmp(a, "remove"))
    log_code("incb", h->name, a, curl_multi_remove_handle(m->multi, h->easy));
  else if(!strcmp(a, "mperform"))
    log_code("incb", h->name, a, curl_multi_perform(m->multi, &running));
  else if(!strcmp(a, "msocket"))
    log_code("incb", h->name, a, curl_multi_socket_action(m->multi, CURL_SOCKET_TIMEOUT, 0, &running));
  else if(!strcmp(a, "mcleanup"))
    log_code("incb", h->name, a, curl_multi_cleanup(m->multi));
  else if(!strcmp(a, "add")) {
    struct handle *other = handle_find(t->arg[0].bytes);
    if(other && !other->spoilt)
      log_code("incb", h->name, a, multi_add(m, other));
  }
  else if(!strcmp(a, "wssend") || !strcmp(a, "wsstart"))
    ws_act(h, t);
  else if(!strcmp(a, "getinfo"))
    info_log(h, t->arg[0].bytes);
  else
    violation("unknown action", a, 0);
}

/* len: what the callback was given */
static void act(struct handle *h, struct trigger *t, unsigned long long len, struct outcome *out)
{
  if(!strcmp(t->action, "return")) {
    out->decided = 1;
    out->ret = atoll(t->arg[0].bytes);
  }
  else if(!strcmp(t->action, "take")) {
    long long most = (long long)len - 1;
    out->decided = 1;
    out->ret = atoll(t->arg[0].bytes);
    if(out->ret > most)
      out->ret = most;
  }
  else if(!strcmp(t->action, "pause"))
    out->pause = !(h->failed && torture_fired()); /* who would have unpaused it has gone on */
  else if(!strcmp(t->action, "scribble"))
    out->scribble = 1;
  else if(!strcmp(t->action, "keep"))
    out->keep = 1;
  else
    act_library(h, t);
}

struct outcome triggers_run(struct handle *h, enum event event, unsigned long long len)
{
  struct outcome out = {0, 0, 0, 0, 0};
  h->calls[event]++;
  for(int i = 0; i < h->ntriggers; i++) {
    struct trigger *t = &h->triggers[i];
    int due;
    if(t->event != event || t->fired)
      continue;
    if(t->by_bytes < 0)
      due = 1;
    else if(t->by_bytes)
      due = h->bytes[event] + len >= t->at;
    else
      due = h->calls[event] >= t->at;
    if(!due)
      continue;
    if(t->by_bytes >= 0)
      t->fired = 1;
    act(h, t, len, &out);
  }
  return out;
}
