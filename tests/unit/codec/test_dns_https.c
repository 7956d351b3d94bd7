/* tests/unit/codec/test_dns_https.c: HTTPS records of DNS (codec/dns.h). Needs h3. */
#include "codec/dns.h"

#include "test.h"

/* "some.test" asked for HTTPS. A record: the name of the question, HTTPS, IN, 60 s, then its data. */
#define QUERY "\0\0\1\0\0\1\0\0\0\0\0\0\4some\4test\0\0\x41\0\1"
#define QUESTION "\4some\4test\0\0\x41\0\1"
#define SELF "\xc0\x0c"
#define ROOM 1024

/* A response that is put together. */
static struct {
  char bytes[ROOM];
  size_t len;
} made;

static struct mote_dns_service got;
static bool found;

static void put(const char *bytes, size_t len)
{
  memcpy(made.bytes + made.len, bytes, len);
  made.len += len;
}

#define PUT(text) put(text, sizeof(text) - 1)

static void begin(void)
{
  made.len = 0;
  PUT("\0\0\x81\x80\0\1\0\0\0\0\0\0" QUESTION);
}

static void put_record(const char *owner, size_t owner_len, char type, const char *data, size_t len)
{
  char head[10] = {0, type, 0, 1, 0, 0, 0, 60, (char)(len >> 8), (char)len};
  put(owner, owner_len);
  put(head, sizeof head);
  put(data, len);
  made.bytes[7]++;
}

#define RECORD(data) put_record(SELF, 2, 65, data, sizeof(data) - 1)
#define RECORD_OF(owner, data) put_record(owner, sizeof(owner) - 1, 65, data, sizeof(data) - 1)

static enum mote_dns_result read_made(void)
{
  memset(&got, 0, sizeof got);
  found = false;
  return mote_dns_read_service((const uint8_t *)made.bytes, made.len, (const uint8_t *)QUERY,
                               sizeof QUERY - 1, &got, &found);
}

static enum mote_dns_result read_one(const char *data, size_t len)
{
  begin();
  put_record(SELF, 2, 65, data, len);
  return read_made();
}

#define ONE(data) read_one(data, sizeof(data) - 1)
#define ALPN_H3 "\0\1\0\3\2h3"
#define ALPN_BOTH "\0\1\0\6\2h2\2h3"

TEST(a_service_at_the_name_itself)
{
  CHECK_INT(ONE("\0\1\0" ALPN_BOTH), MOTE_DNS_OK);
  CHECK(found && !got.port && !got.target_len && !got.hints);
  CHECK_INT(got.ttl, 60);
}

TEST(all_parameters)
{
  CHECK_INT(ONE("\0\1\2H3\4some\4Test\0\0\0\0\6\0\1\0\3\0\4" ALPN_H3 "\0\2\0\0\0\3\0\2\x20\xfb"
                "\0\4\0\x8\1\2\3\4\5\6\7\x8\0\5\0\2zz\0\6\0\x10\x20\1\xd\xb8\0\0\0\0\0\0\0\0\0\0\0\1"
                "\xff\0\0\1x"), MOTE_DNS_OK);
  CHECK(found);
  CHECK_INT(got.port, 8443);
  CHECK_STR(got.target, "h3.some.test");
  CHECK_INT(got.hints, 3);
  CHECK_INT(got.hint[0].family, MOTE_FAMILY_IP6);
  CHECK_INT(got.hint[0].ip[15], 1);
  CHECK_MEM((const char *)got.hint[2].ip, 4, "\5\6\7\x8", 4);
}

TEST(its_own_name_is_no_other_target)
{
  CHECK_INT(ONE("\0\1\4SOME\4test\0" ALPN_H3), MOTE_DNS_OK);
  CHECK(found && !got.target_len);
}

TEST(no_service_that_speaks_it)
{
  CHECK_INT(ONE("\0\1\0\0\1\0\3\2h2"), MOTE_DNS_OK);
  CHECK(!found);
  CHECK_INT(ONE("\0\1\0"), MOTE_DNS_OK);
  CHECK(!found);
  CHECK_INT(ONE("\0\1\0\0\1\0\6\5h3-29"), MOTE_DNS_OK);
  CHECK(!found);
  begin();
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK(!found);
}

