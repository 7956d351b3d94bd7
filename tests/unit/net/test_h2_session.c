/* Sessions of HTTP/2 (net/h2/session.h) and servers of nghttp2's, joined by nothing but memory: what they
 * take, how they send, and the frame buffer that they share. Needs h2.
 * links: nghttp2 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "net/h2/session.h"

#include <dlfcn.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/memory/block.h"
#include "net/mux/fields.h"
#include "net/mux/mux.h"
#include "net/mux/stream.h"
#include "net/mux/window.h"
#include "test.h"

enum { STREAMS = 100, BODY = 50000, FIELD_SIZE = 40000 };

static struct mote_account account;
_Alignas(8) static char frame[MOTE_H2_FRAME]; /* of all sessions */

/* One connection. */
static struct peer {
  struct mote_h2_session session; /* first */
  nghttp2_session *server;
  struct mote_mux_stream streams[STREAMS];
  struct mote_account account; /* of the server's own */
  char letter;     /* of which all its bytes are */
  size_t to_send;  /* bytes of the body that are left */
  size_t body;     /* bytes that the server has of it */
  size_t field;    /* and of the long field */
  size_t takes;    /* bytes that the connection takes at a time; 0: all */
  size_t room;     /* bytes that it takes now, with `takes` */
  char late[512 << 10]; /* what it took and the server has not got yet */
  size_t late_len;
  unsigned heads, ends, refused, left;
} peers[2];

/* ---- what nghttp2 returns ---- */

static bool elsewhere; /* frames do not lie in the frame buffer */

ssize_t nghttp2_session_mem_send(nghttp2_session *session, const uint8_t **bytes)
{
  static uint8_t copy[MOTE_H2_FRAME];
  static ssize_t (*real)(nghttp2_session *, const uint8_t **);
  ssize_t n;
  if(!real)
    *(void **)&real = dlsym(RTLD_NEXT, "nghttp2_session_mem_send");
  n = real(session, bytes);
  if(elsewhere && n > 0) {
    memcpy(copy, *bytes, (size_t)n);
    *bytes = copy;
  }
  return n;
}

/* ---- the owner ---- */

static void deliver(struct mote_h2_session *s, struct mote_mux_stream *stream, const struct mote_event *e)
{
  struct peer *p = mote_container_of(s, struct peer, session);
  p->heads += e->kind == MOTE_EVENT_HEAD;
  p->refused += e->kind == MOTE_EVENT_REFUSED;
  if(e->kind == MOTE_EVENT_END) {
    p->ends++;
    stream->closed = true;
    (void)mote_h2_leave(s, stream);
    (void)nghttp2_session_set_stream_user_data(s->nghttp2, stream->id, NULL);
  }
}

static void take_data(struct mote_h2_session *s, struct mote_mux_stream *stream, char *bytes, size_t len)
{
  (void)bytes;
  mote_h2_credit(s, stream, len, 0);
}

static CURLcode give_body(struct mote_h2_session *s, struct mote_mux_stream *stream,
                          struct mote_mux_piece *piece)
{
  struct peer *p = mote_container_of(s, struct peer, session);
  size_t n = piece->most < p->to_send ? piece->most : p->to_send;
  CHECK(stream->id > 0);
  memset(piece->room, p->letter, n);
  p->to_send -= n;
  piece->len = n;
  piece->end = !p->to_send;
  return CURLE_OK;
}

static CURLcode send_some(struct mote_h2_session *s, const char *bytes, size_t len, size_t *n)
{
  struct peer *p = mote_container_of(s, struct peer, session);
  *n = len;
  if(p->takes) {
    if(!p->room)
      return CURLE_AGAIN;
    *n = len < p->room ? len : p->room;
    p->room -= *n;
  }
  CHECK(p->late_len + *n <= sizeof p->late);
  memcpy(p->late + p->late_len, bytes, *n);
  p->late_len += *n;
  return CURLE_OK;
}

static void leave(struct mote_h2_session *s)
{
  mote_container_of(s, struct peer, session)->left++;
}

static const struct mote_h2_user user = {
  .deliver = deliver, .data = take_data, .body = give_body, .send = send_some, .leave = leave,
};

/* ---- the server ---- */

