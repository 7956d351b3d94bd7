/* net/names/answers.c: answers, their cache, and those that lines of CURLOPT_RESOLVE put there
 * (net/names/answers.h). */
#include "net/names/answers.h"

#include <string.h>

#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "base/report.h"
#include "net/names/preset.h"

#define MAX_CACHED 30000u    /* entries, whatever the timeout is (CURLOPT_DNS_CACHE_TIMEOUT(3)) */

static struct mote_addr *answers_addresses(struct mote_answer *a)
{
  return a->addrs;
}

static char *answers_name_of(struct mote_answer *a)
{
  return (char *)(a->addrs + a->count);
}

size_t mote_answer_size(uint16_t count, uint16_t name_len)
{
  return sizeof(struct mote_answer) + count * sizeof(struct mote_addr) + name_len;
}

void mote_answer_unref(struct mote_answer *a)
{
  if(--a->refs)
    return;
  mote_answer_drop_service(a);
  mote_mem_free(a->account, MOTE_PART_NAME, a, mote_answer_size(a->count, a->name_len));
}

struct mote_answer *mote_answer_new(struct mote_account *account, struct mote_slice name, uint16_t port,
                                       const struct mote_addr *found, size_t count)
{
  struct mote_answer *a =
    mote_mem_zalloc(account, MOTE_PART_NAME, mote_answer_size((uint16_t)count, (uint16_t)name.len));
  size_t i;
  if(!a)
    return NULL;
  a->account = account;
  a->refs = 1;
  a->count = (uint16_t)count;
  a->port = port;
  a->name_len = (uint16_t)name.len;
  if(count)
    memcpy(answers_addresses(a), found, count * sizeof *found);
  for(i = 0; i < name.len; i++)
    answers_name_of(a)[i] = mote_to_lower(name.ptr[i]);
  mote_list_init(&a->link);
  return a;
}

/* ---- the cache ---- */

static struct mote_answer *answers_answer_of(struct mote_list *l)
{
  return mote_container_of(l, struct mote_answer, link);
}

static void answers_uncache(struct mote_names *n, struct mote_answer *a)
{
  mote_hash_remove(&n->by_name, &a->node);
  mote_list_remove(&a->link);
  n->count--;
  mote_answer_unref(a);
}

/* FNV over the lower-case name, so that case does not matter, and the port. */
static uint32_t answers_hash_of(const char *name, size_t len, uint16_t port)
{
  uint32_t h = mote_hash_bytes(&port, sizeof port, 0);
  char c;
  size_t i;
  for(i = 0; i < len; i++) {
    c = mote_to_lower(name[i]);
    h = mote_hash_bytes(&c, 1, h);
  }
  return h;
}

static void answers_cache(struct mote_names *n, struct mote_answer *a, mote_time now)
{
  a->born = now;
  a->refs++;
  mote_hash_insert(&n->by_name, &a->node, answers_hash_of(answers_name_of(a), a->name_len, a->port));
  mote_list_append(&n->order, &a->link);
  n->count++;
  while(n->count > MAX_CACHED)
    answers_uncache(n, answers_answer_of(n->order.next));
}

static bool answers_is_for(struct mote_answer *a, const char *name, size_t len, uint16_t port)
{
  return a->port == port && a->name_len == len && mote_equal_nocase_n(answers_name_of(a), name, len);
}

static struct mote_answer *answers_find(struct mote_names *n, const char *name, size_t len, uint16_t port,
                                          uint8_t family)
{
  uint32_t hash = answers_hash_of(name, len, port);
  struct mote_hash_node *i;
  for(i = mote_hash_chain(&n->by_name, hash); i; i = i->next) {
    struct mote_answer *a = mote_container_of(i, struct mote_answer, node);
    if(i->hash == hash && answers_is_for(a, name, len, port) && a->family == family)
      return a;
  }
  return NULL;
}

/* A name that does not exist is remembered for half the time (CURLOPT_DNS_CACHE_TIMEOUT(3)). */
static bool answers_too_old(const struct mote_answer *a, mote_time now, int64_t max_age_us)
{
  if(a->permanent || max_age_us < 0)
    return false;
  if(a->ttl && now - a->born >= a->ttl * MOTE_SECOND)
    return true;
  return now - a->born >= (a->count || a->preset ? max_age_us : max_age_us / 2);
}

void mote_names_prune(struct mote_names *n, mote_time now, int64_t max_age_us)
{
  struct mote_list *l = n->order.next;
  while(l != &n->order) {
    struct mote_answer *a = answers_answer_of(l);
    l = l->next;
    if(max_age_us < 0 || answers_too_old(a, now, max_age_us))
      answers_uncache(n, a);
  }
}

