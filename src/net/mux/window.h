/* net/mux/window.h: how large the flow-control windows of streams are.
 *
 * A stream's window is what its server may send before the application has taken any of it: the most that a
 * paused transfer holds. It begins small and doubles each time the application has taken a whole window
 * without a pause, so that a fast reader on a long path is not slowed down, and a slow one holds little.
 * What the streams of one multi may hold together is bounded; the windows of new streams are always granted,
 * and growth ends first. These are numbers only; the caller reports them.
 *
 * Invariants: MOTE_MUX_WINDOW <= size <= MOTE_MUX_WINDOW_LIMIT of an open window; granted is the sum of the
 *             sizes of all open windows; a window grows only while granted <= most.
 * Ownership:  the structs are the caller's; nothing is allocated.
 * Tests:      tests/unit/net/test_window.c */
#ifndef MOTE_NET_MUX_WINDOW_H
#define MOTE_NET_MUX_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that a stream begins with: what the protocol's own default is (65,535), and one. */
#define MOTE_MUX_WINDOW 65536
/* Bytes of one stream at most: 40 MB/s on a path of 100 ms. */
#define MOTE_MUX_WINDOW_LIMIT (4u << 20)
/* Bytes of all streams of a multi, beyond which none grows. */
#define MOTE_MUX_WINDOWS_LIMIT (16u << 20)

/* All streams of a multi. */
struct mote_mux_windows {
  uint64_t granted; /* bytes of all open windows */
  uint32_t most;    /* bytes that growth may bring them to; 0: none grows */
};

/* One stream. All zero: not open. */
struct mote_mux_window {
  uint32_t size;  /* bytes */
  uint32_t taken; /* bytes that the application took since the last growth or pause, < size */
};

/* Sets how far windows grow. room: bytes that the account that pays has left, 0 if it has no limit; a
 * quarter of that may become windows. fixed_block: memory is one static block, where none grows. */
void mote_mux_windows_init(struct mote_mux_windows *all, size_t room, bool fixed_block);

/* Reports whether memory has no bound but those of windows. */
static inline bool mote_mux_windows_are_free(const struct mote_mux_windows *all)
{
  return all->most == MOTE_MUX_WINDOWS_LIMIT;
}

void mote_mux_window_open(struct mote_mux_window *w, struct mote_mux_windows *all);
/* The application has taken n bytes. Returns the new size if the window has grown, else 0. */
uint32_t mote_mux_window_take(struct mote_mux_window *w, struct mote_mux_windows *all, size_t n);
/* The transfer was paused: the count begins again. */
void mote_mux_window_pause(struct mote_mux_window *w);
/* w may be not open. */
void mote_mux_window_close(struct mote_mux_window *w, struct mote_mux_windows *all);

#endif
