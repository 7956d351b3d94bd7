/* log/fault.c: which call fails (MOTE_FAULT, mote_fault_control()), the report, and how the log begins and
 * ends. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
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

static uint64_t fault_kind_of(const char *name, size_t len)
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

static void fault_fired(enum mote_log_call call, long long number)
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
static int fault_error_of(enum mote_log_call call)
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
  fault_fired(call, number);
  return fault_error_of(call);
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

static void fault_count(uint64_t kind)
{
  if(kind)
    atomic_store(&fault.kind, kind);
  atomic_store(&fault.first, 0);
  atomic_store(&fault.calls, 0);
  atomic_store(&fault.fired, 0);
  atomic_store(&fault.still, false);
}

static void fault_arm(long long first, bool again)
{
  atomic_store(&fault.last, again ? first + ((long long)1 << 62) : first);
  atomic_store(&fault.first, first);
}

static long long fault_figure(const char *what)
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
  uint64_t kind = fault_kind_of(what, strlen(what));
  if(kind) {
    fault_count(kind);
    return n;
  }
  if(!strcmp(what, "at") || !strcmp(what, "from")) {
    fault_count(0);
    fault_arm(n, *what == 'f');
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
  return fault_figure(what);
}

/* One word of MOTE_FAULT; false: it is none. */
static bool fault_word(const char *name, const char *value, size_t len)
{
  long long n = atoll(value);
  uint64_t kind = 0;
  int error = 0;
  if(!strncmp(name, "at=", 3) || !strncmp(name, "from=", 5))
    fault_arm(n, *name == 'f');
  else if(!strncmp(name, "kind=", 5)) {
    kind = fault_kind_of(value, len);
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

static void read_faults(void)
{
  const char *at = getenv("MOTE_FAULT");
  while(at && *at) {
    size_t len = strcspn(at, ",");
    const char *equals = memchr(at, '=', len);
    if(!equals || !fault_word(at, equals + 1, (size_t)(at + len - equals - 1)))
      (void)dprintf(2, "MOTE_FAULT: what is \"%.*s\"?\n", (int)len, at);
    at += len + (at[len] == ',');
  }
}

static void fault_report(void)
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

/* ---- the log in the life of the process ----
 *
 * It is in this file because every wrapper refers to it. Constructors alone would not pull a file out of an
 * archive. */

extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* Before the process dies. The thread that holds the lock may never release it. */
static void last_words(void)
{
  mote_log_enter_by_force();
  mote_log_flush();
  fault_report();
}

static void fault_died(int number)
{
  last_words();
  (void)raise(number); /* its default action, when this handler returns */
}

static void watch_signals(void)
{
  static const int fatal[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL };
  struct sigaction before, now;
  size_t i;
  memset(&now, 0, sizeof now);
  now.sa_handler = fault_died;
  now.sa_flags = (int)SA_RESETHAND;
  for(i = 0; i < sizeof fatal / sizeof *fatal; i++)
    if(!sigaction(fatal[i], NULL, &before) && before.sa_handler == SIG_DFL)
      (void)sigaction(fatal[i], &now, NULL);
}

static void before_fork(void)
{
  if(!mote_log_enter())
    return;
  mote_log_flush();
}

static void after_fork(void)
{
  mote_log_leave();
}

__attribute__((constructor(101))) static void begin(void)
{
  bool logs = mote_log_write_to(getenv("CURL_MEMDEBUG"));
  read_faults();
  if(!logs && !getenv("MOTE_FAULT"))
    return;
  watch_signals();
  if(__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(last_words);
  (void)pthread_atfork(before_fork, after_fork, after_fork);
}

__attribute__((destructor(101))) static void end(void)
{
  if(!mote_log_enter())
    return;
  mote_log_write_at_once(); /* other threads may go on, and this is the last time that the buffer is
                               written */
  mote_log_leave();
  fault_report();
}
