/* The memory of HTTP/2 sessions: slab, spare blocks, bounds; what sessions of nghttp2 take. Needs h2.
 * links: nghttp2 */
#include "protocol/h2_memory.h"

#include "base/block.h"
#include "test.h"

static struct mote_account account;
static struct mote_h2_memory memory;
static nghttp2_mem hook;

static bool begin(void)
{
  account = (struct mote_account){ 0 };
  if(!CHECK(mote_h2_memory_init(&memory, &account)))
    return false;
  hook = mote_h2_memory_hook(&memory);
  return true;
}

static void end(void)
{
  mote_h2_memory_close(&memory);
  CHECK_ACCOUNT(&account);
}

static void *take(size_t n)
{
  char *p = hook.malloc(n, hook.mem_user_data);
  CHECK((uintptr_t)p % 8 == 0);
  if(p)
    memset(p, 0x77, n);
  return p;
}

static void put(void *p)
{
  hook.free(p, hook.mem_user_data);
}

/* Leaves no room in the slab: later blocks are the account's. */
static char *fill_slab(void)
{
  return take(MOTE_H2_SLAB - memory.used - 24);
}

TEST(starts_with_one_block)
{
  char *p;
  if(!begin())
    return;
  CHECK_INT(test_mem.blocks, 1);
  CHECK_INT(test_mem.bytes, MOTE_H2_SLAB);
  put(take(1));
  put(take(0));
  put(NULL);
  p = hook.calloc(3, 100, hook.mem_user_data);
  CHECK(p && !p[0] && !p[299]);
  put(p);
  CHECK_INT(test_mem.calls, 1);
  end();
  mote_h2_memory_close(&memory);
  memory = (struct mote_h2_memory){ 0 };
  mote_h2_memory_close(&memory);
}

TEST(a_freed_block_serves_its_size_again)
{
  char *p;
  char *q;
  char *r;
  if(!begin())
    return;
  put(fill_slab());
  p = take(224);
  put(p);
  q = take(100);
  CHECK(q != p);
  CHECK(take(224) == (void *)p);
  r = take(4990);
  put(r);
  CHECK_INT(memory.live, 240 + 112);
  CHECK(take(5000) == (void *)r);
  put(p);
  put(q);
  put(r);
  CHECK_INT(memory.live, 0);
  CHECK_INT(memory.spare, 240 + 112 + 5008);
  end();
}

TEST(a_large_block_does_not_serve_a_small_request)
{
  char *p;
  char *q;
  if(!begin())
    return;
  fill_slab();
  p = take(5000);
  put(p);
  q = take(1000);
  CHECK(q != p);
  CHECK_INT(memory.live, 1008);
  CHECK_INT(memory.spare, 5008);
  put(q);
  end();
}

TEST(resizes)
{
  char *p;
  char *q;
  if(!begin())
    return;
  p = hook.realloc(NULL, 20, &memory);
  memcpy(p, "twenty bytes or less", 20);
  CHECK(hook.realloc(p, 24, &memory) == (void *)p);
  CHECK(hook.realloc(p, 3, &memory) == (void *)p);
  q = hook.realloc(p, 25, &memory);
  CHECK(q != p && !memcmp(q, "twenty bytes or less", 20));
  CHECK(take(20) == (void *)p);
  end();
}

TEST(sizes_that_cannot_be)
{
  if(!begin())
    return;
  CHECK(!hook.malloc(SIZE_MAX, &memory));
  CHECK(!hook.malloc(MOTE_H2_BLOCK_LIMIT + 1, &memory));
  CHECK(!hook.calloc(SIZE_MAX / 2, 4, &memory));
  CHECK(!hook.calloc(MOTE_H2_BLOCK_LIMIT, 2, &memory));
  CHECK(!hook.calloc(SIZE_MAX, SIZE_MAX, &memory));
  CHECK_INT(test_mem.calls, 1);
  end();
}

