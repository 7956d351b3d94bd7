/* tests/hostile_text/server.c: one thread that serves every protocol, and what it thinks of what came
 * (hostile.h). */
#include "hostile.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define LISTENERS_MAX 32u
#define PEERS_MAX 64u
#define READ_AT_ONCE 65536u

static int listeners[LISTENERS_MAX];
static int ports[LISTENERS_MAX];
static size_t listener_count;   /* one for each talk, and the last for data */
static struct peer *peers;      /* the newest first */
static struct peer *data_peer;  /* the newest of FTP's connections for data */
static int wake[2];
static sem_t answered;
static pthread_t thread;
static SSL_CTX *tls;
static bool raw_case;
static char *shown_case;
static size_t shown_size;
static const char *verdict;

static const struct talk data_talk = {.name = "data"};

/* ---- what a talk does ---- */

void peer_send(struct peer *p, const void *bytes, size_t len)
{
  if(p->ssl)
    (void)SSL_write(p->ssl, bytes, (int)len);
  else if(p->talk->datagrams)
    (void)send(p->fd, bytes, len, MSG_NOSIGNAL);
  else
    while(len) {
      ssize_t n = send(p->fd, bytes, len, MSG_NOSIGNAL);
      if(n <= 0)
        return;
      bytes = (const char *)bytes + n;
      len -= (size_t)n;
    }
}

void peer_say(struct peer *p, const char *text)
{
  peer_send(p, text, strlen(text));
}

void peer_end(struct peer *p)
{
  if(p->ssl)
    (void)SSL_shutdown(p->ssl);
  (void)shutdown(p->fd, SHUT_WR);
}

bool peer_line(struct peer *p, char **line, size_t *len)
{
  char *at = p->in + p->used, *end = p->len > p->used ? memchr(at, '\n', p->len - p->used) : NULL;
  if(!end)
    return false;
  *line = at;
  *len = (size_t)(end - at) - (end > at && end[-1] == '\r');
  p->used += (size_t)(end - at) + 1;
  return true;
}

void server_send_data(const char *text)
{
  if(!data_peer)
    return;
  peer_say(data_peer, text);
  peer_end(data_peer);
}

int server_data_port(void)
{
  return ports[listener_count - 1];
}

int server_port(const char *talk)
{
  size_t i;
  for(i = 0; i < talk_count; i++)
    if(!strcmp(talks[i].name, talk))
      return ports[i];
  return 0;
}

/* ---- connections ---- */

static void peer_free(struct peer *p)
{
  SSL_free(p->ssl);
  nghttp2_session_del(p->h2);
  (void)close(p->fd);
  free(p->in);
  free(p);
}

static struct peer *peer_new(int fd, const struct talk *talk)
{
  struct peer *p = calloc(1, sizeof *p);
  if(!p) {
    (void)close(fd);
    return NULL;
  }
  p->fd = fd;
  p->talk = talk;
  p->next = peers;
  peers = p;
  if(talk->tls) {
    p->ssl = SSL_new(tls);
    SSL_set_app_data(p->ssl, talk->alpn);
    if(SSL_set_fd(p->ssl, fd) != 1 || SSL_accept(p->ssl) != 1)
      (void)shutdown(fd, SHUT_RDWR);
  }
  if(talk->greeting)
    peer_say(p, talk->greeting);
  return p;
}

