/* tool/newer.h: functions that need a library newer than libcurl 7.88. Tests also link the command with that
 * library, where tests/tool/older_library.c replaces newer.c.
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

/* Memory of a part of the library, for all transfers together (mote_part_info()). */
struct part_figures {
  const char *name;   /* constant text */
  size_t live, peak;  /* bytes */
  size_t calls;       /* allocations */
};

/* Part number `index`, from 0. False: there is none, or the library does not count. */
bool mote_cli_part(int index, struct part_figures *part);
/* For %{mem_peak} and %{mem_allocs}: the library's parts together. False: unknown. */
bool mote_cli_memory_figures(size_t *peak, size_t *allocs);

#endif
