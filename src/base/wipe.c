/* base/wipe.c: overwriting that no optimizer leaves out (base/wipe.h). */
#include "base/wipe.h"

#include <string.h>

/* Volatile: the compiler cannot know what is called, and so not that nothing reads what it writes. */
static void *(*const volatile wipe_set)(void *p, int byte, size_t size) = memset;

void mote_wipe(void *p, size_t size)
{
  wipe_set(p, 0, size);
}