/* A client that is silent within a record of TLS would stop the thread. */
static void peer_accept(size_t i)
{
  const struct timeval patience = {60, 0};
  const int at_once = 1;
  int fd = accept(listeners[i], NULL, NULL);
  if(fd < 0)
    return;
  (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  if(i < talk_count)
    (void)peer_new(fd, &talks[i]);
  else
    data_peer = peer_new(fd, &data_talk);
}

/* A client of TFTP is known by its address, and each packet is a peer of its own. */
static void datagram_take(size_t i)
{
  char bytes[READ_AT_ONCE];
  struct sockaddr_in from;
  socklen_t size = sizeof from;
  ssize_t n = recvfrom(listeners[i], bytes, sizeof bytes, 0, (struct sockaddr *)&from, &size);
  int fd = n > 0 ? socket(AF_INET, SOCK_DGRAM, 0) : -1;
  struct peer *p;
  if(fd < 0)
    return;
  p = connect(fd, (struct sockaddr *)&from, size) ? NULL : peer_new(fd, &talks[i]);
  if(!p)
    return;
  p->in = malloc((size_t)n);
  p->len = p->cap = p->in ? (size_t)n : 0;
  if(p->in)
    memcpy(p->in, bytes, (size_t)n);
  p->talk->take(p);
}

/* false: the client has closed. */
static bool peer_read(struct peer *p)
{
  ssize_t n;
  if(p->cap - p->len < READ_AT_ONCE) {
    size_t cap = p->cap ? 2 * p->cap : 2 * READ_AT_ONCE;
    char *in = realloc(p->in, cap);
    if(!in)
      return false;
    p->in = in;
    p->cap = cap;
  }
  n = p->ssl ? SSL_read(p->ssl, p->in + p->len, READ_AT_ONCE) : recv(p->fd, p->in + p->len, READ_AT_ONCE, 0);
  if(n <= 0)
    return false;
  p->len += (size_t)n;
  if(p->talk->take)
    p->talk->take(p);
  return true;
}

/* ---- verdicts ---- */

static void show(const struct peer *p, size_t at)
{
  size_t i, from = at > 40 ? at - 40 : 0, to = 0;
  for(i = from; i < p->len && i < from + 120 && to + 5 < shown_size; i++) {
    unsigned char c = (unsigned char)p->in[i];
    to += (size_t)snprintf(shown_case + to, shown_size - to, c >= ' ' && c < 127 ? "%c" : "\\x%02x", c);
  }
}

/* Any CR or LF ends a line for some server. */
static const char *judge_lines(const struct peer *p)
{
  size_t i;
  for(i = 0; i < p->len; i++) {
    bool ends = p->in[i] == '\n' || p->in[i] == '\r';
    bool whole = p->in[i] == '\r' && i + 1 < p->len && p->in[i + 1] == '\n';
    size_t next = i + (whole ? 2 : 1);
    if(!p->in[i] || !ends)
      continue;
    if(p->len - next >= 3 && !strncasecmp(p->in + next, HOSTILE_MARK, 3)) {
      show(p, next);
      return "a line that the application did not write";
    }
    if(p->talk->lines == COMMANDS && next < p->len && (p->in[next] == '\r' || p->in[next] == '\n')) {
      show(p, next);
      return "an empty line";
    }
    i = next - 1;
  }
  return NULL;
}

static const char *judge(const struct peer *p)
{
  if(p->wrong)
    (void)snprintf(shown_case, shown_size, "%s", p->talk->name);
  return p->wrong || p->talk->lines == FRAMES || raw_case ? p->wrong : judge_lines(p);
}

static void judge_all(void)
{
  verdict = NULL;
  *shown_case = 0;
  while(peers) {
    struct peer *p = peers;
    if(!verdict)
      verdict = judge(p);
    peers = p->next;
    peer_free(p);
  }
  data_peer = NULL;
}

/* ---- the thread ---- */

static size_t collect(struct pollfd *fds)
{
  size_t n = 0, i;
  struct peer *p;
  for(i = 0; i < listener_count; i++)
    fds[n++] = (struct pollfd){listeners[i], POLLIN, 0};
  for(p = peers; p && n < LISTENERS_MAX + PEERS_MAX - 1; p = p->next)
    fds[n++] = (struct pollfd){p->fd, POLLIN, 0};
  return n;
}

/* A peer that has closed stays, since what it has sent is to be judged. */
static bool serve_ready(struct pollfd *fds, size_t n, bool *quiet)
{
  struct peer *p = peers;
  bool any = false;
  size_t i;
  for(i = listener_count; i < n; i++, p = p->next)
    if(fds[i].revents && p->stage >= 0) {
      any = true;
      if(!peer_read(p))
        p->stage = -1;
      else
        while(p->ssl && SSL_pending(p->ssl) > 0 && peer_read(p))
          ;
    }
  for(i = 0; i < listener_count; i++)
    if(fds[i].revents) {
      any = true;
      if(i < talk_count && talks[i].datagrams)
        datagram_take(i);
      else
        peer_accept(i);
    }
  *quiet = !any;
  return any;
}

/* Descriptors whose peer has closed stay ready, and are not asked for any more. */
static void serve(int timeout, bool with_wake, bool *woken, bool *quiet)
{
  struct pollfd fds[LISTENERS_MAX + PEERS_MAX];
  size_t n = collect(fds), i = listener_count;
  struct peer *p;
  for(p = peers; p && i < n; p = p->next, i++)
    if(p->stage < 0)
      fds[i].fd = -1;
  fds[n] = (struct pollfd){with_wake ? wake[0] : -1, POLLIN, 0};
  *woken = false;
  *quiet = true;
  if(poll(fds, n + 1, timeout) <= 0)
    return;
  *woken = fds[n].revents != 0;
  (void)serve_ready(fds, n, quiet);
}

static void *run(void *none)
{
  char what = 0;
  (void)none;
  while(what != 'q') {
    bool woken, quiet;
    serve(-1, true, &woken, &quiet);
    if(!woken || read(wake[0], &what, 1) != 1)
      continue;
    do
      serve(0, false, &woken, &quiet);
    while(!quiet);
    judge_all();
    (void)sem_post(&answered);
  }
  return NULL;
}

const char *server_judge(bool raw, char *shown, size_t size)
{
  raw_case = raw;
  shown_case = shown;
  shown_size = size;
  if(write(wake[1], "j", 1) != 1)
    return "the servers do not answer";
  while(sem_wait(&answered) && errno == EINTR)
    ;
  return verdict;
}

/* ---- start ---- */

static int choose_alpn(SSL *ssl, const unsigned char **out, unsigned char *len, const unsigned char *in,
                       unsigned in_len, void *none)
{
  const char *wanted = SSL_get_app_data(ssl);
  unsigned at;
  (void)none;
  for(at = 0; wanted && at < in_len; at += in[at] + 1u)
    if(in[at] == strlen(wanted) && !memcmp(in + at + 1, wanted, in[at])) {
      *out = in + at + 1;
      *len = in[at];
      return SSL_TLSEXT_ERR_OK;
    }
  return SSL_TLSEXT_ERR_NOACK;
}

static bool make_tls(void)
{
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *x = X509_new();
  X509_NAME *name = X509_get_subject_name(x);
  bool ok;
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"127.0.0.1", -1, -1, 0);
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_set_issuer_name(x, name);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 86400);
  X509_set_pubkey(x, key);
  tls = SSL_CTX_new(TLS_server_method());
  ok = tls && X509_sign(x, key, EVP_sha256()) > 0 && SSL_CTX_use_certificate(tls, x) == 1 &&
       SSL_CTX_use_PrivateKey(tls, key) == 1;
  SSL_CTX_set_alpn_select_cb(tls, choose_alpn, NULL);
  X509_free(x);
  EVP_PKEY_free(key);
  return ok;
}

