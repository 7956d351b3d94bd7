/* Fuzz target of auth/digest.c and auth/scheme.c: any challenge must be taken apart within its bytes, and what
 * answers it must be one field without a control character or an open quote that we made.
 *
 * needs: src/auth/digest.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_digest.c src/auth/scheme.c
 *   src/auth/digest.c … */
#include <curl/curl.h>

#include "auth/scheme.h"
#include "base/buf.h"
#include "fuzz.h"

static void answer(const struct mote_auth_scheme *s, void *state)
{
  struct mote_auth_login login = {.user = mote_slice_of("u%22x"), .password = mote_slice_of("p"), .user_coded = true};
  struct mote_auth_request r = {
    .method = mote_slice_of("GET"), .target = mote_slice_of("/a\"b"), .login = &login
  };
  struct mote_buf b;
  size_t i;
  int open = 0;
  mote_buf_init(&b, mote_mem_process(), MOTE_PART_TRANSFER, 100000);
  must(!s->put(state, &r, &b) && b.len > 7 && !memcmp(b.ptr, "Digest ", 7));
  for(i = 0; i < b.len; i++)
    if(open && b.ptr[i] == '\\')
      i++;
    else if(b.ptr[i] == '"')
      open = !open;
  must(!open && i == b.len);
  mote_buf_close(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct mote_slice rest = {(const char *)data, size};
  struct mote_auth_challenge c;
  void *state = NULL;
  const struct mote_auth_scheme *scheme = NULL;
  while(mote_auth_next_challenge(&rest, &c)) {
    enum mote_auth_verdict verdict;
    must(c.params.ptr >= (const char *)data && c.params.ptr + c.params.len <= (const char *)data + size);
    if(!c.scheme || !c.scheme->read || c.bit != CURLAUTH_DIGEST)
      continue;
    scheme = c.scheme;
    must(!scheme->read(&state, c.params, size & 1, mote_mem_process(), &verdict));
    must((state != NULL) == (verdict != MOTE_AUTH_UNUSABLE));
    if(state)
      answer(scheme, state);
  }
  if(state)
    scheme->close(state, mote_mem_process());
  return 0;
}
