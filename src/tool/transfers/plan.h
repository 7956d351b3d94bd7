/* tool/transfers/plan.h: the transfers that a command line stands for, one after the other, with the names
 * of their files. It walks through operations, their URLs, and the globs of uploads and of URLs.
 *
 * Errors: the exit code; the message was shown.
 * Tests:  tests/tool/test_own.py */
#ifndef MOTE_TOOL_TRANSFERS_PLAN_H
#define MOTE_TOOL_TRANSFERS_PLAN_H

#include "tool/transfers/glob.h"
#include "tool/transfers/transfer.h"

struct plan {
  struct operation *op;      /* the current one; NULL: at the end */
  struct url_entry *entry;   /* the current one; NULL: this operation has not begun */
  bool begun;                /* the operation was prepared */
  struct glob *uploads, *urls; /* NULL: one text, taken as it is */
  curl_off_t upload_at, upload_count; /* next text of uploads, how many it has */
  curl_off_t url_at, url_count;       /* likewise of urls */
  unsigned number;           /* index of the next URL option */
};

void mote_cli_plan_init(struct plan *plan, struct operation *first);
void mote_cli_plan_end(struct plan *plan);

/* Put the next transfer into t, which is closed. *more: there was one. */
CURLcode mote_cli_plan_next(struct plan *plan, struct transfer *t, bool *more);

#endif
