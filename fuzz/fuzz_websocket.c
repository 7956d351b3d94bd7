/* Fuzz target of codec/http/websocket.h: frames of a server, whole and cut, must be the same frames or fail in the
 * same way, and none is read past its end. What the writer makes of the payloads is read back.
 *
 * needs: src/codec/http/websocket.c src/base/digest/base64.c src/base/digest/digest.c src/base/digest/sha1.c src/base/text.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_websocket.c src/codec/http/websocket.c */
#include "codec/http/websocket.h"

#include <curl/curl.h>

#include "fuzz.h"

struct run {
  uint64_t hash; /* of all frames and payloads */
  size_t used;   /* bytes of the input */
  enum mote_websocket_why why;
};

static void mix(struct run *r, uint64_t v)
{
  r->hash = (r->hash ^ v) * 1099511628211u;
}

/* Sends a payload in two pieces, unmasks what comes out of it and compares. */
static void write_back(unsigned flags, const char *payload, size_t n)
{
  static const uint8_t mask[4] = {0x81, 2, 0xf3, 4};
  struct mote_websocket_writer w = {0};
  char head[MOTE_WEBSOCKET_HEAD], *out = copy_of(payload, n);
  size_t len, i, half = n / 3;
  if(flags & (CURLWS_CLOSE | CURLWS_PING | CURLWS_PONG) && n > MOTE_WEBSOCKET_CONTROL)
    must(mote_websocket_begin(&w, flags, n, mask, head, &len) == MOTE_WEBSOCKET_CONTROL_LONG);
  else {
    must(!mote_websocket_begin(&w, flags, n, mask, head, &len) && len <= sizeof head);
    mote_websocket_mask(&w, out, payload, half);
    mote_websocket_mask(&w, out + half, out + half, n - half);
    must(!w.left && w.in_message == ((flags & CURLWS_CONT) != 0));
    for(i = 0; i < n; i++)
      must((char)(out[i] ^ mask[i % 4]) == payload[i]);
  }
  free(out);
}

static void drive(struct run *run, const uint8_t *data, size_t size, size_t piece)
{
  struct mote_websocket_reader r = {0};
  memset(run, 0, sizeof *run);
  while(run->used < size && !run->why) {
    size_t n = size - run->used < piece ? size - run->used : piece, used;
    char *block = copy_of(data + run->used, n);
    if(!r.in_frame)
      run->why = mote_websocket_head(&r, block, n, &used);
    else {
      size_t i;
      used = r.left < n ? (size_t)r.left : n;
      for(i = 0; i < used; i++)
        mix(run, (uint8_t)block[i]);
      write_back(mote_websocket_flags(&r), block, used);
      mote_websocket_took(&r, used);
      free(block);
      run->used += used;
      continue;
    }
    must(used <= n);
    run->used += used;
    free(block);
    if(r.in_frame && !run->why) {
      must(r.left == r.size && r.size <= INT64_MAX);
      must(!mote_websocket_is_control(&r) || (r.final && r.size <= MOTE_WEBSOCKET_CONTROL));
      mix(run, r.size);
      mix(run, mote_websocket_flags(&r));
      if(!r.left)
        mote_websocket_took(&r, 0);
    }
  }
  must(!run->why || mote_websocket_why_text(run->why));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct run whole, cut;
  drive(&whole, data, size, size);
  drive(&cut, data, size, 1);
  must(whole.hash == cut.hash && whole.used == cut.used && whole.why == cut.why);
  drive(&cut, data, size, 3);
  must(whole.hash == cut.hash && whole.used == cut.used && whole.why == cut.why);
  return 0;
}
