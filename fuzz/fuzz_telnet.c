/* Fuzz target of codec/telnet.h. The first byte chooses the size of the pieces. What comes in pieces is what
 * comes at once.
 *
 * needs: src/codec/telnet.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_telnet.c src/codec/telnet.c */
#include "codec/telnet.h"
#include "fuzz.h"

struct heard {
  size_t bytes;
  size_t events;
  uint32_t sum; /* of data, requests and answers */
};

static void hear(struct heard *h, struct mote_telnet_options *o, const struct mote_telnet_event *e,
                 const char *bytes)
{
  size_t i;
  bool on = false;
  for(i = 0; i < e->len; i++)
    h->sum = h->sum * 31 + (uint8_t)bytes[e->from + i];
  h->bytes += e->len;
  if(e->kind == MOTE_TELNET_DATA)
    return;
  h->events++;
  h->sum = h->sum * 31 + e->option;
  if(e->kind == MOTE_TELNET_REQUEST)
    h->sum = h->sum * 31 + mote_telnet_answer(o, e->verb, e->option, &on) + on;
}

static struct heard feed(const char *bytes, size_t len, size_t cut)
{
  struct heard h = {0, 0, 0};
  struct mote_telnet_in in = {0, 0, {0, 0}, 0};
  struct mote_telnet_options o = {{11, 0, 0}, {11, 0, 0}, false};
  size_t at = 0;
  while(at < len) {
    size_t n = cut < len - at ? cut : len - at, used = 0;
    char *piece = copy_of(bytes + at, n);
    while(used < n) {
      struct mote_telnet_event e;
      size_t now = mote_telnet_feed(&in, piece + used, n - used, &e);
      must(now && now <= n - used && e.from + e.len <= now);
      hear(&h, &o, &e, piece + used);
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
  must(whole.bytes == cut.bytes && whole.events == cut.events && whole.sum == cut.sum && whole.bytes < size);
  return 0;
}
