/* memory.h: the library's allocator, which can refuse. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* curl_global_init_mem() with this allocator: once, ahead of the first world. */
void memory_init(void);
/* For a new world: the chance in 1,000 that an allocation is refused. */
void memory_begin(unsigned refuse);
/* How many were refused in this world. */
unsigned memory_refused(void);
/* Bytes that the library's accounts hold now, all parts together. */
size_t memory_held(void);

#endif
