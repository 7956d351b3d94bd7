/* Name lookups that need no network. */
#include <errno.h>
#include <stdatomic.h>

#include "port/port.h"
#include "port/thread.h"
#include "test.h"

enum { MOST = 8 };

static struct mote_addr found[MOST];
static size_t count;

static bool loopback(const struct mote_addr *a)
{
  static const uint8_t six[16] = { [15] = 1 };
  return a->family == MOTE_FAMILY_IP4 ? a->ip[0] == 127 : !memcmp(a->ip, six, sizeof six);
}

TEST(literals)
{
  CHECK_INT(mote_port_lookup("192.0.2.1", MOTE_FAMILY_NONE, found, MOST, &count), 0);
  CHECK_INT(count, 1);
  CHECK(found[0].family == MOTE_FAMILY_IP4 && found[0].ip[0] == 192 && found[0].ip[3] == 1 && !found[0].port);
  CHECK_INT(mote_port_lookup("2001:db8::5", MOTE_FAMILY_IP6, found, MOST, &count), 0);
  CHECK_INT(count, 1);
  CHECK(found[0].family == MOTE_FAMILY_IP6 && found[0].ip[15] == 5);
}

/* An address that is no literal for the port, and that the system knows without /etc/hosts (RFC 6943 section
 * 3.1.1). */
#define WELL_KNOWN "127.1"

/* A system without /etc/hosts need not know the name; the library does not ask for it (net/names/names.c). */
TEST(localhost)
{
  size_t i;
  if(mote_port_lookup("localhost", MOTE_FAMILY_NONE, found, MOST, &count))
    return;
  CHECK(count >= 1);
  for(i = 0; i < count; i++)
    CHECK(loopback(&found[i]));
  CHECK_INT(mote_port_lookup("localhost", MOTE_FAMILY_IP4, found, MOST, &count), 0);
  for(i = 0; i < count; i++)
    CHECK(found[i].family == MOTE_FAMILY_IP4);
}

TEST(at_most)
{
  memset(found, 0, sizeof found);
  CHECK_INT(mote_port_lookup(WELL_KNOWN, MOTE_FAMILY_NONE, found, 1, &count), 0);
  CHECK(count == 1 && found[1].family == MOTE_FAMILY_NONE);
  CHECK_INT(mote_port_lookup(WELL_KNOWN, MOTE_FAMILY_NONE, NULL, 0, &count), 0);
  CHECK_INT(count, 0);
}

TEST(failures)
{
  int error;
  CHECK_INT(mote_port_lookup("192.0.2.1", MOTE_FAMILY_IP6, found, MOST, &count), ENOENT);
  CHECK_INT(count, 0);
  CHECK_INT(mote_port_lookup("2001:db8::5", MOTE_FAMILY_IP4, found, MOST, &count), ENOENT);
  /* Without a network: which error depends on the machine. */
  error = mote_port_lookup("no such name", MOTE_FAMILY_NONE, found, MOST, &count);
  CHECK(error > 0 && count == 0);
}

static atomic_int finished;
static atomic_int result;

static void *look(void *arg)
{
  static struct mote_addr mine[MOST];
  size_t n;
  (void)arg;
  atomic_store(&result, mote_port_lookup(WELL_KNOWN, MOTE_FAMILY_NONE, mine, MOST, &n));
  atomic_store(&finished, 1);
  return NULL;
}

TEST(in_a_small_thread)
{
  unsigned ready;
  int i;
  atomic_store(&result, -7);
  CHECK_INT(mote_port_thread_start(look, NULL), 0);
  for(i = 0; i < 10000 && !atomic_load(&finished); i++)
    (void)mote_port_poll(NULL, 0, 1, &ready);
  CHECK_INT(atomic_load(&result), 0);
}

int main(void)
{
  TEST_RUN(literals);
  TEST_RUN(localhost);
  TEST_RUN(at_most);
  TEST_RUN(failures);
  TEST_RUN(in_a_small_thread);
  return test_end();
}
