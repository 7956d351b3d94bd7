/* Spare blocks, chunks and bounds of the memory of a library's session. Needs slab. */
#include "base/memory/slab.h"

#include "base/memory.h"
#include "base/memory/block.h"
#include "test.h"

enum { FIRST = 7616, BLOCK = 1 << 20, SPARE = 16384 };

/* Chunks of small blocks, which lie apart from the others. */
static const struct mote_slab_plan cut = {
  .first = FIRST, .block = BLOCK, .most = UINT32_MAX, .spare = SPARE, .keep = UINT32_MAX,
  .chunk = {3072, 4096, 2048},
};
/* The first block is for the larger ones. */
static const struct mote_slab_plan apart = {
  .first = FIRST, .first_from = 1, .block = BLOCK, .most = UINT32_MAX, .spare = SPARE, .keep = UINT32_MAX,
  .chunk = {3072, 4096, 2048},
};
/* No first block and no chunks. */
static const struct mote_slab_plan whole = {.block = BLOCK, .most = 2 * BLOCK, .spare = SPARE, .keep = SPARE};

static struct mote_account account;
static struct mote_slab memory;

static bool begin_with(const struct mote_slab_plan *plan)
{
  account = (struct mote_account){0};
  return CHECK(mote_slab_open(&memory, plan, &account));
}

static bool begin(void)
{
  return begin_with(&cut);
}

static void end(void)
{
  mote_slab_close(&memory);
  CHECK_ACCOUNT(&account);
}

static unsigned kind_of(size_t n)
{
  return n > 124;
}

static void *take(size_t n)
{
  char *p = mote_slab_take(&memory, n, kind_of(n));
  CHECK((uintptr_t)p % 8 == 0);
  if(p)
    memset(p, 0x77, n);
  return p;
}

static void put(void *p)
{
  mote_slab_put(&memory, p);
}

/* Leaves no room in the first block: later blocks are the account's. */
static char *fill_first(void)
{
  return take((size_t)FIRST - memory.used - 24);
}

TEST(a_freed_block_serves_its_size_again)
{
  char *p;
  char *q;
  char *r;
  if(!begin())
    return;
  put(fill_first());
  p = take(224);
  put(p);
  q = take(100);
  CHECK(q != p);
  CHECK(take(224) == (void *)p);
  r = take(4990);
  put(r);
  CHECK_INT(memory.live, 240 + 112);
  CHECK_INT(memory.held, 3072 + 4096 + 5012);
  CHECK(take(5000) == (void *)r);
  put(p);
  put(q);
  put(r);
  CHECK_INT(memory.live, 0);
  CHECK_INT(memory.held, 3072 + 4096 + 5012);
  CHECK_INT(test_mem.bytes, FIRST + memory.held);
  put(take(9000));
  mote_slab_idle(&memory, 0);
  CHECK_INT(memory.held, 0);
  end();
}

TEST(the_first_block_is_for_some_kinds)
{
  char *small, *larger;
  uint16_t used;
  if(!begin_with(&apart))
    return;
  used = memory.used;
  small = take(20);
  CHECK_INT(memory.used, used);
  CHECK_INT(memory.held, 3072);
  larger = take(200);
  CHECK_INT(memory.used, used + 208);
  CHECK_INT(memory.held, 3072);
  put(small);
  put(larger);
  end();
}

TEST(a_large_block_does_not_serve_a_small_request)
{
  char *p;
  char *q;
  if(!begin())
    return;
  fill_first();
  p = take(5000);
  put(p);
  q = take(1000);
  CHECK(q != p);
  CHECK_INT(memory.live, 1008);
  CHECK_INT(memory.held, 4096 + 5012);
  put(q);
  end();
}

TEST(resizes)
{
  char *p;
  char *q;
  if(!begin())
    return;
  p = mote_slab_resize(&memory, NULL, 20, 0);
  memcpy(p, "twenty bytes or less", 20);
  CHECK(mote_slab_resize(&memory, p, 19, 0) == (void *)p);
  CHECK(mote_slab_resize(&memory, p, 3, 0) == (void *)p);
  q = mote_slab_resize(&memory, p, 25, 0);
  CHECK(q != p && !memcmp(q, "twenty bytes or less", 20));
  CHECK(take(20) == (void *)p);
  end();
}

TEST(sizes_that_cannot_be)
{
  if(!begin())
    return;
  CHECK(!mote_slab_take(&memory, SIZE_MAX, 0));
  CHECK(!mote_slab_take(&memory, BLOCK + 1, 0));
  CHECK_INT(test_mem.calls, 1);
  end();
}

/* Blocks of ever other sizes: what is spare stays under its bound, and no two blocks overlap. */
TEST(spare_blocks_are_bounded)
{
  enum { SLOTS = 64 };
  char *held[SLOTS] = {NULL};
  size_t sizes[SLOTS] = {0};
  unsigned i;
  if(!begin())
    return;
  for(i = 0; i < 40000; i++) {
    unsigned slot = test_random() % SLOTS;
    size_t n = test_random() % (i % 3 ? 700 : 9000);
    size_t at;
    for(at = 0; at < sizes[slot] && held[slot][at] == (char)slot; at++)
      ;
    if(!CHECK_INT(at, sizes[slot]))
      break;
    put(held[slot]);
    sizes[slot] = 0;
    held[slot] = take(n);
    if(!CHECK(held[slot]))
      break;
    sizes[slot] = n;
    memset(held[slot], (char)slot, n);
    if(!CHECK(memory.held <= memory.most + SPARE + SLOTS * 512 + 9008))
      break;
    if(!CHECK_INT(test_mem.bytes, FIRST + memory.held))
      break;
  }
  for(i = 0; i < SLOTS; i++)
    put(held[i]);
  CHECK_INT(memory.live, 0);
  mote_slab_idle(&memory, 0);
  CHECK_INT(test_mem.blocks, 1);
  end();
}

