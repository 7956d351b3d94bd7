/* log/fault.c: MOTE_FAULT and mote_fault_control(): which call fails, and the report. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/inner.h"
#include "log/log.h"

_Static_assert(MOTE_LOG_LAST <= 64, "a kind is a set of at most 64 calls");

#define BIT(call) ((uint64_t)1 << (call))
#define EVERY (BIT(MOTE_LOG_LAST) - 1)
#define ALLOCATIONS (BIT(MOTE_LOG_STRDUP + 1) - 1)
#define MOVES (BIT(MOTE_LOG_EPOLL_WAIT + 1) - 1 - ALLOCATIONS)

const struct mote_log_row mote_log_calls[MOTE_LOG_LAST] = {
  [MOTE_LOG_MALLOC] = { "malloc", ENOMEM },
  [MOTE_LOG_CALLOC] = { "calloc", ENOMEM },
  [MOTE_LOG_REALLOC] = { "realloc", ENOMEM },
  [MOTE_LOG_STRDUP] = { "strdup", ENOMEM },
  [MOTE_LOG_RECV] = { "recv", ECONNRESET },
  [MOTE_LOG_SEND] = { "send", ECONNRESET },
  [MOTE_LOG_READ] = { "read", EIO },
  [MOTE_LOG_WRITE] = { "write", EIO },
  [MOTE_LOG_CONNECT] = { "connect", EADDRNOTAVAIL },
  [MOTE_LOG_POLL] = { "poll", ENOMEM },
  [MOTE_LOG_EPOLL_WAIT] = { "epoll_wait", EINVAL },
  [MOTE_LOG_SOCKET] = { "socket", EMFILE },
  [MOTE_LOG_ACCEPT] = { "accept", EMFILE },
  [MOTE_LOG_PIPE] = { "pipe", EMFILE },
  [MOTE_LOG_EVENTFD] = { "eventfd", EMFILE },
  [MOTE_LOG_EPOLL_CREATE1] = { "epoll_create1", EMFILE },
  [MOTE_LOG_OPEN] = { "open", EMFILE },
  [MOTE_LOG_CLOSE] = { "close", EIO },
  [MOTE_LOG_FOPEN] = { "fopen", EMFILE },
  [MOTE_LOG_FDOPEN] = { "fdopen", ENOMEM },
  [MOTE_LOG_FCLOSE] = { "fclose", EIO },
  [MOTE_LOG_BIND] = { "bind", EADDRINUSE },
  [MOTE_LOG_SHUTDOWN] = { "shutdown", ENOBUFS },
  [MOTE_LOG_GETSOCKOPT] = { "getsockopt", ENOBUFS },
  [MOTE_LOG_SETSOCKOPT] = { "setsockopt", ENOBUFS },
  [MOTE_LOG_GETSOCKNAME] = { "getsockname", ENOBUFS },
  [MOTE_LOG_GETPEERNAME] = { "getpeername", ENOBUFS },
  [MOTE_LOG_FCNTL] = { "fcntl", EINVAL },
  [MOTE_LOG_IOCTL] = { "ioctl", EINVAL },
  [MOTE_LOG_EPOLL_CTL] = { "epoll_ctl", ENOMEM },
  [MOTE_LOG_LSEEK] = { "lseek", ESPIPE },
  [MOTE_LOG_FSTAT] = { "fstat", EIO },
  [MOTE_LOG_STAT] = { "stat", EACCES },
  [MOTE_LOG_ACCESS] = { "access", EACCES },
  [MOTE_LOG_MKDIR] = { "mkdir", ENOSPC },
  [MOTE_LOG_UNLINK] = { "unlink", EACCES },
  [MOTE_LOG_FTRUNCATE] = { "ftruncate", EIO },
  [MOTE_LOG_FUTIMENS] = { "futimens", EPERM },
  [MOTE_LOG_FSETXATTR] = { "fsetxattr", ENOTSUP },
  [MOTE_LOG_TCGETATTR] = { "tcgetattr", ENOTTY },
  [MOTE_LOG_TCSETATTR] = { "tcsetattr", EIO },
  [MOTE_LOG_NANOSLEEP] = { "nanosleep", EINTR },
  [MOTE_LOG_GETENTROPY] = { "getentropy", ENOSYS },
  [MOTE_LOG_GETADDRINFO] = { "getaddrinfo", EAI_MEMORY },
  [MOTE_LOG_GETIFADDRS] = { "getifaddrs", ENOMEM },
  [MOTE_LOG_IF_NAMETOINDEX] = { "if_nametoindex", ENODEV },
  [MOTE_LOG_GETPWUID] = { "getpwuid", ENOMEM },
  [MOTE_LOG_PTHREAD_CREATE] = { "pthread_create", EAGAIN },
  [MOTE_LOG_PTHREAD_ATFORK] = { "pthread_atfork", ENOMEM },
  [MOTE_LOG_PTHREAD_ATTR_INIT] = { "pthread_attr_init", ENOMEM },
};

static struct {
  atomic_uint_fast64_t kind;  /* the calls that count, a bit each */
  atomic_bool still;          /* disarmed: nothing is counted any more */
  atomic_llong calls;         /* of that kind */
  atomic_llong first, last;   /* those that fail, by number from 1; first 0: none */
  atomic_llong fired;
  atomic_int error;           /* errno=; 0: the row's */
  atomic_llong most;          /* short=; 0: no limit */
  atomic_llong cut;           /* bytes until the cut; -1: none */
  enum mote_log_call call;    /* of the first that failed; within mote_log_enter() */
  struct mote_log_where where;
  char report[4096];
} fault = { .kind = EVERY, .cut = -1 };

