/* api/global.h: who has initialised the library.
 *
 * Threads: any.
 * Tests:   tests/unit/api/test_init_static.c */
#ifndef MOTE_API_GLOBAL_H
#define MOTE_API_GLOBAL_H

#include <stdbool.h>

/* curl_global_init(3) or its kin has been called, and not as often curl_global_cleanup(3). */
bool mote_global_used(void);

#endif
