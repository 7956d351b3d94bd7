/* Fuzz target of codec/http/chunked.h: any bytes, whole and cut, must give the same data, trailers and codes.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_chunked.c src/codec/http/chunked.c
 *   src/codec/http/http1*.c src/base/text.c */
#include "codec/http/chunked.h"
#include "fuzz.h"

struct run {
  uint64_t hash; /* of all data and trailers */
  CURLcode code;
  size_t body;   /* bytes of data */
  uint8_t kind;  /* of the last event */
};

static void mix(struct run *r, struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len; i++)
    r->hash = (r->hash ^ (unsigned char)s.ptr[i]) * 1099511628211u;
}

static void check_inside(struct mote_slice s, const char *block, size_t used)
{
  if(s.ptr < block || s.ptr + s.len > block + used)
    abort();
}

/* step 0: all at once. Odd steps give half of the data back. */
static void drive(struct run *r, const uint8_t *data, size_t size, unsigned step)
{
  struct mote_chunked c;
  struct mote_chunked_event ev;
  size_t from = 0;
  size_t to = 0;
  memset(r, 0, sizeof *r);
  mote_chunked_init(&c);
  do {
    size_t n = to - from;
    char *block = copy_of(data + from, n);
    r->code = mote_chunked_feed(&c, block, n, &ev);
    if(!r->code && ev.used > n)
      abort();
    if(!r->code && ev.kind == MOTE_CHUNKED_DATA) {
      size_t back = step % 2 ? ev.data.len / 2 : 0;
      check_inside(ev.data, block, ev.used);
      mote_chunked_unread(&c, back);
      ev.data.len -= back;
      ev.used -= back;
      r->body += ev.data.len;
      mix(r, ev.data);
    }
    if(!r->code && ev.kind == MOTE_CHUNKED_TRAILER) {
      check_inside(ev.line.whole, block, ev.used);
      mix(r, ev.line.whole);
    }
    free(block);
    from += ev.used;
    r->kind = ev.kind;
    if(ev.kind == MOTE_CHUNKED_NEED_MORE) {
      if(to == size)
        break;
      to += step && step < size - to ? step : size - to;
    }
  } while(!r->code && ev.kind != MOTE_CHUNKED_DONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct run whole;
  struct run cut;
  drive(&whole, data, size, 0);
  drive(&cut, data, size, size ? 1 + data[size - 1] % 7u : 1);
  if(whole.hash != cut.hash || whole.code != cut.code || whole.body != cut.body || whole.kind != cut.kind)
    abort();
  return 0;
}
