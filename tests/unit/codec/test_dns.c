/* tests/unit/codec/test_dns.c: queries and responses of DNS (codec/dns.h). */
#include "codec/dns.h"
#include "codec/dns_message.h"
#include "port/addr.h"

#include "test.h"

/* "some.test" asked for A: 12 bytes of header, 11 of name, type and class. */
#define QUERY "\0\0\1\0\0\1\0\0\0\0\0\0\4some\4test\0\0\1\0\1"
#define QUESTION "\4some\4test\0\0\1\0\1"
#define HEAD(flags, answers) "\0\0\x81" flags "\0\1\0" answers "\0\0\0\0"
#define ADDRESS "\0\1\0\1\0\0\0\x3c\0\4\xc0\0\2\1" /* A, IN, 60 s, 192.0.2.1 */
#define ALIAS "\0\5\0\1\0\0\0\x1e"                 /* CNAME, IN, 30 s */
#define SELF "\xc0\x0c"                            /* the name of the question */

static struct mote_addr room[4];
static struct mote_dns_found found;

static enum mote_dns_result read_bytes(const char *m, size_t len)
{
  found = (struct mote_dns_found){.addrs = room, .max = 4, .ttl = UINT32_MAX};
  return mote_dns_read((const uint8_t *)m, len, (const uint8_t *)QUERY, sizeof QUERY - 1, &found);
}

#define READ(m) read_bytes((m), sizeof(m) - 1)

TEST(writes_queries)
{
  uint8_t out[MOTE_DNS_QUERY_MAX];
  size_t n = mote_dns_query("some.test", 9, MOTE_DNS_A, out);
  CHECK_MEM((const char *)out, n, QUERY, sizeof QUERY - 1);
  n = mote_dns_query("some.test.", 10, MOTE_DNS_AAAA, out);
  mote_dns_set_type(out, n, MOTE_DNS_A);
  CHECK_MEM((const char *)out, n, QUERY, sizeof QUERY - 1);
}

TEST(refuses_what_is_no_name)
{
  uint8_t out[MOTE_DNS_QUERY_MAX];
  char text[300];
  size_t i;
  CHECK_INT(mote_dns_query("", 0, MOTE_DNS_A, out), 0);
  CHECK_INT(mote_dns_query(".", 1, MOTE_DNS_A, out), 0);
  CHECK_INT(mote_dns_query("a..b", 4, MOTE_DNS_A, out), 0);
  CHECK_INT(mote_dns_query(".a", 2, MOTE_DNS_A, out), 0);
  CHECK_INT(mote_dns_query("a..", 3, MOTE_DNS_A, out), 0);
  memset(text, 'a', sizeof text);
  CHECK_INT(mote_dns_query(text, 63, MOTE_DNS_A, out), 12 + 65 + 4);
  CHECK_INT(mote_dns_query(text, 64, MOTE_DNS_A, out), 0);
  for(i = 1; i < sizeof text; i += 2)
    text[i] = '.';
  CHECK_INT(mote_dns_query(text, 253, MOTE_DNS_A, out), MOTE_DNS_QUERY_MAX);
  CHECK_INT(mote_dns_query(text, 254, MOTE_DNS_A, out), MOTE_DNS_QUERY_MAX); /* the same with its dot */
  CHECK_INT(mote_dns_query(text, 255, MOTE_DNS_A, out), 0);
}

TEST(finds_addresses)
{
  CHECK_INT(READ(HEAD("\x80", "\2") QUESTION SELF ADDRESS SELF "\0\1\0\1\0\0\0\x0a\0\4\xc0\0\2\2"),
            MOTE_DNS_OK);
  CHECK_INT(found.count, 2);
  CHECK_INT(found.ttl, 10);
  CHECK_INT(room[0].family, MOTE_FAMILY_IP4);
  CHECK_MEM((const char *)room[0].ip, 16, "\xc0\0\2\1\0\0\0\0\0\0\0\0\0\0\0\0", 16);
  CHECK_INT(room[1].ip[3], 2);
}

