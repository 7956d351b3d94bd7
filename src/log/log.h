/* log/log.h: the instrumented build (preset "log", make log), which logs every fallible call and makes any
 * of them fail.
 *
 * Nothing of this folder is in another build, and no source of the library knows it: the log build includes
 * a header of ours in front of every file. log/sites.h notes where the library asked for a service of the
 * port or of the memory seam; log/calls.h and log/blocks.h put the log's functions in the place of the C
 * library's, in src/port and src/base/memory/memory_libc.c. The log therefore names the caller of the seam:
 * "connect/dial/race.c:34", not base/memory.c. In src/tool (log/tool.h) it is the call itself, or the caller
 * of tool/memory.h.
 *
 * The log. CURL_MEMDEBUG=FILE: one line per call, in the form that libcurl's memory log has:
 *
 *   MEM file:line malloc(24) = 0x55..           MEM file:line calloc(1,24) = 0x55..
 *   MEM file:line realloc(0x55.., 48) = 0x56..  MEM file:line strdup(0x55..) (24) = 0x56..
 *   MEM file:line free(0x55..)
 *   FD file:line socket() = 5                   FD file:line accept() = 6
 *   FD file:line eventfd() = 5                  FD file:line epoll_create1() = 5
 *   FD file:line open("path") = 5               FD file:line pipe() = 5 (a line for each end)
 *   FD file:line sclose(5)
 *   FILE file:line fopen("path","mode") = 0x..  FILE file:line fdopen(5,"mode") = 0x..
 *   FILE file:line fclose(0x..)
 *   ADDR file:line getaddrinfo() = 0x..         ADDR file:line getaddrinfo() failed
 *   ADDR file:line freeaddrinfo(0x..)
 *   SEND file:line send(100) = 100              RECV file:line recv(16384) = 1024 (and their kin;
 *                                               of several datagrams: their bytes)
 *   CALL file:line connect(5) = -1 EINPROGRESS  every other fallible call, with its result and errno
 *   CALL file:line stat("path") = 0             ... of those that take a name
 *   LIMIT file:line malloc() failed on purpose: call 17     the call's own line follows
 *
 * The line of a failed call has its result (0x0, -1) and, for system calls, the name of its errno; a close
 * that fails has a CALL line after its own. A call that frees something is logged before it is made, so
 * that no other thread's line can come too early. Writing allocates nothing, takes no call of the library's
 * and changes no count; lines of several threads do not mix. What is buffered is written at exit, before
 * abort() or a fatal signal's default action, and before a fork; a child appends to the same file. _exit()
 * loses it. A wake-up in a signal handler that interrupts the log in its own thread has no line.
 *
 * Not in it: OpenSSL's own calls and allocations, which are not ours; what goes to the functions of
 * curl_global_init_mem(); sockets that the application's callbacks open or close (one that the library
 * opened and a callback closed stays in the figure fds).
 *
 * Faults. MOTE_FAULT=WORD[,WORD...] from the environment, or mote_fault_control() at run time:
 *
 *   at=N        the N-th fallible call from the start of the process fails, once; `kind` says what counts
 *   from=N      the N-th and every later one, in every thread
 *   kind=any    allocations and system calls (the default); kind=alloc, kind=call (all system calls),
 *               kind=io (recv, send and their kin, read, write, connect, poll, epoll_wait), or the name
 *               of one: kind=recv
 *   errno=NAME  what the failing system call sets, instead of what suits it best (EMFILE for socket,
 *               ECONNRESET for recv and send, ENOMEM for poll, EAI_MEMORY for getaddrinfo, ...); names of
 *               getaddrinfo's codes are for it alone. Allocations always set ENOMEM
 *   short=N     every recv, send, sendfile, read and write moves at most N bytes (an eventfd's excepted;
 *               the calls for datagrams move them whole)
 *   cut=N       recv sees N bytes, then EAGAIN once, then the rest
 *   report=FILE at exit, one line is added to FILE (by each process that has it in its environment):
 *               calls=123 fired=1 call=socket site=net/conn.c:88 live=0 bytes=0 fds=0
 *
 * In that line, calls counts the fallible calls of that kind; fired, how many failed on purpose; call and
 * site are those of the first that did ("-": none); live and bytes count the blocks not freed; fds counts
 * descriptors and FILEs not closed, the standard ones left out. Then " left=connect/dial/race.c:34" names the
 * caller that asked for one of the blocks not freed, and " bad=1" counts blocks that were freed but not held
 * (twice, or never given out): the log has them, and they are not freed. A fatal signal whose action is the
 * default writes the line, too.
 *
 * A call that fails on purpose is not made, except close and fclose, which are made and then answer EIO,
 * and a connect that is to fail with EINTR, EALREADY or EINPROGRESS, which goes on. free, freeaddrinfo,
 * clock_gettime, locks and isatty are not fallible and never counted.
 *
 * Threads: everything here may be called from any thread.
 * Tests:   tests/tools/test_log.py */
#ifndef MOTE_LOG_LOG_H
#define MOTE_LOG_LOG_H

/* Where the next call comes from; kept per thread until the next one. file: constant text, from src/ on. */
void mote_log_site(const char *file, int line);

/* One step of control at run time; exported by the log build's libraries. what:
 *   "at", "from"      arm as above, N counted from now on; 0 disarms. Both forget what had fired
 *   a kind            the kind that counts from now on (n is ignored); disarms and forgets what had fired
 *   "short", "cut"    as above; 0 (short) or -1 (cut): off
 *   "disarm"          no more failures, and nothing more is counted until the next of the above; answers how
 *                     many had fired
 *   "calls", "fired", "live", "bytes", "fds", "bad"
 *                     the figures of the report
 * Returns the figure asked for, or n; -1: what is unknown. */
long long mote_fault_control(const char *what, long long n);

#endif
