/* The allocator of one block: by base/memory.h's public functions, which pass everything on to it.
 * Needs posix. */
#include <pthread.h>

#include "base/memory.h"
#include "base/memory/block.h"
#include "test.h"

#define ROOM 4096
#define FRONT 4

static _Alignas(8) char room[ROOM + 64];

static struct mote_block_info info(void)
{
  struct mote_block_info b = {0};
  CHECK(mote_block_get(&b));
  return b;
}

/* All is given back, and is one piece again. */
static void close_whole(void)
{
  struct mote_block_info b = info();
  CHECK_INT(b.used, 0);
  CHECK_INT(b.largest, b.size);
  CHECK(mote_block_close());
  CHECK(!mote_block_get(&b));
}

static bool in_room(const char *p, size_t size, const char *from, size_t len)
{
  return p >= from && p + size <= from + len && (uintptr_t)p % 8 == 0;
}

TEST(fills_to_the_end)
{
  size_t at;
  size_t len;
  for(at = 0; at < 8; at++)
    for(len = 64; len < 100; len++) {
      char *p[16];
      int n = 0;
      memset(room, 0x11, sizeof room);
      mote_block_open(room + at, len);
      CHECK(info().size > len - 16 && info().size <= len);
      CHECK_INT(info().size % 8, 0);
      while(n < 16 && (p[n] = mote_mem_public_alloc(8)) != NULL) {
        CHECK(in_room(p[n], 8, room + at, len));
        n++;
        memset(p[n - 1], n, 8);
      }
      CHECK(info().size - info().used < 16);
      CHECK(n >= 2 && !mote_block_close());
      CHECK_INT(room[at + len], 0x11);
      CHECK(!at || room[at - 1] == 0x11);
      while(n > 0) {
        n--;
        CHECK(p[n][0] == n + 1 && p[n][7] == n + 1);
        mote_mem_public_free(p[n]);
      }
      close_whole();
    }
}

TEST(one_block_may_be_all)
{
  char *p;
  mote_block_open(room, ROOM);
  CHECK(!mote_mem_public_alloc(info().size - FRONT + 1));
  CHECK_INT(info().missing, 8);
  p = mote_mem_public_alloc(info().size - FRONT);
  CHECK(p && in_room(p, info().size - FRONT, room, ROOM));
  CHECK_INT(info().largest, 0);
  CHECK(!mote_mem_public_alloc(1));
  CHECK(info().missing == 8 || info().missing == 16);
  mote_mem_public_free(p);
  close_whole();
}

/* A block that is larger by what was missing is enough. */
TEST(missing_is_what_was_missing)
{
  static const size_t wanted[] = {500, 512, 1000, 3000, 3500};
  size_t len = 64;
  size_t i;
  size_t done = 0;
  uint32_t missing = 0;
  for(;; len += missing) {
    char *p[5];
    mote_block_open(room, len);
    CHECK_INT(info().missing, 0);
    for(i = 0; i < 5 && (p[i] = mote_mem_public_alloc(wanted[i])) != NULL; i++)
      ;
    missing = info().missing;
    CHECK(i > done || !done);
    done = i;
    while(i)
      mote_mem_public_free(p[--i]);
    close_whole();
    if(done == 3 || !CHECK(missing > 0))
      break;
  }
  CHECK(len < 64 + 2100);
}

TEST(too_large_is_refused)
{
  static const size_t sizes[] = {ROOM, UINT32_MAX - 16, UINT32_MAX - 4, UINT32_MAX, SIZE_MAX - 3, SIZE_MAX};
  char *p;
  size_t i;
  mote_block_open(room, ROOM);
  p = mote_mem_public_alloc(10);
  memcpy(p, "0123456789", 10);
  for(i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    CHECK(!mote_mem_public_alloc(sizes[i]));
    CHECK(info().missing >= 8);
    CHECK(!mote_mem_public_realloc(p, sizes[i]));
  }
  CHECK_MEM(p, 10, "0123456789", (size_t)10);
  CHECK_INT(info().used, 16);
  mote_mem_public_free(p);
  close_whole();
}

TEST(small_in_front_large_at_the_end)
{
  char *small, *large, *more, *again;
  mote_block_open(room, ROOM);
  small = mote_mem_public_alloc(100);
  large = mote_mem_public_alloc(1000);
  more = mote_mem_public_alloc(100);
  CHECK(small < more && more < large && more - small < 112);
  mote_mem_public_free(large);
  CHECK_INT(info().largest, info().size - info().used);
  again = mote_mem_public_alloc(1000);
  CHECK(again == large);
  mote_mem_public_free(small);
  /* the smallest piece that is large enough */
  small = mote_mem_public_alloc(60);
  CHECK(small < more);
  mote_mem_public_free(more);
  mote_mem_public_free(small);
  mote_mem_public_free(again);
  close_whole();
}

