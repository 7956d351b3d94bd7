/* base/time.h: points in time and spans of it.
 *
 * Tests: none; a type and its units. */
#ifndef MOTE_BASE_TIME_H
#define MOTE_BASE_TIME_H

#include <stdint.h>

/* Microseconds: a span, or a point on the monotonic clock (mote_port_now, which is never 0). */
typedef int64_t mote_time;

#define MOTE_MS ((mote_time)1000)
#define MOTE_SECOND ((mote_time)1000000)

/* A device without tasks may raise it, so that its watchdog is fed during a handshake. */
#ifndef MOTE_HANDSHAKE_MS
#define MOTE_HANDSHAKE_MS 0 /* milliseconds after which a call of the multi interface leaves a TLS handshake
                               as it is until the next call; a step of the computation that has begun
                               ends first. 0: a handshake goes on as far as it can */
#endif

/* Milliseconds for a wait of t: rounded up, so that a wait never ends before its deadline; 0 to INT32_MAX. */
static inline int mote_time_wait_ms(mote_time t)
{
  if(t <= 0)
    return 0;
  return t > INT32_MAX * MOTE_MS ? INT32_MAX : (int)((t + MOTE_MS - 1) / MOTE_MS);
}

#endif
