/* port/posix/sockopt.c: socket options as a table. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "port/port.h"

static const struct option_row {
  bool there;
  int level;
  int name;
} options[] = {
  [MOTE_SOCKOPT_NODELAY] = { true, IPPROTO_TCP, TCP_NODELAY },
  [MOTE_SOCKOPT_KEEPALIVE] = { true, SOL_SOCKET, SO_KEEPALIVE },
#ifdef TCP_KEEPIDLE
  [MOTE_SOCKOPT_KEEPALIVE_IDLE] = { true, IPPROTO_TCP, TCP_KEEPIDLE },
#elif defined(TCP_KEEPALIVE)
  [MOTE_SOCKOPT_KEEPALIVE_IDLE] = { true, IPPROTO_TCP, TCP_KEEPALIVE },
#endif
#ifdef TCP_KEEPINTVL
  [MOTE_SOCKOPT_KEEPALIVE_INTERVAL] = { true, IPPROTO_TCP, TCP_KEEPINTVL },
#endif
#ifdef TCP_KEEPCNT
  [MOTE_SOCKOPT_KEEPALIVE_COUNT] = { true, IPPROTO_TCP, TCP_KEEPCNT },
#endif
  [MOTE_SOCKOPT_TOS] = { true, IPPROTO_IP, IP_TOS },
#ifdef SO_PRIORITY
  [MOTE_SOCKOPT_PRIORITY] = { true, SOL_SOCKET, SO_PRIORITY },
#endif
#ifdef TCP_FASTOPEN_CONNECT
  [MOTE_SOCKOPT_FASTOPEN] = { true, IPPROTO_TCP, TCP_FASTOPEN_CONNECT },
#endif
  [MOTE_SOCKOPT_RECEIVE_BUFFER] = { true, SOL_SOCKET, SO_RCVBUF },
  [MOTE_SOCKOPT_SEND_BUFFER] = { true, SOL_SOCKET, SO_SNDBUF },
};

static const struct option_row traffic_class = { true, IPPROTO_IPV6, IPV6_TCLASS };

int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value)
{
  const struct option_row *row;
  if((size_t)option >= sizeof options / sizeof *options || !options[option].there)
    return ENOPROTOOPT;
  row = &options[option];
  if(option == MOTE_SOCKOPT_TOS) {
    struct mote_addr local;
    int error = mote_port_local_name(fd, &local);
    if(error)
      return error;
    if(local.family == MOTE_FAMILY_IP6)
      row = &traffic_class;
  }
  return setsockopt(fd, row->level, row->name, &value, (socklen_t)sizeof value) ? errno : 0;
}
