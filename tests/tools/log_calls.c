/* log_calls.c: every call that the log build replaces, for test_log.py: compiled with log/calls.h and
 * log/blocks.h in front, linked with the log build's libmote.a, and run in a folder of its own. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static void nothing(void)
{
}

static void *thread(void *arg)
{
  return arg;
}

static void blocks(void)
{
  char *a = malloc(24);
  char *b = calloc(2, 16);
  char *c = strdup("text");
  char *grown = realloc(a, 48);
  free(grown ? grown : a);
  free(b);
  free(c);
  free(NULL);
}

static void files(void)
{
  struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
  struct stat st;
  char byte;
  FILE *f;
  int fd = open("new \"name\"", O_RDWR | O_CREAT, 0600);
  (void)!write(fd, "x", 1);
  (void)lseek(fd, 0, SEEK_SET);
  (void)!read(fd, &byte, 1);
  (void)!sendfile(-1, fd, NULL, 1);
  (void)fstat(fd, &st);
  (void)!ftruncate(fd, 0);
  (void)futimens(fd, times);
  (void)fsetxattr(fd, "user.mote", "x", 1, 0);
  (void)stat("new \"name\"", &st);
  (void)access("missing", R_OK);
  (void)mkdir("folder", 0700);
  f = fdopen(fd, "r+");
  if(f)
    (void)fclose(f);
  else
    (void)close(fd);
  f = fopen("new \"name\"", "r");
  if(f)
    (void)fclose(f);
  (void)rename("new \"name\"", "new \"name\"");
  (void)unlink("new \"name\"");
}

static void messages(int client, int server)
{
  char byte = 'x';
  struct iovec io = { &byte, 1 };
  struct mmsghdr m = { .msg_hdr = { .msg_iov = &io, .msg_iovlen = 1 } };
  (void)sendmsg(client, &m.msg_hdr, MSG_NOSIGNAL);
  (void)recvmsg(server, &m.msg_hdr, MSG_DONTWAIT);
  (void)recvmmsg(server, &m, 1, MSG_DONTWAIT, NULL);
}

static void sockets(void)
{
  struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  struct sockaddr *sa = (struct sockaddr *)&a;
  socklen_t len = sizeof a;
  struct pollfd waits = { .events = POLLIN };
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  int value = 1;
  socklen_t size = sizeof value;
  int server;
  char byte;
  char host[256];
  (void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &value, size);
  (void)getsockopt(listener, SOL_SOCKET, SO_ERROR, &value, &size);
  (void)bind(listener, sa, len);
  (void)listen(listener, 1);
  (void)getsockname(listener, sa, &len);
  (void)connect(client, sa, len);
  server = accept(listener, NULL, NULL);
  (void)getpeername(client, sa, &len);
  (void)gethostname(host, sizeof host);
  (void)fcntl(server, F_SETFL, O_NONBLOCK);
  (void)ioctl(server, FIONREAD, &value);
  (void)send(client, "x", 1, MSG_NOSIGNAL);
  waits.fd = server;
  (void)poll(&waits, 1, 1000);
  (void)recv(server, &byte, 1, MSG_DONTWAIT);
  (void)sendto(client, "x", 1, MSG_NOSIGNAL, NULL, 0);
  (void)poll(&waits, 1, 1000);
  (void)recvfrom(server, &byte, 1, MSG_DONTWAIT, NULL, NULL);
  messages(client, server);
  (void)shutdown(client, SHUT_WR);
  (void)close(server);
  (void)close(client);
  (void)close(listener);
}

static void others(void)
{
  struct epoll_event event = { .events = EPOLLIN };
  struct addrinfo *found = NULL;
  struct ifaddrs *interfaces = NULL;
  struct termios t;
  struct timespec pause = { 0, 1 };
  pthread_attr_t attr;
  pthread_t id;
  char random[4];
  int ends[2];
  int set = epoll_create1(0);
  int wake = eventfd(0, 0);
  (void)epoll_ctl(set, EPOLL_CTL_ADD, wake, &event);
  (void)epoll_wait(set, &event, 1, 0);
  if(!pipe(ends)) {
    (void)tcgetattr(ends[0], &t);
    (void)tcsetattr(ends[0], 0, &t);
    (void)close(ends[0]);
    (void)close(ends[1]);
  }
  (void)close(wake);
  (void)close(set);
  if(!getaddrinfo("127.0.0.1", NULL, NULL, &found))
    freeaddrinfo(found);
  if(!getifaddrs(&interfaces))
    freeifaddrs(interfaces);
  (void)if_nametoindex("lo");
  (void)getpwuid(0);
  (void)!getentropy(random, sizeof random);
  (void)nanosleep(&pause, NULL);
  (void)pthread_atfork(nothing, nothing, nothing);
  if(!pthread_attr_init(&attr) && !pthread_create(&id, &attr, thread, NULL))
    (void)pthread_join(id, NULL);
}

int main(void)
{
  mote_log_site("here.c", 7);
  blocks();
  files();
  sockets();
  others();
  return 0;
}
