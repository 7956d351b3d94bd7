/* count.h: what count.so reports. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

struct count {
  long calls;     /* successful allocations, reallocs included */
  long live;      /* bytes asked for and held now */
  long peak;      /* most of them at once, since the start or the last reset */
  long own_calls; /* the same for the program and libcurl or libmote alone */
  long own_live;
  long own_peak;
};

void mote_count_now(struct count *out);
void mote_count_peak_reset(void);

#endif
