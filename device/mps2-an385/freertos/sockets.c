/* freertos/sockets.c: what port/lwip_sockets asks of the board. */
#include "board.h"
#include "port/lwip_sockets/board.h"

int64_t mote_lwip_sockets_wall(void)
{
  return board_wall();
}

bool mote_lwip_sockets_random(void *p, size_t n)
{
  return board_random(p, n);
}
