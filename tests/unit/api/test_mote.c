/* tests/unit/api/test_mote.c: the functions of <mote/mote.h> that have nothing to do with accounts. */
#include <mote/mote.h>

#include "test.h"

TEST(version)
{
  char text[30];
  CHECK_STR(mote_version(), MOTE_VERSION);
  snprintf(text, sizeof text, "%d.%d.%d", MOTE_VERSION_MAJOR, MOTE_VERSION_MINOR, MOTE_VERSION_PATCH);
  CHECK_STR(mote_version(), text);
}

int main(void)
{
  TEST_RUN(version);
  return test_end();
}
