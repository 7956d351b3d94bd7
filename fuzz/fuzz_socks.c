/* Fuzz target of codec/socks/socks.h: any answers, whole and byte by byte, must lead to the same messages and codes,
 * and none is read past its end. The first byte of the input says what is asked for.
 *
 * needs: src/codec/socks/socks.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_socks.c src/codec/socks/socks.c */
#include "codec/socks/socks.h"
#include "fuzz.h"

struct run {
  uint64_t hash; /* of all messages */
  size_t used;   /* bytes of answers */
  CURLproxycode code;
  bool done;
};

static void send_message(struct run *r, struct mote_socks *s, const struct mote_socks_request *q)
{
  uint8_t bytes[MOTE_SOCKS_MAX_MESSAGE];
  size_t n = mote_socks_message(s, q, bytes), i;
  must(n && n <= sizeof bytes);
  for(i = 0; i < n; i++)
    r->hash = (r->hash ^ bytes[i]) * 1099511628211u;
  mote_socks_sent(s);
}

static void drive(struct run *r, const struct mote_socks_request *q, const uint8_t *data, size_t size,
                  size_t piece)
{
  struct mote_socks s;
  memset(r, 0, sizeof *r);
  r->code = mote_socks_init(&s, q);
  while(!r->code && !mote_socks_done(&s)) {
    size_t n = mote_socks_missing(&s);
    uint8_t *block;
    if(mote_socks_wants_gss(&s)) {
      must(!n);
      mote_socks_gss_done(&s);
      continue;
    }
    if(!n) {
      send_message(r, &s, q);
      continue;
    }
    n = n < piece ? n : piece;
    n = n < size - r->used ? n : size - r->used;
    if(!n)
      break;
    block = copy_of(data + r->used, n);
    r->code = mote_socks_feed(&s, block, n);
    free(block);
    r->used += n;
  }
  must(mote_socks_text(r->code) != NULL);
  r->done = !r->code && mote_socks_done(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct mote_socks_request q;
  struct run whole;
  struct run cut;
  if(!size)
    return 0;
  memset(&q, 0, sizeof q);
  q.version = data[0] & 1 ? 5 : 4;
  q.login = (data[0] & 2) != 0;
  q.gss = (data[0] & 16) != 0;
  q.must_login = (data[0] & 32) != 0;
  q.address.family = data[0] & 4 ? data[0] & 8 ? MOTE_FAMILY_IP6 : MOTE_FAMILY_IP4 : MOTE_FAMILY_NONE;
  q.host.ptr = q.user.ptr = q.password.ptr = (const char *)data;
  q.host.len = q.user.len = q.password.len = size < MOTE_SOCKS_MAX_TEXT ? size : MOTE_SOCKS_MAX_TEXT;
  q.port = data[0];
  drive(&whole, &q, data + 1, size - 1, size);
  drive(&cut, &q, data + 1, size - 1, 1);
  must(whole.hash == cut.hash && whole.used == cut.used && whole.code == cut.code && whole.done == cut.done);
  return 0;
}
