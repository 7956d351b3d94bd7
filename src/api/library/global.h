/* api/library/global.h: whether the library is initialised.
 *
 * Threads: any.
 * Tests:   tests/unit/api/test_init_static.c */
#ifndef MOTE_API_LIBRARY_GLOBAL_H
#define MOTE_API_LIBRARY_GLOBAL_H

#include <stdbool.h>

/* curl_global_init(3) or curl_global_init_mem(3) was called more often than curl_global_cleanup(3). */
bool mote_global_used(void);

#endif
