/* port/sim/sim.h: a world without a kernel, in one process, in which every run of a seed is the same.
 *
 * The folder implements the headers of src/port: sockets, waiting, names, threads, files, clock and random
 * bytes. This header is the other side of it, for the program that runs the library there (tests/sim): it
 * begins a world, says what the weather in it is, puts servers at addresses, and learns what has happened.
 *
 * Time:     is simulated and passes in waits alone: nothing that the library computes takes any. A wait
 *           that has nothing ready goes straight to the next event of the world, or to its own end.
 * Chance:   whatever can happen in two ways asks mote_sim_draw(), and nothing else does. All answers of a
 *           world are one list, the tape. The same tape gives the same world, byte for byte; 0 is always
 *           the ordinary answer, so that a tape with fewer other numbers in it is a simpler world.
 * Threads:  there is one. mote_port_thread_start() makes an event that calls the function later, out of a
 *           wait, whole. A lock that is held during a wait is a broken rule.
 * Rules:    what no correct caller does (a call on a closed descriptor, a wait that would never end, waits
 *           without end in which nothing happens) ends in mote_sim_broken(), which does not return.
 * Memory:   is malloc's, outside of every account, and is given back by mote_sim_end().
 * Linking:  its objects stand in front of the static library, whose own port is then not taken out of the
 *           archive: the library's objects are those that everyone gets (cmake/tests.cmake).
 * Tests:    tests/unit/port/test_sim.c */
#ifndef MOTE_PORT_SIM_SIM_H
#define MOTE_PORT_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/containers/heap.h"
#include "base/time.h"
#include "port/addr.h"

/* ---- a world and its chances ---- */

/* One answer of mote_sim_draw(). */
struct mote_sim_drawn {
  const char *what; /* the caller's constant text; NULL on a tape that is to be played */
  uint32_t value;
};

/* Begins a world at the same moment as every other, with chances by the seed and no weather. */
void mote_sim_begin(uint64_t seed);
/* Begins a world whose chances are those of a tape, and the ordinary ones after its end. The tape is the
 * caller's and stays as it is until the end of the world; its texts are not read. */
void mote_sim_play(const struct mote_sim_drawn *tape, size_t count);
/* Ends the world and frees what is in it. Threads that have not ended run to their end before. Returns how
 * many descriptors the library has left open. */
unsigned mote_sim_end(void);

/* Returns a number below `bound` (1 or more). 0 is what happens in an ordinary world. `what`: constant text
 * for those who read the tape. */
uint32_t mote_sim_draw(const char *what, uint32_t bound);
/* True with a chance of `in_1000`; draws nothing when that is 0. */
bool mote_sim_chance(const char *what, unsigned in_1000);
/* What this world has drawn so far. Valid until the next draw. Never more than MOTE_SIM_TAPE: after so many
 * draws a world is ordinary. */
#define MOTE_SIM_TAPE 65536u
const struct mote_sim_drawn *mote_sim_tape(size_t *count);

/* The program's: is called when a rule is broken, and must not return. */
_Noreturn void mote_sim_broken(const char *rule);

/* ---- time ---- */

/* An event, to be embedded. All zero: not set. */
struct mote_sim_event {
  struct mote_heap_node node; /* key: when, as mote_port_now() */
  void (*fire)(struct mote_sim_event *e); /* no longer set then; may set, cancel and free any, itself too */
};
/* Sets an event, or moves it; a time that has passed: in the next wait. */
void mote_sim_at(struct mote_sim_event *e, mote_time at);
void mote_sim_cancel(struct mote_sim_event *e);

struct curl_waitfd;
/* A wait of the program's own, which ends at `until` to the microsecond (0: never), as an event loop with
 * fine timers has it; else mote_port_poll(). Returns how many are ready. */
unsigned mote_sim_wait(struct curl_waitfd *fds, unsigned count, mote_time until);

/* ---- weather ---- */

/* What the world does to those in it. All zero: nothing goes wrong, and all happens at once. Chances are in
 * 1,000, each asked for whenever it could happen. */
