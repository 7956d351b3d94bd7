/* tests/unit/test.h: a small harness for unit tests; one header, one program per tested module.
 *
 *   #include "test.h"
 *   TEST(parses_empty) { CHECK(f("") == 0); }
 *   static void scenario(void) { ... every code an allocation that failed may lead to is fine ... }
 *   TEST(survives) { run_with_failures(scenario); }
 *   int main(void) { TEST_RUN(parses_empty); TEST_RUN(survives); return test_end(); }
 *
 * CHECK prints file and line, counts, goes on, and is an expression: if(!CHECK(p)) return;
 * While a test runs, memory comes from an allocator that
 *   - knows each block's size and part, and sees a free (or realloc) of base/memory.h that passes another
 *     size or another part than the block was asked for;
 *   - moves a block at every realloc, and fills fresh and freed bytes;
 *   - holds freed blocks back for a while, so that reading one gives TEST_FREED and no other block's bytes,
 *     and fails the test when one was written to;
 *   - counts live blocks and bytes (test_mem) and, after each test, fails it when blocks are still held;
 *   - fails the N-th allocation, or all from the N-th on, on request.
 * One source file per program may include it. Between threads it is safe, but sizes are checked only while
 * test_mem.threads is false. */
#ifndef MOTE_TEST_H
#define MOTE_TEST_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

/* ---- checks ---- */

static struct {
  const char *name;   /* of the test that runs */
  unsigned passed;    /* tests */
  unsigned failed;    /* tests */
  unsigned errors;    /* failed checks of the test that runs; 20 of them are printed */
  uint32_t random;    /* state of test_random */
} test_state;

static struct {
  size_t blocks;       /* held now */
  size_t bytes;        /* held now, as asked for */
  size_t peak;         /* most bytes held at once */
  size_t calls;        /* allocations asked for, growing and shrinking reallocs included */
  size_t fail_at;      /* the number of the call that fails, from 1; 0: none */
  bool fail_after;     /* all later calls fail, too */
  bool failed;         /* a call was made to fail */
  bool threads;        /* set by tests that allocate in several threads */
  bool forks;          /* each call fails in child processes: run_with_failures_forked() */
  bool child;          /* of those */
  unsigned children;   /* that run now */
} test_mem;

static inline bool test_check(bool ok, const char *what, const char *file, int line)
{
  if(ok)
    return true;
  if(test_state.errors++ < 20) {
    fprintf(stderr, "%s:%d: %s: %s", file, line, test_state.name ? test_state.name : "?", what);
    if(test_mem.fail_at)
      fprintf(stderr, " [allocation %zu%s failing]", test_mem.fail_at,
              test_mem.fail_after ? " and later" : "");
    fprintf(stderr, "\n");
  }
  return false;
}

#define CHECK(x) test_check((x) ? true : false, #x, __FILE__, __LINE__)
/* A check that has failed where this is reached; `rule`: what should hold. */
#define BROKEN(rule) test_check(false, rule, __FILE__, __LINE__)

static inline bool test_check_int(long long a, long long b, const char *what, const char *file, int line)
{
  char text[400];
  snprintf(text, sizeof text, "%s: %lld and %lld", what, a, b);
  return test_check(a == b, text, file, line);
}

static inline bool test_check_str(const char *a, const char *b, const char *what, const char *file, int line)
{
  char text[1000];
  snprintf(text, sizeof text, "%s: \"%s\" and \"%s\"", what, a ? a : "(NULL)", b ? b : "(NULL)");
  return test_check(a && b ? !strcmp(a, b) : a == b, text, file, line);
}

