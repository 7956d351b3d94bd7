/* api/multi/multi.c: the multi handle: creation and clean-up, handles in and out, messages and counts
 * (curl_multi_init(3), curl_multi_add_handle(3), curl_multi_info_read(3) and relatives). Driving it is
 * multi_drive.c, its options are multi_setopt.c. */
#include "api/easy/easy_handle.h"
#include "api/multi/multi_handle.h"
#include "base/memory.h"
#include "engine/multi.h"
#include "transfer/multi/host_queue.h"
#include "transfer/multi/notify.h"

CURLM *curl_multi_init(void)
{
  return (CURLM *)mote_multi_make(false);
}

CURLMcode curl_multi_cleanup(CURLM *multi)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  if(!h)
    return CURLM_BAD_HANDLE;
  if(h->m.in_callback)
    return CURLM_RECURSIVE_API_CALL;
  mote_multi_remove_all(&h->m);
  mote_multi_destroy(h);
  return CURLM_OK;
}

/* Whether handles can be added or removed now. */
static CURLMcode api_multi_check(const struct mote_multi_handle *h, const struct mote_easy *e)
{
  if(!h)
    return CURLM_BAD_HANDLE;
  if(!e)
    return CURLM_BAD_EASY_HANDLE;
  return mote_multi_in_strict_callback(&h->m) ? CURLM_RECURSIVE_API_CALL : CURLM_OK;
}

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *curl)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  struct mote_easy *e = mote_easy_of(curl);
  CURLMcode rc = api_multi_check(h, e);
  if(rc)
    return rc;
  if(e->t.multi)
    return CURLM_ADDED_ALREADY;
  if(e->t.in_callback) /* curl_easy_cleanup() is closing it */
    return CURLM_RECURSIVE_API_CALL;
  if(h->m.dead && h->m.total)
    return CURLM_ABORTED_BY_CALLBACK;
  h->m.dead = false; /* "first removing all the handles and adding new ones" (curl_multi_socket_action(3)) */
  mote_easy_drop_open(e);
  mote_multi_add(&h->m, &e->t);
  return mote_multi_report_timer(&h->m);
}

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *curl)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  struct mote_easy *e = mote_easy_of(curl);
  CURLMcode rc = api_multi_check(h, e);
  if(rc)
    return rc;
  if(!e->t.multi)
    return CURLM_OK;
  if(e->t.multi != &h->m)
    return CURLM_BAD_EASY_HANDLE;
  mote_multi_remove(&h->m, &e->t);
  return mote_multi_report_timer(&h->m);
}

static struct mote_transfer *first_of(struct mote_list *l)
{
  return mote_container_of(l->next, struct mote_transfer, link);
}

CURLMsg *curl_multi_info_read(CURLM *multi, int *msgs_in_queue)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  struct mote_transfer *t;
  if(msgs_in_queue)
    *msgs_in_queue = 0;
  if(!h || mote_multi_in_strict_callback(&h->m))
    return NULL;
  if(mote_list_empty(&h->m.lists[MOTE_LIST_DONE])) {
    mote_multi_tidy(&h->m);
    return NULL;
  }
  t = first_of(&h->m.lists[MOTE_LIST_DONE]);
  mote_schedule_move(&h->m, t, MOTE_LIST_READ);
  mote_notify_read(&h->m, t);
  if(msgs_in_queue)
    *msgs_in_queue = (int)h->m.unread;
  return &t->msg;
}

/* Adds the handles of a list at `to`, and returns what follows them. */
static CURL **add_handles(CURL **to, const struct mote_list *l)
{
  const struct mote_list *at;
  for(at = l->next; at != l; at = at->next) {
    const struct mote_transfer *t = mote_container_of(at, const struct mote_transfer, link);
    if(!mote_transfer_is_internal(t))
      *to++ = t->msg.easy_handle;
  }
  return to;
}

CURL **curl_multi_get_handles(CURLM *multi)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  const struct mote_list *l = NULL;
  CURL **all, **end;
  int i;
  if(!h)
    return NULL;
  all = mote_mem_public_alloc((h->m.total + 1) * sizeof *all);
  if(!all)
    return NULL;
  end = all;
  for(i = 0; i < MOTE_LIST_LAST; i++)
    end = add_handles(end, &h->m.lists[i]);
  while((l = mote_host_queue_next(&h->m, l)) != NULL)
    end = add_handles(end, l);
  *end = NULL;
  return all;
}

static curl_off_t count_list(const struct mote_list *l)
{
  const struct mote_list *i;
  curl_off_t n = 0;
  for(i = l->next; i != l; i = i->next)
    n++;
  return n;
}

static curl_off_t count_pending(const struct mote_multi *m)
{
  const struct mote_list *l = &m->lists[MOTE_LIST_READY], *i;
  const struct mote_list *of_host = NULL;
  curl_off_t n = count_list(&m->lists[MOTE_LIST_QUEUED]);
  while((of_host = mote_host_queue_next(m, of_host)) != NULL)
    n += count_list(of_host);
  for(i = l->next; i != l; i = i->next) {
    const struct mote_transfer *t = mote_container_of(i, const struct mote_transfer, link);
    n += t->state == MOTE_STATE_PENDING && !mote_transfer_is_internal(t);
  }
  return n;
}

CURLMcode curl_multi_get_offt(CURLM *multi, CURLMinfo_offt info, curl_off_t *pvalue)
{
  struct mote_multi_handle *h = mote_multi_of(multi);
  if(!h)
    return CURLM_BAD_HANDLE;
  if(!pvalue)
    return CURLM_BAD_FUNCTION_ARGUMENT;
  switch(info) {
  case CURLMINFO_XFERS_CURRENT:
    *pvalue = h->m.total;
    return CURLM_OK;
  case CURLMINFO_XFERS_PENDING:
    *pvalue = count_pending(&h->m);
    return CURLM_OK;
  case CURLMINFO_XFERS_RUNNING:
    *pvalue = (curl_off_t)h->m.running - count_pending(&h->m);
    return CURLM_OK;
  case CURLMINFO_XFERS_DONE:
    *pvalue = h->m.unread;
    return CURLM_OK;
  case CURLMINFO_XFERS_ADDED:
    *pvalue = h->m.added;
    return CURLM_OK;
  default:
    *pvalue = -1;
    return CURLM_UNKNOWN_OPTION;
  }
}
