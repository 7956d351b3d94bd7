/* log/blocks.h: the C library's allocator, replaced by the log's; the log build includes it in front of the
 * files that are a seam to it, base/memory/memory_libc.c and tool/memory.c. They use the functions as
 * values too, so that every mention is replaced. MOTE_LOG_ITSELF, here and in calls.h: the declarations
 * only. */
#ifndef MOTE_LOG_BLOCKS_H
#define MOTE_LOG_BLOCKS_H

#include <stdlib.h>
#include <string.h>

void *mote_log_malloc(size_t size);
void *mote_log_calloc(size_t count, size_t size);
void *mote_log_realloc(void *p, size_t size);
char *mote_log_strdup(const char *s);
void mote_log_free(void *p);

#ifndef MOTE_LOG_ITSELF
#undef strdup
#define malloc mote_log_malloc
#define calloc mote_log_calloc
#define realloc mote_log_realloc
#define strdup mote_log_strdup
#define free mote_log_free
#endif

#endif
