/* tests/unit/net/http_server.h: a little HTTP server inside the test program, one thread per connection.
 *
 *   GET /...     200, 12 bytes; the connection stays
 *   GET /close   200, and the connection is closed
 *   GET /never   no answer until the server stops
 * With `talk` its connections speak another protocol (tests/threads/line_server.h).
 * Its own memory comes from the C library, past the counting allocator. */
#ifndef MOTE_TEST_HTTP_SERVER_H
#define MOTE_TEST_HTTP_SERVER_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "net/fds.h"

#define HTTP_SERVER_BODY "hello, mote\n"
#define HTTP_SERVER_MAX 512 /* connections at once */

struct http_session;

struct http_server {
  int listener;
  uint16_t port;
  pthread_t acceptor;
  pthread_mutex_t lock;      /* over what follows */
  pthread_cond_t changed;
  int open[HTTP_SERVER_MAX]; /* descriptors; -1: free */
  int threads;               /* connections being served */
  bool stopping;
  atomic_int connections;    /* accepted */
  atomic_int requests;
  /* Around a connection's bytes (TLS); NULL: the socket itself. */
  void *(*layer_new)(int fd);
  int (*layer_read)(void *layer, void *buf, int len);
  int (*layer_write)(void *layer, const void *buf, int len);
  void (*layer_free)(void *layer);
  void (*talk)(struct http_session *s); /* until the connection is over, instead of HTTP; or NULL */
};

struct http_session {
  struct http_server *server;
  void *layer;
  int fd;
  int slot;
};

static inline int http_session_read(struct http_session *s, void *buf, int len)
{
  if(s->server->layer_new)
    return s->server->layer_read(s->layer, buf, len);
  return (int)recv(s->fd, buf, (size_t)len, 0);
}

static inline bool http_session_write(struct http_session *s, const char *text)
{
  int len = (int)strlen(text);
  int n = s->server->layer_new ? s->server->layer_write(s->layer, text, len)
                               : (int)send(s->fd, text, (size_t)len, MSG_NOSIGNAL);
  return n == len;
}

/* One whole head. False: the connection is over. */
static inline bool http_session_request(struct http_session *s, char *buf, int size)
{
  int len = 0;
  while(len < size - 1) {
    int n = http_session_read(s, buf + len, size - 1 - len);
    if(n <= 0)
      return false;
    len += n;
    buf[len] = 0;
    if(strstr(buf, "\r\n\r\n"))
      return true;
  }
  return false;
}

static inline bool http_session_answer(struct http_session *s, const char *request)
{
  bool last = strstr(request, " /close ") != NULL;
  char text[200], byte;
  atomic_fetch_add(&s->server->requests, 1);
  if(strstr(request, " /never ")) {
    (void)http_session_read(s, &byte, 1); /* the client's end or the server's */
    return false;
  }
  snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n%s\r\n%s", strlen(HTTP_SERVER_BODY),
           last ? "Connection: close\r\n" : "", HTTP_SERVER_BODY);
  return http_session_write(s, text) && !last;
}

/* A layer writes without MSG_NOSIGNAL, and a client may be gone: this thread's SIGPIPE waits for ever, while
 * the library's own would still end the program. */
static inline void http_session_no_sigpipe(void)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static inline void *http_session_run(void *arg)
{
  struct http_session *s = arg;
  struct http_server *server = s->server;
  char buf[4096];
  http_session_no_sigpipe();
  s->layer = server->layer_new ? server->layer_new(s->fd) : NULL;
  if(server->talk && (!server->layer_new || s->layer))
    server->talk(s);
  else if(!server->layer_new || s->layer)
    while(http_session_request(s, buf, sizeof buf) && http_session_answer(s, buf))
      ;
  if(s->layer)
    server->layer_free(s->layer);
  pthread_mutex_lock(&server->lock);
  server->open[s->slot] = -1;
  close(s->fd);
  server->threads--;
  pthread_cond_broadcast(&server->changed);
  pthread_mutex_unlock(&server->lock);
  free(s);
  return NULL;
}

static inline bool http_server_begin_session(struct http_server *server, int fd)
{
  struct http_session *s = malloc(sizeof *s);
  pthread_t thread;
  int slot;
  bool ok = false;
  pthread_mutex_lock(&server->lock);
  for(slot = 0; slot < HTTP_SERVER_MAX && server->open[slot] >= 0; slot++)
    ;
  if(s && slot < HTTP_SERVER_MAX && !server->stopping) {
    *s = (struct http_session){server, NULL, fd, slot};
    ok = !pthread_create(&thread, NULL, http_session_run, s);
  }
  if(ok) {
    pthread_detach(thread);
    server->open[slot] = fd;
    server->threads++;
  }
  else
    free(s);
  pthread_mutex_unlock(&server->lock);
  return ok;
}

static inline void *http_server_accept(void *arg)
{
  struct http_server *server = arg;
  for(;;) {
    int fd = accept(server->listener, NULL, NULL);
    if(fd < 0)
      return NULL;
    atomic_fetch_add(&server->connections, 1);
    if(!http_server_begin_session(server, fd))
      close(fd);
  }
}

/* All zero, or with the layer's functions set. */
static inline void http_server_start(struct http_server *server)
{
  int i;
  pthread_mutex_init(&server->lock, NULL);
  pthread_cond_init(&server->changed, NULL);
  for(i = 0; i < HTTP_SERVER_MAX; i++)
    server->open[i] = -1;
  server->listener = fds_listen("127.0.0.1", &server->port, 256);
  CHECK(!pthread_create(&server->acceptor, NULL, http_server_accept, server));
}

static inline void http_server_stop(struct http_server *server)
{
  int i;
  pthread_mutex_lock(&server->lock);
  server->stopping = true;
  for(i = 0; i < HTTP_SERVER_MAX; i++)
    if(server->open[i] >= 0)
      (void)shutdown(server->open[i], SHUT_RDWR);
  pthread_mutex_unlock(&server->lock);
  (void)shutdown(server->listener, SHUT_RDWR);
  pthread_join(server->acceptor, NULL);
  close(server->listener);
  pthread_mutex_lock(&server->lock);
  while(server->threads)
    pthread_cond_wait(&server->changed, &server->lock);
  pthread_mutex_unlock(&server->lock);
  pthread_mutex_destroy(&server->lock);
  pthread_cond_destroy(&server->changed);
}

#endif
