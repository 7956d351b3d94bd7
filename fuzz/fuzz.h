/* fuzz/fuzz.h: what fuzz targets have in common. */
#ifndef MOTE_FUZZ_H
#define MOTE_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void must(int true_thing)
{
  if(!true_thing)
    abort();
}

/* A copy that ends where its block ends, so that a read after its end is seen. free() it. */
static inline void *copy_of(const void *bytes, size_t size)
{
  char *block = malloc(size ? size : 1);
  must(block != NULL);
  if(size)
    memcpy(block, bytes, size);
  return block;
}

/* The same with a NUL after it. */
static inline char *text_of(const void *bytes, size_t size)
{
  char *text = malloc(size + 1);
  must(text != NULL);
  if(size)
    memcpy(text, bytes, size);
  text[size] = 0;
  return text;
}

#endif
