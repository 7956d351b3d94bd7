/* tests/unit/api/test_mote.c: the functions of <mote/mote.h> that need no handle. */
#include <mote/mote.h>

#include "test.h"

TEST(version)
{
  char text[30];
  CHECK_STR(mote_version(), MOTE_VERSION);
  snprintf(text, sizeof text, "%d.%d.%d", MOTE_VERSION_MAJOR, MOTE_VERSION_MINOR, MOTE_VERSION_PATCH);
  CHECK_STR(mote_version(), text);
}

TEST(parts)
{
  const char *name;
  struct mote_part_info info;
  int i, j;
  for(i = 0; mote_part_info(i, &name, &info); i++) {
    CHECK(*name && strspn(name, "abcdefghijklmnopqrstuvwxyz") == strlen(name));
    CHECK(info.live <= info.peak);
    CHECK(mote_part_info(i, NULL, NULL) == 1);
    for(j = 0; j < i; j++) {
      const char *other;
      CHECK(mote_part_info(j, &other, NULL) && strcmp(name, other) != 0);
    }
  }
  CHECK_INT(i, MOTE_PART_LAST);
  name = "kept";
  CHECK(!mote_part_info(-1, &name, &info));
  CHECK(!mote_part_info(MOTE_PART_LAST, &name, &info));
  CHECK_STR(name, "kept");
}

TEST(parts_count)
{
  struct mote_account a = { 0 };
  struct mote_part_info before, now;
  const char *name;
  void *p;
  CHECK(mote_part_info(MOTE_PART_URL, &name, &before));
  CHECK_STR(name, "url");
  p = mote_mem_alloc(&a, MOTE_PART_URL, 100);
  CHECK(mote_part_info(MOTE_PART_URL, NULL, &now));
  CHECK_INT(now.live, before.live + 100);
  CHECK_INT(now.calls, before.calls + 1);
  CHECK(now.peak >= now.live);
  mote_mem_free(&a, MOTE_PART_URL, p, 100);
  CHECK(mote_part_info(MOTE_PART_URL, NULL, &now));
  CHECK_INT(now.live, before.live);
}

int main(void)
{
  TEST_RUN(version);
  TEST_RUN(parts);
  TEST_RUN(parts_count);
  return test_end();
}
