/* Fuzz target of codec/url/proxy.h: any text must give slices inside it or inside the struct, or an error.
 *
 * needs: src/codec/url/proxy.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_proxy.c src/codec/url/proxy.c src/codec/url/url*.c
 *   src/codec/url/percent.c src/codec/url/idn.c src/base/text.c -lidn2 */
#include "codec/url/proxy.h"
#include "fuzz.h"

static int within(struct mote_slice s, const char *block, size_t size)
{
  return s.ptr >= block && s.ptr + s.len <= block + size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct mote_proxy p;
  char *text = text_of(data, size);
  if(!mote_proxy_parse(&p, text, size ? data[size - 1] % 8 : 0)) {
    bool own = within(p.host, p.room, sizeof p.room);
    must(p.host.len && (own || within(p.host, text, size)));
    must(!own || !p.host.ptr[p.host.len]);
    must(!p.path || (own && mote_proxy_is_socks(&p) && strlen(p.host.ptr) == p.host.len));
    must(!p.user.ptr || within(p.user, text, size));
    must(!p.password.ptr || within(p.password, text, size));
    must(p.type <= CURLPROXY_SOCKS5_HOSTNAME);
  }
  free(text);
  return 0;
}
