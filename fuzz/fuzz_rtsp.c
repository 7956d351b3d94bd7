/* Fuzz target of codec/rtsp.h. The first byte chooses where the bytes are cut. What is found in a part of them
 * is found in all of them.
 *
 * needs: src/codec/rtsp.c src/base/text.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_rtsp.c src/codec/rtsp.c \
 *   src/base/text.c */
#include "base/text.h"
#include "codec/rtsp.h"
#include "fuzz.h"

static void find(const char *bytes, size_t len, size_t cut, const struct mote_rtsp_channels *c)
{
  size_t skip, size, part_skip, part_size;
  char *part = copy_of(bytes, cut);
  enum mote_rtsp_next now = mote_rtsp_find(part, cut, c, &part_skip, &part_size);
  enum mote_rtsp_next whole = mote_rtsp_find(bytes, len, c, &skip, &size);
  must(part_skip <= cut && skip <= len && part_skip <= skip);
  must(now == MOTE_RTSP_MORE || (now == whole && part_skip == skip));
  must(now != MOTE_RTSP_PACKET || (part_size == size && skip + size <= cut && size <= MOTE_RTSP_PACKET_MOST));
  free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct mote_rtsp_channels c = {{3}};
  struct mote_slice all, id;
  char *bytes;
  unsigned code;
  long n = 0;
  if(!size)
    return 0;
  bytes = copy_of((const char *)data + 1, size - 1);
  all.ptr = bytes;
  all.len = size - 1;
  code = mote_rtsp_status(bytes, all.len);
  must(!code || (code >= 100 && code < 1000));
  id = mote_rtsp_session(all);
  must(id.len <= all.len && (!id.len || (id.ptr >= bytes && id.ptr + id.len <= bytes + all.len)));
  must(!mote_rtsp_cseq(all, &n) || n >= 0);
  mote_rtsp_transport(all, &c);
  find(bytes, all.len, all.len * data[0] / 256, &c);
  free(bytes);
  return 0;
}