/* Oldest first, up to the first young one. */
static void answers_drop_old(struct mote_names *n, mote_time now, int64_t max_age_us)
{
  struct mote_list *l = n->order.next;
  while(l != &n->order) {
    struct mote_answer *a = answers_answer_of(l);
    l = l->next;
    if(answers_too_old(a, now, max_age_us))
      answers_uncache(n, a);
    else if(!a->permanent && now - a->born < max_age_us / 2)
      break;
  }
}

/* "*" of CURLOPT_RESOLVE stands for every name. */
struct mote_answer *mote_names_find(struct mote_names *n, const struct mote_name_query *q)
{
  struct mote_answer *a;
  if(q->shared)
    return NULL;
  if(q->max_age_us > 0)
    answers_drop_old(n, q->now, q->max_age_us);
  a = answers_find(n, q->name, q->name_len, q->port, q->family);
  if(a && a->ttl &&
     answers_too_old(a, q->now, q->max_age_us)) { /* it may be younger than one that holds longer */
    answers_uncache(n, a);
    a = NULL;
  }
  if(!a)
    a = answers_find(n, "*", 1, q->port, q->family);
  return a && (q->max_age_us || a->preset) ? a : NULL;
}

struct mote_answer *mote_answer_copy(struct mote_account *account, struct mote_answer *a)
{
  struct mote_answer *copy =
    mote_answer_new(account, (struct mote_slice){answers_name_of(a), a->name_len}, a->port, a->addrs,
                    a->count);
  if(copy) {
    copy->family = a->family;
    copy->ttl = a->ttl;
    mote_answer_take_service(copy, a);
  }
  return copy;
}

void mote_names_replace(struct mote_names *n, struct mote_answer *a, mote_time now)
{
  struct mote_answer *old = answers_find(n, answers_name_of(a), a->name_len, a->port, a->family);
  if(old && old->preset)
    return;
  if(old)
    answers_uncache(n, old);
  answers_cache(n, a, now);
}

CURLcode mote_names_keep(struct mote_names *n, struct mote_answer *a, mote_time now)
{
  struct mote_answer *copy;
  if(a->passing)
    return CURLE_OK;
  copy = mote_answer_copy(n->account, a);
  if(!copy)
    return CURLE_OUT_OF_MEMORY;
  mote_names_replace(n, copy, now);
  mote_answer_unref(copy);
  return CURLE_OK;
}

/* ---- CURLOPT_RESOLVE ---- */

static void answers_forget(struct mote_names *n, const struct mote_preset *p)
{
  static const uint8_t families[] = {MOTE_FAMILY_NONE, MOTE_FAMILY_IP4, MOTE_FAMILY_IP6};
  struct mote_answer *a;
  size_t i;
  for(i = 0; i < sizeof families; i++)
    while((a = answers_find(n, p->host.ptr, p->host.len, p->port, families[i])) != NULL)
      answers_uncache(n, a);
}

/* Keeps the line's answer to queries for one family, or (NONE) for any. */
static CURLcode answers_add_preset(struct mote_names *n, const struct mote_preset *p, enum mote_family family,
                           mote_time now)
{
  struct mote_addr wanted[MOTE_PRESET_MAX];
  struct mote_answer *a;
  size_t count = 0, i;
  for(i = 0; i < p->count; i++)
    if(!family || p->addrs[i].family == family)
      wanted[count++] = p->addrs[i];
  a = mote_answer_new(n->account, p->host, p->port, wanted, count);
  if(!a)
    return CURLE_OUT_OF_MEMORY;
  a->family = (uint8_t)family;
  a->preset = true;
  a->permanent = p->kind == MOTE_PRESET_KEEP;
  answers_cache(n, a, now);
  mote_answer_unref(a);
  return CURLE_OK;
}

void mote_names_preset_ceiling(const char *line, struct mote_ceiling *cache)
{
  struct mote_preset p;
  if(mote_preset_parse(line, &p) && p.host.len <= UINT16_MAX)
    mote_ceiling_add(cache, 3,
                     mote_answer_size((uint16_t)p.count, (uint16_t)p.host.len)); /* one per family */
}

CURLcode mote_names_preset(struct mote_names *n, const char *line, mote_time now, struct mote_report *report)
{
  struct mote_preset p;
  CURLcode rc;
  if(!mote_preset_parse(line, &p) || p.host.len > UINT16_MAX)
    return mote_fail_as(CURLE_SETOPT_OPTION_SYNTAX, report, "not a CURLOPT_RESOLVE entry: '%s'", line);
  if(p.kind == MOTE_PRESET_IGNORE)
    return CURLE_OK;
  answers_forget(n, &p);
  if(p.kind == MOTE_PRESET_REMOVE)
    return CURLE_OK;
  rc = answers_add_preset(n, &p, MOTE_FAMILY_NONE, now);
  rc = rc ? rc : answers_add_preset(n, &p, MOTE_FAMILY_IP4, now);
  rc = rc ? rc : answers_add_preset(n, &p, MOTE_FAMILY_IP6, now);
  if(rc)
    answers_forget(n, &p);
  return rc;
}
