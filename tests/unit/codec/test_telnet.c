/* tests/unit/codec/test_telnet.c: bytes of TELNET, whole and in pieces, and options (codec/telnet.h).
 * needs: src/codec/telnet.c */
#include "codec/telnet.h"

#include "test.h"

/* Shows data as it is, "<fd18>" for a request, and "<?18>" where a value is asked for. */
static void feed(const char *bytes, size_t len, size_t cut, char *out)
{
  struct mote_telnet_in in = {0, 0, {0, 0}, 0};
  size_t at = 0;
  *out = 0;
  while(at < len) {
    size_t n = cut < len - at ? cut : len - at, used = 0;
    char *piece = malloc(n);
    memcpy(piece, bytes + at, n);
    while(used < n) {
      struct mote_telnet_event e;
      size_t now = mote_telnet_feed(&in, piece + used, n - used, &e);
      CHECK(now > 0 && now <= n - used && e.from + e.len <= now);
      if(e.kind == MOTE_TELNET_DATA)
        strncat(out, piece + used + e.from, e.len);
      else if(e.kind == MOTE_TELNET_REQUEST)
        sprintf(out + strlen(out), "<%x %x>", (unsigned)e.verb, (unsigned)e.option);
      else
        sprintf(out + strlen(out), "<? %x>", (unsigned)e.option);
      used += now;
    }
    free(piece);
    at += n;
  }
}

static void check(const char *bytes, size_t len, const char *expected)
{
  char out[1000];
  size_t cut;
  for(cut = 1; cut <= len; cut++) {
    feed(bytes, len, cut, out);
    CHECK_STR(out, expected);
  }
}

#define BYTES(text) text, sizeof text - 1

TEST(data)
{
  check(BYTES("hello"), "hello");
  check(BYTES("a\377\377b"), "a\377b");
  check(BYTES("a\r\0b\r\nc"), "a\rb\r\nc");
  check(BYTES("\377\377\377\377"), "\377\377");
  check(BYTES("\r\377\377x"), "\r\377x");
}

TEST(commands)
{
  check(BYTES("a\377\375\030b\377\373\001"), "a<fd 18>b<fb 1>");
  check(BYTES("a\377\361b\377\371c"), "abc");
  check(BYTES("\377\374\377x\377\376\0y"), "<fc ff>x<fe 0>y");
}

TEST(subnegotiations)
{
  check(BYTES("\377\372\030\001\377\360x"), "<? 18>x");
  check(BYTES("\377\372\030\000abc\377\360x"), "x");
  check(BYTES("\377\372\030\377\360\377\372\377\360x"), "x");
  check(BYTES("\377\372\047\001\377\377long\377\361long\377\360x"), "<? 27>x");
  check(BYTES("\377\372\377\377\001\377\360x"), "<? ff>x");
}

static unsigned answer(struct mote_telnet_options *o, unsigned verb, unsigned option, bool begins)
{
  bool on;
  unsigned back = mote_telnet_answer(o, (uint8_t)verb, (uint8_t)option, &on);
  CHECK(on == begins);
  return back;
}

