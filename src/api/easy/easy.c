/* api/easy/easy.c: the easy handle: creation, reset, copy and clean-up, curl_easy_perform(3) with a private
 * multi, and curl_easy_pause(3). */
#include <string.h>

#include "api/easy/easy_handle.h"
#include "api/multi/multi_handle.h"
#include "api/multi/share_handle.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/time.h"
#include "connect/dial/dial.h"
#include "engine/multi.h"
#include "http/hosts/remember.h"

#define LONGEST_WAIT_MS 1000 /* another thread may unpause a transfer, which does not end a wait */

/* A handle's own block, all zero, is charged to the account that it will contain. The caller copies *birth
 * into it. NULL: out of memory. */
static void *make_handle(struct mote_account *birth, enum mote_part part, size_t size)
{
  void *h = mote_account_open(birth) ? mote_mem_zalloc(birth, part, size) : NULL;
  if(!h)
    mote_account_close(birth);
  return h;
}

/* `last` is a copy of the handle's account. */
static void free_handle(struct mote_account last, enum mote_part part, void *h, size_t size)
{
  mote_mem_free(&last, part, h, size);
  mote_account_close(&last);
}

CURL *curl_easy_init(void)
{
  struct mote_account birth = {0};
  struct mote_easy *e = make_handle(&birth, MOTE_PART_HANDLE, sizeof *e);
  if(!e)
    return NULL;
  e->magic = MOTE_MAGIC_EASY;
  mote_transfer_init(&e->t, (CURL *)e);
  e->t.account = birth;
  return (CURL *)e;
}

struct mote_multi *mote_easy_multi(const struct mote_easy *e)
{
  if(e->t.multi)
    return e->t.multi;
  return e->own ? &e->own->m : NULL;
}

bool mote_easy_in_callback(const struct mote_easy *e)
{
  return e->t.in_callback || (e->t.multi && mote_multi_in_callback(e->t.multi));
}

/* Releasing a connection needs the multi of its pool, which a transfer has only while it runs. */
void mote_easy_drop_open(struct mote_easy *e)
{
  struct mote_transfer *t = &e->t;
  if(!t->run || !t->run->channel.conn || t->multi || !e->own)
    return;
  t->multi = &e->own->m;
  mote_lease_enter(&t->run->lease, MOTE_PHASE_NONE);
  mote_connect_release(t, CURLE_ABORTED_BY_CALLBACK);
  t->multi = NULL;
}

/* Not the private one, which goes with its handle. */
static void easy_leave_multi(struct mote_transfer *t)
{
  struct mote_multi *m = t->multi;
  if(!m || mote_multi_is_private(m))
    return;
  mote_multi_remove(m, t);
  (void)mote_multi_report_timer(m);
}

void curl_easy_cleanup(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e || e->t.in_callback || (e->t.multi && mote_multi_in_strict_callback(e->t.multi)))
    return;
  e->t.in_callback = true; /* for good: callbacks that run during the clean-up find the handle busy */
  easy_leave_multi(&e->t);
  /* Connections go first, since closing them may call callbacks, which are options, and may need the
   * share. */
  mote_easy_drop_open(e);
  if(e->own)
    mote_multi_destroy(e->own);
  mote_remember_close(&e->t);
  mote_share_detach(e->t.share);
  mote_transfer_close(&e->t);
  e->magic = 0;
  free_handle(e->t.account, MOTE_PART_HANDLE, e, sizeof *e);
}

/* In a multi, a transfer that is not over keeps its run, and one that is over a connection left open. */
void curl_easy_reset(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  struct mote_remembered kept;
  struct mote_transfer *t;
  if(!e || e->t.in_callback)
    return;
  t = &e->t;
  mote_easy_drop_open(e);
  kept = mote_remember_take(t);
  if(t->multi && (t->state != MOTE_STATE_DONE || (t->run && t->run->channel.conn)))
    mote_options_clear(&t->options);
  else
    mote_transfer_close(t);
  mote_remember_put_back(t, kept);
}

CURL *curl_easy_duphandle(CURL *curl)
{
  struct mote_easy *from = mote_easy_of(curl);
  CURL *made = from ? curl_easy_init() : NULL;
  struct mote_easy *e = mote_easy_of(made);
  if(!e)
    return NULL;
  if(mote_options_dup(&e->t.options, &from->t.options) || mote_remember_dup(&e->t, &from->t) ||
     mote_info_copy_url(e, from)) {
    curl_easy_cleanup(made);
    return NULL;
  }
  return made;
}

static CURLcode wait_a_bit(struct mote_multi *m)
{
  int64_t next = mote_multi_next(m);
  int ms = next < 0 ? LONGEST_WAIT_MS : mote_time_wait_ms(next);
  CURLMcode rc;
  if(ms > LONGEST_WAIT_MS)
    ms = LONGEST_WAIT_MS;
  rc = mote_multi_wait(m, ms);
  if(!rc)
    return CURLE_OK;
  return rc == CURLM_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_UNRECOVERABLE_POLL;
}

static CURLcode easy_drive(struct mote_multi *m, struct mote_transfer *t)
{
  mote_multi_run(m);
  while(t->state != MOTE_STATE_DONE) {
    CURLcode rc = wait_a_bit(m);
    if(rc)
      mote_transfer_finish(t, rc);
    else
      mote_multi_run(m);
  }
  return t->msg.data.result;
}

CURLcode curl_easy_perform(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  struct mote_multi *m;
  CURLcode rc;
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(mote_easy_in_callback(e))
    return CURLE_RECURSIVE_API_CALL;
  if(e->t.multi)
    return mote_fail_as(CURLE_FAILED_INIT, &e->t.report, "the handle is in a multi handle");
  mote_easy_drop_open(e);
  if(!e->own)
    e->own = mote_multi_make(true);
  if(!e->own)
    return CURLE_OUT_OF_MEMORY;
  m = &e->own->m;
  mote_multi_add(m, &e->t);
  rc = easy_drive(m, &e->t);
  mote_multi_remove(m, &e->t);
  return rc;
}

CURLcode curl_easy_pause(CURL *curl, int action)
{
  struct mote_easy *e = mote_easy_of(curl);
  CURLcode rc;
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(e->t.multi && mote_multi_in_watch(e->t.multi))
    return CURLE_RECURSIVE_API_CALL;
  rc = mote_transfer_pause(&e->t, action);
  if(!rc && e->t.multi && !mote_multi_in_callback(e->t.multi))
    (void)mote_multi_report_timer(e->t.multi);
  return rc;
}

/* ---- multi handles; the private one is why a build without curl_multi_* has them too ---- */

struct mote_multi_handle *mote_multi_make(bool easy_own)
{
  struct mote_account birth = {0};
  struct mote_multi_handle *h = make_handle(&birth, MOTE_PART_MULTI, sizeof *h);
  if(!h)
    return NULL;
  mote_multi_setup(&h->m);
  h->m.magic = MOTE_MAGIC_MULTI;
  h->m.account = birth;
  h->m.easy_own = easy_own;
  return h;
}

void mote_multi_destroy(struct mote_multi_handle *h)
{
  mote_multi_close(&h->m);
  h->m.magic = 0;
  free_handle(h->m.account, MOTE_PART_MULTI, h, sizeof *h);
}
