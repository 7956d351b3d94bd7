/* tests/lwip/lwip.c: a stand-in of lwIP without a network, to run src/port/lwip on Linux: tests call the
 * callbacks of the one connection themselves, and count the timers' calls. Tests include it. */
#include <lwip/tcp.h>
#include <stdlib.h>
#include <string.h>

static struct tcp_pcb lwip_pcb;
static unsigned lwip_pcbs; /* in use */
static unsigned lwip_tcp_ticks, lwip_dns_ticks, lwip_arp_ticks, lwip_fine_ticks, lwip_coarse_ticks;

/* ---- a connection ---- */

struct tcp_pcb *tcp_new(void)
{
  if(lwip_pcbs)
    return NULL;
  memset(&lwip_pcb, 0, sizeof lwip_pcb);
  lwip_pcbs++;
  return &lwip_pcb;
}

void tcp_arg(struct tcp_pcb *pcb, void *arg)
{
  pcb->arg = arg;
}

void tcp_err(struct tcp_pcb *pcb, tcp_err_fn fn)
{
  pcb->error = fn;
}

void tcp_recv(struct tcp_pcb *pcb, tcp_recv_fn fn)
{
  pcb->receive = fn;
}

void tcp_recved(struct tcp_pcb *pcb, u16_t len)
{
  (void)pcb;
  (void)len;
}

void tcp_setprio(struct tcp_pcb *pcb, u8_t prio)
{
  (void)pcb;
  (void)prio;
}

err_t tcp_connect(struct tcp_pcb *pcb, const ip_addr_t *ip, u16_t port, tcp_connected_fn fn)
{
  pcb->remote_ip = *ip;
  pcb->remote_port = port;
  pcb->connected = fn;
  return ERR_OK;
}

err_t tcp_shutdown(struct tcp_pcb *pcb, int receive, int send)
{
  (void)pcb;
  (void)receive;
  (void)send;
  return ERR_OK;
}

err_t tcp_close(struct tcp_pcb *pcb)
{
  (void)pcb;
  lwip_pcbs--;
  return ERR_OK;
}

void tcp_abort(struct tcp_pcb *pcb)
{
  (void)pcb;
  lwip_pcbs--;
}

err_t tcp_write(struct tcp_pcb *pcb, const void *p, u16_t len, u8_t flags)
{
  (void)pcb;
  (void)p;
  (void)len;
  (void)flags;
  return ERR_OK;
}

err_t tcp_output(struct tcp_pcb *pcb)
{
  (void)pcb;
  return ERR_OK;
}

/* The connection ends by this error. */
static inline void lwip_fail(err_t error)
{
  lwip_pcbs--;
  lwip_pcb.error(lwip_pcb.arg, error);
}

/* ---- received bytes: zeros ---- */

static inline struct pbuf *lwip_bytes(u16_t len)
{
  struct pbuf *p = calloc(1, sizeof *p);
  p->tot_len = len;
  return p;
}

void pbuf_cat(struct pbuf *head, struct pbuf *tail)
{
  head->tot_len = (u16_t)(head->tot_len + tail->tot_len);
  free(tail);
}

u8_t pbuf_free(struct pbuf *p)
{
  free(p);
  return 1;
}

struct pbuf *pbuf_free_header(struct pbuf *p, u16_t len)
{
  p->tot_len = (u16_t)(p->tot_len - len);
  if(p->tot_len)
    return p;
  free(p);
  return NULL;
}

u16_t pbuf_copy_partial(const struct pbuf *p, void *to, u16_t len, u16_t offset)
{
  u16_t n = len < p->tot_len - offset ? len : (u16_t)(p->tot_len - offset);
  memset(to, 0, n);
  return n;
}

/* ---- names ---- */

static err_t lwip_dns_answer;         /* to the next questions */
static dns_found_callback lwip_found; /* of the last question */
static void *lwip_found_arg;

err_t dns_gethostbyname_addrtype(const char *name, ip_addr_t *ip, dns_found_callback found, void *arg,
                                 u8_t type)
{
  (void)name;
  (void)type;
  lwip_found = found;
  lwip_found_arg = arg;
  ip->addr = 0x0100007f;
  return lwip_dns_answer;
}

/* ---- timers ---- */

void tcp_tmr(void)
{
  lwip_tcp_ticks++;
}

void dns_tmr(void)
{
  lwip_dns_ticks++;
}

void etharp_tmr(void)
{
  lwip_arp_ticks++;
}

void dhcp_fine_tmr(void)
{
  lwip_fine_ticks++;
}

void dhcp_coarse_tmr(void)
{
  lwip_coarse_ticks++;
}
