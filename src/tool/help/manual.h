/* tool/help/manual.h: the manual page as text, for --manual and for --help with an option.
 *
 * tools/gen_manual.py makes manual_text.c from the text of docs/mote.1. What the table of options says of an
 * option is not repeated there.
 *
 * Tests:  tests/tool/test_help.py */
#ifndef MOTE_TOOL_HELP_MANUAL_H
#define MOTE_TOOL_HELP_MANUAL_H

#include "tool/options/options.h"
#include "tool/transfers/out.h"

/* A section, or what an option's entry adds to its line of help. A line is a paragraph; one that begins with
 * "* " is an item of a list, one that begins with "$ " is shown as it is. */
struct manual_text {
  const char *title; /* NULL ends a table */
  const char *text;
};

extern const struct manual_text mote_cli_manual_before[]; /* sections before the options */
extern const struct manual_text mote_cli_manual_notes[];  /* of options, by their names */
extern const struct manual_text mote_cli_manual_after[];

/* An option's long name, and its argument: "--name <arg>". */
void mote_cli_manual_name(struct out *o, const struct option_row *row);
/* The entry of an option. */
void mote_cli_manual_option(struct out *o, const struct option_row *row);
/* The whole page. listed(row, arg): whether an option has an entry. */
void mote_cli_manual_page(struct out *o, bool (*listed)(const struct option_row *row, void *arg), void *arg);

#endif
