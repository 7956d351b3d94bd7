/* tool/parse.h: from words of the command line or a config file to operations.
 *
 * Source: curl(1), OPTIONS. Tests: tests/unit/tool/test_options.c, tests/tool/test_own.py */
#ifndef MOTE_TOOL_PARSE_H
#define MOTE_TOOL_PARSE_H

#include "tool/options.h"

/* All of argv, and the default config file unless argv starts with -q. Texts for the user are written.
 * Returns the exit code; *done: nothing is left to do (help was shown). */
CURLcode mote_cli_parse(struct parse *p, int argc, char **argv, bool *done);

/* One long option by name (without dashes, `len` bytes), with the argument that follows it or NULL.
 * *used: the argument was taken. Secrets are wiped from `arg` where `wipe` is set. */
enum param mote_cli_parse_long(struct parse *p, const char *name, size_t len, char *arg, bool wipe,
                               bool *used);
/* A cluster of short options, without the dash. */
enum param mote_cli_parse_short(struct parse *p, char *letters, char *arg, bool wipe, bool *used);

/* Read options from a file; "-" is stdin. PARAM_READ: the file cannot be read. */
enum param mote_cli_config(struct parse *p, const char *path);

/* What to tell the user; NULL where the text was shown already. */
const char *mote_cli_param_text(enum param result);
CURLcode mote_cli_param_exit(enum param result);

/* Replace {{name:function}} in the argument of an --expand- option. *out is kept memory or `arg`. */
enum param mote_cli_expand(const char *arg, char **out);

#endif
