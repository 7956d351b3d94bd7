/* triggers.h: what a script wants done inside a callback. */
#ifndef E2E_TRIGGERS_H
#define E2E_TRIGGERS_H

#include "driver.h"

struct outcome {
  int decided;   /* the callback returns `ret` */
  int pause;     /* the callback answers that it pauses */
  int scribble;  /* the callback overwrites the memory it was given */
  int keep;      /* the callback does not close the socket: to see that the leak is seen */
  long long ret;
};

/* Counts the call and runs every action that is due. `len` is what this call brings. */
struct outcome triggers_run(struct handle *h, enum event event, unsigned long long len);

#endif
