/* tests/unit/stream/test_tunnel_h2.c: the layer of a tunnel by HTTP/2, over one that takes and gives a few
 * bytes at a time. Needs accounts. Needs h2. */
#include "stream/tunnel_h2.h"

#include "base/buf.h"
#include "base/report.h"
#include "net/mux/fields.h"

#include "wire.h"

#define ASK "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nL: x\r\n\r\n"
#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

/* Frames of a proxy: type, flags, stream and payload of less than 128 bytes. */
#define SETTINGS "\0\0\0\4\0\0\0\0\0"
#define HEADERS(len, flags, id) "\0\0" len "\1" flags "\0\0\0" id
#define DATA(len, flags, id) "\0\0" len "\0" flags "\0\0\0" id
#define OPENED HEADERS("\6", "\4", "\1") "\x88\0\1v\1p"
#define REFUSED HEADERS("\5", "\5", "\1") "\b\003407" /* with END_STREAM */

static void answer(const char *frames, size_t len)
{
  wire.answers = frames;
  wire.len = len;
  wire.used = 0;
}

static CURLcode make(struct mote_stream **s, size_t piece)
{
  wire_begin("", 0, piece, true);
  wire.after = CURLE_AGAIN;
  return mote_tunnel_h2_new(s, &wire.stream, &env);
}

static CURLcode send_all(struct mote_stream *s, const char *text)
{
  size_t at = 0, n, len = strlen(text);
  CURLcode rc = CURLE_OK;
  int tries;
  for(tries = 0; tries < 3000 && at < len && (!rc || rc == CURLE_AGAIN); tries++) {
    rc = s->ops->send(s, text + at, len - at, &n);
    at += rc ? 0 : n;
  }
  return at == len ? CURLE_OK : rc;
}

/* Method, authority, and "L". */
static CURLcode ask(struct mote_stream *s)
{
  static const struct mote_mux_note notes[] = {{0, 0, 0, 7}, {0, 0, 8, 3}, {33, 1, 36, 1}};
  struct mote_buf text, where;
  CURLcode rc;
  mote_buf_init(&text, &account, MOTE_PART_CONN, 1000);
  mote_buf_init(&where, &account, MOTE_PART_CONN, 1000);
  rc = mote_buf_add_str(&text, ASK);
  rc = rc ? rc : mote_buf_add(&where, notes, sizeof notes);
  rc = rc ? rc : mote_tunnel_h2_ask(s, &text, &where);
  mote_buf_close(&text);
  mote_buf_close(&where);
  return rc;
}

/* Until so many bytes have come, the end, an error, or nothing for long. */
static CURLcode receive(struct mote_stream *s, char *text, size_t most)
{
  size_t at = 0, n = 1;
  CURLcode rc = CURLE_OK;
  int tries;
  for(tries = 0; tries < 3000 && at < most && (rc ? rc == CURLE_AGAIN : n > 0); tries++) {
    rc = s->ops->recv(s, text + at, most - at < 7 ? most - at : 7, &n);
    at += rc ? 0 : n;
  }
  text[at] = 0;
  return rc;
}

/* Returns the payload of the n-th frame of this type that was sent, or NULL. */
static const char *find_sent(int type, int n, size_t *len, int *id)
{
  const unsigned char *p = (const unsigned char *)wire.sent + strlen(PREFACE);
  const unsigned char *end = (const unsigned char *)wire.sent + wire.sent_len;
  for(; p + 9 <= end; p += 9 + *len) {
    *len = (size_t)p[1] << 8 | p[2];
    *id = p[8];
    if(p[3] == type && !n--)
      return (const char *)p + 9;
  }
  return NULL;
}

static bool has(const char *p, size_t len, const char *text)
{
  size_t n = strlen(text), i;
  for(i = 0; i + n <= len; i++)
    if(!memcmp(p + i, text, n))
      return true;
  return false;
}

#define ANSWER(frames) answer(frames, sizeof(frames) - 1)
#define HEAD "HTTP/1.1 200 \r\nv: p\r\n\r\n"

static CURLcode open_tunnel(struct mote_stream *s)
{
  char text[100];
  CURLcode rc = ask(s);
  ANSWER(SETTINGS OPENED);
  rc = rc ? rc : receive(s, text, strlen(HEAD));
  if(!rc)
    CHECK_STR(text, HEAD);
  return rc;
}

