/* The picture of --memory-graph: how much memory was held over time, as an SVG of 900 x 420 without
 * references.
 *
 * Layers are stacked, with the largest at the peak on top. Each is painted from its upper edge down to the
 * axis, the highest first. Coordinates are tenths of a unit. */
#include "tool/show/graph.h"

#include "tool/transfers/out.h"

#include <string.h>

unsigned mote_cli_graph_used(const struct graph *g)
{
  return (unsigned)(g->last / g->width) + 1;
}

int mote_cli_graph_percent(size_t part, size_t whole)
{
  return whole ? (int)(((unsigned long long)part * 200 / whole + 1) / 2) : 0;
}

enum {
  LEFT = 720, RIGHT = 6100, TOP = 860, BOTTOM = 3600, /* of the plot */
  LIST = 6860, LIST_RIGHT = 8760, LIST_TOP = 860, LIST_ROW = 155,
  COLUMNS = 128    /* at most so many show their figures under the pointer */
};

struct picture {
  struct out out;
  const struct graph *g;
  unsigned used;             /* buckets */
  curl_off_t end;            /* us; where the time axis ends */
  unsigned long long scale;  /* bytes at the upper end of the axis */
  unsigned long long step;   /* bytes between two lines */
  int order[GRAPH_LAYERS];   /* layers that ever held a byte, the top one first */
  int layers;
};

static const char head[] =
  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 420\" width=\"900\" height=\"420\" "
  "role=\"img\" aria-labelledby=\"t\">\n"
  "<title id=\"t\">Memory of the transfers over time</title>\n<style>\n"
  "text { font: 12px system-ui, -apple-system, \"Segoe UI\", Helvetica, Arial, sans-serif; fill: #1f2328 }\n"
  ".head { font-weight: 600; font-size: 16px } .bold { font-weight: 600 } .dim { fill: #59636e }\n"
  ".n { text-anchor: end } .m { text-anchor: middle } .page { fill: #ffffff; stroke: #d0d7de }\n"
  ".grid { stroke: #8c959f; stroke-opacity: .3 } .axis { stroke: #8c959f }\n"
  ".body { fill: none; stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 5 3 }\n"
  ".top { stroke: #1f2328; stroke-dasharray: 2 2 }\n"
  ".dot { fill: #1f2328; stroke: #ffffff; stroke-width: 1.5 }\n"
  ".l { stroke: #ffffff; stroke-width: .6 } .look { fill: #1f2328; fill-opacity: 0 }\n"
  ".look:hover { fill-opacity: .15 }\n"
  "@media (prefers-color-scheme: dark) {\n"
  "text { fill: #f0f6fc } .dim { fill: #9198a1 } .page { fill: #0d1117; stroke: #3d444d }\n"
  ".body, .top { stroke: #f0f6fc } .dot { fill: #f0f6fc; stroke: #0d1117 } .l { stroke: #0d1117 }\n"
  ".look { fill: #f0f6fc } }\n</style>\n"
  "<rect class=\"page\" x=\".5\" y=\".5\" width=\"899\" height=\"419\" rx=\"6\"/>\n";

/* Colours by layer, so that two pictures can be compared. */
static const char colours[GRAPH_LAYERS][8] = {
  "#e15759", "#76b7d6", "#f28e2b", "#ffbe7d", "#59a14f", "#4e79a7", "#b07aa1", "#8cd17d", "#edc948",
  "#499894", "#d37295", "#9d7660", "#86bcb6", "#b6992d", "#d4a6c8", "#6b9ac4",
  [GRAPH_TLS] = "#9aa5b1", [GRAPH_COMMAND] = "#5f6b7a"
};

static void graph_draw_put(struct picture *p, const char *text)
{
  mote_cli_out_str(&p->out, text);
}

static void put_tenths(struct picture *p, long long n)
{
  mote_cli_out_num(&p->out, n / 10);
  if(n % 10) {
    mote_cli_out_char(&p->out, '.');
    mote_cli_out_num(&p->out, n % 10);
  }
}

/* 1,234,567 */
static void put_grouped(struct picture *p, unsigned long long n)
{
  unsigned long long unit = 1;
  while(n / unit >= 1000)
    unit *= 1000;
  mote_cli_out_num(&p->out, (curl_off_t)(n / unit));
  while(unit > 1) {
    n %= unit;
    unit /= 1000;
    mote_cli_out_char(&p->out, ',');
    mote_cli_out_pad(&p->out, (curl_off_t)(n / unit), 3, '0');
  }
}

