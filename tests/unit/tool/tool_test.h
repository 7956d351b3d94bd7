/* tests/unit/tool/tool_test.h: for tests of the command, which has a memory seam of its own. */
#ifndef MOTE_TOOL_TEST_H
#define MOTE_TOOL_TEST_H

#include "test.h"
#include "tool/memory.h"

/* Run the scenario with no failure, then with the N-th allocation failing, for every N; each time nothing
 * may be held afterwards (kept memory is given back here). */
static inline void run_cli_failures(void (*scenario)(void))
{
  for(long n = 0; n < 10000; n++) {
    mote_cli_fail_at(n);
    scenario();
    mote_cli_free_kept();
    if(!CHECK(mote_cli_blocks() == 0))
      fprintf(stderr, "[allocation %ld failing]\n", n);
    if(mote_cli_fail_at(0) && n)
      return;
  }
}

#endif
