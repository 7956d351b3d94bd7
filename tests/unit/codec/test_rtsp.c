/* tests/unit/codec/test_rtsp.c: status lines, fields and packets of RTSP (codec/rtsp.h).
 * needs: src/codec/rtsp.c */
#include "base/text.h"
#include "codec/rtsp.h"

#include "test.h"

TEST(status)
{
  static const struct {
    const char *line;
    unsigned code;
  } rows[] = {
    {"RTSP/1.0 200 OK\r\n", 200}, {"RTSP/1.0 451 \r\n", 451}, {"RTSP/1.0 100\r\n", 100},
    {"RTSP/1.0 999\n", 999},
    {"RTSP/1.1 200 OK\r\n", 0}, {"RTSP/2.0 200 OK\r\n", 0}, {"RTSP/1.0 20 OK\r\n", 0},
    {"RTSP/1.0 099 OK\r\n", 0},
    {"RTSP/1.0 :00 OK\r\n", 0}, {"RTSP/1.0 2x0 OK\r\n", 0},
    {"RTSP/1.0 2000 OK\r\n", 0}, {"RTSP/1.0  200 OK\r\n", 0}, {"HTTP/1.0 200 OK\r\n", 0},
    {"RTSP/1.0\n", 0}, {"\n", 0}, {"", 0}
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK(mote_rtsp_status(rows[i].line, strlen(rows[i].line)) == rows[i].code);
  CHECK(mote_rtsp_status("RTSP/1.0 200 \0\r\n", 16) == 0);
}

TEST(fields)
{
  static const char *const sessions[][2] = {
    {"abc", "abc"}, {" abc;timeout=60", "abc"}, {"a-b_c$.+1 x", "a-b_c$.+1"}, {"", ""}, {";x", ""},
    {"a\tb", "a"}
  };
  size_t i;
  long n = -1;
  for(i = 0; i < sizeof sessions / sizeof *sessions; i++) {
    struct mote_slice id = mote_rtsp_session(mote_slice_of(sessions[i][0]));
    CHECK(mote_slice_same(id, mote_slice_of(sessions[i][1])));
  }
  CHECK(mote_rtsp_cseq(mote_slice_of(" 42 "), &n) && n == 42);
  CHECK(mote_rtsp_cseq(mote_slice_of("2147483647"), &n) && n == 2147483647);
  CHECK(!mote_rtsp_cseq(mote_slice_of("2147483648"), &n) && !mote_rtsp_cseq(mote_slice_of("1x"), &n));
  CHECK(!mote_rtsp_cseq(mote_slice_of(""), &n) && !mote_rtsp_cseq(mote_slice_of("-1"), &n));
}

static unsigned count(const char *transport)
{
  struct mote_rtsp_channels c = {{0}};
  unsigned i, n = 0;
  mote_rtsp_transport(mote_slice_of(transport), &c);
  for(i = 0; i < 256; i++)
    n += (unsigned)c.bits[i / 8] >> i % 8 & 1u;
  return n;
}

TEST(transport)
{
  struct mote_rtsp_channels c = {{0}};
  mote_rtsp_transport(mote_slice_of("RTP/AVP/TCP;unicast; InterLeaved=8-9;ssrc=1,RTP/AVP;interleaved=255"),
                      &c);
  CHECK(c.bits[1] == 3 && c.bits[31] == 0x80);
  CHECK(count("interleaved=0-255") == 256 && count("interleaved=5") == 1 && count("interleaved=9-8") == 0);
  CHECK(count("interleaved=256") == 0 && count("interleaved=1-256") == 0 && count("interleaved=") == 0);
  CHECK(count("interleaved=-1") == 0 && count("xinterleaved=1") == 0 && count("interleaved=1-") == 0);
  CHECK(count("interleaved=x") == 0 && count("interleaved=1x") == 1);
  CHECK(count("") == 0);
}

/* Channels 0 and 1 are known. */
static void find(const char *bytes, size_t len, enum mote_rtsp_next next, size_t skip, size_t size)
{
  struct mote_rtsp_channels c = {{3}};
  char *copy = malloc(len ? len : 1);
  size_t s, n;
  memcpy(copy, bytes, len);
  CHECK(mote_rtsp_find(copy, len, &c, &s, &n) == next);
  CHECK(s == skip && (next != MOTE_RTSP_PACKET || n == size));
  free(copy);
}

TEST(packets)
{
  find("", 0, MOTE_RTSP_MORE, 0, 0);
  find("$\0\0\3abc", 7, MOTE_RTSP_PACKET, 0, 7);
  find("$\1\0\0x", 5, MOTE_RTSP_PACKET, 0, 4);
  find("$\0\0\3ab", 6, MOTE_RTSP_MORE, 0, 0);
  find("$\0\377\377ab", 6, MOTE_RTSP_MORE, 0, 0);
  find("$\0", 2, MOTE_RTSP_MORE, 0, 0);
  find("$", 1, MOTE_RTSP_MORE, 0, 0);
  find("$\2\0\1x", 5, MOTE_RTSP_MORE, 5, 0);
  find("RTS", 3, MOTE_RTSP_MORE, 0, 0);
  find("RTSP/", 5, MOTE_RTSP_RESPONSE, 0, 0);
  find("junk\r\nRTSP/1", 12, MOTE_RTSP_RESPONSE, 6, 0);
  find("x$\2y$\1\0\1z", 9, MOTE_RTSP_PACKET, 4, 5);
  find("RTSPRTSP/", 9, MOTE_RTSP_RESPONSE, 4, 0);
  find("junk$", 5, MOTE_RTSP_MORE, 4, 0);
}

int main(void)
{
  TEST_RUN(status);
  TEST_RUN(fields);
  TEST_RUN(transport);
  TEST_RUN(packets);
  return test_end();
}
