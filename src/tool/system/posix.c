/* The calls of system.h that POSIX has in more than a line: the terminal, and an option of sockets. */
#include "tool/system/system.h"
#include "tool/transfers/out.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <termios.h>

pthread_mutex_t mote_cli_system_mutex = PTHREAD_MUTEX_INITIALIZER;

void mote_cli_system_sleep(curl_off_t ms)
{
  struct timespec left = { .tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000 };
  while(ms > 0 && nanosleep(&left, &left) && errno == EINTR)
    ;
}

int mote_cli_system_type_of_service(curl_socket_t fd, int value)
{
  struct sockaddr_storage address;
  socklen_t len = sizeof address;
  int rc = 0;
  if(getsockname(fd, (struct sockaddr *)&address, &len))
    return 0;
  if(address.ss_family == AF_INET)
    rc = setsockopt(fd, IPPROTO_IP, IP_TOS, &value, sizeof value);
  else if(address.ss_family == AF_INET6)
    rc = setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &value, sizeof value);
  return rc ? errno : 0;
}

/* ---- a line that is not echoed ---- */

static void terminal_echo(int fd, bool on)
{
  struct termios how;
  if(tcgetattr(fd, &how))
    return;
  if(on)
    how.c_lflag |= (tcflag_t)ECHO;
  else
    how.c_lflag &= ~(tcflag_t)ECHO;
  tcsetattr(fd, TCSAFLUSH, &how);
}

/* Signals that end the command are held until the terminal echoes again. They are delivered only while the
 * command waits in pselect(), since one between a look at `caught` and a read() would take effect only after
 * the next key. */
static const int deadly[] = { SIGINT, SIGTERM, SIGHUP };
enum { DEADLY = sizeof deadly / sizeof deadly[0] };
static volatile sig_atomic_t caught;

struct held {
  struct sigaction before[DEADLY];
  sigset_t mask;                   /* before they were blocked */
};

static void catch_signal(int number)
{
  caught = number;
}

static void hold_signals(struct held *h)
{
  struct sigaction hold = { .sa_handler = catch_signal };
  sigset_t block;
  caught = 0;
  sigemptyset(&block);
  for(int i = 0; i < DEADLY; i++)
    sigaddset(&block, deadly[i]);
  sigprocmask(SIG_BLOCK, &block, &h->mask);
  for(int i = 0; i < DEADLY; i++) {
    sigaction(deadly[i], &hold, &h->before[i]);
    if(h->before[i].sa_handler == SIG_IGN)
      sigaction(deadly[i], &h->before[i], NULL);
  }
}

static void release_signals(const struct held *h)
{
  for(int i = 0; i < DEADLY; i++)
    sigaction(deadly[i], &h->before[i], NULL);
  sigprocmask(SIG_SETMASK, &h->mask, NULL);
  if(caught)
    raise(caught);
}

/* Read a typed line without its end. A signal ends it. */
static void terminal_read_line(int fd, char *line, size_t size, const sigset_t *mask)
{
  size_t len = 0;
  while(len + 1 < size && !caught) {
    fd_set readable;
    ssize_t n;
    FD_ZERO(&readable);
    FD_SET(fd, &readable);
    n = pselect(fd + 1, &readable, NULL, NULL, NULL, mask) < 0 ? -1 : read(fd, line + len, 1);
    if(n < 0 && errno == EINTR)
      continue;
    if(n <= 0 || line[len] == '\n')
      break;
    len++;
  }
  line[len] = 0;
}

void mote_cli_system_ask(int err, const char *prompt, char *answer, size_t size)
{
  int fd = open("/dev/tty", O_RDONLY | O_CLOEXEC);
  struct held held;
  if(fd >= FD_SETSIZE) { /* the caller of the command left that many open */
    close(fd);
    fd = -1;
  }
  if(fd < 0)
    fd = 0;
  hold_signals(&held);
  terminal_echo(fd, false);
  mote_cli_write_all(err, prompt, strlen(prompt));
  terminal_read_line(fd, answer, size, &held.mask);
  terminal_echo(fd, true);
  release_signals(&held);
  mote_cli_write_all(err, "\n", 1);
  if(fd)
    close(fd);
}