/* Milliseconds with as many decimals as `exact` us need. */
static void put_ms(struct picture *p, curl_off_t us, curl_off_t exact)
{
  put_grouped(p, (unsigned long long)us / 1000);
  if(exact < 1000) {
    mote_cli_out_char(&p->out, '.');
    if(exact >= 100)
      mote_cli_out_num(&p->out, us % 1000 / 100);
    else
      mote_cli_out_pad(&p->out, us % 1000 / (exact >= 10 ? 10 : 1), exact >= 10 ? 2 : 3, '0');
  }
}

/* Attributes: name="n" in tenths. */
static void graph_draw_at(struct picture *p, const char *name, long long n)
{
  mote_cli_out_char(&p->out, ' ');
  graph_draw_put(p, name);
  graph_draw_put(p, "=\"");
  put_tenths(p, n);
  graph_draw_put(p, "\"");
}

static void open_text(struct picture *p, long long x, long long y, const char *class)
{
  graph_draw_put(p, "<text");
  graph_draw_at(p, "x", x);
  graph_draw_at(p, "y", y);
  graph_draw_put(p, " class=\"");
  graph_draw_put(p, class);
  graph_draw_put(p, "\">");
}

static void graph_draw_text(struct picture *p, long long x, long long y, const char *class, const char *words)
{
  open_text(p, x, y, class);
  graph_draw_put(p, words);
  graph_draw_put(p, "</text>\n");
}

static void graph_draw_line(struct picture *p, const char *class, const long long from[2],
                            const long long to[2])
{
  graph_draw_put(p, "<line class=\"");
  graph_draw_put(p, class);
  graph_draw_put(p, "\"");
  graph_draw_at(p, "x1", from[0]);
  graph_draw_at(p, "y1", from[1]);
  graph_draw_at(p, "x2", to[0]);
  graph_draw_at(p, "y2", to[1]);
  graph_draw_put(p, "/>\n");
}

static long long x_of(const struct picture *p, curl_off_t us)
{
  if(us > p->end)
    us = p->end;
  return LEFT + (long long)((double)us * (RIGHT - LEFT) / (double)p->end);
}

static long long y_of(unsigned long long n, unsigned long long scale)
{
  return BOTTOM - (long long)((double)n * (BOTTOM - TOP) / (double)scale);
}

/* A power of two of which at most five make `most`; *scale: the multiple that is not below it. */
static unsigned long long graph_draw_steps(unsigned long long most, unsigned long long *scale)
{
  unsigned long long step = 1;
  while(most / step > 4 || (most / step == 4 && most % step))
    step *= 2;
  *scale = (most + step - 1) / step * step;
  if(!*scale)
    *scale = step;
  return step;
}

static bool graph_draw_above(const struct graph *g, int a, int b)
{
  if(g->peak.bytes[a] != g->peak.bytes[b])
    return g->peak.bytes[a] > g->peak.bytes[b];
  return g->own[a] > g->own[b];
}

static void graph_draw_plan(struct picture *p)
{
  for(int i = 0; i < GRAPH_LAYERS; i++) {
    int place = p->layers;
    if(!p->g->own[i])
      continue;
    for(; place && graph_draw_above(p->g, i, p->order[place - 1]); place--)
      p->order[place] = p->order[place - 1];
    p->order[place] = i;
    p->layers++;
  }
  p->used = mote_cli_graph_used(p->g);
  p->end = p->g->last ? p->g->last : 1;
  p->step = graph_draw_steps(p->g->peak.total, &p->scale);
}

static void put_axis_bytes(struct picture *p, unsigned long long n, unsigned long long step)
{
  static const char *const units[] = { "", " KB", " MB", " GB", " TB", " PB" };
  int unit = 0;
  while(step >= 1024 && unit < 5) {
    step /= 1024;
    n /= 1024;
    unit++;
  }
  put_grouped(p, n);
  graph_draw_put(p, n ? units[unit] : "");
}

static void draw_bytes_axis(struct picture *p)
{
  for(unsigned long long n = 0; n <= p->scale; n += p->step) {
    long long y = y_of(n, p->scale);
    graph_draw_line(p, n ? "grid" : "axis", (long long[]){ LEFT, y }, (long long[]){ RIGHT, y });
    open_text(p, LEFT - 80, y + 40, "n dim");
    put_axis_bytes(p, n, p->step);
    graph_draw_put(p, "</text>\n");
  }
}

static void draw_time_axis(struct picture *p)
{
  static const int factors[] = { 2, 5, 10 };
  curl_off_t unit = 1, step = 1;
  for(int i = 0; p->end / step > 6; i = (i + 1) % 3) {
    step = unit * factors[i];
    if(i == 2)
      unit *= 10;
  }
  for(curl_off_t t = 0; t <= p->end; t += step) {
    long long x = x_of(p, t);
    graph_draw_line(p, "axis", (long long[]){ x, BOTTOM }, (long long[]){ x, BOTTOM + 40 });
    open_text(p, x, BOTTOM + 180, "m dim");
    put_ms(p, t, step);
    graph_draw_put(p, t + step > p->end ? " ms</text>\n" : "</text>\n");
  }
}

