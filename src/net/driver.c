/* net/driver.c: begins and ends the driver of a connection, and says its goodbye (net/driver.h). */
#include "net/driver.h"

#include <string.h>

#include "base/memory.h"
#include "net/conn.h"

static void begin(struct mote_conn *c, const struct mote_driver *driver, struct mote_drive *d)
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
  begin(c, driver, d);
  return CURLE_OK;
}

bool mote_drive_start_in_state(struct mote_conn *c, const struct mote_driver *driver)
{
  if(c->state_size < driver->size)
    return false;
  begin(c, driver, mote_conn_state(c));
  return true;
}

void mote_drive_end(struct mote_conn *c)
{
  struct mote_drive *d = c->drive;
  if(!d)
    return;
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
