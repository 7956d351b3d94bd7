/* api/easy/header.c: the response headers of a transfer, by name or one after another.
 *
 * Both functions read the packed store (transfer/download/headers.h). A struct's anchor points to the end
 * of its entry in the store, where the search for the next one begins. Each function fills a struct of its
 * own in run->response.handed, which stays until the next call of that function.
 *
 * Tests: tests/unit/api/test_header.c, tests/e2e/test_headers.py */
#include <string.h>

#include "api/easy/easy_handle.h"
#include "base/memory.h"
#include "base/text.h"
#include "transfer/download/headers.h"

#define ORIGINS (CURLH_HEADER | CURLH_TRAILER | CURLH_CONNECT | CURLH_1XX | CURLH_PSEUDO)

enum slot { SLOT_BY_NAME, SLOT_WALK, SLOTS = MOTE_HEADERS_HANDED };

/* Which of the stored headers a call selects. */
struct scope {
  const struct mote_header_store *store;
  unsigned origin;   /* CURLH_* bits */
  uint32_t request;  /* number in the redirect chain, from 0 */
};

static bool in_scope(const struct scope *s, const struct mote_header_view *v)
{
  return v->request == s->request && (v->origin & s->origin);
}

static CURLHcode find_scope(const struct mote_easy *e, unsigned origin, int request, struct scope *s)
{
  const struct mote_header_store *store;
  if(!e || request < -1 || !origin || (origin & ~(unsigned)ORIGINS))
    return CURLHE_BAD_ARGUMENT;
  store = e->t.run ? &e->t.run->response.headers : NULL;
  if(!store || !store->count)
    return CURLHE_NOHEADERS;
  if(request > (int)store->request)
    return CURLHE_NOREQUEST;
  s->store = store;
  s->origin = origin;
  s->request = request < 0 ? store->request : (uint32_t)request;
  return CURLHE_OK;
}

/* Fill in how many headers have the view's name, and which of them this one is. */
static void header_count(const struct scope *s, const struct mote_header_view *of, struct curl_header *h)
{
  struct mote_header_view v = {0};
  h->amount = 0;
  while(mote_headers_next(s->store, &v)) {
    if(!in_scope(s, &v) || !mote_equal_nocase(v.name, of->name))
      continue;
    if(v.value == of->value)
      h->index = h->amount;
    h->amount++;
  }
}

static struct curl_header *hand_out(struct mote_easy *e, enum slot slot, const struct scope *s,
                                    const struct mote_header_view *v)
{
  struct mote_run *r = e->t.run;
  struct curl_header *h;
  if(!r->response.handed)
    r->response.handed = mote_mem_zalloc(&e->t.account, MOTE_PART_HEADER, SLOTS * sizeof *r->response.handed);
  if(!r->response.handed)
    return NULL;
  h = &r->response.handed[slot];
  h->name = (char *)(uintptr_t)v->name;
  h->value = (char *)(uintptr_t)v->value;
  h->origin = v->origin;
  h->anchor = (void *)(uintptr_t)mote_headers_end_of(s->store, v);
  header_count(s, v, h);
  return h;
}

CURLHcode curl_easy_header(CURL *curl, const char *name, size_t nameindex, unsigned int origin, int request,
                           struct curl_header **hout)
{
  struct mote_easy *e = mote_easy_of(curl);
  struct mote_header_view v = {0}, found = {0};
  struct curl_header *h;
  struct scope s;
  size_t seen = 0;
  CURLHcode rc;
  if(!name || !hout)
    return CURLHE_BAD_ARGUMENT;
  rc = find_scope(e, origin, request, &s);
  if(rc)
    return rc;
  while(mote_headers_next(s.store, &v))
    if(in_scope(&s, &v) && mote_equal_nocase(v.name, name) && seen++ == nameindex)
      found = v;
  if(!seen)
    return CURLHE_MISSING;
  if(!found.name)
    return CURLHE_BADINDEX;
  h = hand_out(e, SLOT_BY_NAME, &s, &found);
  if(!h)
    return CURLHE_OUT_OF_MEMORY;
  *hout = h;
  return CURLHE_OK;
}

struct curl_header *curl_easy_nextheader(CURL *curl, unsigned int origin, int request,
                                         struct curl_header *prev)
{
  struct mote_easy *e = mote_easy_of(curl);
  struct mote_header_view v = {0};
  struct scope s;
  if(find_scope(e, origin, request, &s) || (prev && !mote_headers_resume(s.store, prev->anchor, &v)))
    return NULL;
  while(mote_headers_next(s.store, &v))
    if(in_scope(&s, &v))
      return hand_out(e, SLOT_WALK, &s, &v);
  return NULL;
}
