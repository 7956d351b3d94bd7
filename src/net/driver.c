/* net/driver.c: begins and ends the driver of a connection, and says its goodbye (net/driver.h). */
#include "net/driver.h"

#include <string.h>

#include "base/memory.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "net/waitset.h"

/* The set has the last one of the ring, whose next one is the first. */
void mote_drive_soon(struct mote_drive *d)
{
  struct mote_waitset *set = d->conn->set;
  if(d->next || !set)
    return;
  d->next = set->turns ? set->turns->next : d;
  if(set->turns)
    set->turns->next = d;
  set->turns = d;
}

/* Takes the one after `before` out of the ring. */
static void leave_ring(struct mote_waitset *set, struct mote_drive *before)
{
  struct mote_drive *d = before->next;
  before->next = d->next;
  if(set->turns == d)
    set->turns = d == before ? NULL : before;
  d->next = NULL;
}

static void cancel_turn(struct mote_drive *d)
{
  struct mote_drive *before = d;
  if(!d->next)
    return;
  while(before->next != d)
    before = before->next;
  leave_ring(d->conn->set, before);
}

void mote_drive_leave_set(struct mote_drive *d)
{
  cancel_turn(d);
  mote_conn_leave_set(d->conn);
}

/* One that asks again during its turn waits for the next call. */
void mote_drive_act(struct mote_waitset *set, mote_time now)
{
  const struct mote_drive *at = set->turns;
  size_t count = 0;
  do {
    count++;
    at = at->next;
  } while(at != set->turns);
  for(; count && set->turns; count--) {
    struct mote_drive *d = set->turns->next;
    leave_ring(set, set->turns);
    d->driver->act(d, now);
  }
}

CURLcode mote_drive_want(struct mote_drive *d, unsigned interest)
{
  struct mote_conn *c = d->conn;
  if(!d->channels && c->set && mote_waitset_by_app(c->set))
    return CURLE_OK;
  return mote_conn_want(c, interest);
}

static void driver_begin(struct mote_conn *c, const struct mote_driver *driver, struct mote_drive *d)
{
  mote_drive_end(c);
  d->driver = driver;
  d->conn = c;
  c->drive = d;
}

CURLcode mote_drive_start(struct mote_conn *c, const struct mote_driver *driver)
{
  struct mote_drive *d = mote_mem_zalloc(c->env.account, MOTE_PART_CONN, driver->size);
  if(!d)
    return CURLE_OUT_OF_MEMORY;
  driver_begin(c, driver, d);
  return CURLE_OK;
}

bool mote_drive_start_in_state(struct mote_conn *c, const struct mote_driver *driver)
{
  if(c->state_size < driver->size)
    return false;
  driver_begin(c, driver, mote_conn_state(c));
  return true;
}

void mote_drive_end(struct mote_conn *c)
{
  struct mote_drive *d = c->drive;
  if(!d)
    return;
  cancel_turn(d);
  if(d->driver->close)
    d->driver->close(d);
  c->drive = NULL;
  if((void *)d == mote_conn_state(c))
    memset(d, 0, d->driver->size);
  else
    mote_mem_free(c->env.account, MOTE_PART_CONN, d, d->driver->size);
}

CURLcode mote_conn_goodbye(struct mote_conn *c)
{
  CURLcode rc = CURLE_OK;
  if(c->driver && c->driver->goodbye)
    rc = c->driver->goodbye(c);
  return rc ? rc : mote_conn_shutdown(c);
}
