#include "tool/run.h"

#include "tool/finish.h"
#include "tool/newer.h"
#include "tool/say.h"

#include <errno.h>
#include <time.h>

static void sleep_ms(curl_off_t ms)
{
  struct timespec left = { .tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000 };
  while(ms > 0 && nanosleep(&left, &left) && errno == EINTR)
    ;
}

/* One transfer with its retries. *stop: nothing further is to be tried. */
static CURLcode run_one(struct transfer *t, bool *stop)
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
    code = curl_easy_perform(t->handle);
    code = mote_cli_finish(t, code, &again, &wait_ms);
    curl_easy_reset(t->handle);
    if(again)
      sleep_ms(wait_ms);
  }
  return code;
}

/* --rate: not before its time. */
static void keep_rate(curl_off_t *last)
{
  curl_off_t now = mote_cli_now(), gap = mote_cli.numbers[GNUM_RATE] * (curl_off_t)1000;
  if(gap && *last && *last + gap > now)
    sleep_ms((*last + gap - now) / 1000);
  *last = mote_cli_now();
}

CURLcode mote_cli_run_serial(struct operation *first)
{
  struct transfer t = { .handle = curl_easy_init() };
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
    result = run_one(&t, &stop);
    if(result && mote_cli_on(GLOBAL_FAIL_EARLY))
      stop = true;
  }
  mote_cli_plan_end(&plan);
  if(!rc && !result && sessions)
    rc = mote_cli_sessions_save(t.handle, sessions);
  curl_easy_cleanup(t.handle);
  return rc ? rc : result; /* what went wrong last counts */
}
