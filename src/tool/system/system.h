/* tool/system/system.h: what the command asks of the system.
 *
 * POSIX systems have most of it under another name, so that it is inline there (posix.h, and posix.c for
 * what is longer); Linux adds linux.c, the others plain.c. Windows has windows.h and the files
 * windows_*.c. In place of tool/exec every system but Linux has exec_absent.c (cmake/sources.cmake). Of
 * the headers of POSIX only those that mingw-w64 has too are included elsewhere in the command.
 *
 * Paths and arguments are UTF-8 everywhere. A descriptor is the C library's; no program that is started later
 * inherits one, and no byte of what goes through it is changed.
 *
 * Errors: -1 with errno, or where that is said an errno value. ENOTSUP, ENOSYS: this system has no such
 * thing.
 * Tests:  tests/tool; the twins: the platform "twins" of tools/platforms.py; Windows: its platform, and
 *         tests/unit/tool/test_windows_name.c */
#ifndef MOTE_TOOL_SYSTEM_SYSTEM_H
#define MOTE_TOOL_SYSTEM_SYSTEM_H

#include <curl/curl.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifdef _WIN32
#define MOTE_SYSTEM_CALL extern
#else
#define MOTE_SYSTEM_CALL static inline
#endif

/* ---- the process ---- */

/* Before anything else: descriptors 0, 1 and 2 are open and stay as they are, a closed pipe is an error of
 * the write, and the arguments become UTF-8. Ends the process where that cannot be had. */
MOTE_SYSTEM_CALL void mote_cli_system_start(int *argc, char ***argv);

/* Folder number `index`, from 0, of those in which only this system looks for a configuration file, and the
 * file's name. home: the variable HOME. "": there is no such folder, NULL: there are no more. */
MOTE_SYSTEM_CALL const char *mote_cli_system_config(unsigned index, const char *home, const char **name);

MOTE_SYSTEM_CALL curl_off_t mote_cli_system_now(void); /* us, monotonic */
/* The Unix time, and how many us of its second are over. */
MOTE_SYSTEM_CALL time_t mote_cli_system_wall(long *us);
void mote_cli_system_sleep(curl_off_t ms);

/* The one lock of the command, which is not recursive. */
MOTE_SYSTEM_CALL void mote_cli_system_lock(void);
MOTE_SYSTEM_CALL void mote_cli_system_unlock(void);

/* ---- files ---- */

/* flags: O_ of <fcntl.h>; perms: of a file that is made, as far as the system has them. */
MOTE_SYSTEM_CALL int mote_cli_system_open(const char *path, int flags, unsigned perms);
/* Waits for bytes, also where others have made the descriptor one that does not block. */
MOTE_SYSTEM_CALL ssize_t mote_cli_system_read(int fd, void *bytes, size_t len);
/* As read, from a place in the file, and the descriptor's own place stays. */
MOTE_SYSTEM_CALL ssize_t mote_cli_system_read_at(int fd, void *bytes, size_t len, curl_off_t at);
MOTE_SYSTEM_CALL ssize_t mote_cli_system_write(int fd, const void *bytes, size_t len);
/* After EAGAIN: waits until bytes can be written. False: it cannot wait. */
MOTE_SYSTEM_CALL bool mote_cli_system_wait_to_write(int fd);
/* origin: SEEK_ of <stdio.h>. ESPIPE: a pipe or a terminal. */
MOTE_SYSTEM_CALL curl_off_t mote_cli_system_seek(int fd, curl_off_t offset, int origin);
/* Sets both times of an open file to Unix time `when`, or that of the last change alone where it has no
 * other. EOVERFLOW: the system's times do not reach so far. */
MOTE_SYSTEM_CALL int mote_cli_system_set_time(int fd, curl_off_t when);
MOTE_SYSTEM_CALL bool mote_cli_system_is_terminal(int fd);

/* st_mode, st_size and st_mtime are right on all systems. For a descriptor there is fstat(). */
MOTE_SYSTEM_CALL int mote_cli_system_stat(const char *path, struct stat *st);
MOTE_SYSTEM_CALL int mote_cli_system_access(const char *path, int how);
MOTE_SYSTEM_CALL int mote_cli_system_remove(const char *path);
MOTE_SYSTEM_CALL int mote_cli_system_make_folder(const char *path, unsigned perms);
/* False: they are two files, or one of them is none. */
MOTE_SYSTEM_CALL bool mote_cli_system_same_file(const char *a, const char *b);

/* ---- names of files ---- */

MOTE_SYSTEM_CALL bool mote_cli_system_is_slash(char c);
/* The last part of a path. */
MOTE_SYSTEM_CALL const char *mote_cli_system_base_name(const char *path);
/* Makes the last part of a path, which a URL or a server chose, one that the system takes for the name of
 * a file and nothing else. The name is allocated (tool/memory.h), and so is what is returned in its place.
 * NULL: out of memory; the name is freed in any case. */
MOTE_SYSTEM_CALL char *mote_cli_system_safe_name(char *name);

/* ---- standard input and the terminal ---- */

/* Whether a read of the descriptor would not block. */
MOTE_SYSTEM_CALL bool mote_cli_system_has_input(int fd);
/* Makes a wait of curl_multi_poll() end with input: 1, and *wait is to be watched; or 0, and *timeout (ms) is
 * shortened, since the system cannot watch the descriptor. */
MOTE_SYSTEM_CALL unsigned mote_cli_system_watch(int fd, struct curl_waitfd *wait, int *timeout);
/* Columns of the terminal; 0: it is none. */
MOTE_SYSTEM_CALL int mote_cli_system_columns(int fd);
/* Reads a line from the terminal that is not echoed, without its end. The prompt goes to `err`. Without a
 * terminal it is the line of standard input; "": there is none. */
void mote_cli_system_ask(int err, const char *prompt, char *answer, size_t size);

/* ---- what few systems have ---- */

/* Gives an open file an extended attribute (xattr(7)). Returns 0 or an errno value. */
int mote_cli_system_attribute(int fd, const char *name, const char *value);
/* Sets what packets of a socket have as their priority, of which a network device makes the one in VLAN tags.
 * Returns 0 or an errno value. */
int mote_cli_system_priority(curl_socket_t fd, int priority);
/* Sets the type of service of IPv4, or the traffic class of IPv6. Returns 0 or an errno value. */
int mote_cli_system_type_of_service(curl_socket_t fd, int value);
/* A socket, or CURL_SOCKET_BAD with errno. */
curl_socket_t mote_cli_system_socket(int family, int type, int protocol);

#ifdef _WIN32
#include "tool/system/windows.h"
#else
#include "tool/system/posix.h"
#endif

#endif
