/* api/easy.c: the easy handle: made, driven by a private multi, cleaned up. */
#include <string.h>

#include "api/handle.h"
#include "base/memory.h"
#include "base/report.h"
#include "net/conn.h"
#include "port/port.h"
#include "transfer/connect.h"

#define LONGEST_WAIT_MS 1000 /* a paused transfer may be unpaused by nothing that ends a wait */

CURL *curl_easy_init(void)
{
  struct mote_account birth = {0};
  struct mote_easy *e = mote_mem_zalloc(&birth, MOTE_PART_HANDLE, sizeof *e);
  if(!e)
    return NULL;
  e->magic = MOTE_MAGIC_EASY;
  mote_transfer_init(&e->t, (CURL *)e);
  e->t.account = birth; /* the handle pays for itself */
  return (CURL *)e;
}

void mote_easy_drop_open(struct mote_easy *e)
{
  struct mote_transfer *t = &e->t;
  if(!t->run || !t->run->conn || t->multi || !e->own)
    return;
  t->multi = &e->own->m;
  t->run->keep_open = false;
  mote_connect_release(t, CURLE_ABORTED_BY_CALLBACK);
  t->multi = NULL;
}

void curl_easy_cleanup(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  struct mote_account last;
  if(!e || e->t.in_callback)
    return;
  if(e->t.multi)
    (void)curl_multi_remove_handle(e->t.multi->handle, curl);
  mote_easy_drop_open(e);
  if(e->own)
    mote_multi_destroy(e->own);
  mote_share_detach(e->t.share);
  mote_transfer_close(&e->t);
  e->magic = 0;
  last = e->t.account;
  mote_mem_free(&last, MOTE_PART_HANDLE, e, sizeof *e);
}

void curl_easy_reset(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e || e->t.in_callback || e->t.multi)
    return;
  mote_easy_drop_open(e);
  mote_transfer_close(&e->t);
}

CURL *curl_easy_duphandle(CURL *curl)
{
  struct mote_easy *from = mote_easy_of(curl);
  CURL *made = from ? curl_easy_init() : NULL;
  struct mote_easy *e = mote_easy_of(made);
  if(!e)
    return NULL;
  if(mote_options_dup(&e->t.options, &from->t.options)) {
    curl_easy_cleanup(made);
    return NULL;
  }
  if(from->t.share)
    (void)mote_share_attach((CURLSH *)from->t.share, &e->t.share);
  return made;
}

static CURLcode wait_a_bit(struct mote_multi *m)
{
  int64_t next = mote_multi_next(m, mote_port_now());
  int ms = next < 0 ? LONGEST_WAIT_MS : mote_time_wait_ms(next);
  int events;
  CURLMcode rc;
  if(ms > LONGEST_WAIT_MS)
    ms = LONGEST_WAIT_MS;
  rc = mote_waitset_wait(&m->set, NULL, 0, ms, false, &events);
  return rc == CURLM_OK ? CURLE_OK : rc == CURLM_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_UNRECOVERABLE_POLL;
}

static CURLcode drive(struct mote_multi *m, struct mote_transfer *t)
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
  CURLcode rc;
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(e->t.in_callback)
    return CURLE_RECURSIVE_API_CALL;
  if(e->t.multi) {
    mote_fail(&e->t.report, "the handle is in a multi handle");
    return CURLE_FAILED_INIT;
  }
  mote_easy_drop_open(e);
  if(!e->own)
    e->own = mote_multi_make(true);
  if(!e->own)
    return CURLE_OUT_OF_MEMORY;
  mote_multi_add(&e->own->m, &e->t);
  rc = drive(&e->own->m, &e->t);
  mote_multi_remove(&e->own->m, &e->t);
  return rc;
}

CURLcode curl_easy_pause(CURL *curl, int action)
{
  struct mote_easy *e = mote_easy_of(curl);
  CURLcode rc;
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  rc = mote_transfer_pause(&e->t, action);
  if(!rc && e->t.multi && !e->t.multi->in_callback)
    (void)mote_multi_tell_timer(e->t.multi);
  return rc;
}

/* Dead and aged connections go; HTTP/1.1 has no ping (curl_easy_upkeep(3)). */
CURLcode curl_easy_upkeep(CURL *curl)
{
  struct mote_easy *e = mote_easy_of(curl);
  struct mote_pool *pool = NULL;
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(e->t.in_callback)
    return CURLE_RECURSIVE_API_CALL;
  if(e->t.share && e->t.share->pool)
    pool = e->t.share->pool;
  else if(e->t.multi)
    pool = &e->t.multi->pool;
  else if(e->own)
    pool = &e->own->m.pool;
  if(!pool)
    return CURLE_OK;
  mote_share_lock(&e->t, CURL_LOCK_DATA_CONNECT);
  mote_pool_prune(pool, mote_port_now(), (uint32_t)mote_opt_long(&e->t.options, CURLOPT_MAXAGE_CONN),
                  false);
  mote_share_unlock(&e->t, CURL_LOCK_DATA_CONNECT);
  return CURLE_OK;
}

/* The connection that a CONNECT_ONLY transfer has left with the handle. */
static CURLcode open_connection(CURL *curl, struct mote_conn **out)
{
  struct mote_easy *e = mote_easy_of(curl);
  if(!e)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(!mote_opt_long(&e->t.options, CURLOPT_CONNECT_ONLY)) {
    mote_fail(&e->t.report, "only a handle with CURLOPT_CONNECT_ONLY sends and receives raw bytes");
    return CURLE_UNSUPPORTED_PROTOCOL;
  }
  if(!e->t.run || !e->t.run->conn || !e->t.run->keep_open) {
    mote_fail(&e->t.report, "there is no open connection: perform the transfer first");
    return CURLE_UNSUPPORTED_PROTOCOL;
  }
  *out = e->t.run->conn;
  return CURLE_OK;
}

CURLcode curl_easy_recv(CURL *curl, void *buffer, size_t buflen, size_t *n)
{
  struct mote_conn *c;
  CURLcode rc = open_connection(curl, &c);
  if(rc)
    return rc;
  *n = 0;
  return c->top->ops->recv(c->top, buffer, buflen, n);
}

CURLcode curl_easy_send(CURL *curl, const void *buffer, size_t buflen, size_t *n)
{
  struct mote_conn *c;
  CURLcode rc = open_connection(curl, &c);
  if(rc)
    return rc;
  *n = 0;
  return mote_conn_send(c, buffer, buflen, n);
}
