/* That exactly what is named is overwritten. */
#include "base/wipe.h"
#include "test.h"

TEST(these_bytes_and_no_others)
{
  char bytes[] = "before the secret after";
  mote_wipe(bytes + 7, 10);
  CHECK(!memcmp(bytes, "before \0\0\0\0\0\0\0\0\0\0 after", sizeof bytes));
  mote_wipe(bytes, 0);
  CHECK_INT(bytes[0], 'b');
}

int main(void)
{
  TEST_RUN(these_bytes_and_no_others);
  return test_end();
}
