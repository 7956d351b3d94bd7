/* base/wipe.h: overwrites a secret that is no longer needed.
 *
 * A memset() of an array that nothing reads afterwards is left out by an optimizer (gcc 12 does so with -O2).
 * Blocks need no call: mote_mem_free() overwrites them (base/memory.h).
 *
 * Tests: tests/unit/base/test_wipe.c */
#ifndef MOTE_BASE_WIPE_H
#define MOTE_BASE_WIPE_H

#include <stddef.h>

/* Sets `size` bytes at p to zero, always. */
void mote_wipe(void *p, size_t size);

#endif
