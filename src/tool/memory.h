/* tool/memory.h: the command's only way to memory.
 *
 * Small commands need none of it: what a transfer always needs lives on the stack of main() or in the
 * structs there. The functions here serve what only some command lines ask for.
 *
 * Ownership:  each block is the caller's, who gives it back with mote_cli_free(). What must live until the
 *             process ends (texts that options point to) goes to mote_cli_keep() and is freed by
 *             mote_cli_free_kept().
 * Failure:    NULL; the caller answers CURLE_OUT_OF_MEMORY, the exit code 27.
 * Tests:      tests/unit/tool/test_*.c, which also make the N-th call fail */
#ifndef MOTE_TOOL_MEMORY_H
#define MOTE_TOOL_MEMORY_H

#include <stddef.h>

void *mote_cli_alloc(size_t size); /* zeroed */
void *mote_cli_realloc(void *p, size_t size);
void mote_cli_free(void *p);
char *mote_cli_strndup(const char *s, size_t len);
char *mote_cli_strdup(const char *s);

/* A copy of the three texts one after the other. */
char *mote_cli_join(const char *a, const char *b, const char *c);

/* Memory that lives until mote_cli_free_kept(). size bytes, zeroed. */
void *mote_cli_keep(size_t size);
void mote_cli_free_kept(void);

/* For tests: the call number `call` from now on fails (0: none); returns how many calls were still to go
 * until the failure that was asked for before, 0: it has happened. And the blocks held at this moment. */
long mote_cli_fail_at(long call);
long mote_cli_blocks(void);

/* Bytes asked for and not given back; from any thread. */
size_t mote_cli_held(void);
/* Successful allocations, growing a block included. */
size_t mote_cli_calls(void);
/* A function to be called before each change of what is held; NULL: none. It must not change it itself. */
void mote_cli_memory_watch(void (*watcher)(void));

/* The C library's own, for tool/graph.h, which stands below the allocators of others: in no count here, never
 * made to fail, from any thread. */
void *mote_cli_pass_realloc(void *p, size_t size);
void mote_cli_pass_free(void *p);

#endif
