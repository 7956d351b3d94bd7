/* log/tool.h: the command's calls, each with its own place; the log build includes tool/memory.h and then
 * this in front of every file of the command but tool/memory.c, whose callers it notes. */
#ifndef MOTE_LOG_TOOL_H
#define MOTE_LOG_TOOL_H

#define MOTE_LOG_CALL(name, ...) (mote_log_site(__FILE__, __LINE__), mote_log_##name(__VA_ARGS__))
#define MOTE_LOG_SITE(name, ...) (mote_log_site(__FILE__, __LINE__), name(__VA_ARGS__))

#include "log/calls.h"

#define mote_cli_alloc(...) MOTE_LOG_SITE(mote_cli_alloc, __VA_ARGS__)
#define mote_cli_realloc(...) MOTE_LOG_SITE(mote_cli_realloc, __VA_ARGS__)
#define mote_cli_free(...) MOTE_LOG_SITE(mote_cli_free, __VA_ARGS__)
#define mote_cli_strndup(...) MOTE_LOG_SITE(mote_cli_strndup, __VA_ARGS__)
#define mote_cli_strdup(...) MOTE_LOG_SITE(mote_cli_strdup, __VA_ARGS__)
#define mote_cli_join(...) MOTE_LOG_SITE(mote_cli_join, __VA_ARGS__)
#define mote_cli_keep(...) MOTE_LOG_SITE(mote_cli_keep, __VA_ARGS__)
#define mote_cli_free_kept(...) MOTE_LOG_SITE(mote_cli_free_kept, __VA_ARGS__)

#endif
