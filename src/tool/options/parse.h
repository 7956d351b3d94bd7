/* tool/options/parse.h: turns the words of a command line or a config file into operations. Source:
 * curl(1), OPTIONS.
 *
 * Tests: tests/unit/tool/test_options.c, test_config.c, tests/tool/test_own.py */
#ifndef MOTE_TOOL_OPTIONS_PARSE_H
#define MOTE_TOOL_OPTIONS_PARSE_H

#include "tool/options/options.h"

/* All of argv, and the default config file unless argv starts with -q. Errors are reported to the user.
 * Returns the exit code. *done: there is nothing to transfer (p->show says what to show). */
CURLcode mote_cli_parse(struct parse *p, int argc, char **argv, bool *done);

/* One long option, by its name of `len` bytes without dashes, with the argument that follows it or NULL.
 * *used: the argument belongs to it. If `wipe` is set, secrets are wiped from `arg`. */
enum param mote_cli_parse_long(struct parse *p, const char *name, size_t len, char *arg, bool wipe,
                               bool *used);
/* A cluster of short options, without the dash. */
enum param mote_cli_parse_short(struct parse *p, char *letters, char *arg, bool wipe, bool *used);

/* Read options from a file; "-" is stdin. PARAM_READ: the file cannot be read. */
enum param mote_cli_config(struct parse *p, const char *path);

/* The message for the user; NULL: it was shown already. */
const char *mote_cli_param_text(enum param result);
CURLcode mote_cli_param_exit(enum param result);

/* Replace {{name:function}} in the argument of an --expand- option. *out is kept memory or `arg`. */
enum param mote_cli_expand(const char *arg, char **out);

#endif
