/* Fuzz target of codec/files/hsts.h: any field and any line. A line that is read must be printed as one that is read
 * again as the same.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_hsts.c src/codec/files/hsts.c */
#include "base/out.h"
#include "codec/files/hsts.h"
#include "fuzz.h"

static void try_field(struct mote_slice text)
{
  struct mote_hsts_field f;
  if(mote_hsts_read_field(text, &f))
    must(f.max_age >= 0 && f.max_age <= MOTE_HSTS_AGE_MAX);
}

static void try_line(struct mote_slice text)
{
  struct mote_hsts_line line, again;
  char printed[MOTE_HSTS_LINE_MAX];
  struct mote_out out = mote_out_in(printed, sizeof printed);
  if(!mote_hsts_read_line(text, &line))
    return;
  must(line.host.len > 0 && line.host.len <= MOTE_HSTS_HOST_MAX);
  must(line.host.ptr >= text.ptr && line.host.ptr + line.host.len <= text.ptr + text.len);
  mote_hsts_print(&line, &out);
  must(!out.cut && printed[out.len - 1] == '\n');
  if(line.host.ptr[line.host.len - 1] == '.' || (!line.tail && *line.host.ptr == '.'))
    return; /* dots at the ends of odd names are not kept */
  must(mote_hsts_read_line((struct mote_slice){printed, out.len - 1}, &again));
  must(again.tail == line.tail && again.expires == line.expires && mote_slice_same(again.host, line.host));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *block = copy_of(data, size);
  struct mote_slice text = {block, size};
  try_field(text);
  try_line(text);
  free(block);
  return 0;
}
