/* All transfers of the command line: one after the other on one handle, or with --parallel side by side in
 * one multi handle, each on an easy handle that is used again. */
#include "tool/transfers/run.h"

#include "tool/memory.h"
#include "tool/newer.h"
#include "tool/show/messages.h"
#include "tool/show/progress_parallel.h"
#include "tool/system/system.h"
#include "tool/transfers/finish.h"

#define LONGEST_WAIT 1000 /* ms */

static CURLcode multi_failure(CURLMcode rc)
{
  mote_cli_error("%s", curl_multi_strerror(rc));
  return rc == CURLM_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_BAD_FUNCTION_ARGUMENT;
}

/* ---- one after the other ---- */

/* What curl_easy_perform() does, but stdin is watched too, so that what is typed is sent at once. */
static CURLcode run_in_multi(CURLM *multi, struct transfer *t)
{
  CURLcode code = CURLE_OUT_OF_MEMORY;
  CURLMcode rc = curl_multi_add_handle(multi, t->handle);
  CURLMsg *message;
  struct curl_waitfd input;
  int running = 1, left;
  while(!rc) {
    int wait = LONGEST_WAIT;
    unsigned inputs;
    rc = curl_multi_perform(multi, &running);
    if(rc || !running)
      break;
    inputs = mote_cli_upload_waits(t, &input, &wait);
    rc = curl_multi_poll(multi, &input, inputs, wait, NULL);
  }
  while((message = curl_multi_info_read(multi, &left)) != NULL)
    code = message->data.result;
  curl_multi_remove_handle(multi, t->handle);
  if(rc)
    code = multi_failure(rc);
  return code;
}

/* The first transfer whose input comes late makes *multi, and those after it share its connections. */
static CURLcode run_perform(CURLM **multi, struct transfer *t)
{
  if(!*multi && !mote_cli_upload_comes_late(t))
    return curl_easy_perform(t->handle);
  if(!*multi)
    *multi = curl_multi_init();
  return *multi ? run_in_multi(*multi, t) : CURLE_OUT_OF_MEMORY;
}

/* Run one transfer with its retries. *stop: no other transfer may begin. */
static CURLcode run_one(struct transfer *t, CURLM **multi, bool *stop)
{
  bool again = true;
  curl_off_t wait_ms = 0;
  CURLcode code = CURLE_OK;
  t->retry.first_at = mote_cli_now();
  while(again) {
    code = mote_cli_setup(t);
    if(code) {
      *stop = true;
      return mote_cli_give_up(t, code);
    }
    code = run_perform(multi, t);
    code = mote_cli_finish(t, code, &again, &wait_ms);
    curl_easy_reset(t->handle);
    if(again)
      mote_cli_system_sleep(wait_ms);
  }
  return code;
}

/* --rate: wait until the next transfer may start. */
static void keep_rate(curl_off_t *last)
{
  curl_off_t now = mote_cli_now(), gap = mote_cli.numbers[GNUM_RATE] * 1000;
  if(gap && *last && *last + gap > now)
    mote_cli_system_sleep((*last + gap - now) / 1000);
  *last = mote_cli_now();
}

CURLcode mote_cli_run_serial(struct operation *first)
{
  struct transfer t = { .handle = curl_easy_init() };
  CURLM *multi = NULL;
  struct plan plan;
  CURLcode result = CURLE_OK, rc = CURLE_OK;
  bool more = true, stop = false;
  curl_off_t last = 0;
  const char *sessions = mote_cli.texts[GSTR_SSL_SESSIONS];
  if(!t.handle) {
    mote_cli_error("out of memory");
    return CURLE_OUT_OF_MEMORY;
  }
  mote_cli_plan_init(&plan, first);
  while(!stop) {
    rc = mote_cli_plan_next(&plan, &t, &more);
    if(rc || !more)
      break;
    if(t.skipped) {
      mote_cli_transfer_close(&t);
      if(t.failed)
        result = t.failed;
      stop = t.failed && mote_cli_on(GLOBAL_FAIL_EARLY);
      continue;
    }
    if(mote_cli.numbers[GNUM_RATE])
      keep_rate(&last);
    result = run_one(&t, &multi, &stop);
    if(result && mote_cli_on(GLOBAL_FAIL_EARLY))
      stop = true;
  }
  mote_cli_plan_end(&plan);
  if(!rc && !result && sessions)
    rc = mote_cli_sessions_save(t.handle, sessions);
  curl_easy_cleanup(t.handle);
  curl_multi_cleanup(multi);
  return rc ? rc : result; /* the last failure counts */
}

