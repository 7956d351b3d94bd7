/* lwip/tcp.h in place of lwIP's: what src/port/lwip takes of its raw interface, by lwIP's documentation. The
 * functions are in tests/lwip/lwip.c. All other headers of this folder include this one. */
#ifndef MOTE_TESTS_LWIP_TCP_H
#define MOTE_TESTS_LWIP_TCP_H

#include <errno.h>
#include <stdint.h>
#include <strings.h>

#ifndef NO_SYS /* lwip/opt.h, for the ports with a system */
#define NO_SYS 1
#endif
#define LWIP_IPV4 1
#define LWIP_TCP 1
#define LWIP_CALLBACK_API 1
#define LWIP_DNS 1
#define LWIP_TIMERS 0
#define LWIP_DHCP 1
#define LWIP_AUTOIP 0
#define LWIP_IGMP 0
#define LWIP_IPV6 0
#define IP_REASSEMBLY 0

typedef uint8_t u8_t;
typedef uint16_t u16_t;
typedef uint32_t u32_t;
typedef int8_t err_t;

enum {
  ERR_OK = 0,
  ERR_MEM = -1,
  ERR_INPROGRESS = -5,
  ERR_VAL = -6,
  ERR_ABRT = -13,
  ERR_RST = -14,
  ERR_CLSD = -15,
  ERR_ARG = -16
};

typedef struct {
  u32_t addr;
} ip_addr_t;

#define ip_2_ip4(ip) (ip)
#define ip_addr_set_ip4_u32_val(ip, value) ((ip).addr = (value))
#define lwip_htons(x) ((u16_t)((x) << 8 | (x) >> 8))
#define lwip_ntohs(x) lwip_htons(x)

struct pbuf {
  struct pbuf *next;
  u16_t tot_len;
};

struct tcp_pcb;
typedef void (*tcp_err_fn)(void *arg, err_t error);
typedef err_t (*tcp_recv_fn)(void *arg, struct tcp_pcb *pcb, struct pbuf *p, err_t error);
typedef err_t (*tcp_connected_fn)(void *arg, struct tcp_pcb *pcb, err_t error);

struct tcp_pcb {
  ip_addr_t local_ip, remote_ip;
  u16_t local_port, remote_port;
  u32_t keep_idle;
  void *arg;
  tcp_err_fn error;
  tcp_recv_fn receive;
  tcp_connected_fn connected;
};

#define TCP_PRIO_MIN 1
#define TCP_SND_QUEUELEN 8
#define TCP_WRITE_FLAG_COPY 1
#define SOF_KEEPALIVE 8
#define ip_set_option(pcb, option) ((void)(pcb))
#define ip_reset_option(pcb, option) ((void)(pcb))
#define tcp_nagle_disable(pcb) ((void)(pcb))
#define tcp_nagle_enable(pcb) ((void)(pcb))
#define tcp_sndbuf(pcb) ((void)(pcb), (u16_t)1000)
#define tcp_sndqueuelen(pcb) ((void)(pcb), (u16_t)0)
#define tcp_mss(pcb) ((void)(pcb), (u16_t)500)

struct tcp_pcb *tcp_new(void);
void tcp_arg(struct tcp_pcb *pcb, void *arg);
void tcp_err(struct tcp_pcb *pcb, tcp_err_fn fn);
void tcp_recv(struct tcp_pcb *pcb, tcp_recv_fn fn);
void tcp_recved(struct tcp_pcb *pcb, u16_t len);
void tcp_setprio(struct tcp_pcb *pcb, u8_t prio);
err_t tcp_connect(struct tcp_pcb *pcb, const ip_addr_t *ip, u16_t port, tcp_connected_fn fn);
err_t tcp_shutdown(struct tcp_pcb *pcb, int receive, int send);
err_t tcp_close(struct tcp_pcb *pcb);
void tcp_abort(struct tcp_pcb *pcb);
err_t tcp_write(struct tcp_pcb *pcb, const void *p, u16_t len, u8_t flags);
err_t tcp_output(struct tcp_pcb *pcb);
void pbuf_cat(struct pbuf *head, struct pbuf *tail);
u8_t pbuf_free(struct pbuf *p);
struct pbuf *pbuf_free_header(struct pbuf *p, u16_t len);
u16_t pbuf_copy_partial(const struct pbuf *p, void *to, u16_t len, u16_t offset);

#define DNS_MAX_NAME_LENGTH 256
#define LWIP_DNS_ADDRTYPE_IPV4 0
#define lwip_stricmp strcasecmp
typedef void (*dns_found_callback)(const char *name, const ip_addr_t *ip, void *arg);
err_t dns_gethostbyname_addrtype(const char *name, ip_addr_t *ip, dns_found_callback found, void *arg,
                                 u8_t type);

#define TCP_TMR_INTERVAL 250
#define DNS_TMR_INTERVAL 1000
#define DHCP_FINE_TIMER_MSECS 500
#define DHCP_COARSE_TIMER_MSECS 60000u
void tcp_tmr(void);
void dns_tmr(void);
void etharp_tmr(void);
void dhcp_fine_tmr(void);
void dhcp_coarse_tmr(void);

#endif
