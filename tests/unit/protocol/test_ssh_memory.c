/* tests/unit/protocol/test_ssh_memory.c: the allocator of an SSH session (protocol/ssh/ssh_memory.h).
 * Needs ssh. */
#include "protocol/ssh/ssh_memory.h"

#include "base/memory.h"
#include "test.h"

static struct mote_account account;
static struct mote_ssh_memory memory;

static void begin(void)
{
  CHECK(mote_account_open(&account));
  mote_ssh_memory_init(&memory, &account);
}

static void end(void)
{
  mote_ssh_memory_close(&memory);
  CHECK(!memory.spare && !memory.live);
  mote_account_close(&account);
  CHECK_ACCOUNT(&account);
}

TEST(every_size_has_room)
{
  size_t n;
  begin();
  for(n = 0; n < 70000; n += 1 + n / 16) {
    char *p = mote_ssh_memory_take(&memory, n);
    CHECK(p != NULL);
    memset(p, 1, n);
    mote_ssh_memory_put(&memory, p);
    CHECK(!memory.live && memory.spare <= MOTE_SSH_SPARE);
  }
  end();
}

TEST(a_spare_block_is_taken_again)
{
  uint32_t calls;
  void *p;
  begin();
  p = mote_ssh_memory_take(&memory, 32000);
  mote_ssh_memory_put(&memory, p);
  calls = test_calls(&account);
  CHECK(mote_ssh_memory_take(&memory, 31990) == p);
  CHECK(test_calls(&account) == calls);
  mote_ssh_memory_put(&memory, p);
  end();
}

TEST(blocks_grow_and_keep_their_bytes)
{
  char *p;
  begin();
  p = mote_ssh_memory_resize(&memory, NULL, 10);
  memcpy(p, "0123456789", 10);
  CHECK(mote_ssh_memory_resize(&memory, p, 5) == p);
  p = mote_ssh_memory_resize(&memory, p, 5000);
  CHECK(p && !memcmp(p, "0123456789", 10));
  mote_ssh_memory_put(&memory, p);
  mote_ssh_memory_put(&memory, NULL);
  end();
}

TEST(no_more_than_the_ceiling)
{
  void *held[80];
  unsigned n = 0;
  begin();
  CHECK(!mote_ssh_memory_take(&memory, MOTE_SSH_MEMORY_MOST + 1));
  CHECK(!mote_ssh_memory_take(&memory, SIZE_MAX));
  while(n < 80 && (held[n] = mote_ssh_memory_take(&memory, 60000)) != NULL)
    n++;
  CHECK(n > 60 && n < 71 && memory.live <= MOTE_SSH_MEMORY_MOST);
  while(n)
    mote_ssh_memory_put(&memory, held[--n]);
  end();
}

/* While a key is read, libssh2 1.11 frees a block by the C library: it aborted. */
TEST(bare_blocks_may_be_freed_elsewhere)
{
  char *kept, *own, *grown;
  begin();
  kept = mote_ssh_memory_take(&memory, 100);
  memory.bare = true;
  own = mote_ssh_memory_take(&memory, 65);
  grown = mote_ssh_memory_take(&memory, 10);
  memcpy(grown, "0123456789", 10);
  memory.bare = false;
  CHECK(mote_ssh_memory_resize(&memory, grown, 9) == grown);
  grown = mote_ssh_memory_resize(&memory, grown, 500);
  CHECK_MEM(grown, 10, "0123456789", 10);
  mote_mem_public_free(own);
  mote_ssh_memory_put(&memory, grown);
  mote_ssh_memory_put(&memory, kept);
  CHECK_INT(memory.live, 65); /* which is not known to be gone before the end */
  end();
}

/* libssh2 1.11 frees no IV of AES-GCM: 96 bytes were lost with every session. */
TEST(what_is_not_put_back_is_freed_at_the_end)
{
  char *p;
  begin();
  CHECK(mote_ssh_memory_take(&memory, 44));
  p = mote_ssh_memory_take(&memory, 44);
  CHECK(mote_ssh_memory_take(&memory, 60000));
  CHECK(mote_ssh_memory_resize(&memory, mote_ssh_memory_take(&memory, 100), 5000));
  mote_ssh_memory_put(&memory, p);
  CHECK(mote_ssh_memory_take(&memory, 44) == p);
  end();
}

int main(void)
{
  TEST_RUN(every_size_has_room);
  TEST_RUN(a_spare_block_is_taken_again);
  TEST_RUN(blocks_grow_and_keep_their_bytes);
  TEST_RUN(no_more_than_the_ceiling);
  TEST_RUN(bare_blocks_may_be_freed_elsewhere);
  TEST_RUN(what_is_not_put_back_is_freed_at_the_end);
  return test_end();
}
