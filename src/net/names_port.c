/* net/names_port.c: names as the port looks them up: nothing is remembered, nothing joined (without part
 * name_cache). */
#include "net/names.h"

#include <string.h>

#include "base/ceiling.h"
#include "base/memory.h"
#include "net/address.h"
#include "port/port.h"

#define NAME_MAX_LEN 255u     /* bytes of a host name (RFC 1035 section 2.3.4) */

static size_t answer_size(void)
{
  return sizeof(struct mote_answer) + MOTE_NAMES_FEW * sizeof(struct mote_addr);
}

void mote_answer_unref(struct mote_answer *a)
{
  mote_mem_free(a->account, MOTE_PART_NAME, a, answer_size());
}

void mote_names_init(struct mote_names *n, struct mote_account *account)
{
  mote_list_init(&n->waiting);
  n->account = account;
}

static CURLcode judge(int error)
{
  switch(error) {
  case 0:
    return CURLE_OK;
  case MOTE_PORT_AGAIN:
    return CURLE_AGAIN;
  case MOTE_PORT_NO_MEMORY:
    return CURLE_OUT_OF_MEMORY;
  default:
    return CURLE_COULDNT_RESOLVE_HOST;
  }
}

static CURLcode look_up(struct mote_names *n, const struct mote_name_query *q, struct mote_answer **out)
{
  char name[NAME_MAX_LEN + 1];
  struct mote_answer *a;
  size_t count = 0;
  CURLcode rc;
  if(q->name_len > NAME_MAX_LEN || mote_name_is_onion(q->name, q->name_len))
    return CURLE_COULDNT_RESOLVE_HOST;
  memcpy(name, q->name, q->name_len);
  name[q->name_len] = 0;
  a = mote_mem_alloc(n->account, MOTE_PART_NAME, answer_size());
  if(!a)
    return CURLE_OUT_OF_MEMORY;
  a->account = n->account;
  rc = judge(mote_port_lookup(name, q->family, a->addrs, MOTE_NAMES_FEW, &count));
  a->count = (uint16_t)count;
  a->port = q->port;
  if(rc)
    mote_answer_unref(a);
  else
    *out = a;
  return rc;
}

CURLcode mote_names_ask(struct mote_names *n, const struct mote_name_query *q, struct mote_waitset *set,
                        struct mote_name_wait *w, struct mote_answer **out)
{
  CURLcode rc = look_up(n, q, out);
  (void)set;
  if(rc == CURLE_AGAIN) {
    w->query = *q;
    mote_list_append(&n->waiting, &w->link);
  }
  return rc;
}

bool mote_names_busy(const struct mote_names *n)
{
  return !mote_list_empty(&n->waiting);
}

/* A port that does not know yet is asked again. */
void mote_names_collect(struct mote_names *n, mote_time now)
{
  struct mote_list *l = n->waiting.next;
  (void)now;
  while(l != &n->waiting) {
    struct mote_name_wait *w = mote_container_of(l, struct mote_name_wait, link);
    struct mote_answer *a = NULL;
    CURLcode rc = look_up(n, &w->query, &a);
    l = l->next;
    if(rc == CURLE_AGAIN)
      continue;
    mote_list_remove(&w->link);
    w->done(w, a, rc);
  }
}

void mote_names_ceiling(size_t name_len, struct mote_ceiling *cache, struct mote_ceiling *process)
{
  (void)name_len;
  (void)process;
  mote_ceiling_add(cache, 1, answer_size());
}
