/* tests/kqueue/kqueue.c: a stand-in of kqueue() and kevent() on epoll, to run src/port/kqueue on Linux. It is
 * written from the manual pages kqueue(2) of FreeBSD and macOS. Tests include it.
 *
 * What the pages promise and epoll does not have: an event for each filter, where those of a descriptor are
 * apart from each other; filters that go with a descriptor, whatever copies of it there are; queues that a
 * child of fork() does not have; files, which are readable before their end. poll() takes each queue for
 * readable, as macOS has been seen to. Only descriptors below MOST_FDS are taken. Threads: one at a time. */
#define _GNU_SOURCE /* EPOLLRDHUP, ppoll */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/event.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  QUEUES = 8,
  MOST_FDS = 1024,
  AT_ONCE = 64 /* events that one wait takes from epoll */
};

enum kind { READING, WRITING, KINDS };

static const short kqueue_filters[KINDS] = {EVFILT_READ, EVFILT_WRITE};

struct registered {
  bool on[KINDS];
  bool file; /* a regular one, of which epoll knows nothing */
  void *udata[KINDS];
};

static struct kqueue {
  bool open;
  int fd;     /* of epoll */
  bool turns; /* the next wait reports reading first */
  struct registered of[MOST_FDS];
} kqueues[QUEUES];

/* What adding a filter of writing fails with; 0: it does not. */
static int kqueue_write_error;

/* ---- queues ---- */

static void kqueue_lose_all(void)
{
  int i;
  for(i = 0; i < QUEUES; i++)
    if(kqueues[i].open) {
      kqueues[i].open = false;
      (void)syscall(SYS_close, kqueues[i].fd);
    }
}

int kqueue(void)
{
  static bool prepared;
  int i = 0;
  while(i < QUEUES && kqueues[i].open)
    i++;
  if(!prepared)
    (void)pthread_atfork(NULL, NULL, kqueue_lose_all);
  prepared = true;
  if(i == QUEUES) {
    errno = EMFILE;
    return -1;
  }
  memset(&kqueues[i], 0, sizeof kqueues[i]);
  kqueues[i].fd = epoll_create1(0);
  kqueues[i].open = kqueues[i].fd >= 0;
  return kqueues[i].fd;
}

static struct kqueue *kqueue_of(int fd)
{
  int i;
  for(i = 0; i < QUEUES; i++)
    if(kqueues[i].open && kqueues[i].fd == fd)
      return &kqueues[i];
  return NULL;
}

/* In place of the C library's. */
int close(int fd)
{
  struct kqueue *own = kqueue_of(fd);
  int i;
  if(own)
    own->open = false;
  for(i = 0; i < QUEUES && fd >= 0 && fd < MOST_FDS; i++)
    if(kqueues[i].open) {
      (void)epoll_ctl(kqueues[i].fd, EPOLL_CTL_DEL, fd, NULL);
      memset(&kqueues[i].of[fd], 0, sizeof kqueues[i].of[fd]);
    }
  return (int)syscall(SYS_close, fd);
}

/* In place of the C library's. */
int poll(struct pollfd *fds, nfds_t count, int ms)
{
  struct timespec most = {ms / 1000, ms % 1000 * 1000000L};
  bool queued = false;
  nfds_t i;
  int n;
  for(i = 0; i < count; i++)
    queued = queued || kqueue_of(fds[i].fd);
  if(queued)
    most = (struct timespec){0, 0};
  n = ppoll(fds, count, ms < 0 && !queued ? NULL : &most, NULL);
  for(i = 0; i < count && n >= 0; i++)
    if(kqueue_of(fds[i].fd)) {
      n += !fds[i].revents;
      fds[i].revents |= POLLIN;
    }
  return n;
}

/* ---- changes ---- */

/* Makes what epoll watches what the filters want. Returns 0 or an error. */
static int kqueue_watch(struct kqueue *q, int fd)
{
  const struct registered *r = &q->of[fd];
  struct epoll_event e = {.data.fd = fd};
  e.events = (r->on[READING] ? EPOLLIN | EPOLLRDHUP : 0u) | (r->on[WRITING] ? EPOLLOUT : 0u);
  if(r->file)
    return 0;
  if(!e.events)
    return epoll_ctl(q->fd, EPOLL_CTL_DEL, fd, &e) ? errno : 0;
  if(!epoll_ctl(q->fd, EPOLL_CTL_MOD, fd, &e))
    return 0;
  return errno != ENOENT || epoll_ctl(q->fd, EPOLL_CTL_ADD, fd, &e) ? errno : 0;
}