static uint64_t kind_of(const char *name, size_t len)
{
  static const struct {
    const char *name;
    uint64_t calls;
  } groups[] = {
    { "any", EVERY }, { "alloc", ALLOCATIONS }, { "call", EVERY - ALLOCATIONS }, { "io", MOVES },
  };
  size_t i;
  for(i = 0; i < sizeof groups / sizeof *groups; i++)
    if(strlen(groups[i].name) == len && !memcmp(groups[i].name, name, len))
      return groups[i].calls;
  for(i = 0; i < MOTE_LOG_LAST; i++)
    if(strlen(mote_log_calls[i].name) == len && !memcmp(mote_log_calls[i].name, name, len))
      return BIT(i);
  return 0;
}

static void fired(enum mote_log_call call, long long number)
{
  if(!mote_log_enter())
    return;
  if(!atomic_load(&fault.fired)) {
    fault.call = call;
    fault.where = mote_log_here();
  }
  atomic_fetch_add(&fault.fired, 1);
  mote_log_put("LIMIT", "%s() failed on purpose: call %lld", mote_log_calls[call].name, number);
  mote_log_leave();
}

/* An errno that was asked for suits what sets errno; an EAI code suits getaddrinfo. */
static int error_of(enum mote_log_call call)
{
  int wanted = atomic_load(&fault.error);
  if(!wanted || BIT(call) & ALLOCATIONS || (wanted < 0 && call != MOTE_LOG_GETADDRINFO))
    return mote_log_calls[call].error;
  return wanted;
}

int mote_log_failure(enum mote_log_call call)
{
  long long first, number;
  if(!(BIT(call) & atomic_load(&fault.kind)) || atomic_load(&fault.still))
    return 0;
  number = atomic_fetch_add(&fault.calls, 1) + 1;
  first = atomic_load(&fault.first);
  if(!first || number < first || number > atomic_load(&fault.last))
    return 0;
  fired(call, number);
  return error_of(call);
}

bool mote_log_fails(enum mote_log_call call)
{
  int error = mote_log_failure(call);
  if(error)
    errno = error;
  return error;
}

size_t mote_log_room(bool receives, size_t n)
{
  long long most = atomic_load(&fault.most);
  long long cut = atomic_load(&fault.cut);
  if(receives && cut >= 0 && n) {
    if(!cut) {
      atomic_store(&fault.cut, -1);
      return 0;
    }
    if((unsigned long long)cut < n)
      n = (size_t)cut;
  }
  return most > 0 && (unsigned long long)most < n ? (size_t)most : n;
}

void mote_log_received(long got)
{
  if(got > 0 && atomic_load(&fault.cut) > 0)
    atomic_fetch_sub(&fault.cut, got);
}

static void count(uint64_t kind)
{
  if(kind)
    atomic_store(&fault.kind, kind);
  atomic_store(&fault.first, 0);
  atomic_store(&fault.calls, 0);
  atomic_store(&fault.fired, 0);
  atomic_store(&fault.still, false);
}

static void arm(long long first, bool again)
{
  atomic_store(&fault.last, again ? first + ((long long)1 << 62) : first);
  atomic_store(&fault.first, first);
}