/* Bytes of all layers from the `first` in the order to the last, which are those below its upper edge. */
static unsigned long long graph_draw_below(const struct picture *p, const struct graph_state *s, int first)
{
  unsigned long long sum = 0;
  for(int i = first; i < p->layers; i++)
    sum += s->bytes[p->order[i]];
  return sum;
}

static void draw_layer(struct picture *p, int which)
{
  long long last = BOTTOM;
  graph_draw_put(p, "<path class=\"l\" data-part=\"");
  graph_draw_put(p, p->g->names[p->order[which]]);
  graph_draw_put(p, "\" fill=\"");
  graph_draw_put(p, colours[p->order[which]]);
  graph_draw_put(p, "\" d=\"M");
  put_tenths(p, LEFT);
  graph_draw_put(p, " ");
  put_tenths(p, BOTTOM);
  for(unsigned i = 0; i < p->used; i++) {
    long long y = y_of(graph_draw_below(p, &p->g->buckets[i].most, which), p->scale);
    if(y == last)
      continue;
    graph_draw_put(p, "H");
    put_tenths(p, x_of(p, i * p->g->width));
    graph_draw_put(p, "V");
    put_tenths(p, y);
    last = y;
  }
  graph_draw_put(p, "H");
  put_tenths(p, RIGHT);
  graph_draw_put(p, "V");
  put_tenths(p, BOTTOM);
  graph_draw_put(p, "Z\"/>\n");
}

/* The second scale: bytes of bodies. */
static void draw_received(struct picture *p)
{
  unsigned long long scale, step = graph_draw_steps((unsigned long long)p->g->received, &scale);
  long long last = BOTTOM;
  if(!p->g->received)
    return;
  graph_draw_put(p, "<path class=\"body\" d=\"M");
  put_tenths(p, LEFT);
  graph_draw_put(p, " ");
  put_tenths(p, BOTTOM);
  for(unsigned i = 0; i < p->used; i++) {
    long long y = y_of((unsigned long long)p->g->buckets[i].received, scale);
    if(y == last && i + 1 < p->used)
      continue;
    if(i) {
      graph_draw_put(p, "L");
      put_tenths(p, x_of(p, i * p->g->width));
      graph_draw_put(p, " ");
      put_tenths(p, last);
    }
    graph_draw_put(p, "L");
    put_tenths(p, x_of(p, (i + 1) * p->g->width));
    graph_draw_put(p, " ");
    put_tenths(p, y);
    last = y;
  }
  graph_draw_put(p, "\"/>\n");
  for(unsigned long long n = 0; n <= scale; n += step) {
    open_text(p, RIGHT + 60, y_of(n, scale) + 40, "dim");
    put_axis_bytes(p, n, step);
    graph_draw_put(p, "</text>\n");
  }
}

static void put_figures(struct picture *p, const struct graph_state *s)
{
  for(int i = 0; i < p->layers; i++)
    if(s->bytes[p->order[i]]) {
      graph_draw_put(p, "\n");
      graph_draw_put(p, p->g->names[p->order[i]]);
      graph_draw_put(p, " ");
      put_grouped(p, s->bytes[p->order[i]]);
    }
}

/* What the pointer shows, column by column. */
static void draw_looks(struct picture *p)
{
  unsigned group = (p->used + COLUMNS - 1) / COLUMNS;
  for(unsigned i = 0; i < p->used; i += group) {
    unsigned end = i + group < p->used ? i + group : p->used, most = i;
    long long x = x_of(p, i * p->g->width);
    for(unsigned j = i; j < end; j++)
      if(p->g->buckets[j].most.total > p->g->buckets[most].most.total)
        most = j;
    graph_draw_put(p, "<rect class=\"look\"");
    graph_draw_at(p, "x", x);
    graph_draw_at(p, "y", TOP);
    graph_draw_at(p, "width", x_of(p, end * p->g->width) - x);
    graph_draw_at(p, "height", BOTTOM - TOP);
    graph_draw_put(p, "><title>");
    put_ms(p, most * p->g->width, p->g->width);
    graph_draw_put(p, " ms: ");
    put_grouped(p, p->g->buckets[most].most.total);
    graph_draw_put(p, " bytes held, ");
    put_grouped(p, (unsigned long long)p->g->buckets[end - 1].received);
    graph_draw_put(p, " received");
    put_figures(p, &p->g->buckets[most].most);
    graph_draw_put(p, "</title></rect>\n");
  }
}