TEST(tunnel)
{
  size_t piece, len = 0;
  int id = 0;
  for(piece = 1; piece < 70; piece += piece < 9 ? 1 : 20) {
    struct mote_stream *s;
    char text[100];
    const char *p;
    CHECK_INT(make(&s, piece), CURLE_OK);
    CHECK_INT(open_tunnel(s), CURLE_OK);
    CHECK_INT(send_all(s, "hello"), CURLE_OK);
    CHECK(!memcmp(wire.sent, PREFACE, strlen(PREFACE)));
    p = find_sent(1, 0, &len, &id);
    if(CHECK(p) && CHECK_INT(id, 1)) {
      CHECK_INT(((const unsigned char *)p)[-5], 4); /* END_HEADERS; the stream stays open */
      CHECK(!has(p, len, "host"));
    }
    ANSWER(DATA("\3", "\0", "\1") "abc" DATA("\2", "\1", "\1") "de");
    CHECK_INT(receive(s, text, 90), CURLE_OK);
    CHECK_STR(text, "abcde");
    CHECK_INT(send_all(s, "x"), CURLE_SEND_ERROR); /* the proxy has ended it; sends what is left */
    p = find_sent(0, 0, &len, &id);
    if(CHECK(p))
      CHECK(!memcmp(p, "hello", len));
    s->ops->close(s);
  }
}

TEST(another_request)
{
  struct mote_stream *s;
  char text[100];
  size_t len;
  int id = 0;
  CHECK_INT(make(&s, 40), CURLE_OK);
  CHECK_INT(ask(s), CURLE_OK);
  ANSWER(SETTINGS REFUSED);
  CHECK_INT(receive(s, text, 90), CURLE_OK);
  CHECK_STR(text, "HTTP/1.1 407 \r\n\r\n");
  CHECK_INT(ask(s), CURLE_OK);
  CHECK_INT(receive(s, text, 90), CURLE_AGAIN); /* sends what is left */
  CHECK(find_sent(1, 1, &len, &id));
  CHECK_INT(id, 3);
  ANSWER(HEADERS("\1", "\4", "\3") "\x88" DATA("\3", "\0", "\3") "yes");
  CHECK_INT(receive(s, text, strlen("HTTP/1.1 200 \r\n\r\nyes")), CURLE_OK);
  CHECK_STR(text, "HTTP/1.1 200 \r\n\r\nyes");
  s->ops->close(s);
}

static const struct {
  const char *frames;
  size_t len;
  CURLcode rc;
} bad[] = {
#define BAD(text, code) {text, sizeof(text) - 1, code}
  BAD("HTTP/1.1 400 no\r\n\r\n", CURLE_RECV_ERROR),
  BAD(SETTINGS DATA("\1", "\0", "\0") "x", CURLE_RECV_ERROR),
  BAD(SETTINGS "\0\0\4\3\0\0\0\0\1\0\0\0\2", CURLE_OK), /* RST_STREAM: the end */
  BAD(SETTINGS HEADERS("\1", "\4", "\1") "\xff", CURLE_RECV_ERROR),
  BAD("", CURLE_OK), /* the end */
};

TEST(faults)
{
  size_t i, piece;
  for(i = 0; i < sizeof bad / sizeof *bad; i++)
    for(piece = 1; piece < 60; piece += 29) {
      struct mote_stream *s;
      char text[100];
      CHECK_INT(make(&s, piece), CURLE_OK);
      CHECK_INT(ask(s), CURLE_OK);
      answer(bad[i].frames, bad[i].len);
      wire.after = CURLE_OK;
      wire.waits = false; /* the end is read before the reason can be given to the proxy */
      if(!CHECK_INT(receive(s, text, 90), bad[i].rc) || !CHECK_STR(text, ""))
        fprintf(stderr, "  row %zu by %zu\n", i, piece);
      s->ops->close(s);
    }
}

/* ---- the end of an open tunnel ---- */

#define RESET(code) "\0\0\4\3\0\0\0\0\1\0\0\0" code
#define GONE "\0\0\10\7\0\0\0\0\0\0\0\0\1\0\0\0\2" /* GOAWAY, INTERNAL_ERROR; 1 was served */

static const struct {
  const char *frames;
  size_t len;
  CURLcode rc;
} ends[] = {
  BAD(DATA("\3", "\1", "\1") "abc", CURLE_OK),
  BAD(DATA("\3", "\0", "\1") "abc" RESET("\0"), CURLE_OK),
  BAD(DATA("\3", "\0", "\1") "abc" RESET("\12"), CURLE_RECV_ERROR), /* CONNECT_ERROR (RFC 9113 section 8.5) */
  BAD(DATA("\3", "\0", "\1") "abc", CURLE_RECV_ERROR),
  BAD(DATA("\3", "\0", "\1") "abc" GONE, CURLE_RECV_ERROR),
};

