/* tool/memory.h: all memory of the command.
 *
 * Simple command lines allocate nothing, since what every transfer needs lies on the stack of main(). The
 * functions here serve what only some command lines ask for.
 *
 * Ownership:  each block is the caller's, who gives it back with mote_cli_free(). What must live until the
 *             process ends (texts that options point to) goes to mote_cli_keep() and is freed by
 *             mote_cli_free_kept().
 * Errors:     NULL; the caller returns CURLE_OUT_OF_MEMORY, which is exit code 27.
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

/* For tests: make call number `call` from now on fail (0: none). Returns how many calls the previous
 * failure was still away; 0: it has happened. */
long mote_cli_fail_at(long call);
/* For tests: blocks held now. */
long mote_cli_blocks(void);

/* Bytes that are allocated. May be called in any thread. */
size_t mote_cli_held(void);
/* Successful allocations, growing a block included. */
size_t mote_cli_calls(void);
/* Sets a function that is called before each allocation and release, or NULL. It must neither allocate nor
 * free. */
void mote_cli_memory_watch(void (*watcher)(void));

/* The C library's own functions, for the allocators of other libraries (graph.c). They are not counted
 * here, tests do not make them fail, and any thread may call them. */
void *mote_cli_pass_realloc(void *p, size_t size);
void mote_cli_pass_free(void *p);

#endif
