/* transfer/report/info.c: stores those answers of curl_easy_getinfo() that the run has no field for. */
#include "transfer/report/info.h"

#include "base/memory.h"
#include "tls/tls.h"
#include "transfer/transfer.h"

struct mote_info *mote_info_need(struct mote_transfer *t)
{
  struct mote_run *r = t->run;
  if(!r->info)
    r->info = mote_mem_zalloc(&t->account, MOTE_PART_TRANSFER, sizeof *r->info);
  return r->info;
}

void mote_info_note_proxy_error(struct mote_transfer *t, uint8_t code)
{
  struct mote_info *info = mote_info_need(t);
  if(info)
    info->proxy_error = code;
}

void mote_info_complete(struct mote_stats *s)
{
  uint32_t start = s->mark[MOTE_MARK_STARTTRANSFER];
  if(!s->mark[MOTE_MARK_POSTTRANSFER])
    s->mark[MOTE_MARK_POSTTRANSFER] = start ? start : s->mark[MOTE_MARK_PRETRANSFER];
}

void mote_info_leave_queue(struct mote_stats *s, mote_time now)
{
  int64_t waited = now - s->started - mote_mark_get(s, MOTE_MARK_REDIRECT);
  int64_t sum = mote_mark_get(s, MOTE_MARK_QUEUE) + (waited > 0 ? waited : 0);
  mote_mark_set(s, MOTE_MARK_QUEUE, s->started + sum);
}

/* An answer of 0 needs no block. */
void mote_info_note_proxy_offered(struct mote_transfer *t, uint8_t schemes)
{
  struct mote_info *info = schemes || t->run->info ? mote_info_need(t) : NULL;
  if(info)
    info->proxy_offered = schemes;
}

void mote_info_note_proxy_used(struct mote_transfer *t, unsigned scheme)
{
  struct mote_info *info = scheme || t->run->info ? mote_info_need(t) : NULL;
  if(info)
    info->proxy_used = (uint8_t)scheme;
}

#define TUNNELS_MAX 8u /* a proxy that always closes and always asks again is given up */

bool mote_info_count_tunnel(struct mote_transfer *t)
{
  struct mote_info *info = mote_info_need(t);
  return info && info->tunnels < TUNNELS_MAX && ++info->tunnels;
}

uint8_t mote_info_proxy_offered(const struct mote_transfer *t)
{
  return t->run->info ? t->run->info->proxy_offered : 0;
}

void mote_info_forget(struct mote_transfer *t, const struct mote_run *r)
{
  struct mote_info *info = r->info;
  if(!info)
    return;
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, info->url, info->url_size);
  mote_tls_certinfo_free(&t->account, info->certinfo);
  info->certinfo = NULL;
  info->proxy_verify_result = 0;
  info->proxy_error = 0;
  info->proxy_offered = 0;
  info->proxy_used = 0;
  info->tunnels = 0;
  info->url = NULL;
  info->url_size = 0;
}

void mote_info_close(struct mote_transfer *t)
{
  mote_info_forget(t, t->run);
  mote_mem_free(&t->account, MOTE_PART_TRANSFER, t->run->info, sizeof *t->run->info);
  t->run->info = NULL;
}
