/* system.c: what wolfSSL asks of a board, from the library's port. */
#include <stddef.h>
#include <time.h>

#include "port/port.h"

int mote_wolfssl_block(unsigned char *p, unsigned n);
time_t mote_wolfssl_time(time_t *t);
unsigned LowResTimer(void);
unsigned TimeNowInMilliseconds(void);

int mote_wolfssl_block(unsigned char *p, unsigned n)
{
  return mote_port_random(p, n) ? -1 : 0;
}

time_t mote_wolfssl_time(time_t *t)
{
  time_t now = (time_t)mote_port_wall();
  if(t)
    *t = now;
  return now;
}

unsigned LowResTimer(void)
{
  return (unsigned)mote_port_wall();
}

unsigned TimeNowInMilliseconds(void)
{
  return (unsigned)(mote_port_now() / MOTE_MS);
}

/* There are no tables of points (FP_ECC), which the library frees. */
void wc_ecc_fp_free(void);
void wc_ecc_fp_free(void)
{
}
