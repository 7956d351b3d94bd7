/* tests/unit/stream/test_socks.c: the layer of SOCKS, over one that takes and gives a few bytes at a time.
 * What the bytes mean is in tests/unit/codec/test_socks.c. Needs accounts. */
#include "stream/socks.h"

#include "base/report.h"

#include "wire.h"

#define ROOM 160 /* bytes that are enough for the layer of short texts, wherever they begin */

#define BEGIN(answers, piece, wait) wire_begin((answers), sizeof(answers) - 1, (piece), (wait))

/* Runs the handshake to its end. The request's texts are spoilt first, as the layer has copies. */
static CURLcode run_in(struct mote_socks_room room)
{
  char host[] = "a.test", user[] = "me", password[] = "pw";
  struct mote_socks_request q = {
    .host = {host, 6}, .user = {user, 2}, .password = {password, 2}, .port = 81, .version = 5, .login = true
  };
  struct mote_stream *s;
  bool done = false;
  CURLcode rc = mote_socks_new(&s, &wire.stream, &env, &q, NULL, &room);
  CHECK_INT(room.used, room.size >= ROOM);
  if(rc) {
    CHECK(!s && (rc == CURLE_PROXY || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed)));
    return rc;
  }
  memset(host, 0, sizeof host);
  memset(user, 0, sizeof user);
  memset(password, 0, sizeof password);
  CHECK_INT(s->role, MOTE_ROLE_TUNNEL);
  do {
    bool sends = wire.sent_len < 4;
    if(sends)
      CHECK_INT(s->ops->want(s, MOTE_WANT_IN), MOTE_WANT_OUT);
    rc = s->ops->handshake(s, &done);
  } while(!rc && !done);
  s->ops->close(s);
  return rc;
}

static CURLcode run(void)
{
  struct mote_socks_room none = {NULL, 0, false};
  return run_in(none);
}

#define WELCOME "\5\2\1\0\5\0\0\1\1\2\3\4\5\6"
#define SENT "\5\2\0\2\1\2me\2pw\5\1\0\3\6a.test\0\x51"

TEST(handshake)
{
  size_t piece;
  for(piece = 1; piece < 30; piece++) {
    BEGIN(WELCOME "more", piece, piece % 2);
    if(!CHECK_INT(run(), CURLE_OK))
      return;
    CHECK_INT(wire.used, sizeof WELCOME - 1); /* what follows is the server's */
    CHECK_MEM(wire.sent, wire.sent_len, SENT, sizeof SENT - 1);
    CHECK_INT(env.proxy_error, 0);
  }
}

/* The room of a run need not be aligned. One that is too short is left alone. */
TEST(room_of_caller)
{
  _Alignas(8) char bytes[ROOM + 8];
  unsigned i;
  for(i = 0; i < 8; i++) {
    struct mote_socks_room room = {bytes + i, sizeof bytes - i, false}, short_room = {bytes + i, 60, false};
    BEGIN(WELCOME "more", 3, true);
    CHECK_INT(run_in(room), CURLE_OK);
    CHECK_MEM(wire.sent, wire.sent_len, SENT, sizeof SENT - 1);
    memset(bytes, 'x', sizeof bytes);
    BEGIN(WELCOME "more", 3, true);
    CHECK_INT(run_in(short_room), CURLE_OK);
    CHECK(bytes[i] == 'x' && bytes[i + 59] == 'x');
  }
}

TEST(refusals)
{
  BEGIN("\5\2\1\1", 1, true);
  CHECK_INT(run(), CURLE_PROXY);
  CHECK_INT(env.proxy_error, CURLPX_USER_REJECTED);
  BEGIN("\5\2\1", 9, false);
  CHECK_INT(run(), CURLE_PROXY);
  CHECK_INT(env.proxy_error, CURLPX_RECV_CONNECT);
  BEGIN("\5\2\1", 9, false);
  wire.after = CURLE_RECV_ERROR;
  CHECK_INT(run(), CURLE_PROXY);
  BEGIN("\5\2\1", 9, false);
  wire.after = CURLE_OUT_OF_MEMORY;
  CHECK_INT(run(), CURLE_OUT_OF_MEMORY);
}

/* What no message has room for is refused before anything is sent. */
TEST(too_long)
{
  static char text[300];
  struct mote_socks_request q = {.host = {text, sizeof text}, .version = 5};
  struct mote_socks_room none = {NULL, 0, false};
  struct mote_stream *s = &wire.stream;
  BEGIN("", 1, false);
  CHECK_INT(mote_socks_new(&s, &wire.stream, &env, &q, NULL, &none), CURLE_PROXY);
  CHECK_INT(env.proxy_error, CURLPX_LONG_HOSTNAME);
  CHECK(!s && !wire.sent_len);
}

static void scenario(void)
{
  BEGIN(WELCOME, 4, true);
  (void)run();
}

TEST(allocations)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(handshake);
  TEST_RUN(room_of_caller);
  TEST_RUN(refusals);
  TEST_RUN(too_long);
  TEST_RUN(allocations);
  return test_end();
}
