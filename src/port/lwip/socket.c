/* port/lwip/socket.c: a descriptor is an index into a static table of TCP connections.
 *
 * What comes is kept as lwIP's own pbufs and the window opens as they are read, so that a connection that is
 * not read holds at most TCP_WND bytes. What is sent is copied into lwIP's segments. */
#include <string.h>

#include "port/embedded/ip4.h"
#include "port/lwip/internal.h"

static struct mote_lwip_socket table[MOTE_LWIP_SOCKETS];

struct mote_lwip_socket *mote_lwip_socket(curl_socket_t fd)
{
  if((unsigned)fd >= MOTE_LWIP_SOCKETS || table[fd].state == MOTE_LWIP_FREE)
    return NULL;
  return &table[fd];
}

int mote_lwip_error(err_t error)
{
  static const uint8_t numbers[] = {
    0, ENOMEM, ENOBUFS, ETIMEDOUT, EHOSTUNREACH, EINPROGRESS, EINVAL, EAGAIN, EADDRINUSE, EALREADY, EISCONN,
    ENOTCONN, ENETDOWN, ETIMEDOUT, ECONNRESET, ECONNRESET, EINVAL
  };
  unsigned at = (unsigned)-error; /* ERR_OK is 0, ERR_ARG -16 */
  return at < sizeof numbers ? numbers[at] : EIO;
}

/* ---- lwIP's callbacks ---- */

/* The pcb is gone: reset, or given up after too many repetitions (ERR_ABRT). */
static void on_error(void *arg, err_t error)
{
  struct mote_lwip_socket *s = arg;
  s->pcb = NULL;
  s->error = (uint8_t)mote_lwip_error(error);
  if(s->state == MOTE_LWIP_CONNECTING && error == ERR_RST)
    s->error = ECONNREFUSED;
}

static err_t on_receive(void *arg, struct tcp_pcb *pcb, struct pbuf *p, err_t error)
{
  struct mote_lwip_socket *s = arg;
  (void)pcb;
  (void)error;
  if(!p)
    s->state = MOTE_LWIP_ENDED;
  else if(s->in)
    pbuf_cat(s->in, p);
  else
    s->in = p;
  return ERR_OK;
}

static err_t on_connect(void *arg, struct tcp_pcb *pcb, err_t error)
{
  struct mote_lwip_socket *s = arg;
  (void)pcb;
  (void)error; /* always ERR_OK */
  s->state = MOTE_LWIP_OPEN;
  return ERR_OK;
}

/* ---- opening and closing ---- */

int mote_port_socket(const struct curl_sockaddr *sa, curl_socket_t *out)
{
  struct mote_lwip_socket *s = table;
  *out = CURL_SOCKET_BAD;
  if(sa->family != AF_INET || sa->socktype != SOCK_STREAM)
    return EAFNOSUPPORT;
  while(s->state != MOTE_LWIP_FREE)
    if(++s == table + MOTE_LWIP_SOCKETS)
      return EMFILE;
  s->pcb = tcp_new();
  if(!s->pcb)
    return ENOMEM;
  tcp_arg(s->pcb, s);
  tcp_err(s->pcb, on_error);
  tcp_recv(s->pcb, on_receive);
  s->in = NULL;
  s->error = 0;
  s->state = MOTE_LWIP_NEW;
  *out = (curl_socket_t)(s - table);
  return 0;
}

int mote_port_nonblocking(curl_socket_t fd)
{
  return mote_lwip_socket(fd) ? 0 : EBADF;
}

int mote_port_connect(curl_socket_t fd, const struct curl_sockaddr *sa)
{
  struct mote_lwip_socket *s = mote_lwip_socket(fd);
  ip_addr_t to = {0};
  err_t error;
  if(!s)
    return EBADF;
  ip_addr_set_ip4_u32_val(to, sa->addr.sin_addr);
  error = tcp_connect(s->pcb, &to, lwip_ntohs(sa->addr.sin_port), on_connect);
  if(error)
    return mote_lwip_error(error);
  s->state = MOTE_LWIP_CONNECTING;
  return MOTE_PORT_AGAIN;
}

int mote_port_connect_result(curl_socket_t fd)
{
  const struct mote_lwip_socket *s = mote_lwip_socket(fd);
  if(!s)
    return EBADF;
  if(s->error)
    return s->error;
  return s->state >= MOTE_LWIP_OPEN ? 0 : MOTE_PORT_AGAIN;
}

int mote_port_shutdown(curl_socket_t fd)
{
  const struct mote_lwip_socket *s = mote_lwip_socket(fd);
  if(!s)
    return EBADF;
  return s->pcb ? mote_lwip_error(tcp_shutdown(s->pcb, 0, 1)) : ENOTCONN;
}

/* lwIP still delivers what was sent, and then the end, as long as the network is driven. Bytes that were
 * not read make it a reset, which lwIP decides by its window. */
