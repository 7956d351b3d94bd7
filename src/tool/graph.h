/* tool/graph.h: what memory the transfers took when: the peak for --memory, a picture for --memory-graph.
 *
 * The memory is told in layers: each part of the library (mote_part_info), the TLS library's own memory where
 * the command could put itself below its allocator, and the command's own blocks (tool/memory.h). The watch
 * looks whenever one of them is about to change, at every piece of a body, and at the end. What it sees then
 * has held since it looked last; so nothing between two looks is missed.
 *
 * The recording is bounded: GRAPH_BUCKETS equal stretches of time, each with the moment that held most in it.
 * When they do not suffice, every two become one and stretches are twice as long from then on. The peak with
 * its composition is kept exactly, beside them.
 *
 * Whose the TLS library's memory is: OpenSSL lets the program, not a library, choose its allocator
 * (CRYPTO_set_mem_functions(3)), once, before its first allocation. The command is that program. It refers to
 * the function weakly: with another TLS library the name is missing, and the picture says what is not in it.
 * In no layer: the C library's own memory, stacks, and strings and lists that the library hands out.
 *
 * Ownership:  one watch in the process. The buckets are the watch's, given back by mote_cli_graph_free().
 * Threads:    the watch looks from any thread, behind a lock of its own. The rest is the main thread's.
 * Failure:    the transfers go on whatever fails here; CURLE_WRITE_ERROR and others are told to the user and
 *             become the exit code of a command line whose transfers have none.
 * Tests:      tests/unit/tool/test_graph.c, tests/tool/test_graph.py */
#ifndef MOTE_TOOL_GRAPH_H
#define MOTE_TOOL_GRAPH_H

#include "tool/newer.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  GRAPH_PARTS = 16,               /* parts of the library; what is beyond joins the last one */
  GRAPH_TLS = GRAPH_PARTS,        /* index of the TLS library's layer */
  GRAPH_COMMAND,                  /* index of the command's own */
  GRAPH_LAYERS,
  GRAPH_BUCKETS = 512,
  GRAPH_FIRST_WIDTH = 16          /* us of a bucket at the start */
};

/* One moment. */
struct graph_state {
  size_t bytes[GRAPH_LAYERS];
  size_t total;                   /* their sum */
};

struct graph_bucket {
  struct graph_state most;        /* the moment that held most */
  curl_off_t received;            /* bytes of bodies until its end */
};

struct graph {
  const char *names[GRAPH_LAYERS]; /* constant texts; NULL: there is no such layer */
  size_t own[GRAPH_LAYERS];       /* most bytes of each layer ever */
  struct graph_state peak;        /* the moment that held most of all */
  curl_off_t peak_at;             /* us from the start */
  curl_off_t last;                /* us from the start until when all is recorded */
  curl_off_t width;               /* us of a bucket */
  curl_off_t received;            /* bytes of bodies */
  size_t overhead;                /* bytes that the recording itself takes, in no layer */
  struct graph_bucket *buckets;   /* GRAPH_BUCKETS, zeroed; NULL: only the peak is kept */
};

/* The state has held from g->last until `at`, us from the start. */
void mote_cli_graph_note(struct graph *g, const struct graph_state *state, curl_off_t at);
/* Share in percent, rounded; whole 0: 0. */
int mote_cli_graph_percent(size_t part, size_t whole);
/* How many buckets have something: at least one. */
unsigned mote_cli_graph_used(const struct graph *g);
/* The picture, to a descriptor. False: it could not be written (errno tells). */
bool mote_cli_graph_draw(const struct graph *g, int fd);

/* Begin to watch when --memory or --memory-graph asks for it. To be called before the first transfer, with
 * the library initialised (it is initialised anew, with functions of ours below it) and nothing of it held.
 * CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY, CURLE_NOT_BUILT_IN (the library tells nothing): no picture will
 * come; told to the user. */
CURLcode mote_cli_graph_start(void);
/* The last look, and the picture where one was asked for. CURLE_WRITE_ERROR: told to the user. */
CURLcode mote_cli_graph_end(void);
void mote_cli_graph_free(void);
/* What was recorded; NULL: nothing is watched. */
const struct graph *mote_cli_graph(void);
/* A layer's figures so far. False: there is no such layer. */
bool mote_cli_graph_layer(int layer, struct part_figures *figures);

/* --memory: the table, to stderr; nothing when nothing is watched. */
void mote_cli_memory_report(void);

/* The write callback while a picture is recorded: mote_cli_body() and its count. */
size_t mote_cli_graph_body(char *bytes, size_t size, size_t count, void *transfer);

#endif
