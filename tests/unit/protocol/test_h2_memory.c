/* The memory of HTTP/2 sessions: what nghttp2 takes, and the frame buffer that they share. Needs h2.
 * links: nghttp2 */
#include "protocol/http2/h2_memory.h"

#include "base/memory/block.h"
#include "test.h"

static struct mote_account account;
static struct mote_h2_common *common;
static struct mote_h2_memory memory;
static nghttp2_mem hook;

static bool begin(void)
{
  account = (struct mote_account){ 0 };
  if(!CHECK(mote_h2_memory_init(&memory, &account, &common)))
    return false;
  hook = mote_h2_memory_hook(&memory);
  return true;
}

static void end(void)
{
  mote_h2_memory_close(&memory);
  CHECK(!common);
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
  return take(MOTE_H2_SLAB - memory.slab.used - 24);
}

TEST(starts_with_two_blocks)
{
  char *p;
  if(!begin())
    return;
  CHECK_INT(test_mem.blocks, 2);
  CHECK_INT(test_mem.bytes, MOTE_H2_SLAB + sizeof *common);
  put(take(1));
  put(take(0));
  put(NULL);
  p = hook.calloc(3, 100, hook.mem_user_data);
  CHECK(p && !p[0] && !p[299]);
  put(p);
  CHECK_INT(test_mem.calls, 2);
  end();
  mote_h2_memory_close(&memory);
  memory = (struct mote_h2_memory){ 0 };
  mote_h2_memory_close(&memory);
}

TEST(the_driver_has_blocks_of_zeros)
{
  char *p;
  char *q;
  if(!begin())
    return;
  fill_slab();
  p = mote_h2_memory_take(&memory, 100);
  memset(p, 1, 100);
  mote_h2_memory_put(&memory, p);
  q = mote_h2_memory_take(&memory, 100);
  CHECK(p == q && !q[0] && !q[99]);
  CHECK_INT(memory.slab.held, 2048);
  mote_h2_memory_put(&memory, q);
  mote_h2_memory_put(&memory, NULL);
  end();
}

TEST(the_frame_buffer_is_lent)
{
  if(!begin())
    return;
  CHECK_INT(common->loan.at, offsetof(struct mote_h2_common, frame));
  CHECK_INT(common->loan.size, 16384);
  CHECK(mote_h2_memory_is_last(&memory));
  end();
  CHECK(!mote_h2_memory_is_last(&memory));
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
                                 FIELD("user-agent", "curl/8.23.0"), FIELD("accept", "*/*") };
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
  CHECK_INT(memory.slab.live, 0);
  end();
}

