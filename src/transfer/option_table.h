/* transfer/option_table.h: what `built` of an option's row says (transfer/options.h).
 * Tests: tests/unit/transfer/test_options.c */
#ifndef MOTE_TRANSFER_OPTION_TABLE_H
#define MOTE_TRANSFER_OPTION_TABLE_H

#include "transfer/options.h"

enum mote_option_built {
  MOTE_OPTION_LACKING,  /* of a feature that is left out: only the value that asks for nothing is accepted */
  MOTE_OPTION_BUILT,    /* works: the value is kept */
  MOTE_OPTION_HARMLESS, /* checked, accepted and forgotten: it can change nothing in this build */
  MOTE_OPTION_REFUSED,  /* as LACKING, and it would change what is sent or checked: transfers end with
                           CURLE_NOT_BUILT_IN until what asks for nothing is set */
  MOTE_OPTION_JUDGED    /* the value is kept; the start of a transfer judges it (transfer/refuse.h) */
};

#endif
