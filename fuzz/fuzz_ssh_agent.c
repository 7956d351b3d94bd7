/* Fuzz target of codec/ssh/ssh_agent.h. The bytes are an agent's answer: keys lie within it, and so does a signature,
 * which is of the algorithm that was asked for.
 *
 * needs: src/codec/ssh/ssh_agent.c src/base/buf.c src/base/text.c */
#include "codec/ssh/ssh_agent.h"
#include "fuzz.h"

static const char data[] = "\0\0\0\1s\x32\0\0\0\1u\0\0\0\1c\0\0\0\1p\1\0\0\0\1a\0\0\0\1k";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  char *copy = copy_of((const char *)bytes, size);
  struct mote_slice all = {copy, size}, keys, key, signature;
  size_t len = mote_ssh_agent_len(all), taken = 0;
  must(!len || len >= 4);
  if(mote_ssh_agent_read_keys(all, &keys))
    while(mote_ssh_agent_next_key(&keys, &key)) {
      taken += 8 + key.len;
      must(taken <= size && key.ptr >= copy && key.ptr + key.len <= copy + size);
    }
  if(mote_ssh_agent_read_signature(all, (struct mote_slice){data, sizeof data - 1}, &signature))
    must(signature.ptr >= copy && signature.ptr + signature.len <= copy + size);
  free(copy);
  return 0;
}
