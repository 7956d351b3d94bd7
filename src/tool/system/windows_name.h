/* tool/system/windows_name.h: names of files as Windows takes them. Nothing here asks the system, so that
 * the tests run everywhere.
 *
 * A name that a server chose may not say more than a name. The system would read a drive or a stream of
 * another file out of a colon, a folder out of either slash, and a pattern out of an asterisk. It opens a
 * device where the part before the first dot is a device's name, whatever follows and in any folder, and
 * it drops dots and blanks at the end, so that two names would be one file. What is not UTF-8 is no name
 * at all (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
 *
 * Tests: tests/unit/tool/test_windows_name.c */
#ifndef MOTE_TOOL_SYSTEM_WINDOWS_NAME_H
#define MOTE_TOOL_SYSTEM_WINDOWS_NAME_H

#include <stdbool.h>

bool mote_cli_windows_is_slash(char c);

/* The last part of a path. What follows a drive is one, too: C:name is in the current folder of the drive. */
const char *mote_cli_windows_base_name(const char *path);

/* Makes a name of all that a server chose for one: a character that is none, or has a meaning, becomes
 * "_", dots and blanks at the end go, and "_" comes before a device or nothing. The name is allocated
 * (tool/memory.h), and so is what is returned in its place. NULL: out of memory; the name is freed in any
 * case. */
char *mote_cli_windows_safe_name(char *name);

#endif