static int kqueue_add(struct kqueue *q, int fd, enum kind kind, void *udata)
{
  struct registered *r = &q->of[fd];
  bool before = r->on[kind];
  struct stat st;
  int error;
  if(fstat(fd, &st))
    return errno;
  if(kind == WRITING && kqueue_write_error)
    return kqueue_write_error;
  r->file = S_ISREG(st.st_mode);
  if(r->file && kind == WRITING)
    return EINVAL;
  r->on[kind] = true;
  error = kqueue_watch(q, fd);
  if(error)
    r->on[kind] = before;
  else
    r->udata[kind] = udata;
  return error;
}

static int kqueue_apply(struct kqueue *q, const struct kevent *change)
{
  enum kind kind = change->filter == EVFILT_READ ? READING : WRITING;
  int fd = (int)change->ident;
  if(fd < 0 || fd >= MOST_FDS || fcntl(fd, F_GETFD) < 0)
    return EBADF;
  if(change->filter != kqueue_filters[kind])
    return EINVAL;
  if(change->flags & EV_ADD)
    return kqueue_add(q, fd, kind, change->udata);
  if(!(change->flags & EV_DELETE) || !q->of[fd].on[kind])
    return ENOENT;
  q->of[fd].on[kind] = false;
  return kqueue_watch(q, fd);
}

/* ---- events ---- */

struct kqueue_list {
  struct kevent *at;
  int count, most;
};

static void kqueue_report(struct kqueue_list *l, struct kqueue *q, int fd, enum kind kind, unsigned what)
{
  struct kevent *e = &l->at[l->count];
  int bytes = 0;
  unsigned eof = kind == READING ? EPOLLRDHUP | EPOLLHUP | EPOLLERR : EPOLLHUP | EPOLLERR;
  if(!q->of[fd].on[kind] || !(what & (eof | (kind == READING ? EPOLLIN : EPOLLOUT))) || l->count == l->most)
    return;
  if(kind == READING)
    (void)ioctl(fd, FIONREAD, &bytes);
  memset(e, 0, sizeof *e);
  e->ident = (uintptr_t)fd;
  e->filter = kqueue_filters[kind];
  e->flags = what & eof ? EV_EOF : 0;
  e->fflags = what & EPOLLERR ? ECONNRESET : 0; /* which one it is, asking would take away */
  e->data = bytes;
  e->udata = q->of[fd].udata[kind];
  l->count++;
}

static bool has_more(int fd)
{
  struct stat st;
  return !fstat(fd, &st) && lseek(fd, 0, SEEK_CUR) < st.st_size;
}

static void kqueue_report_files(struct kqueue_list *l, struct kqueue *q)
{
  int fd;
  for(fd = 0; fd < MOST_FDS; fd++)
    if(q->of[fd].file && has_more(fd))
      kqueue_report(l, q, fd, READING, EPOLLIN);
}

static int kqueue_wait(struct kqueue *q, struct kevent *events, int most, const struct timespec *timeout)
{
  struct epoll_event found[AT_ONCE];
  struct kqueue_list l = {events, 0, most};
  int ms = timeout ? (int)(timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000) : -1;
  int i, n;
  kqueue_report_files(&l, q);
  n = epoll_wait(q->fd, found, most < AT_ONCE ? most : AT_ONCE, l.count ? 0 : ms);
  if(n < 0)
    return -1;
  for(i = 0; i < n; i++)
    kqueue_report(&l, q, found[i].data.fd, q->turns ? READING : WRITING, found[i].events);
  for(i = 0; i < n; i++)
    kqueue_report(&l, q, found[i].data.fd, q->turns ? WRITING : READING, found[i].events);
  q->turns = !q->turns; /* neither waits for ever where there is no room for all */
  return l.count;
}

int kevent(int kq, const struct kevent *changes, int change_count, struct kevent *events, int event_count,
           const struct timespec *timeout)
{
  struct kqueue *q = kqueue_of(kq);
  int i, answers = 0;
  if(!q) {
    errno = EBADF;
    return -1;
  }
  for(i = 0; i < change_count; i++) {
    struct kevent e = changes[i];
    int error = kqueue_apply(q, &e);
    if(!error && !(e.flags & EV_RECEIPT))
      continue;
    if(answers == event_count) {
      errno = error;
      return -1;
    }
    e.flags |= EV_ERROR;
    e.data = error;
    events[answers++] = e;
  }
  return answers || !event_count ? answers : kqueue_wait(q, events, event_count, timeout);
}
