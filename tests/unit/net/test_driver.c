/* Turns of drivers: their order, and drivers that ask again, or end, while turns are given. */
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/driver.h"
#include "net/waitset.h"
#include "test.h"

enum { COUNT = 4 };

struct turner {
  struct mote_drive drive;
  unsigned turns;
  struct mote_drive *ends; /* during its turn, or NULL */
  bool again;
};

static struct mote_waitset set;
static struct mote_account account;
static struct mote_conn *conns[COUNT];
static char order[16];

static void act(struct mote_drive *d, mote_time now)
{
  struct turner *t = (struct turner *)d;
  size_t len = strlen(order);
  CHECK_INT(now, 7);
  if(!CHECK(len < sizeof order - 1))
    return;
  order[len] = (char)('a' + d->conn->id);
  t->turns++;
  if(t->ends)
    mote_drive_end(t->ends->conn);
  if(t->again)
    mote_drive_soon(d);
}

static const struct mote_driver turning = {.name = "turning", .size = sizeof(struct turner), .act = act};

static struct turner *turner(int i)
{
  return (struct turner *)conns[i]->drive;
}

static void begin(void)
{
  struct mote_conn_plan plan = {.key = "k", .key_len = 1};
  int i;
  mote_waitset_init(&set, &account);
  memset(order, 0, sizeof order);
  for(i = 0; i < COUNT; i++) {
    CHECK(!mote_conn_new(&conns[i], &account, &plan));
    conns[i]->set = &set;
    conns[i]->id = i;
    CHECK(!mote_drive_start(conns[i], &turning));
  }
}

static void end(void)
{
  int i;
  for(i = 0; i < COUNT; i++) {
    mote_drive_end(conns[i]);
    mote_conn_close(conns[i], false);
  }
  CHECK(!set.turns);
  mote_waitset_close(&set);
}

static void ask(const char *who)
{
  for(; *who; who++)
    mote_drive_soon(&turner(*who - 'a')->drive);
}

static void check_round(const char *expected)
{
  memset(order, 0, sizeof order);
  mote_drive_act(&set, 7);
  CHECK_STR(order, expected);
}

TEST(they_come_in_the_order_of_asking)
{
  begin();
  ask("cabcac");
  check_round("cab");
  CHECK(!set.turns);
  ask("d");
  check_round("d");
  end();
}

TEST(one_that_asks_again_waits_for_the_next_round)
{
  begin();
  turner(0)->again = true;
  ask("ab");
  check_round("ab");
  CHECK(set.turns != NULL);
  ask("c");
  turner(0)->again = false;
  check_round("ac");
  CHECK(!set.turns);
  end();
}

TEST(one_that_has_ended_gets_none)
{
  begin();
  ask("abcd");
  mote_drive_end(conns[1]);
  turner(0)->ends = &turner(3)->drive;
  check_round("ac");
  CHECK(!set.turns);
  end();
}

TEST(the_last_and_the_only_one_leave)
{
  begin();
  ask("ab");
  mote_drive_end(conns[1]);
  check_round("a");
  ask("c");
  mote_drive_end(conns[2]);
  CHECK(!set.turns);
  end();
}

int main(void)
{
  TEST_RUN(they_come_in_the_order_of_asking);
  TEST_RUN(one_that_asks_again_waits_for_the_next_round);
  TEST_RUN(one_that_has_ended_gets_none);
  TEST_RUN(the_last_and_the_only_one_leave);
  return test_end();
}