TEST(finds_none)
{
  CHECK_INT(READ(HEAD("\x80", "\0") QUESTION), MOTE_DNS_OK);
  CHECK_INT(found.count, 0);
  CHECK(found.ttl == UINT32_MAX);
}

TEST(takes_no_more_than_there_is_room_for)
{
#define TWO SELF ADDRESS SELF ADDRESS
  CHECK_INT(READ(HEAD("\x80", "\5") QUESTION TWO TWO SELF ADDRESS), MOTE_DNS_OK);
  CHECK_INT(found.count, 4);
}

TEST(adds_to_what_was_found)
{
  found = (struct mote_dns_found){.addrs = room, .max = 4, .count = 1, .ttl = 5};
  CHECK_INT(mote_dns_read((const uint8_t *)HEAD("\x80", "\1") QUESTION SELF ADDRESS,
                          12 + sizeof QUESTION - 1 + 16, (const uint8_t *)QUERY, sizeof QUERY - 1, &found),
            MOTE_DNS_OK);
  CHECK_INT(found.count, 2);
  CHECK_INT(found.ttl, 5);
}

TEST(follows_aliases_in_any_order)
{
  static const char straight[] =
    HEAD("\x80", "\3") QUESTION SELF ALIAS "\0\3\1b\0" "\1b\0" ALIAS "\0\3\1C\0" "\1c\0" ADDRESS;
  static const char reverse[] =
    HEAD("\x80", "\3") QUESTION "\1c\0" ADDRESS "\1b\0" ALIAS "\0\3\1c\0" SELF ALIAS "\0\3\1b\0";
  CHECK_INT(READ(straight), MOTE_DNS_OK);
  CHECK_INT(found.count, 1);
  CHECK_INT(found.ttl, 30);
  CHECK_INT(READ(reverse), MOTE_DNS_OK);
  CHECK_INT(found.count, 1);
}

TEST(ends_circles_of_aliases)
{
  CHECK_INT(READ(HEAD("\x80", "\2") QUESTION SELF ALIAS "\0\2" SELF SELF ADDRESS), MOTE_DNS_MALFORMED);
  CHECK_INT(found.count, 0);
}

TEST(ends_circles_of_pointers)
{
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION "\xc0\x1b" ADDRESS), MOTE_DNS_MALFORMED); /* to itself */
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION "\xc0\x1d" ADDRESS), MOTE_DNS_MALFORMED); /* forward */
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION "\1a\xc0\x1b" ADDRESS), MOTE_DNS_MALFORMED); /* to its start */
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION "\1a\xc0\x1d" ADDRESS), MOTE_DNS_MALFORMED); /* to the pointer */
}

TEST(passes_over_what_is_of_another_name_type_or_class)
{
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION "\1x\0" ADDRESS), MOTE_DNS_OK);
  CHECK_INT(found.count, 0);
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION SELF "\0\1\0\3\0\0\0\x3c\0\4\xc0\0\2\1"), MOTE_DNS_OK);
  CHECK_INT(found.count, 0);
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION SELF "\0\1\0\1\0\0\0\x3c\0\3\xc0\0\2"), MOTE_DNS_OK);
  CHECK_INT(found.count, 0);
  CHECK_INT(READ(HEAD("\x80", "\2") QUESTION SELF "\0\x2e\0\1\0\0\0\x3c\0\1x" SELF ADDRESS), MOTE_DNS_OK);
  CHECK_INT(found.count, 1);
}

TEST(labels_may_have_any_byte)
{
  CHECK_INT(READ(HEAD("\x80", "\2") QUESTION SELF ALIAS "\0\5\3a\0b\0" "\3a\0c\0" ADDRESS),
            MOTE_DNS_OK);
  CHECK_INT(found.count, 0);
  CHECK_INT(READ(HEAD("\x80", "\2") QUESTION SELF ALIAS "\0\5\3a\0b\0" "\3A\0B\0" ADDRESS),
            MOTE_DNS_OK);
  CHECK_INT(found.count, 1);
}

