/* sys/socket.h for <curl/curl.h> on Zephyr, which has the file only with CONFIG_POSIX_API. The library's own
 * files get addresses alone: none of them may meet functions named send or close. */
#ifndef MOTE_ZEPHYR_SYS_SOCKET_H
#define MOTE_ZEPHYR_SYS_SOCKET_H

#include <zephyr/net/net_ip.h>
#if !defined(MOTE_BUILDING) && defined(CONFIG_POSIX_API)
#include_next <sys/socket.h>
#endif

#endif
