/* atoi.h: an atoi() for the one digit in a device's name, included in front of lwIP's sources
 * (tools/device.py). The C library's sets errno, which is thread-local. */
#include <stdlib.h>

#undef atoi
#define atoi(text) ((text)[0] - '0')
