#include <lwip/tcp.h>

#define LOCK_TCPIP_CORE() ((void)0)
#define UNLOCK_TCPIP_CORE() ((void)0)
typedef void (*tcpip_callback_fn)(void *arg);