TEST(options)
{
  struct mote_telnet_options o;
  char asks[48];
  struct mote_telnet_out out = {asks, 0, 5, 0};
  memset(&o, 0, sizeof o);
  mote_telnet_want(&o.us, MOTE_TELNET_SGA);
  mote_telnet_want(&o.us, MOTE_TELNET_NAWS);
  mote_telnet_want(&o.him, MOTE_TELNET_ECHO);
  mote_telnet_want(&o.him, MOTE_TELNET_BINARY);
  CHECK(answer(&o, MOTE_TELNET_WILL, MOTE_TELNET_ECHO, false) == MOTE_TELNET_DO);
  CHECK(answer(&o, MOTE_TELNET_WILL, MOTE_TELNET_ECHO, false) == 0);
  CHECK(answer(&o, MOTE_TELNET_WONT, MOTE_TELNET_ECHO, false) == MOTE_TELNET_DONT);
  CHECK(answer(&o, MOTE_TELNET_WONT, MOTE_TELNET_ECHO, false) == 0);
  CHECK(answer(&o, MOTE_TELNET_DO, MOTE_TELNET_ECHO, false) == MOTE_TELNET_WONT);
  CHECK(answer(&o, MOTE_TELNET_DO, 200, false) == MOTE_TELNET_WONT);
  CHECK(answer(&o, MOTE_TELNET_WILL, 63, false) == MOTE_TELNET_DONT);
  CHECK(answer(&o, MOTE_TELNET_DONT, 200, false) == 0);
  CHECK(answer(&o, MOTE_TELNET_DO, MOTE_TELNET_NAWS, true) == MOTE_TELNET_WILL);
  CHECK(answer(&o, MOTE_TELNET_DO, MOTE_TELNET_NAWS, false) == 0);
  mote_telnet_ask(&o, &out); /* room for one of two */
  CHECK(out.len == 3 && !o.begun);
  out.most = sizeof asks;
  mote_telnet_ask(&o, &out);
  CHECK(out.len == 6 && o.begun && !memcmp(asks, "\377\375\000\377\373\003", 6));
  mote_telnet_ask(&o, &out);
  CHECK(out.len == 6);
  CHECK(answer(&o, MOTE_TELNET_WONT, MOTE_TELNET_BINARY, false) == 0);
  CHECK(answer(&o, MOTE_TELNET_DO, MOTE_TELNET_SGA, true) == 0);
  CHECK(answer(&o, MOTE_TELNET_DONT, MOTE_TELNET_SGA, false) == MOTE_TELNET_WONT);
}

/* What has no room is asked for by the next call, be it the client's or the server's. */
TEST(asks_again_where_there_was_no_room)
{
  struct mote_telnet_options o = {0};
  char bytes[6];
  struct mote_telnet_out out = {bytes, 0, 2, 0};
  mote_telnet_want(&o.him, MOTE_TELNET_SGA);
  mote_telnet_ask(&o, &out);
  CHECK(!out.len && !o.begun);
  out.most = sizeof bytes;
  mote_telnet_ask(&o, &out);
  CHECK(o.begun);
  CHECK_MEM(bytes, out.len, "\377\375\3", (size_t)3);
}

/* Room of so many bytes, of which none is written that is not there. */
static struct mote_telnet_out room_of(size_t most)
{
  struct mote_telnet_out out = {malloc(most ? most : 1), 0, most, 0};
  return out;
}

TEST(writing)
{
  struct mote_telnet_out out = room_of(4);
  CHECK(mote_telnet_put(&out, "a\377b", 3));
  CHECK(out.len == 4 && !memcmp(out.bytes, "a\377\377b", 4));
  CHECK(!mote_telnet_put(&out, "c", 1) && mote_telnet_put(&out, NULL, 0));
  CHECK(!mote_telnet_put_command(&out, MOTE_TELNET_WILL, MOTE_TELNET_SGA) && out.len == 4);
  free(out.bytes);
}

/* A subnegotiation that has begun has room for its end, whatever is in it. */
TEST(writing_a_subnegotiation)
{
  size_t most;
  for(most = 0; most < 12; most++) {
    struct mote_telnet_out out = room_of(most);
    bool begun = mote_telnet_begin_sub(&out, MOTE_TELNET_TTYPE);
    CHECK(begun == (most >= 5));
    if(begun) {
      bool fits = mote_telnet_put(&out, "\377\377", 2);
      CHECK(fits == (most >= 9));
      mote_telnet_end_sub(&out);
      CHECK(out.len == (fits ? 9 : 5) && !memcmp(out.bytes + out.len - 2, "\377\360", 2));
    }
    else
      CHECK(out.len == 0);
    free(out.bytes);
  }
}

int main(void)
{
  TEST_RUN(data);
  TEST_RUN(commands);
  TEST_RUN(subnegotiations);
  TEST_RUN(options);
  TEST_RUN(asks_again_where_there_was_no_room);
  TEST_RUN(writing);
  TEST_RUN(writing_a_subnegotiation);
  return test_end();
}