TEST(the_first_priority)
{
  begin();
  RECORD("\0\3\1a\0" ALPN_H3);
  RECORD("\0\1\1b\0\0\1\0\3\2h2");
  RECORD("\0\2\1c\0" ALPN_H3);
  RECORD("\0\2\1d\0" ALPN_H3);
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK(found);
  CHECK_STR(got.target, "c");
}

TEST(what_must_be_understood)
{
  CHECK_INT(ONE("\0\1\0\0\0\0\2\0\5" ALPN_H3 "\0\5\0\1x"), MOTE_DNS_OK);
  CHECK(!found);
  CHECK_INT(ONE("\0\1\0\0\0\0\2\xff\0" ALPN_H3 "\xff\0\0\0"), MOTE_DNS_OK);
  CHECK(!found);
  begin();
  RECORD("\0\1\1a\0\0\0\0\2\0\x7" ALPN_H3 "\0\x7\0\0");
  RECORD("\0\2\1b\0" ALPN_H3);
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK_STR(got.target, "b");
}

/* One of them makes the whole response unusable (RFC 9460 section 2.2). */
TEST(malformed_records)
{
  static const struct {
    const char *data;
    size_t len;
  } bad[] = {
#define BAD(text) {text, sizeof(text) - 1}
    BAD(""),
    BAD("\0"),
    BAD("\0\1"),
    BAD("\0\1\1"),
    BAD("\0\1\1a"),
    BAD("\0\1\xc0\x0c" ALPN_H3),
    BAD("\0\1\0\0"),
    BAD("\0\1\0\0\1\0"),
    BAD("\0\1\0\0\1\0\4\2h3"),
    BAD("\0\1\0\0\1\0\0"),
    BAD("\0\1\0\0\1\0\3\3h3"),
    BAD("\0\1\0\0\1\0\4\0\2h3"),
    BAD("\0\1\0" ALPN_H3 ALPN_H3),
    BAD("\0\1\0\0\3\0\2\0\1" ALPN_H3),
    BAD("\0\1\0" ALPN_H3 "\0\3\0\1\1"),
    BAD("\0\1\0" ALPN_H3 "\0\3\0\2\0\0"),
    BAD("\0\1\0" ALPN_H3 "\0\4\0\3\1\2\3"),
    BAD("\0\1\0" ALPN_H3 "\0\4\0\0"),
    BAD("\0\1\0" ALPN_H3 "\0\6\0\4\1\2\3\4"),
    BAD("\0\1\0\0\2\0\0"),
    BAD("\0\1\0" ALPN_H3 "\0\2\0\1x"),
    BAD("\0\1\0\0\0\0\0" ALPN_H3),
    BAD("\0\1\0\0\0\0\1\0" ALPN_H3),
    BAD("\0\1\0\0\0\0\2\0\0" ALPN_H3),
    BAD("\0\1\0\0\0\0\4\0\3\0\1" ALPN_H3 "\0\3\0\2\0\1"),
    BAD("\0\1\0\0\0\0\2\0\3" ALPN_H3),
  };
  size_t i;
  for(i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK_INT(read_one(bad[i].data, bad[i].len), MOTE_DNS_MALFORMED);
    CHECK(!found);
    begin();
    RECORD("\0\1\0" ALPN_H3);
    put_record(SELF, 2, 65, bad[i].data, bad[i].len);
    CHECK_INT(read_made(), MOTE_DNS_MALFORMED);
    CHECK(!found);
  }
}

TEST(a_target_that_no_host_is_called)
{
  CHECK_INT(ONE("\0\1\3a/b\0" ALPN_H3), MOTE_DNS_OK);
  CHECK(!found);
  CHECK_INT(ONE("\0\1\1\0\0" ALPN_H3), MOTE_DNS_OK);
  CHECK(!found);
}

TEST(the_longest_target)
{
  char data[400] = {0, 1}, label[64];
  size_t len = 2, i;
  memset(label, 'a', sizeof label);
  for(i = 0; i < 4; i++) {
    size_t n = i < 3 ? 63 : 61;
    data[len] = (char)n;
    memcpy(data + len + 1, label, n);
    len += n + 1;
  }
  memcpy(data + len, "\0" ALPN_H3, sizeof("\0" ALPN_H3) - 1);
  CHECK_INT(read_one(data, len + sizeof("\0" ALPN_H3) - 1), MOTE_DNS_OK);
  CHECK(found);
  CHECK_INT(got.target_len, 253);
  memcpy(data + len, "\1a\0" ALPN_H3, sizeof("\1a\0" ALPN_H3) - 1);
  CHECK_INT(read_one(data, len + sizeof("\1a\0" ALPN_H3) - 1), MOTE_DNS_MALFORMED);
}

