/* tool/exec/exec.h: mote exec: runs an unmodified program of libcurl's on this library.
 *
 * The program gets the folder of libcurl.so.4 at the front of LD_LIBRARY_PATH, and so do the programs that it
 * starts. With --memory this process stays, and each process that ends leaves a line of what the library took
 * in it (reporter.c, which is preloaded); the tables go to stderr after the program's own output.
 *
 * Tests: tests/tool/test_exec.py */
#ifndef MOTE_TOOL_EXEC_EXEC_H
#define MOTE_TOOL_EXEC_EXEC_H

#include <stdbool.h>

/* Names in the folder of libcurl.so.4, and of the file that the reporter appends to. */
#define EXEC_LIBRARY         "libcurl.so.4"
#define EXEC_REPORTER        "libmote-exec.so"
#define EXEC_REPORT_VARIABLE "MOTE_EXEC_REPORT"

/* Exit statuses as of env(1) and nohup(1): the command itself failed, the program cannot be run, it is not
 * there. */
enum { EXEC_FAILED = 125, EXEC_REFUSED = 126, EXEC_NOT_FOUND = 127 };

/* The arguments after "exec"; argv ends with NULL. Returns the exit status where the program does not take
 * the place of this process: after --help, with --memory (the program's own, or 128 and its signal), and on
 * failure, which has been reported to the user. */
int mote_cli_exec(char **argv);

/* Whether the file of an executable would load our library: 0, or an exit status after a text for the user.
 * What is no program of this machine's (a script's interpreter apart), set-uid, set-gid or with file
 * capabilities, or linked statically, is refused. name: for the text. */
int mote_cli_exec_judge(const char *path, const char *name);

/* The tables of a file of lines that the reporters have written, to stderr. False: it cannot be read. */
bool mote_cli_exec_print(int fd);

#endif
