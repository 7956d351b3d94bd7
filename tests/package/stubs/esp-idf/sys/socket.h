#include <lwip/sockets.h>
