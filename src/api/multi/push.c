/* api/multi/push.c: the application's side of what servers push: its options, the handle of a pushed
 * request, and curl_pushheader_*(3). */
#include "api/easy/easy_handle.h"
#include "api/multi/multi_handle.h"
#include "base/memory.h"
#include "transfer/multi/push.h"

/* ---- handles ---- */

/* Unset, since the server has made this request and the application another one. */
static const CURLoption of_parent[] = {CURLOPT_CURLU, CURLOPT_CUSTOMREQUEST, CURLOPT_RANGE};

static CURLcode make_request(CURL *easy, const char *url, bool head)
{
  CURLcode rc = curl_easy_setopt(easy, CURLOPT_URL, url);
  size_t i;
  for(i = 0; !rc && i < sizeof of_parent / sizeof *of_parent; i++)
    rc = curl_easy_setopt(easy, of_parent[i], NULL);
  rc = rc ? rc : curl_easy_setopt(easy, CURLOPT_PORT, 0L);
  rc = rc ? rc : curl_easy_setopt(easy, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)0);
  rc = rc ? rc : curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  return rc || !head ? rc : curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
}

static struct mote_transfer *push_make(struct mote_transfer *parent, const char *url, bool head)
{
  CURL *easy = curl_easy_duphandle(parent->msg.easy_handle);
  if(easy && make_request(easy, url, head)) {
    curl_easy_cleanup(easy);
    easy = NULL;
  }
  return easy ? &mote_easy_of(easy)->t : NULL;
}

static void push_drop(struct mote_transfer *t)
{
  curl_easy_cleanup(t->msg.easy_handle);
}

/* ---- options ---- */

/* Nothing is kept for an option that is unset before it was ever set. */
static CURLMcode push_need(struct mote_multi *m, bool something)
{
  if(m->push || !something)
    return CURLM_OK;
  m->push = mote_mem_zalloc(&m->account, MOTE_PART_MULTI, sizeof *m->push);
  if(!m->push)
    return CURLM_OUT_OF_MEMORY;
  m->push->make = push_make;
  m->push->drop = push_drop;
  return CURLM_OK;
}

CURLMcode mote_push_set_function(struct mote_multi *m, curl_push_callback fn)
{
  CURLMcode rc = push_need(m, fn != NULL);
  if(!rc && m->push)
    m->push->fn = fn;
  return rc;
}

CURLMcode mote_push_set_data(struct mote_multi *m, void *data)
{
  CURLMcode rc = push_need(m, data != NULL);
  if(!rc && m->push)
    m->push->data = data;
  return rc;
}

/* ---- fields ---- */

char *curl_pushheader_bynum(struct curl_pushheaders *h, size_t num)
{
  return h && num < h->count ? h->lines[num] : NULL;
}

char *curl_pushheader_byname(struct curl_pushheaders *h, const char *name)
{
  return h && name ? mote_push_field(h, name) : NULL;
}