/* Blocks of ever other sizes: what is spare stays under its bound, and no two blocks overlap. */
TEST(spare_blocks_are_bounded)
{
  enum { SLOTS = 64 };
  char *held[SLOTS] = { NULL };
  size_t sizes[SLOTS] = { 0 };
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
    if(!CHECK(memory.live + memory.spare <= memory.most + MOTE_H2_SPARE + 9008))
      break;
    if(!CHECK_INT(test_mem.bytes, MOTE_H2_SLAB + memory.live + memory.spare))
      break;
  }
  for(i = 0; i < SLOTS; i++)
    put(held[i]);
  CHECK_INT(memory.live, 0);
  mote_h2_memory_idle(&memory);
  CHECK_INT(test_mem.blocks, 1);
  end();
}

TEST(out_of_memory_gives_spare_blocks_back_first)
{
  if(!begin())
    return;
  put(fill_slab());
  put(take(500));
  CHECK_INT(memory.spare, 512);
  test_mem.fail_at = test_mem.calls + 1;
  put(take(400));
  CHECK(test_mem.failed);
  CHECK_INT(memory.spare, 416);
  test_mem.fail_at = test_mem.calls + 1;
  test_mem.fail_after = true;
  CHECK(!take(700));
  CHECK_INT(memory.spare, 0);
  CHECK_INT(memory.live, 0);
  test_mem.fail_at = 0;
  test_mem.fail_after = false;
  end();
  test_mem.fail_at = test_mem.calls + 1;
  CHECK(!mote_h2_memory_init(&memory, &account));
  test_mem.fail_at = 0;
  mote_h2_memory_close(&memory);
}

TEST(a_static_block_keeps_no_spare_blocks)
{
  static char bytes[40000];
  struct mote_block_info before;
  struct mote_block_info after;
  char *p;
  mote_block_open(bytes, sizeof bytes);
  if(begin()) {
    fill_slab();
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

/* ---- sessions ---- */

/* A client with our memory and a server with its own, joined by nothing but memory. */
static struct {
  nghttp2_session *client;
  nghttp2_session *server;
  unsigned ended;
} pair;

static int on_stream_close(nghttp2_session *session, int32_t id, uint32_t error, void *user)
{
  (void)session;
  (void)id;
  (void)user;
  CHECK_INT(error, 0);
  pair.ended++;
  return 0;
}

#define FIELD(n, v) { (uint8_t *)(n), (uint8_t *)(v), sizeof(n) - 1, sizeof(v) - 1, 0 }

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
  static nghttp2_nv fields[] = { FIELD(":status", "200"), FIELD("server", "nginx/1.22.1"),
                                 FIELD("date", "Mon, 23 Nov 2026 12:00:00 GMT"),
                                 FIELD("etag", "\"654-1f\"") };
  (void)user;
  if(frame->hd.type == NGHTTP2_HEADERS)
    return nghttp2_submit_response(session, frame->hd.stream_id, fields, 4, NULL);
  return 0;
}

static bool begin_pair(void)
{
  nghttp2_session_callbacks *callbacks;
  nghttp2_settings_entry settings = { NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 2000 };
  memset(&pair, 0, sizeof pair);
  if(!begin() || nghttp2_session_callbacks_new(&callbacks))
    return false;
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
  CHECK_INT(nghttp2_session_client_new3(&pair.client, callbacks, NULL, NULL, &hook), 0);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, NULL);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  CHECK_INT(nghttp2_session_server_new(&pair.server, callbacks, NULL), 0);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_submit_settings(pair.client, 0, NULL, 0);
  nghttp2_submit_settings(pair.server, 0, &settings, 1);
  return true;
}

static void carry(nghttp2_session *from, nghttp2_session *to)
{
  const uint8_t *bytes;
  ssize_t n;
  while((n = nghttp2_session_mem_send(from, &bytes)) > 0)
    CHECK_INT(nghttp2_session_mem_recv(to, bytes, (size_t)n), n);
  CHECK_INT(n, 0);
}