struct mote_sim_weather {
  unsigned latency_us;   /* most microseconds until bytes, an end, or the answer to a connect arrives */
  unsigned piece;        /* most bytes that arrive together; 0: any number */
  unsigned window;       /* bytes of one direction that are sent and not yet read; 0: 16,384 */
  unsigned at_once;      /* chance that a connect is answered at once */
  unsigned short_read;   /* chance that mote_port_recv() gives fewer bytes than have come */
  unsigned short_write;  /* chance that mote_port_send() takes fewer bytes than there is room for */
  unsigned reset;        /* chance that a connection is broken after some bytes */
  unsigned reset_within; /* the most bytes then, in one of the two directions; 0: none */
  unsigned refuse;       /* chance that a connect is refused */
  unsigned silent;       /* chance that a connect is never answered */
  unsigned unreachable;  /* chance that there is no way to the address */
  unsigned name_us;      /* most microseconds of a lookup */
  unsigned no_name;      /* chance that a lookup fails */
  unsigned no_thread;    /* chance that a thread cannot be started */
  unsigned descriptors;  /* that may be open at once; 0: 1,024 */
  unsigned new_numbers;  /* not 0: a descriptor's number is not used again at once */
  unsigned no_random;    /* chance that there are no random bytes */
  unsigned no_option;    /* chance that an option of a socket cannot be set */
  unsigned interrupted;  /* chance that a wait ends early, with nothing */
};
/* The world's, to be written to at any time. */
struct mote_sim_weather *mote_sim_weather(void);

/* What has gone wrong so far in this world, as bits. */
enum mote_sim_harm {
  MOTE_SIM_REFUSED = 1,        /* a connect, or no server was there */
  MOTE_SIM_SILENT = 2,
  MOTE_SIM_UNREACHABLE = 4,
  MOTE_SIM_RESET = 8,          /* by the weather */
  MOTE_SIM_NO_NAME = 16,
  MOTE_SIM_NO_THREAD = 32,
  MOTE_SIM_NO_DESCRIPTOR = 64,
  MOTE_SIM_NO_RANDOM = 128,
  MOTE_SIM_NO_OPTION = 256
};
unsigned mote_sim_harms(void);
/* Reports whether the library has this descriptor open. */
bool mote_sim_is_open(int fd);

/* ---- names ---- */

#define MOTE_SIM_NAMES 64
#define MOTE_SIM_ADDRESSES 8

/* Gives a name its addresses, in the order of answers. `name` is the caller's until the end of the world.
 * Any other name does not exist. */
void mote_sim_name(const char *name, const struct mote_addr *addresses, unsigned count);

/* ---- servers ---- */

/* One connection, as its server sees it. */
struct mote_sim_peer;

/* A const row of each kind of server. Every function is called out of an event, so never inside of a call
 * of the library but a wait; each may end or break the connection. NULL: does nothing. */
struct mote_sim_service {
  size_t state;                                   /* bytes of each connection's state, all zero at first */
  void (*accepted)(struct mote_sim_peer *p);
  void (*readable)(struct mote_sim_peer *p);      /* bytes have come, or the client's end */
  void (*writable)(struct mote_sim_peer *p);      /* there is room after a write that took less */
  void (*due)(struct mote_sim_peer *p);           /* the time of mote_sim_peer_wait() is over */
  void (*gone)(struct mote_sim_peer *p);          /* it is over; the state is freed after the call */
};

#define MOTE_SIM_SERVERS 64

/* Puts a server at an address and port. Nothing listens elsewhere: connects are refused there. */
void mote_sim_listen(const struct mote_addr *at, const struct mote_sim_service *service, void *arg);

/* The state of this connection. */
void *mote_sim_peer_state(struct mote_sim_peer *p);
/* What mote_sim_listen() was given. */
void *mote_sim_peer_arg(const struct mote_sim_peer *p);
/* Takes at most len bytes that have come, and returns how many. */
size_t mote_sim_peer_read(struct mote_sim_peer *p, void *buf, size_t len);
/* Reports whether the client has sent its end, and all in front of it was read. */
bool mote_sim_peer_ended(const struct mote_sim_peer *p);
/* Sends as many of the bytes as there is room for, and returns how many; writable() is called later if that
 * was not all. */
size_t mote_sim_peer_write(struct mote_sim_peer *p, const void *bytes, size_t len);
/* Ends sending; receiving goes on. */
void mote_sim_peer_end(struct mote_sim_peer *p);
/* Ends the connection in both directions: what the client still sends breaks it. */
void mote_sim_peer_close(struct mote_sim_peer *p);
/* Breaks the connection after what was sent. */
void mote_sim_peer_reset(struct mote_sim_peer *p);
/* Calls due() after so many microseconds; replaces an earlier time. */
void mote_sim_peer_wait(struct mote_sim_peer *p, mote_time us);

/* ---- files ---- */

/* Makes a file, or replaces its bytes, which are copied. */
void mote_sim_file(const char *path, const void *bytes, size_t len);
/* The bytes of a file, NULL if there is none. Valid until the file changes. */
const void *mote_sim_file_bytes(const char *path, size_t *len);

#endif
