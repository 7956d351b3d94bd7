/* The pairing heap against an array that is searched. */
#include "base/containers/heap.h"

#include <limits.h>

#include "base/containers/list.h"
#include "test.h"

enum { MANY = 200, LONG = 100000 };

struct item {
  struct mote_heap_node node;
  bool in;
  int64_t key;
};

static struct item items[MANY];
static struct mote_heap_node chain[LONG];

/* Every link is right and no child is smaller than its parent; counts the nodes. Iterative. */
static unsigned check_tree(const struct mote_heap *h)
{
  const struct mote_heap_node *at = h->top;
  unsigned n = 0;
  if(at && !CHECK(!at->prev && !at->next))
    return 0;
  while(at) {
    n++;
    if(at->child) {
      CHECK(at->child->prev == at);
      CHECK(at->child->key >= at->key);
      at = at->child;
      continue;
    }
    while(at && !at->next) {
      while(at->prev && at->prev->child != at)
        at = at->prev;
      at = at->prev;
    }
    if(at) {
      const struct mote_heap_node *parent = at;
      CHECK(at->next->prev == at);
      while(parent->prev && parent->prev->child != parent)
        parent = parent->prev;
      CHECK(parent->prev && at->next->key >= parent->prev->key);
      at = at->next;
    }
  }
  return n;
}

static void compare(const struct mote_heap *h)
{
  const struct item *least = NULL;
  unsigned n = 0;
  unsigned i;
  for(i = 0; i < MANY; i++) {
    CHECK(mote_heap_has(h, &items[i].node) == items[i].in);
    if(!items[i].in)
      continue;
    n++;
    CHECK_INT(items[i].node.key, items[i].key);
    if(!least || items[i].key < least->key)
      least = &items[i];
  }
  CHECK(least ? h->top && h->top->key == least->key : !h->top);
  CHECK_INT(check_tree(h), n);
}

static int64_t some_key(void)
{
  switch(test_random() % 8) {
  case 0:
    return INT64_MIN;
  case 1:
    return INT64_MAX;
  case 2:
    return (int64_t)test_random() << 20;
  default:
    return (int64_t)(test_random() % 50) - 25;
  }
}

TEST(random_steps)
{
  struct mote_heap h = { NULL };
  unsigned i;
  memset(items, 0, sizeof items);
  for(i = 0; i < 20000; i++) {
    struct item *it = &items[test_random() % MANY];
    switch(test_random() % 5) {
    case 0:
      if(h.top) {
        it = mote_container_of(h.top, struct item, node);
        mote_heap_remove(&h, h.top);
        it->in = false;
      }
      break;
    case 1:
      mote_heap_remove(&h, &it->node);
      it->in = false;
      break;
    case 2:
      it->key = some_key();
      if(it->in)
        mote_heap_update(&h, &it->node, it->key);
      else
        mote_heap_insert(&h, &it->node, it->key);
      it->in = true;
      break;
    default:
      it->key = some_key();
      mote_heap_update(&h, &it->node, it->key);
      it->in = true;
    }
    if(i < 500 || i % 37 == 0)
      compare(&h);
  }
  compare(&h);
}

/* The worst orders need no recursion and come out sorted. */
static void sorted(int64_t (*key)(int64_t))
{
  struct mote_heap h = { NULL };
  int64_t last = INT64_MIN;
  unsigned n = 0;
  int64_t i;
  memset(chain, 0, sizeof chain);
  for(i = 0; i < LONG; i++)
    mote_heap_insert(&h, &chain[i], key(i));
  while(h.top) {
    struct mote_heap_node *top = h.top;
    CHECK(top->key >= last);
    last = top->key;
    mote_heap_remove(&h, top);
    n++;
  }
  CHECK_INT(n, LONG);
}

static int64_t rising(int64_t i) { return i; }
static int64_t falling(int64_t i) { return -i; }
static int64_t equal(int64_t i) { return i & 0; }
static int64_t mixed(int64_t i) { return (i * 7919) % 10007; }

TEST(long_orders)
{
  sorted(rising);
  sorted(falling);
  sorted(equal);
  sorted(mixed);
}

TEST(outside_is_ignored)
{
  struct mote_heap h = { NULL };
  struct mote_heap_node n = { NULL, NULL, NULL, 0 };
  mote_heap_remove(&h, &n);
  CHECK(!mote_heap_has(&h, &n));
  mote_heap_update(&h, &n, 5);
  CHECK(mote_heap_has(&h, &n));
  mote_heap_remove(&h, &n);
  mote_heap_remove(&h, &n);
  CHECK(!mote_heap_has(&h, &n) && !h.top);
}

/* What is due comes in the order of its keys, and can be taken away from there. */
TEST(takes_what_is_due)
{
  static const int64_t keys[] = { 5, 1, 9, 3, 3, 7 };
  struct mote_heap h = { 0 };
  struct mote_heap_node nodes[6], under, *at;
  int64_t before = 0;
  unsigned i, n = 0;
  memset(nodes, 0, sizeof nodes);
  for(i = 0; i < 6; i++)
    mote_heap_insert(&h, &nodes[i], keys[i]);
  mote_heap_take(&h, 0, UINT_MAX, &under);
  CHECK(!under.child);
  mote_heap_take(&h, 5, 0, &under);
  CHECK(!under.child);
  mote_heap_take(&h, 5, UINT_MAX, &under);
  for(at = under.child; at; at = at->next, n++) {
    CHECK(at->key >= before && at->key <= 5);
    before = at->key;
  }
  CHECK_INT(n, 4);
  CHECK(h.top == &nodes[5]);
  mote_heap_remove(&h, &nodes[1]); /* the first of them */
  CHECK(under.child->key == 3);
  mote_heap_take(&h, INT64_MAX, UINT_MAX, &under);
  CHECK(!h.top && under.child == &nodes[5] && under.child->next == &nodes[2]);
}

int main(void)
{
  TEST_RUN(random_steps);
  TEST_RUN(long_orders);
  TEST_RUN(outside_is_ignored);
  TEST_RUN(takes_what_is_due);
  return test_end();
}
