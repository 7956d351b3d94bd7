/* Fuzz target of codec/dns_https.c: no response may be read past its end, what is found is within its bounds,
 * and a response that is cut is never a good one.
 *
 * needs: src/codec/dns.c src/codec/dns_https.c src/base/text.c
 * clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude fuzz/fuzz_dns_https.c src/codec/dns.c \
 *   src/codec/dns_https.c src/base/text.c */
#include "codec/dns.h"
#include "fuzz.h"

static void check_service(const struct mote_dns_service *s)
{
  size_t i;
  must(s->target[s->target_len] == 0);
  must(s->target_len == strlen(s->target) && s->hints <= MOTE_DNS_HINTS && s->ttl <= INT32_MAX);
  for(i = 0; i < s->target_len; i++)
    must(strchr("abcdefghijklmnopqrstuvwxyz0123456789-_.", s->target[i]) != NULL);
  for(i = 0; i < s->hints; i++)
    must(s->hint[i].family == MOTE_FAMILY_IP4 || s->hint[i].family == MOTE_FAMILY_IP6);
}

static enum mote_dns_result read_copy(const uint8_t *data, size_t size, const uint8_t *query,
                                      size_t query_len)
{
  struct mote_dns_service s = {.port = 1};
  uint8_t *block = copy_of(data, size);
  bool found = false;
  enum mote_dns_result rc = mote_dns_read_service(block, size, query, query_len, &s, &found);
  must(rc == MOTE_DNS_OK || !found);
  if(found)
    check_service(&s);
  else
    must(s.port == 1);
  free(block);
  return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  uint8_t query[MOTE_DNS_QUERY_MAX];
  size_t len = mote_dns_query("some.test", 9, MOTE_DNS_HTTPS, query);
  must(len == 27);
  if(read_copy(data, size, query, len) == MOTE_DNS_OK && size)
    must(read_copy(data, size - 1, query, len) == MOTE_DNS_SHORT);
  return 0;
}