TEST(realloc_stays_where_it_can)
{
  char *p, *q, *r;
  mote_block_open(room, ROOM);
  p = mote_mem_public_alloc(100);
  memset(p, 'p', 100);
  q = mote_mem_public_realloc(p, 2000);
  CHECK(q == p && q[99] == 'p');
  CHECK(info().peak >= 2004);
  q = mote_mem_public_realloc(p, 50);
  CHECK(q == p && q[49] == 'p');
  CHECK_INT(info().used, 56);
  r = mote_mem_public_alloc(8);
  CHECK(r < p + 72);
  q = mote_mem_public_realloc(p, 300); /* somewhere else */
  CHECK(q && q != p && q[0] == 'p' && q[49] == 'p');
  CHECK(!mote_mem_public_realloc(q, 4050));
  CHECK(q[0] == 'p' && q[49] == 'p');
  CHECK_INT(info().used, 304 + 16);
  mote_mem_public_free(q);
  mote_mem_public_free(r);
  close_whole();
}

/* ---- anything ---- */

#define HELD 40

struct held {
  unsigned char *p;
  size_t size;
};

static unsigned step(unsigned *state)
{
  *state = *state * 1103515245u + 12345u;
  return *state >> 8;
}

static bool is_filled(const struct held *h, size_t size)
{
  size_t i;
  for(i = 0; i < size; i++)
    if(h->p[i] != (unsigned char)(h->size + i))
      return false;
  return true;
}

static void fill(struct held *h)
{
  size_t i;
  for(i = 0; i < h->size; i++)
    h->p[i] = (unsigned char)(h->size + i);
}

static bool change(struct held *h, unsigned r, size_t size)
{
  bool good = !h->p || is_filled(h, h->size);
  if(!h->p || r % 3 == 0) {
    unsigned char *q = h->p ? mote_mem_public_realloc(h->p, size) : mote_mem_public_alloc(size);
    if(q) {
      h->p = q;
      good = good && is_filled(h, size < h->size ? size : h->size);
      h->size = size;
      fill(h);
    }
  }
  else {
    mote_mem_public_free(h->p);
    *h = (struct held){0};
  }
  return good;
}

static void *anything(void *arg)
{
  struct held held[HELD] = {{0}};
  unsigned state = *(unsigned *)arg;
  size_t wrong = 0;
  int i;
  for(i = 0; i < 30000; i++) {
    unsigned r = step(&state);
    size_t size = r % 7 == 0 ? 1 + step(&state) % 1500 : 1 + step(&state) % 120;
    wrong += !change(&held[step(&state) % HELD], r, size);
  }
  for(i = 0; i < HELD; i++)
    if(held[i].p) {
      wrong += !is_filled(&held[i], held[i].size);
      mote_mem_public_free(held[i].p);
    }
  return wrong ? arg : NULL;
}

TEST(any_order_leaves_one_piece)
{
  unsigned seed;
  for(seed = 1; seed <= 10; seed++) {
    mote_block_open(room + seed % 8, ROOM);
    CHECK(!anything(&seed));
    close_whole();
  }
}

TEST(threads)
{
  pthread_t other;
  unsigned seeds[] = {11, 12};
  void *bad = NULL;
  mote_block_open(room, ROOM);
  CHECK(!pthread_create(&other, NULL, anything, &seeds[0]));
  CHECK(!anything(&seeds[1]));
  pthread_join(other, &bad);
  CHECK(!bad);
  close_whole();
}

TEST(none_is_open)
{
  struct mote_block_info b = {0};
  CHECK(mote_block_close());
  CHECK(!mote_block_get(&b));
  test_mem_again();
}

/* The largest piece is not always the last one. */
TEST(the_largest_of_two_pieces)
{
  char *first, *second;
  mote_block_open(room, ROOM);
  first = mote_mem_public_alloc(2000);
  second = mote_mem_public_alloc(100);
  mote_mem_public_free(first);
  CHECK(info().largest >= 2000);
  CHECK_INT(mote_block_missing(), 0);
  mote_mem_public_free(second);
  close_whole();
  test_mem_again();
}

int main(void)
{
  TEST_RUN(fills_to_the_end);
  TEST_RUN(one_block_may_be_all);
  TEST_RUN(missing_is_what_was_missing);
  TEST_RUN(too_large_is_refused);
  TEST_RUN(small_in_front_large_at_the_end);
  TEST_RUN(realloc_stays_where_it_can);
  TEST_RUN(any_order_leaves_one_piece);
  TEST_RUN(threads);
  TEST_RUN(none_is_open);
  TEST_RUN(the_largest_of_two_pieces);
  return test_end();
}
