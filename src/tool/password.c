#include "tool/password.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/transfers/out.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

static void password_echo(int fd, bool on)
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
static void password_read_line(int fd, char *line, size_t size, const sigset_t *mask)
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

/* A memset() of what nothing reads afterwards is left out by the compiler. */
static void password_wipe(char *secret, size_t size)
{
  volatile char *p = secret;
  while(size--)
    *p++ = 0;
}

/* A line from the terminal, which is not echoed. Empty without a terminal. */
static void password_ask(const char *prompt, char *answer, size_t size)
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
  password_echo(fd, false);
  mote_cli_write_all(mote_cli.err, prompt, strlen(prompt));
  password_read_line(fd, answer, size, &held.mask);
  password_echo(fd, true);
  release_signals(&held);
  mote_cli_write_all(mote_cli.err, "\n", 1);
  if(fd)
    close(fd);
}

static CURLcode password_complete(struct operation *op, int target, const char *kind)
{
  const struct value *v = mote_cli_op_find(op, target);
  char prompt[256], answer[256], *both;
  size_t len;
  if(!v || strchr(v->u.text, ':') || v->u.text[0] == ';')
    return CURLE_OK;
  snprintf(prompt, sizeof prompt, "Enter %s password for user '%s':", kind, v->u.text);
  password_ask(prompt, answer, sizeof answer);
  len = strlen(v->u.text);
  both = mote_cli_keep(len + strlen(answer) + 2);
  if(!both)
    return CURLE_OUT_OF_MEMORY;
  memcpy(both, v->u.text, len);
  both[len] = ':';
  strcpy(both + len + 1, answer);
  password_wipe(answer, sizeof answer);
  mote_cli_op_text(op, v->row, target, both);
  return CURLE_OK;
}

CURLcode mote_cli_ask_passwords(struct operation *op)
{
  CURLcode rc = CURLE_OK;
  if(!mote_cli_op_find(op, CURLOPT_XOAUTH2_BEARER))
    rc = password_complete(op, CURLOPT_USERPWD, "host");
  return rc ? rc : password_complete(op, CURLOPT_PROXYUSERPWD, "proxy");
}