TEST(a_session_and_its_first_stream_fit_the_slab)
{
  if(!begin_pair())
    return;
  carry_all();
  get(1);
  CHECK_INT(test_mem.calls, 2);
  CHECK(memory.slab.used > MOTE_H2_SLAB - 900); /* and the slab is not larger than that */
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

/* All but what nghttp2 itself keeps: the table of streams of 1.64 grows and stays. */
TEST(what_a_hundred_streams_took_comes_back)
{
  size_t before;
  size_t live;
  if(!begin_pair())
    return;
  get(1);
  mote_h2_memory_idle(&memory);
  before = test_mem.bytes;
  live = memory.slab.live;
  get(100);
  CHECK(test_mem.bytes > before + 20000);
  mote_h2_memory_idle(&memory);
  CHECK(memory.slab.live < live + 4500);
  CHECK(test_mem.bytes <= before + (memory.slab.live - live) + 3072);
  end_pair();
}

/* ---- two sessions with one frame buffer ---- */

enum { BODY = 50000, FIELD_SIZE = 40000 };

static struct two {
  char letter; /* of which all its bytes are */
  struct mote_h2_memory memory;
  nghttp2_session *client;
  nghttp2_session *server;
  size_t to_send;
  size_t body;  /* bytes that the server has of the body */
  size_t field; /* and of the long field */
} two[2];

static bool all_are(const uint8_t *p, size_t n, char letter)
{
  while(n && p[n - 1] == (uint8_t)letter)
    n--;
  return !n;
}

static int on_field(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                    size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags, void *user)
{
  struct two *of = user;
  (void)session;
  (void)frame;
  (void)flags;
  if(name_len != 4 || memcmp(name, "long", 4))
    return 0;
  CHECK(all_are(value, value_len, of->letter));
  of->field = value_len;
  return 0;
}

static int on_body(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *p, size_t n,
                   void *user)
{
  struct two *of = user;
  (void)session;
  (void)flags;
  (void)id;
  CHECK(all_are(p, n, of->letter));
  of->body += n;
  return 0;
}

static ssize_t read_body(nghttp2_session *session, int32_t id, uint8_t *p, size_t size, uint32_t *flags,
                         nghttp2_data_source *source, void *user)
{
  struct two *of = source->ptr;
  size_t n = size < of->to_send ? size : of->to_send;
  (void)session;
  (void)id;
  (void)user;
  memset(p, of->letter, n);
  of->to_send -= n;
  if(!of->to_send)
    *flags |= NGHTTP2_DATA_FLAG_EOF;
  return (ssize_t)n;
}

static void begin_two(struct two *of, char letter)
{
  static char longest[2][FIELD_SIZE];
  nghttp2_nv fields[] = { FIELD(":method", "POST"), FIELD(":scheme", "https"), FIELD(":authority", "a"),
                          FIELD(":path", "/"), FIELD("long", "") };
  nghttp2_data_provider body = { .source.ptr = of, .read_callback = read_body };
  nghttp2_session_callbacks *callbacks;
  memset(of, 0, sizeof *of);
  of->letter = letter;
  of->to_send = BODY;
  CHECK(mote_h2_memory_init(&of->memory, &account, &common));
  hook = mote_h2_memory_hook(&of->memory);
  CHECK_INT(nghttp2_session_callbacks_new(&callbacks), 0);
  CHECK_INT(nghttp2_session_client_new3(&of->client, callbacks, NULL, NULL, &hook), 0);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_field);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_body);
  CHECK_INT(nghttp2_session_server_new(&of->server, callbacks, of), 0);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_submit_settings(of->client, 0, NULL, 0);
  nghttp2_submit_settings(of->server, 0, NULL, 0);
  fields[4].value = (uint8_t *)longest[of - two];
  fields[4].valuelen = FIELD_SIZE;
  memset(longest[of - two], letter, FIELD_SIZE);
  CHECK(nghttp2_submit_request(of->client, NULL, fields, 5, &body, NULL) > 0);
}

/* Each sends one piece, and then each server gets it. */
static bool exchange_pieces(void)
{
  static uint8_t sent[2][MOTE_H2_FRAME];
  ssize_t n[2];
  int i;
  for(i = 0; i < 2; i++) {
    const uint8_t *bytes;
    n[i] = nghttp2_session_mem_send(two[i].client, &bytes);
    if(n[i] > 0)
      memcpy(sent[i], bytes, (size_t)n[i]);
  }
  for(i = 0; i < 2; i++)
    CHECK_INT(nghttp2_session_mem_recv(two[i].server, sent[i], (size_t)n[i]), n[i]);
  for(i = 0; i < 2; i++)
    carry(two[i].server, two[i].client);
  return n[0] || n[1];
}

TEST(sessions_of_a_multi_share_their_frame_buffer)
{
  int i;
  account = (struct mote_account){ 0 };
  begin_two(&two[0], 'a');
  begin_two(&two[1], 'b');
  CHECK(two[0].memory.framed && two[1].memory.framed);
  CHECK_INT(common->sessions, 2);
  CHECK_INT(test_mem.bytes - two[0].memory.slab.held - two[1].memory.slab.held,
            sizeof *common + 2 * MOTE_H2_SLAB);
  while(exchange_pieces())
    ;
  for(i = 0; i < 2; i++) {
    CHECK_INT(two[i].body, BODY);
    CHECK_INT(two[i].field, FIELD_SIZE);
    nghttp2_session_del(two[i].client);
    nghttp2_session_del(two[i].server);
    CHECK_INT(two[i].memory.slab.live, 0);
    mote_h2_memory_close(&two[i].memory);
  }
  CHECK(!common);
  CHECK_ACCOUNT(&account);
}

static void some_streams(void)
{
  if(!mote_h2_memory_init(&memory, &account, &common))
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
  TEST_RUN(starts_with_two_blocks);
  TEST_RUN(the_driver_has_blocks_of_zeros);
  TEST_RUN(the_frame_buffer_is_lent);
  TEST_RUN(a_session_and_its_first_stream_fit_the_slab);
  TEST_RUN(further_streams_allocate_nothing);
  TEST_RUN(what_a_hundred_streams_took_comes_back);
  TEST_RUN(sessions_of_a_multi_share_their_frame_buffer);
  TEST_RUN(survives_failures);
  return test_end();
}
