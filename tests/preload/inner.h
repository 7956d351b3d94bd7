/* inner.h: what the files of the preloaded library share. Everything here is hidden from the process. */
#ifndef PRELOAD_INNER_H
#define PRELOAD_INNER_H

#include "preload.h"

#include <stdbool.h>

#define PRELOAD_EXPORT __attribute__((visibility("default")))
#define PRELOAD_CALLER __builtin_return_address(0)

/* Bits of what a module is. */
enum preload_module {
  PRELOAD_OTHER = 0,
  PRELOAD_PROGRAM = 1,
  PRELOAD_LIBRARY = 2, /* libcurl or libmote */
  PRELOAD_TLS = 4,     /* libssl or libcrypto */
  PRELOAD_OWN = PRELOAD_PROGRAM | PRELOAD_LIBRARY,
};

/* ---- control.c: what was asked for ---- */

/* Written by mote_preload_control() and, for recv_cut, by what receives. */
struct preload_settings {
  long long recv_max; /* bytes; 0: no limit */
  long long send_max;
  long long recv_cut;   /* bytes up to the cut; -1: none */
  int send_buffer;      /* bytes; 0: as the system has it */
  bool interrupts;      /* SIGINT before a terminal is read */
  const char *loopback; /* the name that is 127.0.0.1, or NULL */
};
extern struct preload_settings preload_settings;

enum preload_module preload_module_of(void *caller);

/* Must this call of the library fail? Counts it where it is of the armed kind. */
bool preload_fails(const char *kind);

/* ---- memory.c ---- */

/* What the library holds: blocks, their bytes, the most bytes at once; and how many allocations it made. */
struct preload_held {
  long long blocks, bytes, peak, calls;
};
extern struct preload_held preload_held;

#endif
