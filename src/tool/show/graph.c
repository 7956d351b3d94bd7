/* What memory was taken when: the recording, the watch that fills it, and its table (--memory). The picture
 * (--memory-graph) is graph_draw.c. */
#include "tool/show/graph.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/out.h"
#include "tool/transfers/transfer.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

/* ---- the recording ---- */

/* Every two buckets become one. */
static void graph_halve(struct graph *g)
{
  for(unsigned i = 0; i < GRAPH_BUCKETS / 2; i++) {
    struct graph_bucket *to = &g->buckets[i], *a = &g->buckets[2 * i], *b = a + 1;
    const struct graph_bucket *more = b->most.total > a->most.total ? b : a;
    curl_off_t received = b->received > a->received ? b->received : a->received;
    if(to != more)
      *to = *more;
    to->received = received;
  }
  memset(g->buckets + GRAPH_BUCKETS / 2, 0, GRAPH_BUCKETS / 2 * sizeof *g->buckets);
  g->width *= 2;
}

static void graph_fold(struct graph *g, const struct graph_state *state, curl_off_t at)
{
  while(at / g->width >= GRAPH_BUCKETS)
    graph_halve(g);
  for(curl_off_t i = g->last / g->width; i <= at / g->width; i++) {
    struct graph_bucket *b = &g->buckets[i];
    if(state->total > b->most.total)
      b->most = *state;
    b->received = g->received;
  }
}

void mote_cli_graph_note(struct graph *g, const struct graph_state *state, curl_off_t at)
{
  if(at < g->last)
    at = g->last;
  for(int i = 0; i < GRAPH_LAYERS; i++)
    if(state->bytes[i] > g->own[i])
      g->own[i] = state->bytes[i];
  if(state->total > g->peak.total) {
    g->peak = *state;
    g->peak_at = g->last;
  }
  if(g->buckets)
    graph_fold(g, state, at);
  g->last = at;
}

/* ---- the watch ---- */

/* CRYPTO_set_mem_functions(3); NULL where the command is not linked with OpenSSL. */
extern int CRYPTO_set_mem_functions(void *(*malloc_fn)(size_t size, const char *file, int line),
                                    void *(*realloc_fn)(void *p, size_t size, const char *file, int line),
                                    void (*free_fn)(void *p, const char *file, int line))
  __attribute__((weak));

/* Precedes each block of the TLS library, which does not report sizes when it frees. */
struct tls_head {
  _Alignas(max_align_t) size_t size; /* bytes that the TLS library asked for */
};

static struct {
  bool on;                     /* moments are recorded; on and graph: under the lock of system.h */
  int fd;                      /* of the picture; -1: none */
  curl_off_t begun;            /* us, monotonic */
  struct graph graph;
  atomic_size_t tls_live;      /* bytes */
  atomic_size_t tls_blocks;
  atomic_size_t tls_most;      /* blocks at once */
  atomic_size_t tls_calls;     /* allocations */
} watch = { .fd = -1 };

static void graph_see(struct graph_state *state)
{
  struct part_figures part;
  memset(state, 0, sizeof *state);
  for(int i = 0; mote_cli_part(i, &part); i++)
    state->bytes[i < GRAPH_PARTS ? i : GRAPH_PARTS - 1] += part.live;
  state->bytes[GRAPH_TLS] = watch.tls_live;
  state->bytes[GRAPH_COMMAND] = mote_cli_held();
  if(watch.graph.buckets)
    state->bytes[GRAPH_COMMAND] -= GRAPH_BUCKETS * sizeof *watch.graph.buckets;
  for(int i = 0; i < GRAPH_LAYERS; i++)
    state->total += state->bytes[i];
}

static void look_after(size_t received)
{
  struct graph_state state;
  mote_cli_system_lock();
  if(watch.on) {
    watch.graph.received += (curl_off_t)received;
    graph_see(&state);
    mote_cli_graph_note(&watch.graph, &state, mote_cli_now() - watch.begun);
  }
  mote_cli_system_unlock();
}

static void graph_look(void)
{
  look_after(0);
}

/* Below the library. Each call takes a look at what the library reports of itself and is passed on. */

static void *lib_malloc(size_t size)
{
  graph_look();
  return mote_cli_pass_realloc(NULL, size);
}

static void *lib_realloc(void *p, size_t size)
{
  graph_look();
  return mote_cli_pass_realloc(p, size);
}