/* Both print the values. The strings may be NULL. */
#define CHECK_INT(a, b) \
  test_check_int((long long)(a), (long long)(b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_STR(a, b) test_check_str((a), (b), #a " is " #b, __FILE__, __LINE__)
/* len bytes at a are those of the string literal or array b. */
#define CHECK_MEM(a, len, b, blen) \
  test_check((len) == (blen) && !memcmp((a), (b), (blen)), #a " is " #b, __FILE__, __LINE__)
/* An account that owes nothing. */
#if !MOTE_HAS_ACCOUNT
#define CHECK_ACCOUNT(a) ((void)(a))
#else
#define CHECK_ACCOUNT(a) CHECK_INT((a)->live, 0)
#endif

/* What an account has counted; 0 in a build without accounts, which counts nothing. */
#if !MOTE_HAS_ACCOUNT
static inline size_t test_live(const struct mote_account *a)
{
  (void)a;
  return 0;
}

static inline uint32_t test_calls(const struct mote_account *a)
{
  (void)a;
  return 0;
}
#else
static inline size_t test_live(const struct mote_account *a)
{
  return a->live;
}

static inline uint32_t test_calls(const struct mote_account *a)
{
  return a->calls;
}
#endif

/* The same sequence in every run and every test; 32 random bits. */
static inline uint32_t test_random(void)
{
  uint32_t x = test_state.random;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  test_state.random = x;
  return x;
}

/* ---- memory ---- */

enum {
  TEST_MAGIC = 0x7e57b10c,
  TEST_PUBLIC = MOTE_PART_LAST,  /* mote_mem_public_alloc's: counted in no part */
  TEST_UNKNOWN = MOTE_PART_LAST + 1 /* not classified: threads, or the allocation just made */
};

/* In front of a block's bytes, which are aligned as malloc's are. */
struct test_block {
  _Alignas(max_align_t) struct test_block *next;
  struct test_block *prev;
  size_t size;
  size_t number; /* the call that made it */
  unsigned magic;
  int part; /* enum mote_part, TEST_PUBLIC, TEST_UNKNOWN */
};

#define TEST_FREED 0x5a /* each byte of a freed block */
/* Bytes of freed blocks that are held back; AddressSanitizer does that itself. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_FREED_MOST 0u
#else
#define TEST_FREED_MOST (1u << 20)
#endif

static struct test_block test_blocks = { .next = &test_blocks, .prev = &test_blocks };
static struct {
  struct test_block *first; /* freed before the others */
  struct test_block *last;
  size_t bytes;
} test_freed;
static atomic_bool test_lock;

/* What was asked of the allocator last; the counters of base/memory.h, which change only after (or, when
 * freeing, after) that, are compared at the next call. */
static struct {
  bool pending;
  struct test_block *made; /* NULL after a free */
  size_t added;            /* bytes */
  size_t removed;          /* bytes */
  int part;                /* of what was removed */
  size_t live[MOTE_PART_LAST];
} test_last;

/* Who waits only looks, and lets others run: under ThreadSanitizer of gcc 14, threads that write to the lock
 * all the time keep its owner from giving it back. */
static inline void test_mem_lock(void)
{
  while(atomic_exchange_explicit(&test_lock, true, memory_order_acquire))
    while(atomic_load_explicit(&test_lock, memory_order_relaxed))
      sched_yield();
}

static inline void test_mem_unlock(void)
{
  atomic_store_explicit(&test_lock, false, memory_order_release);
}

static inline void test_mem_snapshot(void)
{
  int i;
  for(i = 0; i < MOTE_PART_LAST; i++) {
    struct mote_part_count c;
    mote_mem_part_get((enum mote_part)i, &c);
    test_last.live[i] = c.live;
  }
}

/* Which part the last request changed, and by how much; -1: several. */
static inline int test_mem_changed(ptrdiff_t *by)
{
  int part = TEST_PUBLIC;
  int i;
  *by = 0;
  for(i = 0; i < MOTE_PART_LAST; i++) {
    struct mote_part_count c;
    mote_mem_part_get((enum mote_part)i, &c);
    if(c.live == test_last.live[i])
      continue;
    if(part != TEST_PUBLIC)
      part = -1;
    else {
      part = i;
      *by = (ptrdiff_t)(c.live - test_last.live[i]);
    }
  }
  return part;
}

/* Compare the last request with what base/memory.h counted for it. */
static inline void test_mem_settle(void)
{
  char text[160];
  ptrdiff_t by;
  ptrdiff_t want = (ptrdiff_t)(test_last.added - test_last.removed);
  int part;
  if(!test_last.pending || test_mem.threads) {
    test_last.pending = false;
    return;
  }
  test_last.pending = false;
  part = test_mem_changed(&by);
  if(test_last.made && test_last.part == TEST_UNKNOWN && !test_last.removed)
    test_last.made->part = part; /* a fresh block: this is how its part is learnt */
  else if(test_last.part == TEST_UNKNOWN || !want)
    return;
  else if(test_last.part != part) {
    snprintf(text, sizeof text, "a block of %zu bytes of part %d was given back or resized as part %d",
             test_last.removed, test_last.part, part);
    test_check(false, text, __FILE__, __LINE__);
    return;
  }
  if(part != TEST_PUBLIC && by != want) {
    snprintf(text, sizeof text, "the account changed by %td bytes, the block by %td (asked %zu, freed %zu)",
             by, want, test_last.added, test_last.removed);
    test_check(false, text, __FILE__, __LINE__);
  }
}

static inline void test_mem_note(struct test_block *made, size_t added, size_t removed, int part)
{
  test_last.pending = true;
  test_last.made = made;
  test_last.added = added;
  test_last.removed = removed;
  test_last.part = part;
  test_mem_snapshot();
}

#define TEST_CHILDREN 4 /* at a time */

/* One child has ended. */
static inline void test_wait(void)
{
  int status = 0;
  test_mem.children--;
  if(wait(&status) < 0 || status)
    test_check(false, "a child process, which has printed why", __FILE__, __LINE__);
}

/* A child of which this call fails, and, of another, all later ones as well. */
static inline void test_fork(void)
{
  int after;
  for(after = 0; after < 2; after++) {
    pid_t pid;
    while(test_mem.children >= TEST_CHILDREN)
      test_wait();
    pid = fork();
    if(!pid) {
      test_mem.forks = false;
      test_mem.child = true;
      test_mem.children = 0;
      test_mem.fail_at = test_mem.calls;
      test_mem.fail_after = after;
      return;
    }
    if(test_check(pid > 0, "fork", __FILE__, __LINE__))
      test_mem.children++;
  }
}

static inline struct test_block *test_block_new(size_t size)
{
  struct test_block *b;
  test_mem.calls++;
  if(test_mem.forks)
    test_fork();
  if(test_mem.fail_at &&
     (test_mem.calls == test_mem.fail_at || (test_mem.fail_after && test_mem.calls > test_mem.fail_at))) {
    test_mem.failed = true;
    return NULL;
  }
  b = size <= SIZE_MAX / 2 ? malloc(sizeof *b + size) : NULL;
  if(!b)
    return NULL;
  memset(b + 1, 0xa5, size);
  b->size = size;
  b->number = test_mem.calls;
  b->magic = TEST_MAGIC;
  b->part = TEST_UNKNOWN;
  b->next = test_blocks.next;
  b->prev = &test_blocks;
  b->next->prev = b;
  test_blocks.next = b;
  test_mem.blocks++;
  test_mem.bytes += size;
  if(test_mem.bytes > test_mem.peak)
    test_mem.peak = test_mem.bytes;
  return b;
}

static inline struct test_block *test_block_of(void *p)
{
  struct test_block *b = (struct test_block *)p - 1;
  if(b->magic != (unsigned)TEST_MAGIC) {
    fprintf(stderr, "%s: freed twice, or never allocated: %p\n", test_state.name, p);
    abort();
  }
  return b;
}

/* Gives back the block that was freed first. */
static inline void test_block_release(void)
{
  struct test_block *b = test_freed.first;
  const unsigned char *p = (const unsigned char *)(b + 1);
  char text[120];
  if(b->size && (p[0] != TEST_FREED || memcmp(p, p + 1, b->size - 1))) {
    snprintf(text, sizeof text, "written to after it was freed: %zu bytes of part %d, allocation %zu",
             b->size, b->part, b->number);
    test_check(false, text, __FILE__, __LINE__);
  }
  test_freed.first = b->next;
  test_freed.bytes -= b->size;
  free(b);
}

static inline void test_block_free(struct test_block *b)
{
  b->next->prev = b->prev;
  b->prev->next = b->next;
  test_mem.blocks--;
  test_mem.bytes -= b->size;
  b->magic = 0;
  memset(b + 1, TEST_FREED, b->size);
  b->next = NULL;
  if(test_freed.first)
    test_freed.last->next = b;
  else
    test_freed.first = b;
  test_freed.last = b;
  test_freed.bytes += b->size;
  while(test_freed.first && test_freed.bytes > TEST_FREED_MOST)
    test_block_release();
}

static inline void *test_malloc(size_t size)
{
  struct test_block *b;
  test_mem_lock();
  test_mem_settle();
  b = test_block_new(size);
  if(b)
    test_mem_note(b, size, 0, TEST_UNKNOWN);
  test_mem_unlock();
  return b ? b + 1 : NULL;
}

static inline void test_free(void *p)
{
  struct test_block *b;
  if(!p)
    return;
  test_mem_lock();
  test_mem_settle();
  b = test_block_of(p);
  test_mem_note(NULL, 0, b->size, b->part);
  test_block_free(b);
  test_mem_unlock();
}

static inline void *test_realloc(void *p, size_t size)
{
  struct test_block *old;
  struct test_block *b;
  if(!p)
    return test_malloc(size);
  test_mem_lock();
  test_mem_settle();
  old = test_block_of(p);
  b = test_block_new(size);
  if(b) {
    memcpy(b + 1, p, size < old->size ? size : old->size);
    b->part = old->part;
    test_mem_note(b, size, old->size, old->part);
    test_block_free(old);
  }
  test_mem_unlock();
  return b ? b + 1 : NULL;
}

/* Fails the test for every block (the first five by name) that is held, and forgets them. */
static inline void test_mem_expect_empty(void)
{
  struct test_block *b = test_blocks.next;
  char text[120];
  int printed = 0;
  test_mem_settle();
  for(; b != &test_blocks; b = b->next)
    if(printed++ < 5) {
      snprintf(text, sizeof text, "still held: %zu bytes of part %d, allocation %zu", b->size, b->part,
               b->number);
      test_check(false, text, __FILE__, __LINE__);
    }
  while(test_blocks.next != &test_blocks)
    test_block_free(test_blocks.next);
  while(test_freed.first)
    test_block_release();
}

static inline void test_mem_begin(void)
{
  static const struct mote_allocator counting = {
    .malloc_fn = test_malloc, .free_fn = test_free, .realloc_fn = test_realloc
  };
  memset(&test_mem, 0, sizeof test_mem);
  test_last.pending = false;
  mote_mem_set_allocator(&counting);
}

/* The counting allocator may be replaced during a test (curl_global_init_mem): this puts it back. */
#define test_mem_again() test_mem_begin()

/* ---- scenarios ---- */

static inline void test_one_failure(void (*scenario)(void), size_t n, bool after)
{
  test_mem_settle();
  test_mem.calls = 0;
  test_mem.failed = false;
  test_mem.fail_at = n;
  test_mem.fail_after = after;
  scenario();
  test_mem_expect_empty();
  test_mem.fail_at = 0;
}

/* Runs the scenario without failures, then with the 1st, 2nd, ... allocation failing (once alone, once with
 * all later ones) until none failed. It must hold nothing at its end. test_mem.failed says, inside, whether
 * one has failed. */
static inline void run_with_failures(void (*scenario)(void))
{
  size_t n;
  bool more = true;
  test_one_failure(scenario, 0, false);
  for(n = 1; more && n < 100000 && !test_state.errors; n++) {
    test_one_failure(scenario, n, false);
    more = test_mem.failed;
    if(more)
      test_one_failure(scenario, n, true);
  }
}

/* As run_with_failures(), for scenarios with many allocations and a long way to them: the scenario runs once,
 * and at each allocation child processes go on without it. Returns how many there were. The scenario starts
 * no thread, and prints to stderr alone. */
static inline size_t run_with_failures_forked(void (*scenario)(void))
{
  test_mem_settle();
  test_mem.calls = 0;
  test_mem.failed = false;
  test_mem.forks = true;
  scenario();
  test_mem_expect_empty();
  if(test_mem.child)
    _exit(test_state.errors != 0);
  test_mem.forks = false;
  while(test_mem.children)
    test_wait();
  return test_mem.calls;
}

#define TEST(name) static void test_##name(void)
#define TEST_RUN(name) test_run(#name, test_##name)

static inline void test_run(const char *name, void (*fn)(void))
{
  test_state.name = name;
  test_state.errors = 0;
  test_state.random = 2463534242u;
  test_mem_begin();
  fn();
  test_mem_expect_empty();
  mote_mem_set_allocator(NULL);
  if(test_state.errors) {
    test_state.failed++;
    fprintf(stderr, "FAILED %s: %u checks\n", name, test_state.errors);
  }
  else
    test_state.passed++;
}

/* Returned from main. */
static inline int test_end(void)
{
  printf("%u passed, %u failed\n", test_state.passed, test_state.failed);
  return test_state.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
