/* Fuzz target of codec/http/http1.h: any bytes, whole and cut, must give the same events and codes; slices must lie
 * in the bytes that were used.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_http1.c src/codec/http/http1*.c
 *   src/base/text.c */
#include "codec/http/http1.h"
#include "fuzz.h"

struct run {
  uint64_t hash; /* of all events */
  CURLcode code;
  size_t used;
};

static void mix(struct run *r, const void *bytes, size_t len)
{
  const unsigned char *p = bytes;
  while(len--)
    r->hash = (r->hash ^ *p++) * 1099511628211u;
}

static void mix_slice(struct run *r, struct mote_slice s, const char *block, size_t used)
{
  if(s.ptr < block || s.ptr + s.len > block + used)
    abort();
  mix(r, &s.len, sizeof s.len);
  mix(r, s.ptr, s.len);
}

static void mix_event(struct run *r, struct mote_http1_response *resp, struct mote_http1_event *ev,
                      const char *block)
{
  struct mote_http1_framing f;
  mix(r, &ev->kind, 1);
  if(ev->kind == MOTE_HTTP1_STATUS) {
    mix_slice(r, ev->value, block, ev->used);
    mote_http1_response_begin(resp, ev);
  }
  if(ev->kind == MOTE_HTTP1_HEADER) {
    mix_slice(r, ev->name, block, ev->used);
    mix_slice(r, ev->value, block, ev->used);
    r->code = mote_http1_response_field(resp, ev);
  }
  if(ev->kind != MOTE_HTTP1_NOT_HTTP)
    mix_slice(r, ev->whole, block, ev->used);
  if(ev->kind == MOTE_HTTP1_END && !mote_http1_framing(resp, 0, &f)) {
    if(f.reusable && f.body == MOTE_HTTP1_BODY_UNTIL_CLOSE)
      abort();
    mix(r, &f.length, sizeof f.length);
    mix(r, &f.body, 1);
  }
}

/* step 0: all at once, plain lines as such. Others take every line by itself. */
static void drive(struct run *r, const uint8_t *data, size_t size, unsigned step)
{
  static char word[] = "ICY";
  struct curl_slist alias = { word, NULL };
  struct mote_http1_head h;
  struct mote_http1_response resp;
  struct mote_http1_event ev;
  size_t to = 0;
  memset(r, 0, sizeof *r);
  memset(&resp, 0, sizeof resp);
  mote_http1_head_init(&h, &alias);
  for(;;) {
    size_t n = to - r->used;
    char *block = copy_of(data + r->used, n);
    r->code = CURLE_OK;
    if(step || !mote_http1_feed_plain(&h, block, n, &ev))
      r->code = mote_http1_feed(&h, block, n, &ev);
    if(!r->code && ev.kind)
      mix_event(r, &resp, &ev, block);
    free(block);
    if(r->code || ev.kind == MOTE_HTTP1_NOT_HTTP)
      break;
    r->used += ev.used;
    if(ev.kind == MOTE_HTTP1_END)
      mote_http1_head_next(&h);
    if(ev.kind == MOTE_HTTP1_NEED_MORE) {
      if(to == size)
        break;
      to += step && step < size - to ? step : size - to;
    }
  }
  mix(r, &ev.kind, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct run whole;
  struct run cut;
  drive(&whole, data, size, 0);
  drive(&cut, data, size, size ? 1 + data[size - 1] % 7u : 1);
  if(whole.hash != cut.hash || whole.code != cut.code || whole.used != cut.used)
    abort();
  return 0;
}
