/* Fuzz target of codec/mqtt.h. The first byte chooses the size of the pieces. What comes in pieces is what comes
 * at once.
 *
 * needs: src/codec/mqtt.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_mqtt.c src/codec/mqtt.c */
#include "codec/mqtt.h"
#include "fuzz.h"

struct heard {
  size_t bytes;   /* of PUBLISH packets */
  size_t packets;
  uint32_t sum;   /* of the heads and identifiers */
  int broken;
};

static struct heard feed(const char *bytes, size_t len, size_t cut)
{
  struct heard h = {0, 0, 0, 0};
  struct mote_mqtt_in in = {.head = 0};
  size_t at = 0;
  while(at < len && !h.broken) {
    size_t n = cut < len - at ? cut : len - at, used = 0;
    char *piece = copy_of(bytes + at, n);
    while(used < n && !h.broken) {
      struct mote_mqtt_event e;
      size_t now = mote_mqtt_feed(&in, piece + used, n - used, &e);
      must(now <= n - used && e.from + e.len <= now);
      h.broken = e.verdict == MOTE_MQTT_BROKEN;
      must(now || h.broken);
      h.bytes += e.len;
      if(e.verdict == MOTE_MQTT_PACKET) {
        h.packets++;
        h.sum = h.sum * 31 + e.head + in.id * 256u;
      }
      used += now;
    }
    free(piece);
    at += n;
  }
  return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct heard whole, cut;
  if(!size)
    return 0;
  whole = feed((const char *)data + 1, size - 1, size);
  cut = feed((const char *)data + 1, size - 1, 1 + data[0] % 7u);
  must(whole.packets == cut.packets && whole.sum == cut.sum && whole.broken == cut.broken);
  must(whole.broken || whole.bytes == cut.bytes);
  return 0;
}
