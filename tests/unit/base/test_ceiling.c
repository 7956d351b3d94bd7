/* Sums that do not wrap. */
#include "base/memory/ceiling.h"

#include "test.h"

TEST(adds)
{
  struct mote_ceiling c = { 0 }, d = { 0 };
  mote_ceiling_add(&c, 3, 100);
  mote_ceiling_add(&c, 1, 50);
  mote_ceiling_add(&c, 0, 5000);
  CHECK_INT(c.bytes, 350);
  CHECK_INT(c.largest, 100);
  mote_ceiling_add(&d, 1, 7);
  mote_ceiling_add_all(&d, 2, &c);
  CHECK_INT(d.bytes, 707);
  CHECK_INT(d.largest, 100);
  mote_ceiling_add_all(&d, 0, &c);
  CHECK_INT(d.bytes, 707);
}

TEST(does_not_wrap)
{
  struct mote_ceiling c = { 0 }, d = { 0 };
  mote_ceiling_add(&c, 3, SIZE_MAX / 2);
  CHECK(c.bytes == SIZE_MAX);
  mote_ceiling_add(&c, 1, 1);
  CHECK(c.bytes == SIZE_MAX);
  mote_ceiling_add(&d, 1, SIZE_MAX - 1);
  mote_ceiling_add(&d, 1, 1);
  CHECK(d.bytes == SIZE_MAX);
  mote_ceiling_add_all(&d, 2, &c);
  CHECK(d.bytes == SIZE_MAX);
}

int main(void)
{
  TEST_RUN(adds);
  TEST_RUN(does_not_wrap);
  return test_end();
}
