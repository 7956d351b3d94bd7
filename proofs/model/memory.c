/* proofs/model/memory.c: the C library's copies for blocks of any size. What is copied may then have any
 * content, which proves more than the right one would, and needs no loop. memset() is the prover's own. */
#include <stddef.h>

#define OWED(what) __CPROVER_assert((what), "C library: " #what)

size_t nondet_place(void);

static void proof_write(void *to, size_t n)
{
  OWED(to != NULL);
  OWED(__CPROVER_w_ok(to, n));
  if(n)
    __CPROVER_havoc_slice(to, n);
}

void *memcpy(void *to, const void *from, size_t n)
{
  OWED(from != NULL);
  OWED(__CPROVER_r_ok(from, n));
  OWED(!n || !__CPROVER_same_object(to, from) || (const char *)to + n <= (const char *)from ||
       (const char *)from + n <= (const char *)to);
  proof_write(to, n);
  return to;
}

void *memmove(void *to, const void *from, size_t n)
{
  OWED(from != NULL);
  OWED(__CPROVER_r_ok(from, n));
  proof_write(to, n);
  return to;
}

/* Some place with the byte, or none. */
void *memchr(const void *bytes, int byte, size_t n)
{
  size_t at = nondet_place();
  OWED(bytes != NULL);
  OWED(__CPROVER_r_ok(bytes, n));
  if(at >= n || ((const unsigned char *)bytes)[at] != (unsigned char)byte)
    return NULL;
  return (char *)bytes + at;
}
