/* port/lwip/internal.h: what the files of this folder share.
 *
 * lwIP's raw interface without an operating system. Callbacks put what happens into a table of sockets, and
 * mote_lwip_turn() is the only place where anything happens, so that a wait in mote_port_poll() drives the
 * network. */
#ifndef MOTE_PORT_LWIP_INTERNAL_H
#define MOTE_PORT_LWIP_INTERNAL_H

#include <lwip/tcp.h>
#include <stdbool.h>
#include <stdint.h>

#include "port/port.h"

#if !NO_SYS
#error "lwipopts.h: NO_SYS must be 1 for port/lwip (with a system: port/freertos)"
#endif
#if !LWIP_IPV4
#error "lwipopts.h: LWIP_IPV4 must be 1"
#endif
#if !LWIP_TCP
#error "lwipopts.h: LWIP_TCP must be 1"
#endif
#if !LWIP_CALLBACK_API
#error "lwipopts.h: LWIP_CALLBACK_API must be 1"
#endif
#if !LWIP_DNS
#error "lwipopts.h: LWIP_DNS must be 1: names are looked up by lwIP's resolver"
#endif

/* Sockets at once: one transfer, and one kept connection or a second address that is tried meanwhile. */
#ifndef MOTE_LWIP_SOCKETS
#define MOTE_LWIP_SOCKETS 2
#endif

/* Names looked up at once. Others that are asked for meanwhile take a place over, and are asked for again. */
#ifndef MOTE_LWIP_LOOKUPS
#define MOTE_LWIP_LOOKUPS 1
#endif

/* Milliseconds until a name is asked for again that lwIP has had no room for. */
#define MOTE_LWIP_LOOKUP_MS 10

enum mote_lwip_state {
  MOTE_LWIP_FREE,       /* not in use */
  MOTE_LWIP_NEW,        /* a pcb, not connected */
  MOTE_LWIP_CONNECTING,
  MOTE_LWIP_OPEN,
  MOTE_LWIP_ENDED       /* the peer sends no more; we still may */
};

struct mote_lwip_socket {
  struct tcp_pcb *pcb; /* NULL: free, or broken (`error`) */
  struct pbuf *in;     /* received, not yet read: at most TCP_WND bytes; ours */
  uint8_t state;       /* enum mote_lwip_state */
  uint8_t error;       /* errno value why it broke; 0: it has not */
};

/* NULL: not an open socket. */
struct mote_lwip_socket *mote_lwip_socket(curl_socket_t fd);
/* Whether bytes can be sent now. */
bool mote_lwip_writable(const struct mote_lwip_socket *s);
/* Our number for lwIP's. */
int mote_lwip_error(err_t error);
/* Frames in, timers, frames out; sleeps at most ms where there is nothing to do. */
void mote_lwip_turn(uint32_t ms);
/* Milliseconds until mote_lwip_run_timers() has something to do; what it does when it is due (timers.c). */
uint32_t mote_lwip_timer(void);
void mote_lwip_run_timers(void);
/* Whether a lookup has ended since the last call. */
bool mote_lwip_lookup_ended(void);
/* Whether a lookup is to be asked for again soon, since lwIP reports the end of others' questions to them. */
bool mote_lwip_lookup_crowded(void);

#endif