static void lib_free(void *p)
{
  graph_look();
  mote_cli_pass_free(p);
}

static void *lib_calloc(size_t count, size_t size)
{
  void *p = size && count > (size_t)-1 / size ? NULL : lib_malloc(count * size);
  if(p)
    memset(p, 0, count * size);
  return p;
}

static char *lib_strdup(const char *text)
{
  char *copy = lib_malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

/* Below OpenSSL, for which size 0 is no block. */

static void *graph_resize(struct tls_head *old, size_t size)
{
  size_t had = old ? old->size : 0;
  struct tls_head *head = NULL;
  if(size <= (size_t)-1 - sizeof *head)
    head = mote_cli_pass_realloc(old, sizeof *head + size);
  if(!head)
    return NULL;
  head->size = size;
  watch.tls_live += size - had; /* modulo SIZE_MAX + 1 */
  if(!old && ++watch.tls_blocks > watch.tls_most)
    watch.tls_most = watch.tls_blocks;
  watch.tls_calls++;
  return head + 1;
}

static void tls_free(void *p, const char *file, int line)
{
  struct tls_head *head = p;
  (void)file;
  (void)line;
  if(!head)
    return;
  graph_look();
  head--;
  watch.tls_live -= head->size;
  watch.tls_blocks--;
  mote_cli_pass_free(head);
}

static void *tls_malloc(size_t size, const char *file, int line)
{
  (void)file;
  (void)line;
  graph_look();
  return size ? graph_resize(NULL, size) : NULL;
}

static void *tls_realloc(void *p, size_t size, const char *file, int line)
{
  if(!p || !size) {
    tls_free(p, file, line);
    return tls_malloc(size, file, line);
  }
  graph_look();
  return graph_resize((struct tls_head *)p - 1, size);
}

static void name_layers(struct graph *g)
{
  struct part_figures part;
  for(int i = 0; i < GRAPH_PARTS && mote_cli_part(i, &part); i++)
    g->names[i] = part.name;
  if(CRYPTO_set_mem_functions && CRYPTO_set_mem_functions(tls_malloc, tls_realloc, tls_free))
    g->names[GRAPH_TLS] = "OpenSSL";
  g->names[GRAPH_COMMAND] = "command";
}

/* The file is opened before the first transfer, so that a failure shows at once. Its old content stays
 * until the picture is ready. */
static CURLcode open_picture(const char *path)
{
  watch.fd = strcmp(path, "-") ? mote_cli_system_open(path, O_WRONLY | O_CREAT, 0666) : 1;
  if(watch.fd < 0) {
    mote_cli_error("(%d) --memory-graph: cannot write %s: %s", (int)CURLE_WRITE_ERROR, path, strerror(errno));
    return CURLE_WRITE_ERROR;
  }
  watch.graph.buckets = mote_cli_alloc(GRAPH_BUCKETS * sizeof *watch.graph.buckets);
  if(!watch.graph.buckets) {
    if(watch.fd != 1)
      close(watch.fd);
    watch.fd = -1;
    mote_cli_error("(%d) --memory-graph: out of memory", (int)CURLE_OUT_OF_MEMORY);
    return CURLE_OUT_OF_MEMORY;
  }
  return CURLE_OK;
}

CURLcode mote_cli_graph_start(void)
{
  const char *path = mote_cli.texts[GSTR_MEMORY_GRAPH];
  struct part_figures part;
  CURLcode rc = CURLE_OK;
  if(!path && !mote_cli_on(GLOBAL_MEMORY))
    return CURLE_OK;
  if(!mote_cli_part(0, &part)) {
    if(path)
      mote_cli_error("(%d) --memory-graph: the library does not report its memory", (int)CURLE_NOT_BUILT_IN);
    return path ? CURLE_NOT_BUILT_IN : CURLE_OK;
  }
  if(path)
    rc = open_picture(path);
  curl_global_cleanup();
  if(curl_global_init_mem(CURL_GLOBAL_DEFAULT, lib_malloc, lib_free, lib_realloc, lib_strdup, lib_calloc)) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    return rc ? rc : CURLE_FAILED_INIT;
  }
  watch.graph.width = GRAPH_FIRST_WIDTH;
  name_layers(&watch.graph);
  watch.begun = mote_cli_now();
  watch.on = true;
  mote_cli_memory_watch(graph_look);
  return rc;
}