void mote_port_close(curl_socket_t fd)
{
  struct mote_lwip_socket *s = mote_lwip_socket(fd);
  if(!s)
    return;
  s->state = MOTE_LWIP_FREE;
  if(s->in)
    pbuf_free(s->in);
  if(!s->pcb)
    return;
  tcp_arg(s->pcb, NULL);
  tcp_err(s->pcb, NULL);
  tcp_recv(s->pcb, NULL);
  tcp_setprio(s->pcb, TCP_PRIO_MIN); /* the first to go when a new connection needs the pcb */
  if(tcp_close(s->pcb))
    tcp_abort(s->pcb);
}

/* ---- bytes ---- */

int mote_port_recv(curl_socket_t fd, void *buf, size_t len, size_t *n)
{
  struct mote_lwip_socket *s = mote_lwip_socket(fd);
  u16_t got;
  *n = 0;
  if(!s)
    return EBADF;
  if(!s->in) /* after the end a reset only says that the peer takes nothing more */
    return s->state == MOTE_LWIP_ENDED ? 0 : s->error ? s->error : MOTE_PORT_AGAIN;
  got = pbuf_copy_partial(s->in, buf, (u16_t)(len > 0xffff ? 0xffff : len), 0);
  s->in = pbuf_free_header(s->in, got);
  if(s->pcb)
    tcp_recved(s->pcb, got);
  *n = got;
  return 0;
}

bool mote_lwip_writable(const struct mote_lwip_socket *s)
{
  return s->state >= MOTE_LWIP_OPEN && s->pcb && tcp_sndbuf(s->pcb) &&
         tcp_sndqueuelen(s->pcb) < TCP_SND_QUEUELEN - 1;
}

int mote_port_send(curl_socket_t fd, const void *buf, size_t len, size_t *n)
{
  struct mote_lwip_socket *s = mote_lwip_socket(fd);
  err_t error;
  *n = 0;
  if(!s)
    return EBADF;
  if(s->error)
    return s->error;
  if(!len)
    return 0;
  if(!mote_lwip_writable(s))
    return s->state < MOTE_LWIP_CONNECTING ? ENOTCONN : MOTE_PORT_AGAIN;
  if(len > tcp_sndbuf(s->pcb))
    len = tcp_sndbuf(s->pcb);
  /* A segment at a time: more may not fit into what is left of lwIP's memory, although a part does. */
  if(len > tcp_mss(s->pcb))
    len = tcp_mss(s->pcb);
  error = tcp_write(s->pcb, buf, (u16_t)len, TCP_WRITE_FLAG_COPY);
  if(error)
    return error == ERR_MEM ? MOTE_PORT_AGAIN : mote_lwip_error(error);
  *n = len;
  (void)tcp_output(s->pcb); /* what cannot go now goes with the next turn */
  return 0;
}

enum mote_peek mote_port_peek(curl_socket_t fd)
{
  const struct mote_lwip_socket *s = mote_lwip_socket(fd);
  mote_lwip_turn(0);
  if(!s || s->error)
    return MOTE_PEEK_CLOSED;
  if(s->in)
    return MOTE_PEEK_BYTES;
  return s->state == MOTE_LWIP_OPEN ? MOTE_PEEK_QUIET : MOTE_PEEK_CLOSED;
}

/* ---- names and options ---- */

static int lwip_socket_name(struct mote_addr *out, const ip_addr_t *ip, u16_t port)
{
  mote_addr_set_ip4(out, &ip_2_ip4(ip)->addr, port);
  return 0;
}

static struct tcp_pcb *pcb_of(curl_socket_t fd, struct mote_addr *out)
{
  const struct mote_lwip_socket *s = mote_lwip_socket(fd);
  memset(out, 0, sizeof *out);
  return s ? s->pcb : NULL;
}

int mote_port_local_name(curl_socket_t fd, struct mote_addr *out)
{
  const struct tcp_pcb *pcb = pcb_of(fd, out);
  return pcb ? lwip_socket_name(out, &pcb->local_ip, pcb->local_port) : ENOTCONN;
}

int mote_port_peer_name(curl_socket_t fd, struct mote_addr *out)
{
  const struct tcp_pcb *pcb = pcb_of(fd, out);
  return pcb ? lwip_socket_name(out, &pcb->remote_ip, pcb->remote_port) : ENOTCONN;
}

int mote_port_setopt(curl_socket_t fd, enum mote_sockopt option, int value)
{
  const struct mote_lwip_socket *s = mote_lwip_socket(fd);
  if(!s || !s->pcb)
    return EBADF;
  if(option == MOTE_SOCKOPT_NODELAY) {
    if(value)
      tcp_nagle_disable(s->pcb);
    else
      tcp_nagle_enable(s->pcb);
  }
  else if(option == MOTE_SOCKOPT_KEEPALIVE) {
    if(value)
      ip_set_option(s->pcb, SOF_KEEPALIVE);
    else
      ip_reset_option(s->pcb, SOF_KEEPALIVE);
  }
  else if(option == MOTE_SOCKOPT_KEEPALIVE_IDLE)
    s->pcb->keep_idle = (u32_t)value * 1000;
  else
    return ENOPROTOOPT;
  return 0;
}
