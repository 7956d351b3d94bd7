/* Fuzz target of codec/files/altsvc.h: any field and any line. A line that is read must be printed as one that is read
 * again as the same, and a field must come to an end.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_altsvc.c src/codec/files/altsvc.c */
#include "base/out.h"
#include "codec/files/altsvc.h"
#include "fuzz.h"

static void try_field(struct mote_slice text)
{
  struct mote_altsvc_offer o;
  size_t left = text.len + 1;
  (void)mote_altsvc_clears(text);
  while(mote_altsvc_next(&text, &o)) {
    must(text.len < left);
    left = text.len;
    must(o.port > 0 && o.protocol != MOTE_ALTSVC_NONE && o.host.len <= MOTE_ALTSVC_HOST_MAX);
    must(o.max_age >= 0 && o.max_age <= MOTE_ALTSVC_AGE_MAX);
    if(!left)
      break;
  }
}

static void try_line(struct mote_slice text)
{
  struct mote_altsvc_line line, again;
  char printed[MOTE_ALTSVC_LINE_MAX];
  struct mote_out out = mote_out_in(printed, sizeof printed);
  if(!mote_altsvc_read_line(text, &line))
    return;
  must(line.host.len > 0 && line.host.len <= MOTE_ALTSVC_HOST_MAX && line.port > 0 && line.to_port > 0);
  mote_altsvc_print(&line, &out);
  must(!out.cut && printed[out.len - 1] == '\n');
  if(line.host.ptr[line.host.len - 1] == '.' || line.to.ptr[line.to.len - 1] == '.')
    return; /* dots at the ends of odd names are not kept */
  if(!memchr(line.host.ptr, ':', line.host.len) && !memchr(line.to.ptr, ':', line.to.len)) {
    must(mote_altsvc_read_line((struct mote_slice){printed, out.len - 1}, &again));
    must(again.expires == line.expires && again.persist == line.persist);
    must(mote_slice_same(again.host, line.host) && mote_slice_same(again.to, line.to));
  }
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