TEST(response_codes)
{
  CHECK_INT(READ(HEAD("\x83", "\0") QUESTION), MOTE_DNS_NO_NAME);
  CHECK_INT(READ(HEAD("\x82", "\0") QUESTION), MOTE_DNS_REFUSED);
  CHECK_INT(READ(HEAD("\x85", "\1") QUESTION SELF ADDRESS), MOTE_DNS_REFUSED);
}

TEST(answers_another_question)
{
  CHECK_INT(READ(HEAD("\x80", "\1") "\4some\4tesT\0\0\1\0\1" SELF ADDRESS), MOTE_DNS_OK);
  CHECK_INT(READ(HEAD("\x80", "\1") "\4some\4tess\0\0\1\0\1" SELF ADDRESS), MOTE_DNS_MALFORMED);
  CHECK_INT(READ(HEAD("\x80", "\1") "\4some\4test\0\0\x1c\0\1" SELF ADDRESS), MOTE_DNS_MALFORMED);
  CHECK_INT(READ("\0\1\x81\x80\0\1\0\0\0\0\0\0" QUESTION), MOTE_DNS_MALFORMED);     /* another identifier */
  CHECK_INT(READ("\0\0\1\x80\0\1\0\0\0\0\0\0" QUESTION), MOTE_DNS_MALFORMED);       /* a query */
  CHECK_INT(READ("\0\0\x81\x80\0\2\0\0\0\0\0\0" QUESTION QUESTION), MOTE_DNS_MALFORMED);
  CHECK_INT(READ("\0\0\x81\x80\0\0\0\1\0\0\0\0\4some\4test\0" ADDRESS), MOTE_DNS_OK); /* without a question */
  CHECK_INT(found.count, 1);
}

TEST(finds_addresses_of_ipv6)
{
  static const char query[] = "\0\0\1\0\0\1\0\0\0\0\0\0\4some\4test\0\0\x1c\0\1";
  static const char answer[] = HEAD("\x80", "\1") "\4some\4test\0\0\x1c\0\1" SELF
    "\0\x1c\0\1\0\0\0\x3c\0\x10\x20\1\r\xb8\0\0\0\0\0\0\0\0\0\0\0\1";
  found = (struct mote_dns_found){.addrs = room, .max = 4, .ttl = UINT32_MAX};
  CHECK_INT(mote_dns_read((const uint8_t *)answer, sizeof answer - 1, (const uint8_t *)query,
                          sizeof query - 1, &found), MOTE_DNS_OK);
  CHECK_INT(found.count, 1);
  CHECK_INT(room[0].family, MOTE_FAMILY_IP6);
  CHECK_MEM((const char *)room[0].ip, 16, "\x20\1\r\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16);
}

/* 64 to 191 begin no label (RFC 1035 section 4.1.4), and the labels of a name are 255 bytes at most. */
TEST(lengths_of_names)
{
  static char m[400];
  size_t n = 12 + sizeof QUESTION - 1, i;
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION "\x40" ADDRESS), MOTE_DNS_MALFORMED);
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION "\xbf" ADDRESS), MOTE_DNS_MALFORMED);
  memcpy(m, HEAD("\x80", "\1") QUESTION, n);
  for(i = 0; i < 127; i++, n += 2)
    memcpy(m + n, "\1a", 2);
  memcpy(m + n, "\0" ADDRESS, 15);
  CHECK_INT(read_bytes(m, n + 15), MOTE_DNS_OK);
  memcpy(m + n, "\1a\0" ADDRESS, 17);
  CHECK_INT(read_bytes(m, n + 17), MOTE_DNS_MALFORMED);
}