/* ---- --parallel ---- */

struct crew {
  CURLM *multi;
  struct plan plan;
  struct transfer **slots;  /* made as they are needed */
  unsigned made, cap;       /* slots that exist, room for slots */
  unsigned active;          /* in use, also by transfers that wait for a retry */
  bool more;                /* the plan has more transfers */
  bool stop;                /* no other transfer may begin */
  CURLcode result;          /* of the last transfer that failed */
  struct board board;
};

static struct transfer *free_slot(struct crew *c)
{
  struct transfer *t;
  for(unsigned i = 0; i < c->made; i++)
    if(!c->slots[i]->active)
      return c->slots[i];
  if(c->made == c->cap) {
    unsigned cap = c->cap ? c->cap * 2 : 8;
    struct transfer **more = mote_cli_realloc(c->slots, cap * sizeof(struct transfer *));
    if(!more)
      return NULL;
    c->slots = more;
    c->cap = cap;
  }
  t = mote_cli_alloc(sizeof *t);
  if(!t)
    return NULL;
  t->handle = curl_easy_init();
  if(!t->handle) {
    mote_cli_free(t);
    return NULL;
  }
  c->slots[c->made++] = t;
  return t;
}

/* Add a transfer to the multi handle. */
static CURLcode transfers_run_start(struct crew *c, struct transfer *t)
{
  CURLcode rc;
  curl_easy_reset(t->handle);
  rc = mote_cli_setup(t);
  if(!rc)
    rc = curl_easy_setopt(t->handle, CURLOPT_PRIVATE, t);
  if(!rc && !mote_cli_on(GLOBAL_IMMEDIATE)) /* waits for a connection that may carry several transfers */
    rc = curl_easy_setopt(t->handle, CURLOPT_PIPEWAIT, 1L);
  if(!rc && curl_multi_add_handle(c->multi, t->handle))
    rc = CURLE_OUT_OF_MEMORY;
  t->start_at = 0;
  return rc;
}

static void transfers_run_fail(struct crew *c, CURLcode code)
{
  c->result = code;
  c->stop = true;
}

/* Start transfers until --parallel-max are active. */
static void add_transfers(struct crew *c)
{
  unsigned most = (unsigned)mote_cli.numbers[GNUM_PARALLEL_MAX];
  while(c->more && !c->stop && c->active < most) {
    struct transfer *t = free_slot(c);
    CURLcode rc = t ? mote_cli_plan_next(&c->plan, t, &c->more) : CURLE_OUT_OF_MEMORY;
    if(!rc && !c->more)
      return;
    if(!rc && t->skipped) {
      mote_cli_transfer_close(t);
      if(t->failed)
        c->result = t->failed;
      c->stop = t->failed && mote_cli_on(GLOBAL_FAIL_EARLY);
      continue;
    }
    if(!rc) {
      t->retry.first_at = mote_cli_now();
      rc = transfers_run_start(c, t);
      if(rc)
        mote_cli_give_up(t, rc);
    }
    if(rc) {
      transfers_run_fail(c, rc);
      return;
    }
    t->active = true;
    c->active++;
    c->board.added++;
  }
}

static void one_done(struct crew *c, struct transfer *t, CURLcode code)
{
  bool again;
  curl_off_t wait_ms;
  curl_multi_remove_handle(c->multi, t->handle);
  mote_cli_board_clear(&c->board);
  mote_cli_board_done(&c->board, t, code);
  code = mote_cli_finish(t, code, &again, &wait_ms);
  if(again) {
    t->start_at = mote_cli_now() + wait_ms * 1000;
    return;
  }
  t->active = false;
  c->active--;
  c->board.done++;
  if(code)
    c->result = code;
  if(code && mote_cli_on(GLOBAL_FAIL_EARLY))
    c->stop = true;
}