/* What came before is given, and then the end, without a byte of what an earlier call got. */
TEST(ends_in_order_and_otherwise)
{
  size_t i, piece;
  for(i = 0; i < sizeof ends / sizeof *ends; i++)
    for(piece = 1; piece < 60; piece += 29) {
      struct mote_stream *s;
      char text[100];
      size_t n = 99;
      CURLcode rc = CURLE_AGAIN;
      int tries;
      CHECK_INT(make(&s, piece), CURLE_OK);
      CHECK_INT(open_tunnel(s), CURLE_OK);
      answer(ends[i].frames, ends[i].len);
      wire.after = CURLE_OK;
      CHECK_INT(receive(s, text, 3), CURLE_OK);
      CHECK_STR(text, "abc");
      for(tries = 0; tries < 100 && rc == CURLE_AGAIN; tries++)
        rc = s->ops->recv(s, text, 2, &n);
      if(!CHECK_INT(rc, ends[i].rc) || !CHECK(rc || !n))
        fprintf(stderr, "  row %zu by %zu\n", i, piece);
      s->ops->close(s);
    }
}

TEST(trailers_of_a_refusal)
{
  struct mote_stream *s;
  char text[100];
  CHECK_INT(make(&s, 500), CURLE_OK);
  CHECK_INT(ask(s), CURLE_OK);
  ANSWER(SETTINGS HEADERS("\5", "\4", "\1") "\b\003407");
  CHECK_INT(receive(s, text, strlen("HTTP/1.1 407 \r\n\r\n")), CURLE_OK);
  ANSWER(DATA("\3", "\0", "\1") "abc" HEADERS("\7", "\5", "\1") "\0\3x-t\1y");
  CHECK_INT(receive(s, text, 90), CURLE_OK);
  CHECK_STR(text, "abc");
  s->ops->close(s);
}

/* ---- both ways at once ---- */

TEST(reads_while_a_frame_waits)
{
  struct mote_stream *s;
  char text[100];
  size_t n;
  CHECK_INT(make(&s, 5), CURLE_OK);
  CHECK_INT(open_tunnel(s), CURLE_OK);
  wire.waits = false;
  CHECK_INT(send_all(s, "hello"), CURLE_OK);
  wire.full_at = wire.sent_len + 12;
  CHECK_INT(s->ops->send(s, "a body that is cut", 18, &n), CURLE_OK);
  CHECK_INT(s->ops->want(s, MOTE_WANT_IN), MOTE_WANT_IN | MOTE_WANT_OUT);
  ANSWER(DATA("\3", "\0", "\1") "abc");
  CHECK_INT(receive(s, text, 3), CURLE_OK);
  CHECK_STR(text, "abc");
  s->ops->close(s);
}

#define FULL_FRAME 16384
#define NO_WINDOW "\0\0\6\4\0\0\0\0\0\0\4\0\0\0\0" /* SETTINGS */

/* The layer above neither receives nor can send, and no more is kept for it: nothing is waited for. */
TEST(no_wait_for_what_is_not_read)
{
  static char frames[70 * (9 + FULL_FRAME)];
  static char got[8000];
  struct mote_stream *s;
  size_t n, at = 0;
  int i;
  for(i = 0; i < 70; i++, at += 9 + FULL_FRAME)
    memcpy(frames + at, "\0\100\0\0\0\0\0\0\1", 9);
  CHECK_INT(make(&s, 20000), CURLE_OK);
  wire.waits = false;
  CHECK_INT(ask(s), CURLE_OK);
  ANSWER(NO_WINDOW OPENED);
  CHECK_INT(receive(s, got, strlen(HEAD)), CURLE_OK);
  answer(frames, sizeof frames);
  for(i = 0; i < 1000; i++)
    (void)s->ops->send(s, "x", 1, &n);
  CHECK(wire.used < wire.len);
  CHECK_INT(s->ops->want(s, MOTE_WANT_OUT), 0);
  CHECK_INT(s->ops->want(s, MOTE_WANT_IN | MOTE_WANT_OUT), MOTE_WANT_IN);
  for(i = 0; i < 132; i++)
    CHECK_INT(s->ops->recv(s, got, sizeof got, &n), CURLE_OK);
  CHECK_INT(s->ops->want(s, MOTE_WANT_OUT), MOTE_WANT_IN);
  s->ops->close(s);
}

static void scenario(void)
{
  struct mote_stream *s;
  CURLcode rc = make(&s, 40);
  if(!rc) {
    rc = open_tunnel(s);
    rc = rc ? rc : send_all(s, "hello");
    s->ops->close(s);
  }
  CHECK(!rc || rc == CURLE_OUT_OF_MEMORY);
}

TEST(allocations)
{
  run_with_failures(scenario);
}

int main(void)
{
  TEST_RUN(tunnel);
  TEST_RUN(another_request);
  TEST_RUN(faults);
  TEST_RUN(ends_in_order_and_otherwise);
  TEST_RUN(trailers_of_a_refusal);
  TEST_RUN(reads_while_a_frame_waits);
  TEST_RUN(no_wait_for_what_is_not_read);
  TEST_RUN(allocations);
  return test_end();
}
