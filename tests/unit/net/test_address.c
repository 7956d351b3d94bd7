/* Addresses as text, against inet_pton and inet_ntop. Needs ipv6, posix. */
#include <arpa/inet.h>
#include <net/if.h>

#include "net/names/address.h"
#include "test.h"

static struct mote_addr parsed(const char *text)
{
  struct mote_addr a;
  memset(&a, 0, sizeof a);
  CHECK(mote_addr_parse(mote_slice_of(text), &a));
  return a;
}

/* Whether the C library writes an address as RFC 5952 has it. musl's takes the longest text of zeros for the
 * most zeros, and writes no address of IPv4 after ::. */
static bool writes_well(void)
{
  static const unsigned char first[16] = {[5] = 1, [11] = 1};
  char text[INET6_ADDRSTRLEN];
  return !strcmp(inet_ntop(AF_INET6, first, text, sizeof text), "::1:0:0:1:0:0");
}

/* The text has the bytes of the address. */
static void same_bytes(const struct mote_addr *a, int family, const char *text)
{
  unsigned char ip[16];
  if(test_check(inet_pton(family, text, ip) == 1, text, __FILE__, __LINE__))
    test_check(!memcmp(a->ip, ip, family == AF_INET ? 4 : 16), text, __FILE__, __LINE__);
}

/* The same answer, the same bytes, the same text. */
static void compare(const char *text)
{
  unsigned char ip[16] = { 0 };
  struct mote_addr a;
  struct mote_addr untouched;
  int family = 0;
  bool ok;
  if(inet_pton(AF_INET, text, ip) == 1)
    family = AF_INET;
  else if(inet_pton(AF_INET6, text, ip) == 1)
    family = AF_INET6;
  memset(&a, 0x77, sizeof a);
  untouched = a;
  ok = mote_addr_parse(mote_slice_of(text), &a);
  if(!test_check(ok == (family != 0), text, __FILE__, __LINE__))
    return;
  if(!ok) {
    CHECK(!memcmp(&a, &untouched, sizeof a));
    return;
  }
  CHECK_INT(a.family, family == AF_INET ? MOTE_FAMILY_IP4 : MOTE_FAMILY_IP6);
  CHECK(a.port == 0 && a.scope == 0 && a.zero == 0);
  if(test_check(!memcmp(a.ip, ip, family == AF_INET ? 4 : 16), text, __FILE__, __LINE__)) {
    char mine[MOTE_ADDR_TEXT_MAX];
    char theirs[INET6_ADDRSTRLEN];
    size_t len = mote_addr_print(&a, mine);
    CHECK_INT(len, strlen(mine));
    same_bytes(&a, family, mine);
    if(writes_well())
      CHECK_STR(mine, inet_ntop(family, ip, theirs, sizeof theirs));
  }
}

TEST(known)
{
  static const char *const rows[] = {
    "", ".", "1", "1.2.3.4", "1.2.3", "1.2.3.4.5", "1.2.3.4.", ".1.2.3.4", "256.1.1.1", "1.2.3.04",
    "1.2.3.00", "0.0.0.0", "255.255.255.255", "1.2.3.4 ", " 1.2.3.4", "1..2.3", "0x1.2.3.4", "1.2.3.-4",
    "1.2.3.1000", ":", "::", ":::", "::1", "1::", "1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "1::2:3:4:5:6:7:8", "::1:2:3:4:5:6:7:8",
    "1::2::3", "1:::2", ":1::2", "1::2:", "12345::", "::ffff:1.2.3.4", "::1.2.3.4",
    "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:1.2.3.4", "1.2.3.4::", "::1.2.3.4:5",
    "::1.2.3", "::256.1.1.1", "1:2:3:4:5::1.2.3.4", "1:2:3:4:5:6::1.2.3.4", "::01.2.3.4", "2001:DB8::A",
    "fe80::1:0:0:1", "1:0:0:2:0:0:0:3", "0:0:0:0:0:0:0:0", "0:0:1:0:0:1:0:0", "1:0:2:0:3:0:4:0",
    "::ffff:0:0", "::1:0:0", "::ffff", "::abcd:1", "0:0:0:0:0:1::", "g::", "::g", "1:2:3:4:5:6:7:",
    "00001::", "::0001", "[::1]", "::12.3.4.5", "::a.3.4.5", "::1234.3.4.5",
  };
  size_t i;
  for(i = 0; i < sizeof rows / sizeof *rows; i++)
    compare(rows[i]);
}

