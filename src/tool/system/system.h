/* tool/system/system.h: what the command asks of the system beyond POSIX. Linux has linux.c, every other
 * system plain.c and, in place of tool/exec, exec_absent.c (cmake/sources.cmake).
 *
 * Errors: an errno value as of the system call; ENOTSUP: this system has no such thing.
 * Tests:  tests/tool/test_own.py; the twins: the platform "twins" of tools/platforms.py */
#ifndef MOTE_TOOL_SYSTEM_SYSTEM_H
#define MOTE_TOOL_SYSTEM_SYSTEM_H

/* Gives an open file an extended attribute (xattr(7)). Returns 0 or an error. */
int mote_cli_system_attribute(int fd, const char *name, const char *value);

/* Sets what packets of a socket have as their priority, of which a network device makes the one in VLAN tags.
 * Returns 0 or an error. */
int mote_cli_system_priority(int fd, int priority);

/* A socket that programs started later do not inherit, or -1 with errno. */
int mote_cli_system_socket(int family, int type, int protocol);

#endif
