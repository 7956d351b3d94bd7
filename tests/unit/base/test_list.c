/* The intrusive list. */
#include "base/containers/list.h"
#include "test.h"

struct item {
  int number;
  struct mote_list node;
};

static void expect(const struct mote_list *head, const char *want)
{
  char have[20];
  size_t n = 0;
  const struct mote_list *at;
  for(at = head->next; at != head && n < sizeof have - 1; at = at->next) {
    have[n++] = (char)('0' + mote_container_of(at, struct item, node)->number);
    CHECK(at->next->prev == at && at->prev->next == at);
  }
  have[n] = 0;
  CHECK_STR(have, want);
}

TEST(order)
{
  struct mote_list head;
  struct mote_list other;
  struct item items[5];
  int i;
  mote_list_init(&head);
  mote_list_init(&other);
  CHECK(mote_list_empty(&head));
  for(i = 0; i < 5; i++) {
    items[i].number = i;
    mote_list_init(&items[i].node);
    CHECK(!mote_list_linked(&items[i].node));
  }
  mote_list_append(&head, &items[1].node);
  mote_list_append(&head, &items[2].node);
  mote_list_prepend(&head, &items[0].node);
  expect(&head, "012");
  CHECK(mote_list_linked(&items[1].node));
  mote_list_remove(&items[1].node);
  mote_list_remove(&items[1].node);
  expect(&head, "02");
  mote_list_append(&other, &items[3].node);
  mote_list_append(&other, &items[4].node);
  mote_list_move_all(&head, &other);
  expect(&head, "0234");
  CHECK(mote_list_empty(&other));
  mote_list_move_all(&head, &other);
  expect(&head, "0234");
  mote_list_move_all(&other, &head);
  expect(&other, "0234");
  expect(&head, "");
}

int main(void)
{
  TEST_RUN(order);
  return test_end();
}
