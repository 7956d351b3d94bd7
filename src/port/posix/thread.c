/* port/posix/thread.c: detached threads with a small stack. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "port/thread.h"

/* glibc's getaddrinfo touched 10 KB (hosts file), 16 KB (no answer) and 25 KB (100 A and 100 AAAA records by
 * TCP); modules of other makers may take more. 128 KB is what every thread has with musl. Only what is
 * touched is resident. */
enum {
  STACK = 128 * 1024
};

static int thread_create(const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
  pthread_t id;
  sigset_t all;
  sigset_t before;
  int error;
  sigfillset(&all);
  error = pthread_sigmask(SIG_SETMASK, &all, &before);
  if(error)
    return error;
  error = pthread_create(&id, attr, run, arg);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

int mote_port_thread_start(void *(*run)(void *), void *arg)
{
  pthread_attr_t attr;
  int error = pthread_attr_init(&attr);
  if(error)
    return error;
  error = pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  if(!error) {
    (void)pthread_attr_setstacksize(&attr, STACK);
    error = thread_create(&attr, run, arg);
  }
  (void)pthread_attr_destroy(&attr);
  if(error != EINVAL)
    return error;
  /* glibc puts thread-local variables on the stack: with many of them in the program ours is too small. */
  error = pthread_attr_init(&attr);
  if(error)
    return error;
  error = pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  if(!error)
    error = thread_create(&attr, run, arg);
  (void)pthread_attr_destroy(&attr);
  return error;
}