static long long figure(const char *what)
{
  struct mote_log_held held;
  mote_log_held_get(&held);
  if(!strcmp(what, "calls"))
    return atomic_load(&fault.calls);
  if(!strcmp(what, "fired"))
    return atomic_load(&fault.fired);
  if(!strcmp(what, "live"))
    return held.blocks;
  if(!strcmp(what, "bytes"))
    return held.bytes;
  if(!strcmp(what, "fds"))
    return held.fds;
  if(!strcmp(what, "bad"))
    return held.bad;
  return -1;
}

/* Exported by the log build. */
__attribute__((visibility("default"))) long long mote_fault_control(const char *what, long long n)
{
  uint64_t kind = kind_of(what, strlen(what));
  if(kind) {
    count(kind);
    return n;
  }
  if(!strcmp(what, "at") || !strcmp(what, "from")) {
    count(0);
    arm(n, *what == 'f');
    return n;
  }
  if(!strcmp(what, "short")) {
    atomic_store(&fault.most, n);
    return n;
  }
  if(!strcmp(what, "cut")) {
    atomic_store(&fault.cut, n);
    return n;
  }
  if(!strcmp(what, "disarm")) {
    atomic_store(&fault.still, true);
    atomic_store(&fault.first, 0);
    return atomic_load(&fault.fired);
  }
  return figure(what);
}

/* One word of MOTE_FAULT; false: it is none. */
static bool word(const char *name, const char *value, size_t len)
{
  long long n = atoll(value);
  uint64_t kind = 0;
  int error = 0;
  if(!strncmp(name, "at=", 3) || !strncmp(name, "from=", 5))
    arm(n, *name == 'f');
  else if(!strncmp(name, "kind=", 5)) {
    kind = kind_of(value, len);
    if(!kind)
      return false;
    atomic_store(&fault.kind, kind);
  }
  else if(!strncmp(name, "errno=", 6)) {
    error = mote_log_error_number(value, len);
    if(!error)
      return false;
    atomic_store(&fault.error, error);
  }
  else if(!strncmp(name, "short=", 6))
    atomic_store(&fault.most, n);
  else if(!strncmp(name, "cut=", 4))
    atomic_store(&fault.cut, n);
  else if(!strncmp(name, "report=", 7) && len < sizeof fault.report)
    memcpy(fault.report, value, len);
  else
    return false;
  return true;
}

void mote_log_fault_start(void)
{
  const char *at = getenv("MOTE_FAULT");
  while(at && *at) {
    size_t len = strcspn(at, ",");
    const char *equals = memchr(at, '=', len);
    if(!equals || !word(at, equals + 1, (size_t)(at + len - equals - 1)))
      (void)dprintf(2, "MOTE_FAULT: what is \"%.*s\"?\n", (int)len, at);
    at += len + (at[len] == ',');
  }
}

void mote_log_report(void)
{
  char line[768];
  struct mote_log_held held;
  struct mote_log_where left = {NULL, 0};
  long long hits = atomic_load(&fault.fired);
  int file, n;
  if(!*fault.report)
    return;
  mote_log_held_get(&held);
  n = snprintf(line, sizeof line, "calls=%lld fired=%lld call=%s site=", atomic_load(&fault.calls), hits,
               hits ? mote_log_calls[fault.call].name : "-");
  n += hits ? snprintf(line + n, sizeof line - (size_t)n, "%.200s:%d", fault.where.file, fault.where.line) :
              snprintf(line + n, sizeof line - (size_t)n, "-");
  n += snprintf(line + n, sizeof line - (size_t)n, " live=%lld bytes=%lld fds=%lld", held.blocks, held.bytes,
                held.fds);
  if(held.blocks && mote_log_enter()) {
    left = mote_log_held_one();
    mote_log_leave();
  }
  if(left.file)
    n += snprintf(line + n, sizeof line - (size_t)n, " left=%.200s:%d", left.file, left.line);
  if(held.bad)
    n += snprintf(line + n, sizeof line - (size_t)n, " bad=%lld", held.bad);
  line[n++] = '\n';
  file = open(fault.report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if(file < 0 || write(file, line, (size_t)n) != n)
    (void)dprintf(2, "MOTE_FAULT: cannot write %s\n", fault.report);
  if(file >= 0)
    (void)close(file);
}
