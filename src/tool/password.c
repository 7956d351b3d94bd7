#include "tool/password.h"

#include "tool/memory.h"
#include "tool/out.h"
#include "tool/say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static void echo(int fd, bool on)
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

/* Signals that end the command wait until the terminal shows what is typed again. */
static const int deadly[] = { SIGINT, SIGTERM, SIGHUP };
enum { DEADLY = sizeof deadly / sizeof deadly[0] };
static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
  caught = number;
}

static void hold_signals(struct sigaction *before)
{
  struct sigaction hold = { .sa_handler = catch_signal };
  caught = 0;
  for(int i = 0; i < DEADLY; i++) {
    sigaction(deadly[i], &hold, &before[i]);
    if(before[i].sa_handler == SIG_IGN)
      sigaction(deadly[i], &before[i], NULL);
  }
}

static void release_signals(const struct sigaction *before)
{
  for(int i = 0; i < DEADLY; i++)
    sigaction(deadly[i], &before[i], NULL);
  if(caught)
    raise(caught);
}

/* A line from the terminal, not shown while it is typed; empty where there is none. */
static void ask(const char *prompt, char *answer, size_t size)
{
  int fd = open("/dev/tty", O_RDONLY | O_CLOEXEC);
  struct sigaction before[DEADLY];
  size_t len = 0;
  ssize_t n;
  if(fd < 0)
    fd = 0;
  hold_signals(before);
  echo(fd, false);
  mote_cli_write_all(mote_cli.err, prompt, strlen(prompt));
  while(len + 1 < size && !caught) {
    n = read(fd, answer + len, 1);
    if(n < 0 && errno == EINTR)
      continue;
    if(n <= 0 || answer[len] == '\n')
      break;
    len++;
  }
  answer[len] = 0;
  echo(fd, true);
  release_signals(before);
  mote_cli_write_all(mote_cli.err, "\n", 1);
  if(fd)
    close(fd);
}

static CURLcode complete(struct operation *op, int target, const char *kind)
{
  const struct value *v = mote_cli_op_find(op, target);
  char prompt[256], answer[256], *both;
  size_t len;
  if(!v || strchr(v->u.text, ':') || v->u.text[0] == ';')
    return CURLE_OK;
  snprintf(prompt, sizeof prompt, "Enter %s password for user '%s':", kind, v->u.text);
  ask(prompt, answer, sizeof answer);
  len = strlen(v->u.text);
  both = mote_cli_keep(len + strlen(answer) + 2);
  if(!both)
    return CURLE_OUT_OF_MEMORY;
  memcpy(both, v->u.text, len);
  both[len] = ':';
  strcpy(both + len + 1, answer);
  memset(answer, 0, sizeof answer);
  mote_cli_op_text(op, v->row, target, both);
  return CURLE_OK;
}

CURLcode mote_cli_ask_passwords(struct operation *op)
{
  CURLcode rc = CURLE_OK;
  if(!mote_cli_op_find(op, CURLOPT_XOAUTH2_BEARER))
    rc = complete(op, CURLOPT_USERPWD, "host");
  return rc ? rc : complete(op, CURLOPT_PROXYUSERPWD, "proxy");
}
