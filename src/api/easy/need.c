/* api/easy/need.c: mote_need(), how much memory a transfer will take at most (<mote/mote.h>). */
#include <mote/mote.h>

#include <string.h>

#include "api/easy/easy_handle.h"
#include "api/multi/multi_handle.h"
#include "engine/need/need.h"

/* What an account holds already, and what a limit for it would take. */
static void add_account(const struct mote_account *a, struct mote_ceiling *c)
{
  c->bytes = mote_ceiling_sum(c->bytes, a->live);
  mote_ceiling_add(c, !a->more, mote_account_limit_size());
}

/* The multi does not exist yet, be it the private one of curl_easy_perform() or the application's. */
static void add_fresh_multi(struct mote_ceiling *c)
{
  size_t details = mote_account_open_size();
  mote_ceiling_add(c, 1, sizeof(struct mote_multi_handle));
  mote_ceiling_add(c, 1, details ? details : mote_account_limit_size());
}

static size_t easy_need_larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

static CURLcode easy_need_report(const struct mote_need_sums *sums, struct mote_need *need)
{
  size_t handles = mote_ceiling_sum(sums->easy.bytes, sums->multi.bytes);
  size_t bytes = mote_ceiling_sum(handles, sums->process.bytes);
  if(bytes == SIZE_MAX)
    return CURLE_TOO_LARGE;
  need->bytes = bytes;
  need->largest =
    easy_need_larger(sums->easy.largest, easy_need_larger(sums->multi.largest, sums->process.largest));
  need->easy = sums->easy.bytes;
  need->multi = sums->multi.bytes;
  return CURLE_OK;
}

CURLcode mote_need(CURL *curl, struct mote_need *need)
{
  struct mote_easy *e = mote_easy_of(curl);
  struct mote_need_sums sums;
  struct mote_multi *m;
  CURLcode rc;
  if(need)
    memset(need, 0, sizeof *need);
  if(!e || !need)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  m = mote_easy_multi(e);
  rc = mote_need_ask(&e->t, m, &sums);
  if(rc)
    return rc;
  add_account(&e->t.account, &sums.easy);
  if(m)
    add_account(&m->account, &sums.multi);
  else
    add_fresh_multi(&sums.multi);
  return easy_need_report(&sums, need);
}
