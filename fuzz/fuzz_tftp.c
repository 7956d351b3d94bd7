/* Fuzz target of codec/tftp.h: a packet, and the options that it has.
 *
 * needs: src/codec/tftp.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_tftp.c src/codec/tftp.c src/base/text.c */
#include "codec/tftp.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *bytes = copy_of(data, size), room[MOTE_TFTP_REQUEST_MOST];
  struct mote_tftp_request r = {.code = MOTE_TFTP_WRITE, .options = true, .block = 8, .timeout = 1};
  struct mote_tftp_packet p;
  struct mote_slice name, value;
  if(mote_tftp_read(&p, bytes, size)) {
    must(p.code >= MOTE_TFTP_DATA && p.code <= MOTE_TFTP_OACK);
    must(p.rest.ptr >= bytes && p.rest.len <= size && p.rest.ptr + p.rest.len <= bytes + size);
    while(p.code == MOTE_TFTP_OACK) {
      size_t before = p.rest.len;
      if(!mote_tftp_next_option(&p.rest, &name, &value)) {
        must(p.rest.len == before);
        break;
      }
      must(p.rest.len + name.len + value.len + 2 == before);
    }
  }
  r.file.ptr = bytes;
  r.file.len = size;
  must(mote_tftp_put_request(room, &r) <= sizeof room);
  free(bytes);
  return 0;
}