static bool start_listener(bool datagrams)
{
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof a;
  int fd = socket(AF_INET, datagrams ? SOCK_DGRAM : SOCK_STREAM, 0);
  if(fd < 0 || bind(fd, (struct sockaddr *)&a, size) || (!datagrams && listen(fd, 64)) ||
     getsockname(fd, (struct sockaddr *)&a, &size))
    return false;
  listeners[listener_count] = fd;
  ports[listener_count++] = ntohs(a.sin_port);
  return true;
}

bool server_start(void)
{
  size_t i;
  for(i = 0; i < talk_count; i++)
    if(!start_listener(talks[i].datagrams))
      return false;
  return start_listener(false) && make_tls() && !pipe(wake) && !sem_init(&answered, 0, 0) &&
         !pthread_create(&thread, NULL, run, NULL);
}

void server_stop(void)
{
  char shown[8];
  size_t i;
  raw_case = true;
  shown_case = shown;
  shown_size = sizeof shown;
  if(write(wake[1], "q", 1) == 1)
    (void)pthread_join(thread, NULL);
  for(i = 0; i < listener_count; i++)
    (void)close(listeners[i]);
  (void)close(wake[0]);
  (void)close(wake[1]);
  (void)sem_destroy(&answered);
  SSL_CTX_free(tls);
}
