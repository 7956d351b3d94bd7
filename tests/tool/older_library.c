/* Stands in for src/tool/newer.c where the command is linked with a libcurl that is older than 8.12. */
#include "tool/newer.h"

CURLcode mote_cli_trace_config(const char *parts)
{
  (void)parts;
  return CURLE_NOT_BUILT_IN;
}

CURLcode mote_cli_sessions_load(CURL *handle, const char *path)
{
  (void)handle;
  (void)path;
  return CURLE_NOT_BUILT_IN;
}

CURLcode mote_cli_sessions_save(CURL *handle, const char *path)
{
  (void)handle;
  (void)path;
  return CURLE_NOT_BUILT_IN;
}

bool mote_cli_part(int index, struct part_figures *part)
{
  (void)index;
  (void)part;
  return false;
}

bool mote_cli_memory_figures(size_t *peak, size_t *allocs)
{
  *peak = *allocs = 0;
  return false;
}
