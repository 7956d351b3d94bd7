/* The hash table against an array of flags. Needs accounts. */
#include "base/containers/hash.h"
#include "base/containers/list.h"
#include "base/memory/ceiling.h"
#include "test.h"

enum { MANY = 1000 };

struct item {
  uint32_t key;
  bool in;
  struct mote_hash_node node;
};

static struct mote_account account;
static struct item items[MANY];

static uint32_t hash_good(uint32_t key) { return mote_hash_bytes(&key, sizeof key, 0); }
static uint32_t hash_small(uint32_t key) { return key; }
static uint32_t hash_high(uint32_t key) { return key << 20; }
static uint32_t hash_bad(uint32_t key) { return key % 3; }

static struct item *find(const struct mote_hash *h, uint32_t key, uint32_t hash)
{
  struct mote_hash_node *n;
  for(n = mote_hash_chain(h, hash); n; n = n->next) {
    struct item *i = mote_container_of(n, struct item, node);
    if(n->hash == hash && i->key == key)
      return i;
  }
  return NULL;
}

static uint32_t count_all(const struct mote_hash *h)
{
  uint32_t n = 0;
  size_t i;
  const struct mote_hash_node *at;
  for(at = h->bits ? NULL : h->small; at; at = at->next)
    n++;
  for(i = 0; h->bits && i < (size_t)1 << h->bits; i++)
    for(at = h->buckets[i]; at; at = at->next)
      n++;
  return n;
}

static void compare(const struct mote_hash *h, uint32_t (*hash)(uint32_t), uint32_t count)
{
  uint32_t i;
  CHECK_INT(h->count, count);
  CHECK_INT(count_all(h), count);
  for(i = 0; i < MANY; i++)
    CHECK(find(h, i, hash(i)) == (items[i].in ? &items[i] : NULL));
}

/* `steps` random insertions and removals, more of the one or of the other by turns. */
static void random_steps(uint32_t (*hash)(uint32_t), unsigned steps, unsigned compare_every)
{
  struct mote_hash h;
  uint32_t count = 0;
  unsigned i;
  memset(items, 0, sizeof items);
  account = (struct mote_account){ 0 };
  mote_hash_init(&h, &account);
  for(i = 0; i < steps; i++) {
    struct item *it = &items[test_random() % MANY];
    bool want = test_random() % 8 > (i / 2000 % 2 ? 5u : 1u);
    it->key = (uint32_t)(it - items);
    if(want && !it->in) {
      mote_hash_insert(&h, &it->node, hash(it->key));
      count++;
    }
    else if(!want && it->in) {
      mote_hash_remove(&h, &it->node);
      count--;
    }
    else if(!want)
      mote_hash_remove(&h, &it->node);
    it->in = want;
    if(i % compare_every == 0)
      compare(&h, hash, count);
  }
  compare(&h, hash, count);
  mote_hash_close(&h);
  CHECK(h.count == 0 && !mote_hash_chain(&h, 1));
  mote_hash_close(&h);
  CHECK_ACCOUNT(&account);
}

TEST(random_good) { random_steps(hash_good, 20000, 97); }
TEST(random_small) { random_steps(hash_small, 20000, 97); }
TEST(random_high) { random_steps(hash_high, 20000, 97); }
TEST(random_bad) { random_steps(hash_bad, 8000, 97); }

static void short_run(void)
{
  random_steps(hash_good, 1500, 500);
}

TEST(survives_failures)
{
  run_with_failures(short_run);
}

TEST(few_cost_nothing)
{
  struct mote_hash h;
  unsigned i;
  memset(items, 0, sizeof items);
  account = (struct mote_account){ 0 };
  mote_hash_init(&h, &account);
  for(i = 0; i < 12; i++)
    mote_hash_insert(&h, &items[i].node, i);
  CHECK_ACCOUNT(&account);
  mote_hash_insert(&h, &items[i].node, i);
  CHECK_INT(account.live, 16 * sizeof(void *));
  for(i = 13; i < MANY; i++)
    mote_hash_insert(&h, &items[i].node, i);
  CHECK(account.live <= MANY * sizeof(void *));
  for(i = 0; i < MANY; i++)
    mote_hash_remove(&h, &items[i].node);
  CHECK_INT(account.live, 16 * sizeof(void *));
  mote_hash_close(&h);
  CHECK_ACCOUNT(&account);
}

