/* small/overlay/net/pool.h: the one connection of a multi, idle or in use (small/pool.c).
 *
 * Ownership: the pool owns it; a transfer borrows it while it uses it. */
#ifndef MOTE_NET_POOL_H
#define MOTE_NET_POOL_H

#include <stdint.h>

struct mote_account;
struct mote_conn;

struct mote_pool {
  struct mote_conn *idle;       /* idle or in use, or NULL */
  struct mote_account *account; /* pays for it */
  int32_t next_id;              /* CURLINFO_CONN_ID of the next one */
};

void mote_pool_init(struct mote_pool *p, struct mote_account *account);
/* Closes the connection. */
void mote_pool_close(struct mote_pool *p);

#endif
