/* net/driver.c: begins and ends the driver of a connection (net/driver.h). */
#include "net/driver.h"

#include "base/memory.h"
#include "net/conn.h"

CURLcode mote_drive_start(struct mote_conn *c, const struct mote_driver *driver)
{
  struct mote_drive *d = mote_mem_zalloc(c->env.account, MOTE_PART_CONN, driver->size);
  if(!d)
    return CURLE_OUT_OF_MEMORY;
  mote_drive_end(c);
  d->driver = driver;
  d->conn = c;
  c->drive = d;
  return CURLE_OK;
}

void mote_drive_end(struct mote_conn *c)
{
  struct mote_drive *d = c->drive;
  if(!d)
    return;
  if(d->driver->close)
    d->driver->close(d);
  c->drive = NULL;
  mote_mem_free(c->env.account, MOTE_PART_CONN, d, d->driver->size);
}
