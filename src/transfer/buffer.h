/* transfer/buffer.h: the receive and send buffer of a multi, as a step of a transfer uses it.
 *
 * One step at a time: what lies in it is gone when the step ends. mote_multi_tidy() gives it back.
 * Tests: tests/e2e */
#ifndef MOTE_TRANSFER_BUFFER_H
#define MOTE_TRANSFER_BUFFER_H

#include <stdint.h>

struct mote_multi;

/* The buffer, at least `size` bytes; NULL: out of memory. A larger one replaces it: only between uses. */
char *mote_multi_buffer(struct mote_multi *m, uint32_t size);
/* Bytes that it has, 0: there is none. */
uint32_t mote_multi_buffer_size(const struct mote_multi *m);

#endif
