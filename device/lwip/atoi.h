/* atoi.h: before lwIP's own sources (tools/device.py): they read the one digit of a device's name by it. The C library's
 * sets errno, which is thread-local. */
#include <stdlib.h>

#undef atoi
#define atoi(text) ((text)[0] - '0')
