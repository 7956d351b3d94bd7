/* tool/show/progress_parallel.h: the board, which is the progress display of --parallel. It has a line for
 * each transfer and one for all of them.
 *
 * On a terminal the lines of the running transfers are drawn again in place; a finished one keeps its line.
 * Elsewhere only finished transfers and the total get lines. Nothing is shown where the meter is off.
 * Tests: tests/tool/test_own.py */
#ifndef MOTE_TOOL_SHOW_PROGRESS_PARALLEL_H
#define MOTE_TOOL_SHOW_PROGRESS_PARALLEL_H

#include "tool/transfers/transfer.h"

struct board {
  bool on;
  unsigned added, done;      /* transfers */
  unsigned lines;            /* on the screen, to be drawn again */
  curl_off_t begun_at;       /* us, monotonic */
  curl_off_t drawn_at;       /* us; 0: not yet */
  curl_off_t down, up;       /* bytes of the finished ones */
};

void mote_cli_board_init(struct board *b);
/* Draws twice a second at most, except for the last time. */
void mote_cli_board_draw(struct board *b, struct transfer **slots, unsigned count, bool last);
/* Erase the lines of running transfers before anything else is written. */
void mote_cli_board_clear(struct board *b);
/* The last line of a transfer that has ended. To be called before mote_cli_finish(). */
void mote_cli_board_done(struct board *b, struct transfer *t, CURLcode code);

#endif
