/* zygote.c: loaded once, a child per run: starting a process and its libraries costs more than a transfer. */
#define _GNU_SOURCE
#include "driver.h"
#include "torture.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char message[1 << 16];
static int passed[3];

static void on_child(int sig)
{
  (void)sig;
}

/* The length of the next message, 0 at the end. */
static ssize_t receive(int fd)
{
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(3 * sizeof(int))];
  } extra;
  struct iovec io = {message, sizeof message - 1};
  struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = &extra, .msg_controllen = sizeof extra};
  ssize_t n = recvmsg(fd, &m, 0);
  struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
  if(n <= 0 || !c || c->cmsg_len != CMSG_LEN(3 * sizeof(int)))
    return 0;
  memcpy(passed, CMSG_DATA(c), sizeof passed);
  message[n] = 0;
  return n;
}

static void answer(int fd, const char *kind, long long pid, long long status)
{
  char text[64];
  int n = snprintf(text, sizeof text, "%s %lld %lld", kind, pid, status);
  if(send(fd, text, (size_t)n, MSG_NOSIGNAL) < 0)
    exit(5);
}

static void reap(int fd)
{
  int status;
  pid_t pid;
  while((pid = waitpid(-1, &status, WNOHANG)) > 0)
    answer(fd, "status", pid, status);
}

/* In the child: takes the message's lines; strings stay in the message. */
static void take(unsigned *seconds)
{
  char *save = NULL;
  for(char *line = strtok_r(message, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    char *value = strchr(line, ' ');
    if(!value)
      continue;
    *value++ = 0;
    if(!strcmp(line, "way"))
      default_way = (enum way)way_by_name(value);
    else if(!strcmp(line, "seconds"))
      *seconds = (unsigned)atoi(value);
    else if(!strcmp(line, "env"))
      putenv(value);
    else if(!strcmp(line, "after"))
      after = value;
    else if(!strcmp(line, "control") && torture_arm(value)) {
      fputs("driver: this library lets no call fail\n", stderr);
      _exit(4);
    }
  }
}

static void child(int fd, unsigned *seconds)
{
  close(fd);
  for(int i = 0; i < 3; i++)
    dup2(passed[i], i);
  for(int i = 0; i < 3; i++)
    if(passed[i] > 2)
      close(passed[i]);
  signal(SIGCHLD, SIG_DFL);
  torture = 1;
  take(seconds);
}

int zygote_serve(int fd, unsigned *seconds)
{
  struct sigaction on = {.sa_handler = on_child};
  sigset_t block, open_mask;
  sigaction(SIGCHLD, &on, NULL);
  sigemptyset(&block);
  sigaddset(&block, SIGCHLD);
  sigprocmask(SIG_BLOCK, &block, &open_mask);
  for(;;) {
    struct pollfd p = {fd, POLLIN, 0};
    int n = ppoll(&p, 1, NULL, &open_mask);
    reap(fd);
    if(n < 0 && errno == EINTR)
      continue;
    if(!receive(fd))
      return 0;
    pid_t pid = fork();
    if(!pid) {
      sigprocmask(SIG_SETMASK, &open_mask, NULL);
      child(fd, seconds);
      return -1;
    }
    for(int i = 0; i < 3; i++)
      close(passed[i]);
    answer(fd, "pid", pid, 0);
  }
}
