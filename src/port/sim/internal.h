/* port/sim/internal.h: what the files of this folder share: descriptors, and the world's own parts. */
#ifndef MOTE_PORT_SIM_INTERNAL_H
#define MOTE_PORT_SIM_INTERNAL_H

#include <curl/curl.h>
#include <stdbool.h>

#include "port/sim/sim.h"

#ifndef SIM_DESCRIPTORS /* a program that needs more of them says so (bench/million/unreal.c) */
#define SIM_DESCRIPTORS 1024
#endif
#define SIM_FIRST 3 /* the lowest number of a descriptor, as if three were there already */

enum sim_kind {
  SIM_FREE,
  SIM_STREAM, /* of: its connection, or NULL before there is one */
  SIM_WAKE,   /* signalled */
  SIM_SET,    /* of: its members (wait.c) */
  SIM_FILE    /* of: the file; at: position (file.c) */
};

struct sim_descriptor {
  enum sim_kind kind;
  bool signalled;
  bool appends;   /* SIM_FILE: writes go to its end */
  uint8_t family; /* SIM_STREAM: enum mote_family */
  int error;      /* SIM_STREAM: why a connect failed before there was a connection; 0: it did not */
  uint32_t birth; /* which opening of this number: a set forgets what was closed */
  size_t at;
  void *of;
};

/* Makes a descriptor. EMFILE: the weather has no more. */
int mote_sim_open(enum sim_kind kind, curl_socket_t *out);
/* The open descriptor of this number; a number that is not open, or of another kind, breaks a rule. */
struct sim_descriptor *mote_sim_descriptor(int fd, enum sim_kind kind);
/* The same of any kind. NULL: it is not open. */
struct sim_descriptor *mote_sim_descriptor_any(int fd);
void mote_sim_shut(struct sim_descriptor *d);

void mote_sim_note(enum mote_sim_harm harm);
/* Microseconds of a delay, at most `most`. */
mote_time mote_sim_delay(const char *what, unsigned most);

/* ---- how the world goes on (world.c) ---- */

/* Calls all events that are due. */
void mote_sim_run(void);
/* Goes to the next event, or to `deadline` (0: none) if that is earlier. False: the deadline has come. */
bool mote_sim_advance(mote_time deadline);
/* Counts a wait; too many in which nothing happens break a rule. */
void mote_sim_waited(void);

/* ---- each file's end of the world ---- */

void mote_sim_streams_end(void);
void mote_sim_sets_end(void);
void mote_sim_names_end(void);
void mote_sim_files_end(void);
/* Runs the threads that have not ended. */
void mote_sim_threads_end(void);
/* Locks that are held now. */
unsigned mote_sim_locks(void);

/* What a connection is ready for: CURL_WAIT_* and MOTE_POLL_*. */
unsigned mote_sim_stream_ready(const struct sim_descriptor *d);

#endif
