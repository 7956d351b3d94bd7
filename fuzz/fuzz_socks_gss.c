/* Fuzz target of codec/socks/socks_gss.h: heads of frames, whole and byte by byte, must be judged alike, and no byte after
 * them is asked for.
 *
 * needs: src/codec/socks/socks_gss.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_socks_gss.c src/codec/socks/socks_gss.c */
#include "codec/socks/socks_gss.h"
#include "fuzz.h"

/* Reads frames until the input ends, and returns a hash of what they are. */
static uint64_t drive(const uint8_t *data, size_t size, size_t piece)
{
  struct mote_socks_gss_head h;
  uint64_t hash = 0;
  size_t used = 0;
  mote_socks_gss_expect(&h, MOTE_SOCKS_GSS_TOKEN);
  while(used < size) {
    size_t n = mote_socks_gss_missing(&h);
    enum mote_socks_gss_verdict v;
    uint8_t *block;
    must(n <= MOTE_SOCKS_GSS_HEAD);
    if(!n) {
      hash = (hash ^ h.len) * 1099511628211u;
      used += h.len;
      mote_socks_gss_expect(&h, h.len & 1 ? MOTE_SOCKS_GSS_LEVEL : MOTE_SOCKS_GSS_DATA);
      continue;
    }
    n = n < piece ? n : piece;
    n = n < size - used ? n : size - used;
    block = copy_of(data + used, n);
    v = mote_socks_gss_feed(&h, block, n);
    free(block);
    used += n;
    if(v)
      return hash ^ (uint64_t)v;
  }
  return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  must(drive(data, size, size) == drive(data, size, 1));
  return 0;
}