#define FIELD(n, v) {(uint8_t *)(n), (uint8_t *)(v), sizeof(n) - 1, sizeof(v) - 1, 0}

static int on_frame(nghttp2_session *session, const nghttp2_frame *f, void *arg)
{
  static nghttp2_nv fields[] = {FIELD(":status", "200"), FIELD("server", "nginx/1.22.1"),
                                FIELD("date", "Mon, 23 Nov 2026 12:00:00 GMT"), FIELD("etag", "\"654-1f\"")};
  (void)arg;
  if(f->hd.flags & NGHTTP2_FLAG_END_STREAM && f->hd.type <= NGHTTP2_HEADERS)
    return nghttp2_submit_response(session, f->hd.stream_id, fields, 4, NULL);
  return 0;
}

static bool all_are(const uint8_t *p, size_t n, char letter)
{
  while(n && p[n - 1] == (uint8_t)letter)
    n--;
  return !n;
}

static int on_field(nghttp2_session *session, const nghttp2_frame *f, const uint8_t *name, size_t name_len,
                    const uint8_t *value, size_t value_len, uint8_t flags, void *arg)
{
  struct peer *p = arg;
  (void)session;
  (void)f;
  (void)flags;
  if(name_len != 4 || memcmp(name, "long", 4))
    return 0;
  CHECK(all_are(value, value_len, p->letter));
  p->field = value_len;
  return 0;
}

static int on_body(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t n,
                   void *arg)
{
  struct peer *p = arg;
  (void)session;
  (void)flags;
  (void)id;
  CHECK(all_are(bytes, n, p->letter));
  p->body += n;
  return 0;
}

static void make_server(struct peer *p)
{
  nghttp2_settings_entry settings = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 2000};
  nghttp2_session_callbacks *c;
  CHECK_INT(nghttp2_session_callbacks_new(&c), 0);
  nghttp2_session_callbacks_set_on_frame_recv_callback(c, on_frame);
  nghttp2_session_callbacks_set_on_header_callback(c, on_field);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(c, on_body);
  CHECK_INT(nghttp2_session_server_new(&p->server, c, p), 0);
  nghttp2_session_callbacks_del(c);
  nghttp2_submit_settings(p->server, 0, &settings, 1);
}

/* ---- both ---- */

static bool begin_peer(struct peer *p, char letter, bool shared)
{
  struct mote_h2_opening how = {.user = &user, .account = &account, .frame = shared ? frame : NULL,
                                .window = MOTE_MUX_WINDOW};
  memset(p, 0, sizeof *p);
  p->letter = letter;
  if(!CHECK_INT(mote_h2_open(&p->session, &how), CURLE_OK))
    return false;
  make_server(p);
  return true;
}

static bool begin(void)
{
  account = (struct mote_account){0};
  return begin_peer(peers, 'a', true);
}

static void end_peer(struct peer *p)
{
  nghttp2_session_del(p->server);
  mote_h2_close(&p->session);
  mote_h2_close(&p->session);
}

static void end(void)
{
  end_peer(peers);
  CHECK_ACCOUNT(&account);
}

/* The server gets what has left, and answers. */
static void answer(struct peer *p)
{
  const uint8_t *bytes;
  ssize_t n;
  CHECK_INT(nghttp2_session_mem_recv(p->server, (const uint8_t *)p->late, p->late_len), (ssize_t)p->late_len);
  p->late_len = 0;
  while((n = nghttp2_session_mem_send(p->server, &bytes)) > 0)
    mote_h2_take(&p->session, (const char *)bytes, (size_t)n);
  CHECK_INT(n, 0);
}

static bool has_more(struct peer *p)
{
  return p->session.preface_due || p->session.rest || nghttp2_session_want_write(p->session.nghttp2) ||
         nghttp2_session_want_write(p->server);
}

static void carry_all(struct peer *p)
{
  while(!p->session.broken && has_more(p)) {
    p->room = p->takes;
    (void)mote_h2_send(&p->session);
    answer(p);
  }
}

#define TEXT(s) {s, sizeof(s) - 1}