TEST(out_of_memory_gives_spare_blocks_back_first)
{
  if(!begin())
    return;
  put(fill_first());
  put(take(500));
  put(take(50));
  CHECK_INT(memory.held, 4096 + 3072);
  test_mem.fail_at = test_mem.calls + 1;
  put(take(2000));
  CHECK(test_mem.failed);
  CHECK_INT(memory.held, 2020);
  test_mem.fail_at = test_mem.calls + 1;
  test_mem.fail_after = true;
  CHECK(!take(3000));
  CHECK(!take(70));
  CHECK_INT(memory.held, 0);
  CHECK_INT(memory.live, 0);
  test_mem.fail_at = 0;
  test_mem.fail_after = false;
  end();
  test_mem.fail_at = test_mem.calls + 1;
  CHECK(!mote_slab_open(&memory, &cut, &account));
  test_mem.fail_at = 0;
  mote_slab_close(&memory);
}

/* A server that adds every field to the table, each time: until that is full, memory comes by chunks. */
TEST(fields_lie_apart_from_streams)
{
  unsigned i;
  char *fields[100];
  char *streams[100];
  if(!begin())
    return;
  fill_first();
  for(i = 0; i < 100; i++) {
    fields[i] = take(80);
    streams[i] = take(224);
  }
  CHECK_INT(memory.held, 3 * 3072 + 7 * 4096);
  for(i = 0; i < 100; i++)
    put(streams[i]);
  mote_slab_idle(&memory, 0);
  CHECK_INT(memory.held, 3 * 3072);
  for(i = 0; i < 100; i++)
    put(fields[i]);
  CHECK_INT(memory.live, 0);
  end();
}

TEST(a_static_block_keeps_no_spare_blocks)
{
  static char bytes[FIRST + 10000];
  struct mote_block_info before;
  struct mote_block_info after;
  char *p;
  mote_block_open(bytes, sizeof bytes);
  if(begin()) {
    fill_first();
    CHECK(mote_block_get(&before));
    p = take(500);
    put(p);
    CHECK(mote_block_get(&after));
    CHECK_INT(after.used, before.used);
    CHECK(!take(20000));
    end();
  }
  CHECK(mote_block_close());
}

/* Four sizes of a library that has nothing but blocks of its own. */
TEST(whole_blocks_are_used_again)
{
  static const size_t sizes[] = {32000, 40, 5000, 600};
  void *p[4];
  size_t i, calls;
  if(!begin_with(&whole))
    return;
  for(i = 0; i < 4; i++)
    p[i] = take(sizes[i]);
  for(i = 0; i < 4; i++)
    put(p[i]);
  CHECK(mote_slab_spare(&memory) <= SPARE); /* the largest was not kept */
  calls = test_mem.calls;
  for(i = 1; i < 4; i++)
    CHECK(take(sizes[i]) == p[i]);
  CHECK_INT(test_mem.calls, calls);
  for(i = 1; i < 4; i++)
    put(p[i]);
  CHECK_INT(memory.live, 0);
  end();
}

TEST(no_more_than_the_ceiling)
{
  void *held[8];
  unsigned n = 0;
  if(!begin_with(&whole))
    return;
  while(n < 8 && (held[n] = take(BLOCK / 2)) != NULL)
    n++;
  CHECK_INT(n, 3); /* each block has its size in front */
  CHECK(memory.live <= whole.most);
  while(n)
    put(held[--n]);
  end();
}

static void resize_scenario(void)
{
  char *p, *q;
  account = (struct mote_account){0};
  if(!mote_slab_open(&memory, &whole, &account))
    return;
  p = mote_slab_resize(&memory, NULL, 5000, 1);
  if(p) {
    p[0] = 'x';
    q = mote_slab_resize(&memory, p, 9000, 1);
    CHECK(*(q ? q : p) == 'x');
    put(q ? q : p);
  }
  mote_slab_idle(&memory, UINT32_MAX);
  mote_slab_close(&memory);
  mote_slab_close(&memory);
  CHECK_ACCOUNT(&account);
}

/* Near the ceiling the fast way is not taken. */
TEST(small_blocks_up_to_the_ceiling)
{
  static const struct mote_slab_plan tight = {.block = 4096, .most = 4096, .spare = 4096, .keep = 4096};
  void *blocks[100];
  unsigned n = 0, i;
  if(!begin_with(&tight))
    return;
  while(n < 100 && (blocks[n] = take(100)) != NULL)
    n++;
  CHECK(n > 20 && n < 41);
  for(i = 0; i < n; i++)
    put(blocks[i]);
  blocks[0] = take(100);
  CHECK(blocks[0] != NULL);
  put(blocks[0]);
  end();
}

TEST(resizes_with_failures)
{
  run_with_failures(resize_scenario);
}

int main(void)
{
  TEST_RUN(a_freed_block_serves_its_size_again);
  TEST_RUN(the_first_block_is_for_some_kinds);
  TEST_RUN(a_large_block_does_not_serve_a_small_request);
  TEST_RUN(resizes);
  TEST_RUN(sizes_that_cannot_be);
  TEST_RUN(spare_blocks_are_bounded);
  TEST_RUN(out_of_memory_gives_spare_blocks_back_first);
  TEST_RUN(fields_lie_apart_from_streams);
  TEST_RUN(a_static_block_keeps_no_spare_blocks);
  TEST_RUN(whole_blocks_are_used_again);
  TEST_RUN(no_more_than_the_ceiling);
  TEST_RUN(small_blocks_up_to_the_ceiling);
  TEST_RUN(resizes_with_failures);
  return test_end();
}
