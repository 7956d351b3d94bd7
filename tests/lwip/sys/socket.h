#include "../../../src/port/lwip/include/sys/socket.h"
