/* scene.h: one world from its beginning to its end: what is drawn for it, and what must hold after it. */
#ifndef SCENE_H
#define SCENE_H

#include <stdint.h>

struct scene {
  unsigned transfers; /* that ended */
  unsigned good;      /* with CURLE_OK */
  int64_t simulated;  /* microseconds */
  uint64_t trace;     /* a digest of all ends: codes, bytes and times */
};

/* Runs the world that mote_sim_begin() or mote_sim_play() has begun, and ends it. */
void scene_run(struct scene *out);

#endif