static void carry_all(void)
{
  while(nghttp2_session_want_write(pair.client) || nghttp2_session_want_write(pair.server)) {
    carry(pair.client, pair.server);
    carry(pair.server, pair.client);
  }
}

static void get(unsigned count)
{
  static nghttp2_nv fields[] = { FIELD(":method", "GET"), FIELD(":scheme", "https"),
                                 FIELD(":authority", "example.com"), FIELD(":path", "/small"),
                                 FIELD("user-agent", "curl/8.22.0"), FIELD("accept", "*/*") };
  unsigned i;
  pair.ended = 0;
  for(i = 0; i < count; i++)
    CHECK(nghttp2_submit_request(pair.client, NULL, fields, 6, NULL, NULL) > 0);
  carry_all();
  CHECK_INT(pair.ended, count);
}

static void end_pair(void)
{
  nghttp2_session_del(pair.client);
  nghttp2_session_del(pair.server);
  CHECK_INT(memory.live, 0);
  end();
}

TEST(a_session_and_nearly_all_of_its_first_stream_fit_the_slab)
{
  if(!begin_pair())
    return;
  carry_all();
  get(1);
  CHECK(test_mem.calls <= 5);
  CHECK(memory.used > MOTE_H2_SLAB - 1000); /* and the slab is not larger than that */
  end_pair();
}

TEST(further_streams_allocate_nothing)
{
  size_t calls;
  unsigned i;
  if(!begin_pair())
    return;
  for(i = 0; i < 3; i++)
    get(10);
  calls = test_mem.calls;
  for(i = 0; i < 100; i++)
    get(10);
  CHECK_INT(test_mem.calls, calls);
  end_pair();
}

TEST(what_a_hundred_streams_took_comes_back)
{
  size_t before;
  if(!begin_pair())
    return;
  get(1);
  mote_h2_memory_idle(&memory);
  before = test_mem.bytes;
  get(100);
  CHECK(test_mem.bytes > before + 20000);
  mote_h2_memory_idle(&memory);
  CHECK(test_mem.bytes <= before + 500);
  end_pair();
}

static void some_streams(void)
{
  if(!mote_h2_memory_init(&memory, &account))
    return;
  hook = mote_h2_memory_hook(&memory);
  {
    nghttp2_session_callbacks *callbacks;
    nghttp2_session *session;
    int i;
    static nghttp2_nv field = FIELD(":method", "GET");
    if(!nghttp2_session_callbacks_new(&callbacks)) {
      if(!nghttp2_session_client_new3(&session, callbacks, NULL, NULL, &hook)) {
        for(i = 0; i < 20 && nghttp2_submit_request(session, NULL, &field, 1, NULL, NULL) > 0; i++)
          ;
        nghttp2_session_del(session);
      }
      nghttp2_session_callbacks_del(callbacks);
    }
  }
  mote_h2_memory_close(&memory);
}

TEST(survives_failures)
{
  account = (struct mote_account){ 0 };
  run_with_failures(some_streams);
}

int main(void)
{
  TEST_RUN(starts_with_one_block);
  TEST_RUN(a_freed_block_serves_its_size_again);
  TEST_RUN(a_large_block_does_not_serve_a_small_request);
  TEST_RUN(resizes);
  TEST_RUN(sizes_that_cannot_be);
  TEST_RUN(spare_blocks_are_bounded);
  TEST_RUN(out_of_memory_gives_spare_blocks_back_first);
  TEST_RUN(a_static_block_keeps_no_spare_blocks);
  TEST_RUN(a_session_and_nearly_all_of_its_first_stream_fit_the_slab);
  TEST_RUN(further_streams_allocate_nothing);
  TEST_RUN(what_a_hundred_streams_took_comes_back);
  TEST_RUN(survives_failures);
  return test_end();
}