static void draw_peak(struct picture *p)
{
  long long x = x_of(p, p->g->peak_at), y = y_of(p->g->peak.total, p->scale);
  bool left = x > (LEFT + RIGHT) / 2;
  graph_draw_line(p, "top", (long long[]){ x, y }, (long long[]){ x, BOTTOM });
  graph_draw_put(p, "<circle class=\"dot\" r=\"4\"");
  graph_draw_at(p, "cx", x);
  graph_draw_at(p, "cy", y);
  graph_draw_put(p, "/>\n");
  open_text(p, left ? x - 80 : x + 80, y - 60, left ? "n bold" : "bold");
  graph_draw_put(p, "peak ");
  put_grouped(p, p->g->peak.total);
  graph_draw_put(p, "</text>\n");
}

static void put_percent(struct picture *p, size_t bytes)
{
  int percent = mote_cli_graph_percent(bytes, p->g->peak.total);
  graph_draw_put(p, bytes && !percent ? "&lt;1" : "");
  if(percent || !bytes)
    mote_cli_out_num(&p->out, percent);
  graph_draw_put(p, "%");
}

static void list_row(struct picture *p, int layer, long long y)
{
  size_t bytes = p->g->peak.bytes[layer];
  graph_draw_put(p, "<g><title>");
  graph_draw_put(p, p->g->names[layer]);
  graph_draw_put(p, ": at most ");
  put_grouped(p, p->g->own[layer]);
  graph_draw_put(p, " bytes by itself</title><rect width=\"10\" height=\"10\" rx=\"2\" fill=\"");
  graph_draw_put(p, colours[layer]);
  graph_draw_put(p, "\"");
  graph_draw_at(p, "x", LIST);
  graph_draw_at(p, "y", y - 92);
  graph_draw_put(p, "/>");
  graph_draw_text(p, LIST + 160, y, "", p->g->names[layer]);
  open_text(p, LIST_RIGHT - 380, y, "n");
  put_grouped(p, bytes);
  graph_draw_put(p, "</text>");
  open_text(p, LIST_RIGHT, y, "n dim");
  put_percent(p, bytes);
  graph_draw_put(p, "</text></g>\n");
}

/* The composition of the peak, beside the plot. */
static void draw_list(struct picture *p)
{
  long long y = LIST_TOP;
  open_text(p, LIST, y - 220, "bold");
  graph_draw_put(p, "Bytes at the peak, ");
  put_ms(p, p->g->peak_at, p->g->width < 1000 ? 10 : 1000);
  graph_draw_put(p, " ms</text>\n");
  for(int i = 0; i < p->layers; i++, y += LIST_ROW)
    list_row(p, p->order[i], y);
  graph_draw_line(p, "axis", (long long[]){ LIST, y - 90 }, (long long[]){ LIST_RIGHT, y - 90 });
  graph_draw_text(p, LIST + 160, y + 50, "bold", "all");
  open_text(p, LIST_RIGHT - 380, y + 50, "n bold");
  put_grouped(p, p->g->peak.total);
  graph_draw_put(p, "</text>");
  graph_draw_text(p, LIST_RIGHT, y + 50, "n dim", "100%");
}

static void draw_words(struct picture *p)
{
  graph_draw_text(p, 240, 340, "head", "Memory of the transfers over time");
  open_text(p, 240, 530, "dim");
  graph_draw_put(p, "Bytes asked of the allocator");
  if(p->g->received) {
    graph_draw_put(p, "; dashed, right scale: the ");
    put_grouped(p, (unsigned long long)p->g->received);
    graph_draw_put(p, " bytes of bodies received");
  }
  graph_draw_put(p, "</text>\n");
  open_text(p, 240, 4060, "dim");
  if(!p->g->names[GRAPH_TLS])
    graph_draw_put(p, "Without the TLS library's own memory. ");
  graph_draw_put(p, "Not in the picture: the ");
  put_grouped(p, p->g->overhead);
  graph_draw_put(p, " bytes of this recording, stacks, and the C library's own memory.</text>\n");
}

bool mote_cli_graph_draw(const struct graph *g, int fd)
{
  struct picture p = { .g = g };
  mote_cli_out_init(&p.out, fd, false);
  graph_draw_plan(&p);
  graph_draw_put(&p, head);
  draw_words(&p);
  draw_bytes_axis(&p);
  for(int i = 0; i < p.layers; i++)
    draw_layer(&p, i);
  draw_time_axis(&p);
  draw_received(&p);
  draw_peak(&p);
  draw_looks(&p);
  draw_list(&p);
  graph_draw_put(&p, "</svg>\n");
  mote_cli_out_flush(&p.out);
  return !p.out.failed;
}
