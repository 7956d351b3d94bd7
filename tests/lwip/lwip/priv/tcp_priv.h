#include <lwip/tcp.h>
