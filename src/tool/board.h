/* tool/board.h: the display of --parallel: a line for each transfer and one for all of them.
 *
 * On a terminal the lines of the running transfers are drawn again in place; a finished one keeps its line.
 * Elsewhere only finished transfers and the total get lines. Nothing is shown where the meter is off.
 * Tests: tests/tool/test_own.py */
#ifndef MOTE_TOOL_BOARD_H
#define MOTE_TOOL_BOARD_H

#include "tool/transfer.h"

struct board {
  bool on;
  unsigned added, done;      /* transfers */
  unsigned lines;            /* on the screen, to be drawn again */
  curl_off_t begun_at;       /* us, monotonic */
  curl_off_t drawn_at;       /* us; 0: never */
  curl_off_t down, up;       /* bytes of the finished ones */
};

void mote_cli_board_init(struct board *b);
/* Once a second at most, except when it is the last one. */
void mote_cli_board_draw(struct board *b, struct transfer **slots, unsigned count, bool last);
/* Take the running lines away before something else is written. */
void mote_cli_board_clear(struct board *b);
/* The line of a transfer that ended; call before mote_cli_finish(). */
void mote_cli_board_done(struct board *b, struct transfer *t, CURLcode code);

#endif
