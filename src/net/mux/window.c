/* net/mux/window.c: the growth of stream windows. */
#include "net/mux/window.h"

void mote_mux_windows_init(struct mote_mux_windows *all, size_t room, bool fixed_block)
{
  all->granted = 0;
  all->most = MOTE_MUX_WINDOWS_LIMIT;
  if(room && room / 4 < all->most)
    all->most = (uint32_t)(room / 4);
  if(fixed_block)
    all->most = 0;
}

void mote_mux_window_open(struct mote_mux_window *w, struct mote_mux_windows *all)
{
  w->size = MOTE_MUX_WINDOW;
  w->taken = 0;
  all->granted += MOTE_MUX_WINDOW;
}

static bool may_double(const struct mote_mux_window *w, const struct mote_mux_windows *all)
{
  return w->size <= MOTE_MUX_WINDOW_LIMIT / 2 && all->granted + w->size <= all->most;
}

uint32_t mote_mux_window_take(struct mote_mux_window *w, struct mote_mux_windows *all, size_t n)
{
  if(n < w->size - w->taken) {
    w->taken += (uint32_t)n;
    return 0;
  }
  w->taken = 0;
  if(!may_double(w, all))
    return 0;
  all->granted += w->size;
  w->size *= 2;
  return w->size;
}

void mote_mux_window_pause(struct mote_mux_window *w)
{
  w->taken = 0;
}

void mote_mux_window_close(struct mote_mux_window *w, struct mote_mux_windows *all)
{
  all->granted -= w->size;
  w->size = 0;
  w->taken = 0;
}
