/* million.h: what the client and the servers of bench/million know of each other.
 *
 * A transfer asks for "/NUMBER". Its body is CHUNKS chunks, each of which is the number again, so that the
 * client sees at once when bytes of one transfer arrive in another. The first chunk comes with the response;
 * the server then holds the response open until SIGUSR1, and sends the others in turn: one to each
 * transfer, then the next to each. */
#ifndef BENCH_MILLION_H
#define BENCH_MILLION_H

#include <stddef.h>
#include <stdio.h>

#define CHUNK 16 /* bytes: fifteen digits and a line end */

/* Writes a chunk of this transfer, CHUNK bytes and NUL. */
static inline void million_chunk(char *out, unsigned long number)
{
  snprintf(out, CHUNK + 1, "%015lu\n", number);
}

/* How many of these bytes are not those of the transfer's body from byte `at` on. */
static inline long million_wrong(const char *p, size_t len, unsigned long number, size_t at)
{
  char chunk[CHUNK + 1];
  long wrong = 0;
  size_t i;
  million_chunk(chunk, number);
  for(i = 0; i < len; i++)
    wrong += p[i] != chunk[(at + i) % CHUNK];
  return wrong;
}

#endif
