/* tests/unit/codec/test_mqtt.c: packets of MQTT (codec/mqtt.h), whole, byte by byte and cut at random.
 * needs: src/codec/mqtt.c */
#include "base/out.h"
#include "base/text.h"
#include "codec/mqtt.h"

#include "test.h"

#define MOST 70000

/* What came of some bytes, as text: a letter for each packet, its identifier, and the bytes of PUBLISH. */
struct heard {
  char packets[400];
  char published[MOST];
  size_t len;
  bool broken;
};

static void note(struct heard *h, const struct mote_mqtt_in *in, const struct mote_mqtt_event *e,
                 const char *bytes)
{
  size_t end = strlen(h->packets);
  memcpy(h->published + h->len, bytes + e->from, e->len);
  h->len += e->len;
  h->broken = e->verdict == MOTE_MQTT_BROKEN;
  if(e->verdict == MOTE_MQTT_PACKET)
    snprintf(h->packets + end, sizeof h->packets - end, "%02x:%u ", (unsigned)e->head, (unsigned)in->id);
}

/* Feeds pieces of `cut` bytes (0: at random). */
static void feed(const char *bytes, size_t len, size_t cut, struct heard *h)
{
  struct mote_mqtt_in in = {.head = 0};
  size_t at = 0;
  memset(h, 0, sizeof *h);
  while(at < len && !h->broken) {
    size_t n = cut ? cut : 1 + test_random() % 300, used = 0;
    char *piece;
    n = n < len - at ? n : len - at;
    piece = malloc(n);
    memcpy(piece, bytes + at, n);
    while(used < n && !h->broken) {
      struct mote_mqtt_event e;
      size_t now = mote_mqtt_feed(&in, piece + used, n - used, &e);
      CHECK(now <= n - used && (now || e.verdict == MOTE_MQTT_BROKEN) && e.from + e.len <= now);
      note(h, &in, &e, piece + used);
      used += now;
    }
    free(piece);
    at += n;
  }
}

static void check(const char *bytes, size_t len, const char *packets, const char *published, bool broken)
{
  static struct heard h;
  static const size_t cuts[] = {MOST, 1, 2, 3, 0};
  size_t i;
  for(i = 0; i < sizeof cuts / sizeof *cuts; i++) {
    feed(bytes, len, cuts[i], &h);
    CHECK_STR(h.packets, packets);
    CHECK(h.broken == broken);
    if(published)
      CHECK(h.len == strlen(published) && !memcmp(h.published, published, h.len));
  }
}

#define FEED(bytes, packets, published, broken) check(bytes, sizeof bytes - 1, packets, published, broken)

TEST(small_packets)
{
  FEED("\x20\x02\x00\x00", "20:0 ", "", false);
  FEED("\x90\x03\x12\x34\x80", "90:4660 ", "", false);
  FEED("\xd0\x00\xd0\x00\x40\x02\x00\x07\xe0\x00", "d0:0 d0:0 40:7 e0:0 ", "", false);
  FEED("\x20\x02\x00", "", "", false);
}

TEST(messages)
{
  static const char hello[] = "\x30\x08\x00\x01thello";
  static struct heard h;
  feed(hello, sizeof hello - 1, 1, &h);
  CHECK(h.len == 8 && !memcmp(h.published, hello + 2, 8));
  FEED("\x32\x0a\x00\x01t\x01\x02hello\x30\x03\x00\x01u", "32:258 30:0 ", NULL, false);
  FEED("\x35\x05\x00\x01tab", "35:24930 ", NULL, false);
  FEED("\x30\x02\x00\x00", "30:0 ", NULL, false);
}

TEST(a_long_message)
{
  static char bytes[MOST];
  static struct heard h;
  struct mote_out out = mote_out_in(bytes, sizeof bytes);
  mote_mqtt_put_head(&out, MOTE_MQTT_PUBLISH, 65000);
  CHECK(out.len == 4);
  mote_mqtt_put_text(&out, mote_slice_of("topic"));
  memset(bytes + out.len, 'x', 65000 - 7);
  feed(bytes, 65004, 0, &h);
  CHECK_STR(h.packets, "30:0 ");
  CHECK(h.len == 65000);
}

TEST(broken_packets)
{
  FEED("\x00\x00", "", "", true);                     /* a type that does not exist */
  FEED("\xf0\x00", "", "", true);
  FEED("\x10\x00", "", "", true);                     /* one that only clients send */
  FEED("\x36\x05\x00\x01tab", "", NULL, true);        /* QoS 3 */
  FEED("\x30\x80\x80\x80\x80\x01", "", "", true);     /* a remaining length of five bytes */
  FEED("\x30\x01\x00", "", NULL, true);               /* no room for a topic */
  FEED("\x30\x05\x00\x04tab", "", NULL, true);        /* a topic longer than its packet */
  FEED("\x32\x05\x00\x02tab", "", NULL, true);        /* no room for the identifier */
  FEED("\x20\x03\x00\x00\x00", "", "", true);         /* small packets of another size */
  FEED("\x90\x02\x00\x01", "", "", true);
  FEED("\xd0\x01x", "", "", true);
}

TEST(writing)
{
  static const uint32_t sizes[] = {0, 127, 128, 16383, 16384, 2097151, 2097152, MOTE_MQTT_MOST};
  char bytes[MOTE_MQTT_HEAD_MOST];
  size_t i;
  for(i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct mote_mqtt_in in = {.head = 0};
    struct mote_mqtt_event e;
    struct mote_out out = mote_out_in(bytes, sizeof bytes);
    mote_mqtt_put_head(&out, MOTE_MQTT_PUBLISH, sizes[i]);
    CHECK(!out.cut && out.len == 2 + i / 2);
    (void)mote_mqtt_feed(&in, bytes, out.len, &e);
    CHECK(in.left == sizes[i]);
  }
}

int main(void)
{
  TEST_RUN(small_packets);
  TEST_RUN(messages);
  TEST_RUN(a_long_message);
  TEST_RUN(broken_packets);
  TEST_RUN(writing);
  return test_end();
}
