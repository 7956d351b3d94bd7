/* Fuzz target of codec/ftp/ftp_port.h: any text must give a host inside of it, and ports in their order.
 *
 * needs: src/codec/ftp/ftp_port.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_ftp_port.c src/codec/ftp/ftp_port.c src/base/text.c */
#include "codec/ftp/ftp_port.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct mote_ftp_port p;
  char *text = text_of(data, size);
  mote_ftp_port_read(text, &p);
  must(p.host.ptr >= text && p.host.ptr + p.host.len <= text + strlen(text));
  must(p.first <= p.last);
  must(!(p.host.len == 1 && *p.host.ptr == '-'));
  free(text);
  return 0;
}