TEST(no_more_hints_than_there_is_room_for)
{
  begin();
  RECORD("\0\1\0" ALPN_H3 "\0\4\0\x28" "aaaabbbbccccddddeeeeffffgggghhhhiiiijjjj");
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK_INT(got.hints, MOTE_DNS_HINTS);
}

TEST(aliases)
{
  begin();
  RECORD("\0\0\1b\0");
  RECORD("\0\1\1x\0" ALPN_H3);
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK(!found); /* what it leads to is not here */
  RECORD_OF("\1B\0", "\0\1\0" ALPN_H3);
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK_STR(got.target, "b");
  begin();
  RECORD("\0\0\0");
  RECORD("\0\1\0" ALPN_H3);
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK(!found); /* there is no service */
  begin();
  RECORD("\0\0\4some\4test\0");
  CHECK_INT(read_made(), MOTE_DNS_MALFORMED); /* for ever */
}

TEST(queries)
{
  uint8_t out[MOTE_DNS_QUERY_MAX];
  char name[256];
  size_t n = mote_dns_query_service("some.test", 9, 443, out);
  CHECK_MEM((const char *)out, n, QUERY, sizeof QUERY - 1);
  n = mote_dns_query_service("some.test", 9, 8443, out);
  CHECK_MEM((const char *)out + 12, n - 12, "\5_8443\6_https" QUESTION,
            sizeof("\5_8443\6_https" QUESTION) - 1);
  memset(name, 'a', sizeof name);
  CHECK_INT(mote_dns_query_service(name, 64, 8443, out), 0);
  for(n = 1; n < sizeof name; n += 2)
    name[n] = '.';
  CHECK(mote_dns_query_service(name, 239, 65535, out) == MOTE_DNS_QUERY_MAX);
  CHECK_INT(mote_dns_query_service(name, 241, 65535, out), 0);
  CHECK_INT(mote_dns_query_service(name, 256, 65535, out), 0);
}

/* What is at the end of aliases by CNAME is at the addresses of the name. */
TEST(a_canonical_name)
{
  begin();
  put_record(SELF, 2, 5, "\1c\0", 3);
  RECORD_OF("\1c\0", "\0\1\0" ALPN_H3);
  RECORD("\0\1\1x\0" ALPN_H3);
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK(found && !got.target_len);
}

TEST(other_names_and_types_do_not_count)
{
  begin();
  RECORD_OF("\1x\0", "\0\1\0" ALPN_H3);
  put_record(SELF, 2, 64, "\0\1\0" ALPN_H3, sizeof("\0\1\0" ALPN_H3) - 1);
  RECORD_OF("\1x\0", "bad");
  CHECK_INT(read_made(), MOTE_DNS_OK);
  CHECK(!found);
}

TEST(a_response_that_is_none)
{
  begin();
  RECORD("\0\1\0" ALPN_H3);
  made.bytes[3] = (char)0x83;
  CHECK_INT(read_made(), MOTE_DNS_NO_NAME);
  made.bytes[3] = (char)0x82;
  CHECK_INT(read_made(), MOTE_DNS_REFUSED);
  made.bytes[3] = (char)0x80;
  made.len--;
  CHECK_INT(read_made(), MOTE_DNS_SHORT);
  CHECK(!found);
}

int main(void)
{
  TEST_RUN(a_service_at_the_name_itself);
  TEST_RUN(all_parameters);
  TEST_RUN(its_own_name_is_no_other_target);
  TEST_RUN(no_service_that_speaks_it);
  TEST_RUN(the_first_priority);
  TEST_RUN(what_must_be_understood);
  TEST_RUN(malformed_records);
  TEST_RUN(a_target_that_no_host_is_called);
  TEST_RUN(the_longest_target);
  TEST_RUN(no_more_hints_than_there_is_room_for);
  TEST_RUN(aliases);
  TEST_RUN(queries);
  TEST_RUN(a_canonical_name);
  TEST_RUN(other_names_and_types_do_not_count);
  TEST_RUN(a_response_that_is_none);
  return test_end();
}
