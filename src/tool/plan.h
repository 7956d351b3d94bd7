/* tool/plan.h: which transfers a command line stands for, one after the other: operations, their URLs, the
 * globs of uploads and of URLs; and what each one's file is called.
 *
 * Failure: the exit code; the text was shown. Tests: tests/tool/test_own.py */
#ifndef MOTE_TOOL_PLAN_H
#define MOTE_TOOL_PLAN_H

#include "tool/glob.h"
#include "tool/transfer.h"

struct plan {
  struct operation *op;      /* now; NULL: at the end */
  struct url_entry *entry;   /* now; NULL: this operation has not begun */
  bool begun;                /* the operation was prepared */
  struct glob *uploads, *urls; /* NULL: one text, taken as it is */
  curl_off_t upload_at, upload_count, url_at, url_count;
  unsigned number;           /* index of the next URL option */
};

void mote_cli_plan_init(struct plan *plan, struct operation *first);
void mote_cli_plan_end(struct plan *plan);

/* Name the next transfer in t, which is closed. *more: there was one. */
CURLcode mote_cli_plan_next(struct plan *plan, struct transfer *t, bool *more);

#endif