TEST(an_alias_of_no_name_leads_nowhere)
{
  CHECK_INT(READ(HEAD("\x80", "\2") QUESTION SELF ALIAS "\0\1\1" SELF ADDRESS), MOTE_DNS_OK);
  CHECK_INT(found.count, 0);
}

TEST(a_malformed_name_is_the_same_as_none)
{
  static const uint8_t good[] = "\1a", bad[] = "\2a";
  CHECK(mote_dns_same_name(mote_dns_read_at(good, 3, 0), mote_dns_read_at(good, 3, 0)));
  CHECK(!mote_dns_same_name(mote_dns_read_at(bad, 2, 0), mote_dns_read_at(good, 3, 0)));
  CHECK(!mote_dns_same_name(mote_dns_read_at(good, 3, 0), mote_dns_read_at(bad, 2, 0)));
}

TEST(ceilings)
{
  static char big[MOTE_DNS_RESPONSE_MAX + 1];
  size_t i, n = 12 + sizeof QUESTION - 1;
  memcpy(big, HEAD("\x80", "\0") QUESTION, n);
  big[6] = 1; /* 257 answers, each of 11 bytes: of the root, without data */
  big[7] = 1;
  for(i = 0; i < 257; i++, n += 11)
    memset(big + n, 0, 11);
  CHECK_INT(read_bytes(big, n), MOTE_DNS_MALFORMED);
  big[7] = 0;
  CHECK_INT(read_bytes(big, n - 11), MOTE_DNS_OK);
  CHECK_INT(read_bytes(big, sizeof big), MOTE_DNS_MALFORMED);
}

/* Each part of a message is too short, and none is read past its end (as the sanitizer sees). */
TEST(cut_anywhere)
{
  static const char whole[] = HEAD("\x80", "\2") QUESTION SELF ALIAS "\0\4\1b\xc0\x11" "\1b\xc0\x11" ADDRESS;
  size_t n;
  CHECK_INT(READ(whole), MOTE_DNS_OK);
  CHECK_INT(found.count, 1);
  for(n = 0; n < sizeof whole - 1; n++) {
    char *block = malloc(n ? n : 1);
    if(!block)
      abort();
    memcpy(block, whole, n);
    CHECK_INT(read_bytes(block, n), MOTE_DNS_SHORT);
    free(block);
  }
  CHECK_INT(read_bytes(whole, sizeof whole), MOTE_DNS_MALFORMED); /* a byte more */
}

TEST(a_long_ttl_is_none)
{
  CHECK_INT(READ(HEAD("\x80", "\1") QUESTION SELF "\0\1\0\1\x80\0\0\0\0\4\xc0\0\2\1"), MOTE_DNS_OK);
  CHECK_INT(found.ttl, 0);
}

int main(void)
{
  TEST_RUN(writes_queries);
  TEST_RUN(refuses_what_is_no_name);
  TEST_RUN(finds_addresses);
  TEST_RUN(finds_none);
  TEST_RUN(takes_no_more_than_there_is_room_for);
  TEST_RUN(adds_to_what_was_found);
  TEST_RUN(follows_aliases_in_any_order);
  TEST_RUN(ends_circles_of_aliases);
  TEST_RUN(ends_circles_of_pointers);
  TEST_RUN(passes_over_what_is_of_another_name_type_or_class);
  TEST_RUN(labels_may_have_any_byte);
  TEST_RUN(response_codes);
  TEST_RUN(answers_another_question);
  TEST_RUN(finds_addresses_of_ipv6);
  TEST_RUN(lengths_of_names);
  TEST_RUN(an_alias_of_no_name_leads_nowhere);
  TEST_RUN(a_malformed_name_is_the_same_as_none);
  TEST_RUN(ceilings);
  TEST_RUN(cut_anywhere);
  TEST_RUN(a_long_ttl_is_none);
  return test_end();
}
