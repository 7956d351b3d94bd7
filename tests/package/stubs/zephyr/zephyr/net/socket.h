#include <sys/types.h>
#include <zephyr/net/net_ip.h>
struct zsock_pollfd {
  int fd;
  short events;
  short revents;
};
#define ZSOCK_POLLIN 1
#define ZSOCK_POLLOUT 4
#define ZSOCK_POLLERR 8
#define ZSOCK_POLLHUP 0x10
#define ZSOCK_POLLNVAL 0x20
#define ZSOCK_MSG_PEEK 2
#define ZSOCK_SHUT_WR 1
#define SOL_SOCKET 1
#define SO_ERROR 4
#define SO_KEEPALIVE 9
#define TCP_NODELAY 1
#define TCP_KEEPIDLE 2
#define TCP_KEEPINTVL 3
#define TCP_KEEPCNT 4
int zsock_socket(int family, int type, int proto);
int zsock_close(int sock);
int zsock_shutdown(int sock, int how);
int zsock_connect(int sock, const struct sockaddr *addr, socklen_t addrlen);
ssize_t zsock_send(int sock, const void *buf, size_t len, int flags);
ssize_t zsock_recv(int sock, void *buf, size_t max_len, int flags);
int zsock_fcntl(int sock, int cmd, int flags);
int zsock_poll(struct zsock_pollfd *fds, int nfds, int timeout);
int zsock_getsockopt(int sock, int level, int optname, void *optval, socklen_t *optlen);
int zsock_setsockopt(int sock, int level, int optname, const void *optval, socklen_t optlen);
int zsock_getsockname(int sock, struct sockaddr *addr, socklen_t *addrlen);
int zsock_getpeername(int sock, struct sockaddr *addr, socklen_t *addrlen);
