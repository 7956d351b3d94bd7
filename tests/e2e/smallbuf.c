/* smallbuf.c: LD_PRELOAD library: sockets that connect have a small buffer for sending, which can be full. */
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int connect(int fd, const struct sockaddr *to, socklen_t len)
{
  int bytes = 4608; /* less than a TLS record */
  (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  return (int)syscall(SYS_connect, fd, to, len);
}