static void ask(struct peer *p, struct mote_mux_stream *stream, struct mote_slice more, bool has_body)
{
  struct mote_mux_field fields[] = {
    {TEXT(":method"), TEXT("GET"), true}, {TEXT(":scheme"), TEXT("https"), true},
    {TEXT(":authority"), TEXT("example.com"), true}, {TEXT(":path"), TEXT("/small"), true},
    {TEXT("user-agent"), TEXT("curl/8.23.0"), false}, {TEXT("accept"), TEXT("*/*"), false},
    {TEXT("long"), more, false},
  };
  memset(stream, 0, sizeof *stream);
  mote_h2_join(&p->session, stream);
  CHECK_INT(mote_h2_submit(&p->session, stream, fields, more.len ? 7 : 6, has_body), CURLE_OK);
}

static void get(unsigned count)
{
  unsigned i;
  peers->ends = 0;
  for(i = 0; i < count; i++)
    ask(peers, &peers->streams[i], (struct mote_slice){NULL, 0}, false);
  carry_all(peers);
  CHECK_INT(peers->ends, count);
  CHECK(!peers->session.streams);
}

static uint32_t live(void)
{
  return peers->session.memory.live;
}

/* ---- memory ---- */

TEST(a_session_and_its_first_stream_fit_the_first_block)
{
  if(!begin())
    return;
  CHECK_INT(test_mem.calls, 2); /* and what it says first */
  CHECK(peers->session.framed == mote_h2_frame_is_shared() || !mote_h2_frame_is_shared());
  carry_all(peers);
  get(1);
  CHECK_INT(test_mem.calls, 2);
  CHECK(peers->session.memory.used > MOTE_H2_SLAB - 900); /* and it is not larger than that */
  end();
}

TEST(the_owner_has_blocks_of_zeros)
{
  struct mote_h2_session *s = &peers->session;
  char *p, *q;
  if(!begin())
    return;
  p = mote_h2_memory_take(s, 3000);
  memset(p, 1, 3000);
  mote_h2_memory_put(s, p);
  q = mote_h2_memory_take(s, 3000);
  CHECK(p == q && !q[0] && !q[2999]);
  mote_h2_memory_put(s, q);
  mote_h2_memory_put(s, NULL);
  end();
}

TEST(further_streams_allocate_nothing)
{
  size_t calls;
  unsigned i;
  if(!begin())
    return;
  for(i = 0; i < 3; i++)
    get(10);
  calls = test_mem.calls;
  for(i = 0; i < 100; i++)
    get(10);
  CHECK_INT(test_mem.calls, calls);
  end();
}

/* All but what nghttp2 itself keeps: the table of streams of 1.64 grows and stays. */
TEST(what_a_hundred_streams_took_comes_back)
{
  size_t before, lived;
  if(!begin())
    return;
  get(1);
  mote_slab_idle(&peers->session.memory, 0);
  before = test_mem.bytes;
  lived = live();
  get(STREAMS);
  CHECK(peers->session.memory.held > 20000);
  CHECK(mote_h2_memory_has_spare(&peers->session));
  mote_slab_idle(&peers->session.memory, 0);
  CHECK(live() < lived + 4500);
  CHECK(test_mem.bytes <= before + (live() - lived) + 3072);
  end();
}

/* ---- sending ---- */

/* A connection that takes a few bytes at a time. What it does not take is kept, and no frame is made
 * meanwhile. */
TEST(what_is_not_sent_is_kept)
{
  static const size_t takes[] = {7, 100, 5000, 16393, 16394};
  static char longest[FIELD_SIZE];
  size_t i;
  memset(longest, 'a', sizeof longest);
  for(i = 0; i < sizeof takes / sizeof *takes; i++) {
    if(!begin())
      return;
    peers->takes = takes[i];
    peers->to_send = BODY;
    ask(peers, peers->streams, (struct mote_slice){longest, sizeof longest}, true);
    carry_all(peers);
    CHECK_INT(peers->body, BODY);
    CHECK_INT(peers->field, FIELD_SIZE);
    CHECK_INT(peers->ends, 1);
    end();
  }
}

TEST(goaway_leaves_and_the_streams_below_go_on)
{
  if(!begin())
    return;
  carry_all(peers);
  ask(peers, &peers->streams[0], (struct mote_slice){NULL, 0}, false);
  (void)mote_h2_send(&peers->session);
  nghttp2_submit_goaway(peers->server, 0, 0, NGHTTP2_NO_ERROR, NULL, 0); /* before it has that */
  carry_all(peers);
  CHECK(peers->session.away && peers->left == 1 && !peers->session.broken);
  CHECK_INT(peers->refused, 1);
  CHECK_INT(mote_h2_room(&peers->session, 0, 100), 0);
  end();
}

