/* port/posix/process.c: the process's id, which is read once, and again in a child (pthread_atfork), because
 * glibc's getpid is a system call. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "port/set.h"

static atomic_long known_pid; /* 0: not known */
static atomic_int watching;   /* 0: not yet, 1: a thread is about to, 2: children update known_pid */

static void in_child(void)
{
  atomic_store(&known_pid, (long)getpid());
}

long mote_port_pid(void)
{
  int before = 0;
  long pid = atomic_load_explicit(&known_pid, memory_order_relaxed);
  if(pid)
    return pid;
  pid = (long)getpid();
  if(!atomic_compare_exchange_strong(&watching, &before, 1))
    return pid;
  if(pthread_atfork(NULL, NULL, in_child))
    atomic_store(&watching, 0);
  else {
    atomic_store(&watching, 2);
    atomic_store(&known_pid, (long)getpid());
  }
  return pid;
}
