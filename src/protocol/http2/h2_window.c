/* protocol/http2/h2_window.c: the growth of stream windows. */
#include "protocol/http2/h2_window.h"

void mote_h2_windows_init(struct mote_h2_windows *all, size_t room, bool fixed_block)
{
  all->granted = 0;
  all->most = MOTE_H2_WINDOWS_LIMIT;
  if(room && room / 4 < all->most)
    all->most = (uint32_t)(room / 4);
  if(fixed_block)
    all->most = 0;
}

void mote_h2_window_open(struct mote_h2_window *w, struct mote_h2_windows *all)
{
  w->size = MOTE_H2_WINDOW;
  w->taken = 0;
  all->granted += MOTE_H2_WINDOW;
}

static bool may_double(const struct mote_h2_window *w, const struct mote_h2_windows *all)
{
  return w->size <= MOTE_H2_WINDOW_LIMIT / 2 && all->granted + w->size <= all->most;
}

uint32_t mote_h2_window_take(struct mote_h2_window *w, struct mote_h2_windows *all, size_t n)
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

void mote_h2_window_pause(struct mote_h2_window *w)
{
  w->taken = 0;
}

void mote_h2_window_close(struct mote_h2_window *w, struct mote_h2_windows *all)
{
  all->granted -= w->size;
  w->size = 0;
  w->taken = 0;
}
