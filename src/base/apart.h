/* base/apart.h: keeps a function's frame off the stack of what its caller calls next.
 *
 * A build for size (-Os) inlines a function that has one caller. What it has on the stack then lies below all
 * that the caller calls afterwards, too. MOTE_APART before such a function keeps it out of line. A build for
 * speed inlines as it likes. */
#ifndef MOTE_BASE_APART_H
#define MOTE_BASE_APART_H

#if defined(__GNUC__) && defined(__OPTIMIZE_SIZE__)
#define MOTE_APART __attribute__((__noinline__))
#else
#define MOTE_APART
#endif

#endif