static void transfers_run_collect(struct crew *c)
{
  CURLMsg *message;
  int left;
  while((message = curl_multi_info_read(c->multi, &left)) != NULL)
    if(message->msg == CURLMSG_DONE) {
      CURLcode code = message->data.result;
      char *private_text = NULL;
      struct transfer *t = NULL;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private_text);
      for(unsigned i = 0; i < c->made; i++)
        if((void *)c->slots[i] == (void *)private_text)
          t = c->slots[i];
      if(t)
        one_done(c, t, code);
    }
}

/* Retry the transfers whose pause is over. Returns ms until the next one, at most a second. */
static int start_waiting(struct crew *c)
{
  curl_off_t now = mote_cli_now(), least = 1000000;
  for(unsigned i = 0; i < c->made; i++) {
    struct transfer *t = c->slots[i];
    if(!t->active || !t->start_at)
      continue;
    if(t->start_at <= now) {
      CURLcode rc = transfers_run_start(c, t);
      if(rc) {
        t->active = false;
        c->active--;
        transfers_run_fail(c, mote_cli_give_up(t, rc));
      }
    }
    else if(t->start_at - now < least)
      least = t->start_at - now;
  }
  return (int)(least / 1000) + 1;
}

/* What a wait has to watch besides, or how long it may be: a transfer waits for stdin, which the library
 * does not watch (mote_cli_upload_waits). */
static unsigned waits_for_stdin(struct crew *c, struct curl_waitfd *input, int *timeout)
{
  unsigned waits = 0;
  for(unsigned i = 0; i < c->made; i++)
    if(c->slots[i]->active && c->slots[i]->in_waiting && mote_cli_upload_waits(c->slots[i], input, timeout))
      waits = 1;
  return waits;
}

static void transfers_run_loop(struct crew *c)
{
  int running = 0;
  add_transfers(c);
  while(c->active && !(c->stop && c->result)) {
    CURLMcode rc = curl_multi_perform(c->multi, &running);
    struct curl_waitfd input;
    unsigned inputs;
    int wait;
    transfers_run_collect(c);
    add_transfers(c);
    wait = start_waiting(c);
    inputs = waits_for_stdin(c, &input, &wait);
    mote_cli_board_draw(&c->board, c->slots, c->made, false);
    if(!rc && c->active)
      rc = curl_multi_poll(c->multi, &input, inputs, wait, NULL);
    if(rc)
      transfers_run_fail(c, multi_failure(rc));
  }
}

static void transfers_run_dismiss(struct crew *c)
{
  for(unsigned i = 0; i < c->made; i++) {
    struct transfer *t = c->slots[i];
    if(t->active) {
      curl_multi_remove_handle(c->multi, t->handle);
      mote_cli_sink_finish(t, CURLE_ABORTED_BY_CALLBACK);
      mote_cli_transfer_close(t);
    }
    curl_easy_cleanup(t->handle);
    mote_cli_free(t);
  }
  mote_cli_free(c->slots);
  mote_cli_plan_end(&c->plan);
  curl_multi_cleanup(c->multi);
}

CURLcode mote_cli_run_parallel(struct operation *first)
{
  struct crew c = { .multi = curl_multi_init(), .more = true };
  const char *sessions = mote_cli.texts[GSTR_SSL_SESSIONS];
  long host = (long)mote_cli.numbers[GNUM_MAX_HOST];
  if(!c.multi) {
    mote_cli_error("out of memory");
    return CURLE_OUT_OF_MEMORY;
  }
  if(host && curl_multi_setopt(c.multi, CURLMOPT_MAX_HOST_CONNECTIONS, host))
    mote_cli_warn("--parallel-max-host has no effect with this library");
  mote_cli_plan_init(&c.plan, first);
  mote_cli_board_init(&c.board);
  transfers_run_loop(&c);
  mote_cli_board_draw(&c.board, c.slots, c.made, true);
  if(!c.result && sessions && c.made)
    c.result = mote_cli_sessions_save(c.slots[0]->handle, sessions);
  transfers_run_dismiss(&c);
  return c.result;
}
