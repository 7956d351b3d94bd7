/* tool/system/windows_internal.h: what the files windows_*.c share with each other. They include <windows.h>
 * first, before anything that includes <curl/curl.h>. */
#ifndef MOTE_TOOL_SYSTEM_WINDOWS_INTERNAL_H
#define MOTE_TOOL_SYSTEM_WINDOWS_INTERNAL_H

#include <windows.h>

/* The system counts 100 nanoseconds since 1601. */
#define MOTE_WINDOWS_SECOND 10000000
#define MOTE_WINDOWS_EPOCH INT64_C(116444736000000000) /* 1970 */

/* The errno value of what GetLastError() has returned; EIO: the number is not known. */
int mote_cli_windows_error(DWORD number);

/* What a descriptor is around; INVALID_HANDLE_VALUE: it is not open. */
HANDLE mote_cli_windows_handle(int fd);

#endif
