/* Any frame that is begun, and its head as a reader of the other side takes it. */
#include <curl/curl.h>

#include "codec/http/websocket.h"
#include "proof.h"

int main(void)
{
  struct mote_websocket_writer w;
  uint8_t mask[4];
  char block[MOTE_WEBSOCKET_HEAD];
  uint64_t size = nondet_u64(), read = 0;
  size_t n, i, digits;
  uint8_t length;
  w.left = 0;
  w.in_message = nondet_bool();
  ASSUME(size <= INT64_MAX);
  if(mote_websocket_begin(&w, nondet_u32(), size, mask, block, &n) != MOTE_WEBSOCKET_OK)
    return 0;
  PROVE(n >= 6 && n <= MOTE_WEBSOCKET_HEAD && w.left == size);
  PROVE(!((uint8_t)block[0] & 0x70u));
  length = (uint8_t)block[1] & 0x7fu;
  PROVE((uint8_t)block[1] & 0x80u);
  digits = length == 127 ? 8 : length == 126 ? 2 : 0;
  for(i = 0; i < digits; i++)
    read = read << 8 | (uint8_t)block[2 + i];
  PROVE((digits ? read : length) == size && n == 2 + digits + 4);
  PROVE(((uint8_t)block[0] & 15u) < MOTE_WEBSOCKET_CLOSE ||
        (size <= MOTE_WEBSOCKET_CONTROL && (uint8_t)block[0] & 0x80u));
  for(i = 0; i < 4; i++)
    PROVE((uint8_t)block[n - 4 + i] == mask[i]);
  return 0;
}
