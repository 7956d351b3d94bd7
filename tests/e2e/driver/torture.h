/* torture.h: running a script with a call of the library failing on purpose (tests/torture, the log build).
 *
 * What changes in the driver then: what follows from a call that failed is logged and skipped, as a careful
 * application would; after the script every easy handle that is left must make a clean transfer.
 * `idle K` in the log: K lines of the script were read and the driver waits for more. */
#ifndef E2E_TORTURE_H
#define E2E_TORTURE_H

extern int torture;       /* 1: on */
extern const char *after; /* URL of the clean transfer; NULL: none */

/* controls: words "WHAT=N" for mote_fault_control(), separated by spaces. Returns 0, or -1 without a log
 * build. */
int torture_arm(const char *controls);

/* How many calls have failed so far; 0 without torture. */
long long torture_fired(void);

/* The script is over: no more failures, and every handle is used again; then armed as before for the
 * clean-up. */
void torture_after(void);

/* Logs `calls SCRIPT CLEANUP FIRED`, after everything was cleaned up. */
void torture_figures(void);

/* Logs `idle K` once per K. */
void torture_idle(long lines);

/* Serves runs on a SOCK_SEQPACKET socket until it is closed. A message has lines "way W", "seconds N",
 * "env K=V", "after URL", "control WORDS" and brings the descriptors 0, 1 and 2 of the run, which happens in
 * a child. Answers: "pid P", and later "status P S" with the status that waitpid() gave. Returns only in the
 * child (-1, its arguments read) and at the end (0 or more: the exit status). */
int zygote_serve(int fd, unsigned *seconds);

#endif
