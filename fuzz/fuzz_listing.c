/* Fuzz target of codec/listing.h: any listing must give slices inside it, names without a slash, and the
 * same whole and with each line in a block of its own.
 *
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_listing.c src/codec/listing.c
 *   src/base/text.c */
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "codec/listing.h"

static void must(int true_thing)
{
  if(!true_thing)
    abort();
}

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum mote_listing_form form = MOTE_LISTING_ANY;
  char *bytes = malloc(size + 1);
  struct mote_slice rest = {bytes, size}, line;
  must(bytes != NULL);
  if(size)
    memcpy(bytes, data, size);
  while(mote_listing_next(&rest, &line)) {
    enum mote_listing_form before = form;
    struct mote_listing_file f;
    char *alone = malloc(line.len + 1);
    struct mote_slice copy = {alone, line.len};
    enum mote_listing got = mote_listing_line(&form, line, &f);
    must(alone != NULL);
    if(got == MOTE_LISTING_FILE)
      check(&f, line);
    memcpy(alone, line.ptr, line.len);
    must(mote_listing_line(&before, copy, &f) == got && before == form);
    if(got == MOTE_LISTING_FILE)
      check(&f, copy);
    free(alone);
  }
  free(bytes);
  return 0;
}
