/* small/overlay/transfer/multi/schedule.h: the private multi of an easy handle, as its one transfer uses it
 * (small/multi.c). */
#ifndef MOTE_TRANSFER_MULTI_SCHEDULE_H
#define MOTE_TRANSFER_MULTI_SCHEDULE_H

#include <stdint.h>

#include "base/time.h"

struct mote_multi;
struct mote_transfer;

/* What the transfer is, since there are no lists. */
enum mote_list_id {
  MOTE_LIST_READY,   /* the next run steps it */
  MOTE_LIST_WAITING, /* for an event or a deadline */
  MOTE_LIST_DONE,
  MOTE_LIST_NONE     /* in no multi */
};

void mote_schedule_move(struct mote_multi *m, struct mote_transfer *t, enum mote_list_id to);

/* Returns the buffer, which has at least `size` bytes, or NULL without memory. Its contents are lost when it
 * grows. */
char *mote_schedule_buffer(struct mote_multi *m, uint32_t size);
/* Returns the size of the buffer in bytes. 0: there is none. */
uint32_t mote_schedule_buffer_size(const struct mote_multi *m);

#define mote_schedule_done(m, t) mote_schedule_move(m, t, MOTE_LIST_DONE)
#define mote_schedule_wake_queued(m) ((void)(m))
#define mote_schedule_pass_on(m, pending) ((void)(m), (void)(pending))
#define mote_schedule_leave_host(t) ((void)(t))
#define mote_schedule_count_active(m, by) ((void)(m), (void)(by))
/* Does not even compute the nearest. */
#define mote_schedule_set_deadline(t, nearest) ((void)(t), (void)sizeof(nearest))

#endif
