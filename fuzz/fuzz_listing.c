/* Fuzz target of codec/ftp/listing.h: any listing must give slices inside it, names without a slash, and the
 * same whole and with each line in a block of its own.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_listing.c src/codec/ftp/listing.c
 *   src/base/text.c */
#include <curl/curl.h>

#include "codec/ftp/listing.h"
#include "fuzz.h"

static void within(struct mote_slice s, struct mote_slice line)
{
  must(!s.ptr || (s.ptr >= line.ptr && s.ptr + s.len <= line.ptr + line.len));
}

static void check(const struct mote_listing_file *f, struct mote_slice line)
{
  must(f->name.len && !memchr(f->name.ptr, '/', f->name.len) && !memchr(f->name.ptr, 0, f->name.len));
  within(f->name, line);
  within(f->target, line);
  within(f->permissions, line);
  within(f->user, line);
  within(f->group, line);
  within(f->time, line);
  must(f->size >= 0 && f->links >= 0 && f->mode <= 07777 && f->type <= CURLFILETYPE_UNKNOWN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum mote_listing_form form = MOTE_LISTING_ANY;
  char *bytes = copy_of(data, size);
  struct mote_slice rest = {bytes, size}, line;
  while(mote_listing_next(&rest, &line)) {
    enum mote_listing_form before = form;
    struct mote_listing_file f;
    enum mote_listing got = mote_listing_line(&form, line, &f);
    char *alone = copy_of(line.ptr, line.len);
    struct mote_slice copy = {alone, line.len};
    if(got == MOTE_LISTING_FILE)
      check(&f, line);
    must(mote_listing_line(&before, copy, &f) == got && before == form);
    if(got == MOTE_LISTING_FILE)
      check(&f, copy);
    free(alone);
  }
  free(bytes);
  return 0;
}
