/* million.h: what the client and the servers of bench/million know of each other.
 *
 * A transfer asks for "/NUMBER". Its body is CHUNKS chunks, each of which is the number again, so that the
 * client sees at once when bytes of one transfer arrive in another. The first chunk comes with the response;
 * the server then holds the response open until SIGUSR1, and sends the others in turn:
 * one to each transfer, then the next to each. */
#ifndef BENCH_MILLION_H
#define BENCH_MILLION_H

#include <stdio.h>

#define CHUNK 16 /* bytes: fifteen digits and a line end */

/* Writes a chunk of this transfer, CHUNK bytes and NUL. */
static inline void million_chunk(char *out, unsigned long number)
{
  snprintf(out, CHUNK + 1, "%015lu\n", number);
}

#endif
