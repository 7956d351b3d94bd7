/* Fuzz target of auth/sign/message_signature.h: three texts, parted by 0xff: a list of components, the key's name, and the
 * key in hex digits. Any of them must give an error or a text that a field can have.
 *
 * needs: src/auth/sign/message_signature.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_message_signature.c
 *   src/auth/sign/message_signature.c and what it calls of src/base */
#include "auth/sign/message_signature.h"
#include "base/buf.h"
#include "fuzz.h"

/* A field's value: no control character and nothing beyond ASCII. */
static void check_value(const struct mote_buf *b)
{
  size_t i;
  for(i = 0; i < b->len; i++)
    must(b->ptr[i] >= ' ' && b->ptr[i] <= '~');
}

static void check_params(const struct mote_signed_list *list, const char *keyid)
{
  struct mote_signed_params params = {1, mote_slice_of(keyid), "ed25519"};
  struct mote_buf out, text;
  unsigned i;
  mote_buf_init(&out, mote_mem_process(), MOTE_PART_OTHER, MOTE_SIGNED_TEXT);
  mote_buf_init(&text, mote_mem_process(), MOTE_PART_OTHER, MOTE_SIGNED_TEXT);
  must(list->count >= 1 && list->count <= MOTE_SIGNED_MAX);
  if(!mote_signed_put_params(list, &params, &out)) {
    struct mote_slice end = {out.ptr, out.len};
    check_value(&out);
    for(i = 0; i < list->count; i++)
      must(!mote_signed_put_name(&list->item[i], &text));
    must(!mote_signed_put_end(end, &text));
    check_value(&text);
  }
  mote_buf_close(&out);
  mote_buf_close(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = text_of(data, size);
  const char *part[3] = {"", "", ""};
  struct mote_signed_list list;
  struct mote_buf key;
  size_t i;
  int n = 1;
  part[0] = text;
  for(i = 0; i < size && n < 3; i++)
    if(data[i] == 0xff) {
      text[i] = 0;
      part[n++] = text + i + 1;
    }
  if(!mote_signed_read(&list, part[0]))
    check_params(&list, part[1]);
  mote_signed_default(&list, size % 2);
  check_params(&list, part[1]);
  mote_buf_init(&key, mote_mem_process(), MOTE_PART_OTHER, MOTE_SIGNED_TEXT);
  if(!mote_signed_read_key(part[2], &key))
    must(key.len && key.len == strlen(part[2]) / 2);
  mote_buf_close(&key);
  free(text);
  return 0;
}