TEST(random_texts)
{
  static const char *const pieces[] = {
    ":", "::", ":", ".", "0", "1", "ff", "ffff", "255", "256", "1.2.3.4", "0:0", "12345", "0:", ":1", "a",
  };
  int i;
  for(i = 0; i < 300000; i++) {
    char text[120] = "";
    size_t n = 1 + test_random() % 15;
    while(n--)
      strcat(text, pieces[test_random() % (sizeof pieces / sizeof *pieces)]);
    compare(text);
  }
}

TEST(random_bytes)
{
  int i;
  for(i = 0; i < 100000; i++) {
    unsigned char ip[16];
    char text[INET6_ADDRSTRLEN];
    size_t k;
    for(k = 0; k < sizeof ip; k++)
      ip[k] = (unsigned char)(test_random() % 3 ? 0 : test_random() % 5 ? test_random() : 0xff);
    if(!(test_random() % 4))
      ip[10] = ip[11] = 0xff;
    compare(inet_ntop(AF_INET6, ip, text, sizeof text));
    compare(inet_ntop(AF_INET, ip, text, sizeof text));
  }
}

/* A slice ends where it says. */
TEST(slices)
{
  struct mote_addr a;
  char text[MOTE_ADDR_TEXT_MAX];
  CHECK(mote_addr_parse((struct mote_slice){ "1.2.3.45", 7 }, &a));
  mote_addr_print(&a, text);
  CHECK_STR(text, "1.2.3.4");
  CHECK(mote_addr_parse((struct mote_slice){ "::12", 3 }, &a));
  mote_addr_print(&a, text);
  CHECK_STR(text, "::1");
  CHECK(!mote_addr_parse((struct mote_slice){ "1.2.3.4\0", 8 }, &a));
  CHECK(!mote_addr_parse((struct mote_slice){ NULL, 0 }, &a));
  memset(&a, 0, sizeof a);
  CHECK_INT(mote_addr_print(&a, text), 0);
  CHECK_STR(text, "");
}

TEST(zones)
{
  struct mote_addr a = parsed("fe80::1%7");
  char loopback[IF_NAMESIZE];
  CHECK_INT(a.scope, 7);
  CHECK_INT(parsed("fe80::1%257").scope, 7);
  CHECK_INT(parsed("fe80::1%25").scope, 25);
  CHECK_INT(parsed("fe80::1%4294967295").scope, 4294967295);
  if(if_indextoname(1, loopback)) {
    char text[80];
    snprintf(text, sizeof text, "fe80::1%%%s", loopback);
    CHECK_INT(parsed(text).scope, 1);
    snprintf(text, sizeof text, "fe80::1%%25%s", loopback);
    CHECK_INT(parsed(text).scope, 1);
  }
  CHECK(!mote_addr_parse(mote_slice_of("fe80::1%"), &a));
  CHECK(!mote_addr_parse(mote_slice_of("fe80::1%no-such-if"), &a));
  CHECK(!mote_addr_parse(mote_slice_of("fe80::1%4294967296"), &a));
  CHECK(!mote_addr_parse(mote_slice_of("1.2.3.4%1"), &a));
  CHECK(!mote_addr_parse(mote_slice_of("%1"), &a));
}

TEST(comparing)
{
  struct mote_addr a = parsed("2001:db8::1");
  struct mote_addr b = a;
  CHECK(mote_addr_same_host(&a, &b));
  b.port = 80;
  CHECK(mote_addr_same_host(&a, &b));
  b.scope = 2;
  CHECK(!mote_addr_same_host(&a, &b));
  a = parsed("0.0.0.0");
  b = parsed("::");
  CHECK(!mote_addr_same_host(&a, &b));
}

int main(void)
{
  TEST_RUN(known);
  TEST_RUN(random_texts);
  TEST_RUN(random_bytes);
  TEST_RUN(slices);
  TEST_RUN(zones);
  TEST_RUN(comparing);
  return test_end();
}
