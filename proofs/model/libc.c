/* proofs/model/libc.c: the C library's functions of bytes, as C11 section 7.24 has them, for the prover. Each
 * states what its caller owes: whole objects, and for memcpy() that they do not overlap. memset() is the
 * prover's own. A pointer with a length of 0 must still be one (section 7.24.1). The results of comparisons
 * are -1, 0 or 1: no caller here reads more out of them. */
#include <stddef.h>

#define OWED(what) __CPROVER_assert((what), "C library: " #what)

void *memcpy(void *to, const void *from, size_t n)
{
  char *t = to;
  const char *f = from;
  size_t i;
  OWED(to && from);
  OWED(!n || !__CPROVER_same_object(to, from) || t + n <= f || f + n <= t);
  for(i = 0; i < n; i++)
    t[i] = f[i];
  return to;
}

void *memmove(void *to, const void *from, size_t n)
{
  char *t = to;
  const char *f = from;
  size_t i;
  OWED(to && from);
  if(!__CPROVER_same_object(to, from) || t < f)
    for(i = 0; i < n; i++)
      t[i] = f[i];
  else
    for(i = n; i; i--)
      t[i - 1] = f[i - 1];
  return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
  const unsigned char *x = a, *y = b;
  size_t i;
  OWED(a && b);
  OWED(__CPROVER_r_ok(a, n) && __CPROVER_r_ok(b, n));
  for(i = 0; i < n; i++)
    if(x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

void *memchr(const void *bytes, int byte, size_t n)
{
  const unsigned char *p = bytes;
  size_t i;
  OWED(bytes != NULL);
  for(i = 0; i < n; i++)
    if(p[i] == (unsigned char)byte)
      return (void *)(p + i);
  return NULL;
}

size_t strlen(const char *text)
{
  size_t n = 0;
  while(text[n])
    n++;
  return n;
}

char *strchr(const char *text, int c)
{
  for(; *text != (char)c; text++)
    if(!*text)
      return NULL;
  return (char *)text;
}

int strcmp(const char *a, const char *b)
{
  for(; *a && *a == *b; a++)
    b++;
  return *a == *b ? 0 : (unsigned char)*a < (unsigned char)*b ? -1 : 1;
}

int strncmp(const char *a, const char *b, size_t n)
{
  for(; n; n--, a++, b++)
    if(*a != *b || !*a)
      return *a == *b ? 0 : (unsigned char)*a < (unsigned char)*b ? -1 : 1;
  return 0;
}
