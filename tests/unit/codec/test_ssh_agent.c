/* tests/unit/codec/test_ssh_agent.c: messages to and from an agent (codec/ssh/ssh_agent.h).
 * needs: src/codec/ssh/ssh_agent.c src/base/buf.c src/base/text.c */
#include "base/buf.h"
#include "codec/ssh/ssh_agent.h"

#include "test.h"

#define SLICE(text) (struct mote_slice){text, sizeof text - 1}

static struct mote_account account;

/* What RFC 4252 section 7 has signed with this algorithm. */
#define SIGNED(name) "\0\0\0\1s\x32\0\0\0\1u\0\0\0\1c\0\0\0\1p\1" name "\0\0\0\1k"
#define ED25519 "\0\0\0\x0bssh-ed25519"

TEST(requests)
{
  const struct {
    struct mote_slice data;
    char flags;
  } rows[] = {
    {SLICE(SIGNED(ED25519)), 0},
    {SLICE(SIGNED("\0\0\0\x0crsa-sha2-256")), 2},
    {SLICE(SIGNED("\0\0\0\x0crsa-sha2-512")), 4},
    {SLICE("\0\0\0\1"), 0},
  };
  struct mote_buf out;
  size_t i;
  mote_buf_init(&out, &account, MOTE_PART_OTHER, 1000);
  CHECK(!mote_ssh_agent_put_list(&out) && out.len == 5 && !memcmp(out.ptr, "\0\0\0\1\x0b", 5));
  for(i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t data = rows[i].data.len;
    mote_buf_clear(&out);
    CHECK(!mote_ssh_agent_put_sign(&out, SLICE("key"), rows[i].data));
    CHECK(out.len == 5 + 7 + 4 + data + 4 && (size_t)out.ptr[3] == out.len - 4);
    CHECK(!memcmp(out.ptr + 4, "\x0d\0\0\0\3key", 8) && (size_t)out.ptr[15] == data);
    CHECK(!memcmp(out.ptr + 16, rows[i].data.ptr, data) && out.ptr[out.len - 1] == rows[i].flags);
  }
  mote_buf_close(&out);
}

/* What is signed may be cut anywhere: no algorithm is found in it. */
TEST(algorithms)
{
  static const char data[] = SIGNED("\0\0\0\x0crsa-sha2-512");
  struct mote_buf out;
  size_t len, found = sizeof data - 1 - 5; /* the key, which comes last, is not looked at */
  mote_buf_init(&out, &account, MOTE_PART_OTHER, 1000);
  for(len = 0; len <= sizeof data - 1; len++) {
    mote_buf_clear(&out);
    CHECK(!mote_ssh_agent_put_sign(&out, SLICE(""), (struct mote_slice){data, len}));
    CHECK_INT(out.ptr[out.len - 1], len < found ? 0 : 4);
  }
  mote_buf_close(&out);
}

TEST(ceilings)
{
  size_t limit;
  for(limit = 1; limit < 5 + 7 + 5 + 4; limit++) {
    struct mote_buf out;
    mote_buf_init(&out, &account, MOTE_PART_OTHER, limit);
    CHECK_INT(mote_ssh_agent_put_sign(&out, SLICE("key"), SLICE("x")), CURLE_TOO_LARGE);
    mote_buf_close(&out);
  }
}

TEST(keys)
{
  static const char bytes[] = "\0\0\0\x19\x0c\0\0\0\2\0\0\0\1a\0\0\0\1x\0\0\0\2bc\0\0\0\0";
  struct mote_slice all = SLICE(bytes), keys, key;
  size_t len, i;
  CHECK(mote_ssh_agent_len(all) == all.len && !mote_ssh_agent_len((struct mote_slice){bytes, 3}));
  for(i = 0; i < 8; i++) { /* 4 GB of message and the 4 bytes of its length, which 32 bits do not have */
    const char much[] = {'\xff', '\xff', '\xff', (char)(0xf8 + i)};
    CHECK(mote_ssh_agent_len((struct mote_slice){much, sizeof much}) >= 0xfffffff8);
  }
  CHECK(mote_ssh_agent_read_keys(all, &keys));
  CHECK(mote_ssh_agent_next_key(&keys, &key) && mote_slice_is(key, "a"));
  CHECK(mote_ssh_agent_next_key(&keys, &key) && mote_slice_is(key, "bc"));
  CHECK(!mote_ssh_agent_next_key(&keys, &key));
  for(len = 0; len < all.len; len++)
    CHECK(!mote_ssh_agent_read_keys((struct mote_slice){bytes, len}, &keys));
  CHECK(!mote_ssh_agent_read_keys(SLICE("\0\0\0\1\5"), &keys));
  CHECK(!mote_ssh_agent_read_keys(SLICE("\0\0\0\0"), &keys));
  keys = SLICE("\0\0\0\1a\0\0\0");
  CHECK(!mote_ssh_agent_next_key(&keys, &key)); /* its comment is cut */
  CHECK(!mote_ssh_agent_read_keys(SLICE("\0\0\0\3\x0c\0\0"), &keys));
  CHECK(mote_ssh_agent_read_keys(SLICE("\0\0\0\x09\x0c\0\0\0\1\xff\xff\xff\xff"), &keys));
  for(i = 0; i < 2; i++)
    CHECK(!mote_ssh_agent_next_key(&keys, &key));
}

TEST(signatures)
{
  static const char bytes[] = "\0\0\0\x1b\x0e\0\0\0\x16" ED25519 "\0\0\0\3sig";
  struct mote_slice all = SLICE(bytes), data = SLICE(SIGNED(ED25519)), sig;
  size_t len;
  CHECK(mote_ssh_agent_read_signature(all, data, &sig) && mote_slice_is(sig, "sig"));
  CHECK(!mote_ssh_agent_read_signature(all, SLICE(SIGNED("\0\0\0\7ssh-rsa")), &sig));
  CHECK(!mote_ssh_agent_read_signature(all, SLICE("\0\0\0\1"), &sig));
  CHECK(!mote_ssh_agent_read_signature(SLICE("\0\0\0\1\5"), data, &sig));
  for(len = 0; len < all.len; len++)
    CHECK(!mote_ssh_agent_read_signature((struct mote_slice){bytes, len}, data, &sig));
  for(len = 0; len < data.len - 5; len++)
    CHECK(!mote_ssh_agent_read_signature(all, (struct mote_slice){data.ptr, len}, &sig));
  CHECK(!mote_ssh_agent_read_signature(SLICE("\0\0\0\1\x0e"), data, &sig));
  CHECK(!mote_ssh_agent_read_signature(SLICE("\0\0\0\5\x0e\0\0\0\0"), data, &sig));
  CHECK(!mote_ssh_agent_read_signature(SLICE("\0\0\0\x14\x0e\0\0\0\x0f" ED25519), data, &sig));
}

static void scenario(void)
{
  struct mote_buf out;
  mote_buf_init(&out, &account, MOTE_PART_OTHER, 1000);
  CHECK(mote_ssh_agent_put_sign(&out, SLICE("key"), SLICE(SIGNED(ED25519))) != CURLE_TOO_LARGE);
  mote_buf_close(&out);
}

TEST(survives)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(requests);
  TEST_RUN(algorithms);
  TEST_RUN(ceilings);
  TEST_RUN(keys);
  TEST_RUN(signatures);
  TEST_RUN(survives);
  return test_end();
}
