/* The digital search tree against an array of flags. */
#include "base/containers/trie.h"
#include "base/containers/list.h"
#include "test.h"

enum { MANY = 1000 };

struct item {
  struct mote_trie_node node;
  unsigned number;
  bool in;
};

static struct item items[MANY];
static struct mote_trie_node *root;

static uint64_t key_good(unsigned n) { return (n + 1) * UINT64_C(0x9e3779b97f4a7c15); }
static uint64_t key_low(unsigned n) { return n; }           /* 54 bits in common */
static uint64_t key_of_few(unsigned n) { return n % 3; }    /* nodes of one key */
static uint64_t key_groups(unsigned n) { return (uint64_t)(n % 10) << 60 | key_good(n) >> 4; }

static struct item *item_of(struct mote_trie_node *n)
{
  return n ? mote_container_of(n, struct item, node) : NULL;
}

static void add(struct item *it, uint64_t key)
{
  mote_trie_add(&root, &it->node, key);
  it->in = true;
}

/* Visits all whose keys begin like this, and sees that it were those and each once. */
static unsigned visit(uint64_t key, unsigned bits)
{
  uint64_t mask = bits ? UINT64_MAX << (64 - bits) : 0;
  static bool seen[MANY];
  struct mote_trie_walk w;
  struct mote_trie_node *n;
  unsigned count = 0, wanted = 0, i;
  memset(seen, 0, sizeof seen);
  mote_trie_begin(&w, &root, key, mask, bits);
  while((n = mote_trie_next(&w)) != NULL) {
    CHECK(*w.at == n && item_of(n)->in && !((n->key ^ key) & mask) && !seen[item_of(n)->number]);
    seen[item_of(n)->number] = true;
    count++;
  }
  for(i = 0; i < MANY; i++)
    wanted += items[i].in && !((items[i].node.key ^ key) & mask);
  CHECK_INT(count, wanted);
  return count;
}

static void begin(void)
{
  unsigned i;
  memset(items, 0, sizeof items);
  root = NULL;
  for(i = 0; i < MANY; i++)
    items[i].number = i;
}

static void random_steps(uint64_t (*key)(unsigned), unsigned steps)
{
  unsigned i;
  begin();
  for(i = 0; i < steps; i++) {
    struct item *it = &items[test_random() % MANY];
    bool want = test_random() % 8 > (i / 2000 % 2 ? 5u : 1u);
    if(want && !it->in)
      add(it, key(it->number));
    else if(!want && it->in) {
      struct mote_trie_node **at = mote_trie_find(&root, &it->node);
      if(!CHECK(*at == &it->node))
        return;
      mote_trie_unlink(at);
      it->in = false;
    }
    if(i % 97 == 0) {
      visit(0, 0);
      visit(it->node.key, 4);
      visit(it->node.key, 64);
    }
  }
}

TEST(random_good) { random_steps(key_good, 10000); }
TEST(random_low) { random_steps(key_low, 10000); }
TEST(random_few) { random_steps(key_of_few, 4000); }
TEST(random_groups) { random_steps(key_groups, 10000); }

/* What is visited may be taken out, and the rest is visited all the same. */
TEST(removed_on_the_way)
{
  uint64_t (*const keys[])(unsigned) = {key_good, key_low, key_of_few, key_groups};
  size_t k;
  unsigned i;
  for(k = 0; k < sizeof keys / sizeof keys[0]; k++) {
    struct mote_trie_walk w;
    struct mote_trie_node *n;
    unsigned visited = 0;
    begin();
    for(i = 0; i < MANY; i++)
      add(&items[i], keys[k](i));
    mote_trie_begin(&w, &root, 0, 0, 0);
    while((n = mote_trie_next(&w)) != NULL) {
      visited++;
      if(item_of(n)->number % 3) {
        mote_trie_unlink(w.at);
        item_of(n)->in = false;
        memset(&n->child, 0xaa, sizeof n->child);
      }
    }
    CHECK_INT(visited, MANY);
    CHECK_INT(visit(0, 0), MANY / 3 + 1);
  }
}

/* Nodes whose keys have the first bits in common are few steps below them. */
TEST(ways_are_short)
{
  unsigned i, longest = 0;
  begin();
  for(i = 0; i < MANY; i++)
    add(&items[i], UINT64_C(0xabcd) << 48 | key_good(i) >> 16);
  for(i = 0; i < MANY; i++) {
    const struct mote_trie_node *n = root;
    uint64_t bits = items[i].node.key;
    unsigned steps = 0;
    for(; n && n != &items[i].node; n = n->child[bits >> 63], bits <<= 1)
      steps++;
    CHECK(n != NULL);
    longest = steps > longest ? steps : longest;
  }
  CHECK(longest <= 16 + 24);
}

TEST(another_in_its_place)
{
  struct item other = {.number = 0};
  unsigned i;
  begin();
  for(i = 0; i < 100; i++)
    add(&items[i], key_good(i));
  mote_trie_replace(mote_trie_find(&root, &items[0].node), &other.node);
  items[0].in = false;
  CHECK(*mote_trie_find(&root, &other.node) == &other.node);
  mote_trie_unlink(mote_trie_find(&root, &other.node));
  CHECK_INT(visit(0, 0), 99);
}

TEST(drained)
{
  unsigned i, count = 0;
  struct mote_trie_node *n;
  begin();
  CHECK(!mote_trie_drain(&root));
  for(i = 0; i < MANY; i++)
    add(&items[i], key_groups(i));
  while((n = mote_trie_drain(&root)) != NULL) {
    CHECK(item_of(n)->in);
    item_of(n)->in = false;
    memset(n, 0xaa, sizeof *n);
    count++;
  }
  CHECK_INT(count, MANY);
}

int main(void)
{
  TEST_RUN(random_good);
  TEST_RUN(random_low);
  TEST_RUN(random_few);
  TEST_RUN(random_groups);
  TEST_RUN(removed_on_the_way);
  TEST_RUN(ways_are_short);
  TEST_RUN(another_in_its_place);
  TEST_RUN(drained);
  return test_end();
}
