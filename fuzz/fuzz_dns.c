/* Fuzz target of codec/dns.h: no response may be read past its end, addresses fill no more than their room, and
 * a response that is cut is never a good one. The first byte of the input says which type is asked for.
 *
 * needs: src/codec/dns.c src/base/text.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_dns.c src/codec/dns.c src/base/text.c */
#include "codec/dns.h"
#include "fuzz.h"
#include "port/addr.h"

#define ROOM 3u

static enum mote_dns_result read_copy(const uint8_t *data, size_t size, const uint8_t *query, size_t query_len)
{
  struct mote_addr room[ROOM];
  struct mote_dns_found found = {.addrs = room, .max = ROOM, .ttl = UINT32_MAX};
  uint8_t *block = copy_of(data, size);
  enum mote_dns_result rc;
  size_t i;
  rc = mote_dns_read(block, size, query, query_len, &found);
  must(found.count <= ROOM);
  must(rc == MOTE_DNS_OK || (!found.count && found.ttl == UINT32_MAX));
  must(!found.count || found.ttl <= INT32_MAX);
  for(i = 0; i < found.count; i++)
    must(room[i].family == (query[query_len - 3] == MOTE_DNS_A ? MOTE_FAMILY_IP4 : MOTE_FAMILY_IP6));
  free(block);
  return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  uint8_t query[MOTE_DNS_QUERY_MAX];
  enum mote_dns_type type;
  enum mote_dns_result rc;
  size_t len;
  if(!size)
    return 0;
  type = data[0] & 1 ? MOTE_DNS_AAAA : MOTE_DNS_A;
  len = mote_dns_query((const char *)data + 1, size - 1, type, query);
  must(len <= sizeof query);
  if(len)
    (void)read_copy(query, len, query, len); /* its own question is no response */
  len = mote_dns_query("some.test", 9, type, query);
  must(len == 27);
  rc = read_copy(data + 1, size - 1, query, len);
  if(rc == MOTE_DNS_OK && size > 1)
    must(read_copy(data + 1, size - 2, query, len) == MOTE_DNS_SHORT);
  return 0;
}