/* Only now is the old content of the file dropped. */
static CURLcode write_picture(void)
{
  bool ok = watch.fd == 1 || !ftruncate(watch.fd, 0) || errno == EINVAL;
  ok = ok && mote_cli_graph_draw(&watch.graph, watch.fd);
  if(ok && watch.fd != 1)
    ok = !close(watch.fd);
  else if(watch.fd != 1) {
    int why = errno;
    close(watch.fd);
    errno = why;
  }
  watch.fd = -1;
  if(ok)
    return CURLE_OK;
  mote_cli_error("(%d) --memory-graph: cannot write %s: %s", (int)CURLE_WRITE_ERROR,
                 mote_cli.texts[GSTR_MEMORY_GRAPH], strerror(errno));
  return CURLE_WRITE_ERROR;
}

CURLcode mote_cli_graph_end(void)
{
  struct graph *g = &watch.graph;
  graph_look();
  mote_cli_system_lock();
  watch.on = false;
  mote_cli_system_unlock();
  g->overhead = sizeof watch + watch.tls_most * sizeof(struct tls_head);
  if(!g->buckets)
    return CURLE_OK;
  g->overhead += GRAPH_BUCKETS * sizeof *g->buckets;
  return write_picture();
}

void mote_cli_graph_free(void)
{
  mote_cli_free(watch.graph.buckets);
  watch.graph.buckets = NULL;
}

const struct graph *mote_cli_graph(void)
{
  return watch.graph.width ? &watch.graph : NULL;
}

bool mote_cli_graph_layer(int layer, struct part_figures *figures)
{
  struct graph_state now;
  if(layer < GRAPH_PARTS)
    return mote_cli_part(layer, figures);
  graph_see(&now);
  *figures = (struct part_figures){ .name = watch.graph.names[layer], .live = now.bytes[layer],
                                    .peak = watch.graph.own[layer] };
  figures->calls = layer == GRAPH_TLS ? watch.tls_calls : mote_cli_calls() - (watch.graph.buckets != NULL);
  return figures->name != NULL;
}

size_t mote_cli_graph_body(char *bytes, size_t size, size_t count, void *transfer)
{
  look_after(size * count);
  return mote_cli_body(bytes, size, count, transfer);
}

/* ---- the table ---- */

/* at: bytes at the peak of all. */
static void put_row(struct out *o, const struct part_figures *part, size_t at, size_t all)
{
  mote_cli_out_str(o, part->name);
  for(size_t i = strlen(part->name); i < 10; i++)
    mote_cli_out_char(o, ' ');
  mote_cli_out_pad(o, (curl_off_t)part->calls, 12, ' ');
  mote_cli_out_pad(o, (curl_off_t)part->peak, 14, ' ');
  mote_cli_out_pad(o, (curl_off_t)at, 14, ' ');
  mote_cli_out_pad(o, mote_cli_graph_percent(at, all), 6, ' ');
  mote_cli_out_char(o, '%');
  mote_cli_out_pad(o, (curl_off_t)part->live, 14, ' ');
  mote_cli_out_char(o, '\n');
}

static void put_notes(struct out *o, const struct graph *g)
{
  mote_cli_out_str(o, "The peak of all came ");
  mote_cli_out_num(o, g->peak_at / 1000);
  mote_cli_out_char(o, '.');
  mote_cli_out_pad(o, g->peak_at % 1000, 3, '0');
  mote_cli_out_str(o, " ms after the start; a part's own may have come at another time.\n");
  if(!g->names[GRAPH_TLS])
    mote_cli_out_str(o, "The TLS library's own memory is not in the table.\n");
}

void mote_cli_memory_report(void)
{
  const struct graph *g = mote_cli_graph();
  struct part_figures part, all = { .name = "all" };
  struct out o;
  if(!g)
    return;
  mote_cli_out_init(&o, mote_cli.err, false);
  mote_cli_out_str(&o, "part       allocations    peak bytes   at the peak of all    held bytes\n");
  for(int i = 0; i < GRAPH_LAYERS; i++)
    if(mote_cli_graph_layer(i, &part) && part.calls) {
      all.calls += part.calls;
      all.live += part.live;
      put_row(&o, &part, g->peak.bytes[i], g->peak.total);
    }
  all.peak = g->peak.total;
  put_row(&o, &all, all.peak, all.peak);
  put_notes(&o, g);
  mote_cli_out_flush(&o);
}
