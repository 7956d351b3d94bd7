/* tests/unit/net/test_h3_address.c: addresses as ngtcp2 has them (net/h3/session.h). Needs h3. */
#include "net/h3/session.h"
#include "test.h"

static struct mote_addr from;
static ngtcp2_sockaddr_union to;
static ngtcp2_addr out;

/* Of the network: the high byte comes first, whatever the machine's order. */
static unsigned port_at(const void *place)
{
  const uint8_t *bytes = place;
  return (unsigned)bytes[0] << 8 | bytes[1];
}

TEST(an_address_of_ip4)
{
  const uint8_t ip[] = {192, 0, 2, 7};
  from = (struct mote_addr){.family = MOTE_FAMILY_IP4, .port = 0x1234};
  memcpy(from.ip, ip, sizeof ip);
  mote_h3_address(&from, &to, &out);
  CHECK(out.addr == &to.sa);
  CHECK_INT(out.addrlen, sizeof to.in);
  CHECK_INT(to.in.sin_family, NGTCP2_AF_INET);
  CHECK_INT(port_at(&to.in.sin_port), 0x1234);
  CHECK(!memcmp(&to.in.sin_addr, ip, sizeof ip));
}

TEST(an_address_of_ip6)
{
  const uint8_t ip[16] = {0x20, 1, 0x0d, 0xb8, [15] = 7};
  from = (struct mote_addr){.family = MOTE_FAMILY_IP6, .port = 443};
  memcpy(from.ip, ip, sizeof ip);
  mote_h3_address(&from, &to, &out);
  CHECK(out.addr == &to.sa);
  CHECK_INT(out.addrlen, sizeof to.in6);
  CHECK_INT(to.in6.sin6_family, NGTCP2_AF_INET6);
  CHECK_INT(port_at(&to.in6.sin6_port), 443);
  CHECK(!memcmp(&to.in6.sin6_addr, ip, sizeof ip));
}

int main(void)
{
  TEST_RUN(an_address_of_ip4);
  TEST_RUN(an_address_of_ip6);
  return test_end();
}
