/* What memory was taken when: the recording. */
#include "tool/graph.h"

#include <string.h>

/* Every two buckets become one. */
static void halve(struct graph *g)
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

static void fold(struct graph *g, const struct graph_state *state, curl_off_t at)
{
  while(at / g->width >= GRAPH_BUCKETS)
    halve(g);
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
    fold(g, state, at);
  g->last = at;
}

unsigned mote_cli_graph_used(const struct graph *g)
{
  return (unsigned)(g->last / g->width) + 1;
}

int mote_cli_graph_percent(size_t part, size_t whole)
{
  return whole ? (int)(((unsigned long long)part * 200 / whole + 1) / 2) : 0;
}
