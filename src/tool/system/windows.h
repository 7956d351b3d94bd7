/* tool/system/windows.h: what Windows has in another way than POSIX, for all files of the command. Only
 * system.h includes this; the calls are in windows_*.c. */
#ifndef MOTE_TOOL_SYSTEM_WINDOWS_H
#define MOTE_TOOL_SYSTEM_WINDOWS_H

#include <string.h>

#define MOTE_SYSTEM_NULL "NUL"

/* stpcpy(3), which the C library has not. */
char *stpcpy(char *to, const char *from);

#endif
