/* small/names.c: lookups without a cache, for systems whose resolver keeps answers itself (lwIP does) and
 * never blocks. Each waiter asks for itself; the block that becomes its answer is the lookup. At most four
 * addresses of a name count. */
#include "net/names/names.h"

#include <string.h>

#include "base/memory.h"
#include "net/names/address.h"
#include "port/port.h"

#define MOST 4u

/* A lookup under way is the answer to be: without addresses, its name ends in a NUL. */
static struct mote_answer *small_names_answer_of(const struct mote_name_wait *w)
{
  return (struct mote_answer *)w->lookup;
}

static char *small_names_name_of(struct mote_answer *a)
{
  return (char *)(a->addrs + MOST);
}

static size_t small_names_answer_size(size_t name_len)
{
  return sizeof(struct mote_answer) + MOST * sizeof(struct mote_addr) + name_len + 1;
}

void mote_answer_unref(struct mote_answer *a)
{
  if(!--a->refs)
    mote_mem_free(a->account, MOTE_PART_NAME, a, small_names_answer_size(a->name_len));
}

void mote_names_init(struct mote_names *n, struct mote_account *account)
{
  mote_list_init(&n->lookups);
  n->account = account;
}

void mote_names_close(struct mote_names *n)
{
  (void)n; /* all waiters have left */
}

struct mote_answer *mote_names_find(struct mote_names *n, const struct mote_name_query *q)
{
  (void)n;
  (void)q;
  return NULL;
}

CURLcode mote_names_ask(struct mote_names *n, const struct mote_name_query *q, struct mote_waitset *set,
                        struct mote_name_wait *w, struct mote_answer **out)
{
  struct mote_answer *a;
  (void)set;
  (void)out;
  if(q->name_len > UINT16_MAX || mote_name_is_onion(q->name, q->name_len))
    return CURLE_COULDNT_RESOLVE_HOST;
  a = mote_mem_zalloc(n->account, MOTE_PART_NAME, small_names_answer_size(q->name_len));
  if(!a)
    return CURLE_OUT_OF_MEMORY;
  a->account = n->account;
  a->refs = 1;
  a->port = q->port;
  a->family = q->family;
  a->name_len = (uint16_t)q->name_len;
  memcpy(small_names_name_of(a), q->name, q->name_len);
  w->lookup = (struct mote_lookup *)a;
  mote_list_append(&n->lookups, &w->link);
  return CURLE_AGAIN;
}

void mote_names_leave(struct mote_names *n, struct mote_name_wait *w)
{
  (void)n;
  if(!mote_list_linked(&w->link))
    return;
  mote_list_remove(&w->link);
  mote_answer_unref(small_names_answer_of(w));
}

void mote_names_hand_over(struct mote_name_wait *w, void *asker)
{
  w->asker = asker;
}

/* "localhost" and what is below it needs no lookup (RFC 6761 section 6.3). */
static bool is_here(const char *name, size_t len)
{
  const size_t n = sizeof "localhost" - 1;
  if(len && name[len - 1] == '.')
    len--;
  if(len < n || !mote_equal_nocase_n(name + len - n, "localhost", n))
    return false;
  return len == n || name[len - n - 1] == '.';
}

static int small_names_look_up(struct mote_answer *a)
{
  size_t count = 0;
  int error = 0;
  if(!is_here(small_names_name_of(a), a->name_len))
    error = mote_port_lookup(small_names_name_of(a), a->family, a->addrs, MOST, &count);
  else if(a->family != MOTE_FAMILY_IP6) {
    a->addrs[0].family = MOTE_FAMILY_IP4;
    a->addrs[0].ip[0] = 127;
    a->addrs[0].ip[3] = 1;
    count = 1;
  }
  a->count = (uint16_t)count;
  return count ? 0 : error;
}

static CURLcode small_names_judge(int error)
{
  if(!error)
    return CURLE_OK;
  return error == MOTE_PORT_NO_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_COULDNT_RESOLVE_HOST;
}

void mote_names_collect(struct mote_names *n, mote_time now)
{
  struct mote_list *i = n->lookups.next;
  (void)now;
  while(i != &n->lookups) {
    struct mote_name_wait *w = mote_container_of(i, struct mote_name_wait, link);
    struct mote_answer *a = small_names_answer_of(w);
    int error = small_names_look_up(a);
    i = i->next;
    if(error == MOTE_PORT_AGAIN)
      continue;
    mote_list_remove(&w->link);
    if(error)
      mote_answer_unref(a);
    w->done(w, error ? NULL : a, small_names_judge(error));
  }
}

void mote_names_prune(struct mote_names *n, mote_time now, int64_t max_age_us)
{
  (void)n;
  (void)now;
  (void)max_age_us;
}
