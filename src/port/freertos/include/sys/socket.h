/* sys/socket.h for <curl/curl.h>: lwIP's. Put this folder into the include path. */
#ifndef MOTE_FREERTOS_SYS_SOCKET_H
#define MOTE_FREERTOS_SYS_SOCKET_H

#include <lwip/sockets.h>

#endif
