/* board.c: what port/lwip_sockets asks of a board, by ESP-IDF. SNTP (esp_sntp.h) sets the time of day before
 * the first certificate is judged. esp_fill_random() is fit for keys while Wi-Fi, Bluetooth or the entropy
 * source of the bootloader is on. */
#include <esp_random.h>
#include <time.h>

#include "port/lwip_sockets/board.h"

int64_t mote_lwip_sockets_wall(void)
{
  return (int64_t)time(NULL);
}

bool mote_lwip_sockets_random(void *p, size_t n)
{
  esp_fill_random(p, n);
  return true;
}
