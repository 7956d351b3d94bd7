/* --memory: what was recorded, as a table. */
#include "tool/graph.h"

#include "tool/newer.h"
#include "tool/out.h"
#include "tool/say.h"

#include <string.h>

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
