/* tool/show/graph.h: how much memory the transfers held over time, with the peak for --memory and a picture
 * for --memory-graph.
 *
 * Memory is counted in layers: each part of the library (mote_part_info), the TLS library's own memory if the
 * command could put itself below its allocator, and the command's own blocks (tool/memory.h). The watch takes
 * a look whenever one of them is about to change, at every piece of a body, and at the end. What it sees has
 * been true since its last look, so that it misses nothing.
 *
 * The recording is bounded. It has GRAPH_BUCKETS equal stretches of time, each with its moment of most bytes.
 * When they do not suffice, pairs are merged and stretches are twice as long from then on. The peak and its
 * composition are kept exactly, apart from them.
 *
 * OpenSSL lets the program, not a library, choose its allocator (CRYPTO_set_mem_functions(3)), once, before
 * its first allocation. The command is that program. It refers to the function weakly, since other TLS
 * libraries do not have it; the picture then says what it lacks. No layer has the C library's own memory,
 * stacks, and the strings and lists that the library returns.
 *
 * Ownership:  one watch in the process. The buckets are the watch's, given back by mote_cli_graph_free().
 * Threads:    the watch may look in any thread, under a lock of its own. The rest belongs to the main thread.
 * Errors:     a failure here does not stop the transfers. It is reported to the user, and becomes the exit
 *             code unless a transfer has one.
 * Tests:      tests/unit/tool/test_graph.c, tests/tool/test_graph.py */
#ifndef MOTE_TOOL_SHOW_GRAPH_H
#define MOTE_TOOL_SHOW_GRAPH_H

#include "tool/newer.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  GRAPH_PARTS = 16,               /* parts of the library; further ones are counted with the last */
  GRAPH_TLS = GRAPH_PARTS,        /* index of the TLS library's layer */
  GRAPH_COMMAND,                  /* index of the command's layer */
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
  curl_off_t last;                /* us from the start up to which all is recorded */
  curl_off_t width;               /* us of a bucket */
  curl_off_t received;            /* bytes of bodies */
  size_t overhead;                /* bytes that the recording itself takes, in no layer */
  struct graph_bucket *buckets;   /* GRAPH_BUCKETS, zeroed; NULL: only the peak is kept */
};

/* The state has held from g->last until `at`, us from the start. */
void mote_cli_graph_note(struct graph *g, const struct graph_state *state, curl_off_t at);
/* A share in percent, rounded; 0 if the whole is 0. */
int mote_cli_graph_percent(size_t part, size_t whole);
/* How many buckets are in use, at least one. */
unsigned mote_cli_graph_used(const struct graph *g);
/* Write the picture to a descriptor. False: it could not be written; errno has the reason. */
bool mote_cli_graph_draw(const struct graph *g, int fd);

/* Begin to watch if --memory or --memory-graph asks for it. To be called before the first transfer, after
 * the library was initialised and while nothing of it is held, since it is initialised again, with our
 * functions below it. CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY, CURLE_NOT_BUILT_IN (the library reports no
 * memory): there will be no picture, which is reported to the user. */
CURLcode mote_cli_graph_start(void);
/* Take the last look, and write the picture if one was asked for. CURLE_WRITE_ERROR: reported to the user. */
CURLcode mote_cli_graph_end(void);
void mote_cli_graph_free(void);
/* What was recorded; NULL: nothing was watched. */
const struct graph *mote_cli_graph(void);
/* A layer's figures so far. False: there is no such layer. */
bool mote_cli_graph_layer(int layer, struct part_figures *figures);

/* --memory: write the table to stderr, if memory was watched. */
void mote_cli_memory_report(void);

/* The write callback while memory is recorded, which also counts the bytes of bodies. */
size_t mote_cli_graph_body(char *bytes, size_t size, size_t count, void *transfer);

#endif