/* Chains stay short for hashes that are small integers (descriptors) or differ in their high bits only. */
TEST(spreads)
{
  uint32_t (*const hashes[])(uint32_t) = { hash_good, hash_small, hash_high };
  size_t k;
  for(k = 0; k < sizeof hashes / sizeof *hashes; k++) {
    struct mote_hash h;
    uint32_t i;
    unsigned longest = 0;
    memset(items, 0, sizeof items);
    mote_hash_init(&h, &account);
    for(i = 0; i < MANY; i++)
      mote_hash_insert(&h, &items[i].node, hashes[k](i));
    for(i = 0; i < MANY; i++) {
      unsigned n = 0;
      const struct mote_hash_node *at;
      for(at = mote_hash_chain(&h, hashes[k](i)); at; at = at->next)
        n++;
      if(n > longest)
        longest = n;
    }
    CHECK(longest <= 12);
    mote_hash_close(&h);
  }
}

/* However often the array has grown and shrunk meanwhile. */
TEST(the_last_comes_first)
{
  struct mote_hash h;
  const struct mote_hash_node *at;
  int i;
  memset(items, 0, sizeof items);
  mote_hash_init(&h, &account);
  for(i = 0; i < MANY; i++)
    mote_hash_insert(&h, &items[i].node, 7);
  at = mote_hash_chain(&h, 7);
  for(i = MANY; i-- > 0; at = at->next)
    CHECK(at == &items[i].node);
  for(i = MANY; i-- > 50;)
    mote_hash_remove(&h, &items[i].node);
  for(at = mote_hash_chain(&h, 7); at; at = at->next)
    CHECK(at == &items[i--].node);
  CHECK_INT(i, -1);
  mote_hash_close(&h);
}

/* No less than what inserting takes, both arrays of a change included. */
TEST(ceilings)
{
  struct mote_hash h;
  struct mote_ceiling few = { 0 }, more = { 0 }, many = { 0 }, again = { 0 };
  uint32_t i;
  memset(items, 0, sizeof items);
  account = (struct mote_account){ 0 };
  mote_hash_init(&h, &account);
  mote_hash_ceiling(NULL, 12, &few);
  CHECK_INT(few.bytes, 0);
  mote_hash_ceiling(NULL, 13, &more);
  CHECK_INT(more.bytes, 16 * sizeof(void *));
  mote_hash_ceiling(&h, MANY, &many);
  for(i = 0; i < MANY; i++)
    mote_hash_insert(&h, &items[i].node, hash_good(i));
  CHECK(account.live <= many.bytes && many.largest <= many.bytes);
  mote_hash_ceiling(&h, MANY * 4, &again);
  CHECK(again.bytes > 0);
  mote_hash_ceiling(NULL, UINT32_MAX, &again);
  CHECK_INT(again.largest, sizeof(void *) << 24);
  mote_hash_close(&h);
}

/* Vectors from the FNV reference. */
TEST(fnv)
{
  CHECK_INT(mote_hash_bytes("", 0, 0), 0x811c9dc5);
  CHECK_INT(mote_hash_bytes("a", 1, 0), 0xe40c292c);
  CHECK_INT(mote_hash_bytes("foobar", 6, 0), 0xbf9cf968);
  CHECK_INT(mote_hash_bytes("bar", 3, mote_hash_bytes("foo", 3, 0)), 0xbf9cf968);
}

int main(void)
{
  TEST_RUN(random_good);
  TEST_RUN(random_small);
  TEST_RUN(random_high);
  TEST_RUN(random_bad);
  TEST_RUN(survives_failures);
  TEST_RUN(few_cost_nothing);
  TEST_RUN(spreads);
  TEST_RUN(the_last_comes_first);
  TEST_RUN(ceilings);
  TEST_RUN(fnv);
  return test_end();
}
