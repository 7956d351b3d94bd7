/* Fuzz target of codec/ftp/wildcard.h: any pattern and name, compared with a plain recursive search where that
 * ends. The first byte of the input is the pattern's length.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_wildcard.c src/codec/ftp/wildcard.c
 *   src/base/text.c */
#include "codec/ftp/wildcard.h"
#include "fuzz.h"

#define STEPS_MAX 2000u

/* Tries each length for each star; what stands between stars is the module's to compare. -1: too long. */
static int search(struct mote_slice p, struct mote_slice n, unsigned *steps)
{
  struct mote_slice rest = {p.ptr + 1, p.len - 1};
  size_t i;
  if(!p.len || *p.ptr != '*')
    return mote_wildcard_match(p, n);
  for(i = 0; i <= n.len; i++) {
    struct mote_slice tail = {n.ptr + i, n.len - i};
    int found;
    if(++*steps > STEPS_MAX)
      return -1;
    found = rest.len ? search(rest, tail, steps) : !tail.len;
    if(found)
      return found;
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct mote_slice p, n;
  char *pattern, *name;
  unsigned steps = 0;
  bool matches;
  int found;
  if(!size)
    return 0;
  p.len = data[0] < size ? data[0] : size - 1;
  n.len = size - 1 - p.len;
  pattern = copy_of(data + 1, p.len);
  name = copy_of(data + 1 + p.len, n.len);
  p.ptr = pattern;
  n.ptr = name;
  matches = mote_wildcard_match(p, n);
  found = search(p, n, &steps);
  must(found < 0 || found == matches);
  free(pattern);
  free(name);
  return 0;
}