TEST(frames_that_bring_nothing_end)
{
  static const char ping[17] = {0, 0, 8, NGHTTP2_PING, NGHTTP2_FLAG_ACK};
  unsigned i;
  if(!begin())
    return;
  carry_all(peers);
  for(i = 0; i <= MOTE_MUX_IDLE_FRAMES && !peers->session.broken; i++)
    mote_h2_take(&peers->session, ping, sizeof ping);
  CHECK(i > MOTE_MUX_IDLE_FRAMES - 5);
  CHECK_INT(peers->session.broken, CURLE_HTTP2);
  end();
}

/* ---- two sessions with one frame buffer ---- */

static void begin_upload(struct peer *p)
{
  static char longest[2][FIELD_SIZE];
  char *text = longest[p - peers];
  p->to_send = BODY;
  memset(text, p->letter, FIELD_SIZE);
  ask(p, p->streams, (struct mote_slice){text, FIELD_SIZE}, true);
}

TEST(sessions_share_their_frame_buffer)
{
  size_t own;
  int i;
  account = (struct mote_account){0};
  if(!begin_peer(&peers[0], 'a', true) || !begin_peer(&peers[1], 'b', true))
    return;
  own = test_mem.bytes;
  CHECK(peers[0].session.framed && peers[1].session.framed);
  CHECK(own < 2 * MOTE_H2_SLAB + 200);
  for(i = 0; i < 2; i++)
    begin_upload(&peers[i]);
  while(has_more(&peers[0]) || has_more(&peers[1])) {
    for(i = 0; i < 2; i++) { /* each keeps a rest while the other one sends */
      peers[i].takes = peers[i].room = 5000;
      (void)mote_h2_send(&peers[i].session);
    }
    answer(&peers[0]);
    answer(&peers[1]);
  }
  for(i = 0; i < 2; i++) {
    CHECK_INT(peers[i].body, BODY);
    CHECK_INT(peers[i].field, FIELD_SIZE);
    end_peer(&peers[i]);
  }
  CHECK_ACCOUNT(&account);
}

/* A version of nghttp2 whose frames lie elsewhere than it was guessed. */
TEST(a_wrong_guess_costs_memory)
{
  elsewhere = true;
  if(begin()) {
    CHECK(!peers->session.framed && !peers->session.frame);
    CHECK(test_mem.bytes > MOTE_H2_FRAME);
    begin_upload(peers);
    carry_all(peers);
    CHECK_INT(peers->body, BODY);
    end();
  }
  elsewhere = false;
}

static void some_streams(void)
{
  struct mote_h2_opening how = {.user = &user, .account = &account, .window = MOTE_MUX_WINDOW,
                                .frame = frame};
  struct peer *p = peers;
  int i;
  memset(p, 0, sizeof *p);
  if(mote_h2_open(&p->session, &how))
    return;
  for(i = 0; i < 20; i++) {
    struct mote_mux_field field = {TEXT(":method"), TEXT("GET"), true};
    mote_h2_join(&p->session, &p->streams[i]);
    if(mote_h2_submit(&p->session, &p->streams[i], &field, 1, false))
      break;
  }
  (void)mote_h2_send(&p->session);
  mote_h2_close(&p->session);
}

TEST(survives_failures)
{
  account = (struct mote_account){0};
  run_with_failures(some_streams);
}

int main(void)
{
  TEST_RUN(a_session_and_its_first_stream_fit_the_first_block);
  TEST_RUN(the_owner_has_blocks_of_zeros);
  TEST_RUN(further_streams_allocate_nothing);
  TEST_RUN(what_a_hundred_streams_took_comes_back);
  TEST_RUN(what_is_not_sent_is_kept);
  TEST_RUN(goaway_leaves_and_the_streams_below_go_on);
  TEST_RUN(frames_that_bring_nothing_end);
  TEST_RUN(sessions_share_their_frame_buffer);
  TEST_RUN(a_wrong_guess_costs_memory);
  TEST_RUN(survives_failures);
  return test_end();
}
