/* tool/newer.h: what the command uses that libcurl 7.88 does not have. The command can be linked with that
 * library too (tests do): then tests/tool/older_library.c stands in for newer.c.
 *
 * Tests: tests/tool/test_own.py */
#ifndef MOTE_TOOL_NEWER_H
#define MOTE_TOOL_NEWER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/* --trace-config */
CURLcode mote_cli_trace_config(const char *parts);

/* --ssl-sessions: TLS sessions from a file (which may be missing) into the handle's cache, and back. */
CURLcode mote_cli_sessions_load(CURL *handle, const char *path);
CURLcode mote_cli_sessions_save(CURL *handle, const char *path);

/* --memory: the table, to stderr. */
void mote_cli_memory_report(void);
/* For %{mem_peak} and %{mem_allocs}: the library's parts together. False: unknown. */
bool mote_cli_memory_figures(size_t *peak, size_t *allocs);

#endif
