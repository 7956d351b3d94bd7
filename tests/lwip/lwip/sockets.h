#include <fcntl.h>
#include <poll.h>

int lwip_fcntl(int fd, int command, int value);
int lwip_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
