/* connect/dial/dial_phases.h: the state of a dial and its phases, for the files that dial
 * (connect/dial/dial.h).
 *
 * A literal address or a Unix socket needs no lookup and no race, because the connection's own watch
 * suffices. For a name, struct mote_race exists from the lookup until a socket has won (RFC 8305, happy
 * eyeballs). Two lanes (the family of the first address, and the other family) each try their addresses in
 * turn. The second lane starts after CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, or when the first has no address
 * left. The first connected socket becomes the connection's.
 *
 * Tests: tests/e2e/test_connect.py, test_names.py */
#ifndef MOTE_CONNECT_DIAL_DIAL_PHASES_H
#define MOTE_CONNECT_DIAL_DIAL_PHASES_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/time.h"
#include "net/driver.h"
#include "net/names/names.h"
#include "net/waitset.h"
#include "parts.h"
#include "transfer/exchange.h"

struct mote_buf;
struct mote_conn;
struct mote_hop;
struct mote_quic_race;
struct mote_route;
struct mote_transfer;
struct mote_tunnel_head;

enum mote_dial_phase {
  MOTE_DIAL_NAMES,
  MOTE_DIAL_RACE,
  MOTE_DIAL_LAYERS,
  MOTE_DIAL_GREETING,
  MOTE_DIAL_READY
};

struct mote_lane {
  struct mote_watch watch;  /* watches the current attempt; fd is CURL_SOCKET_BAD without one */
  mote_time give_up;        /* when the next address is tried; 0: there is none */
  uint16_t next;            /* index into the answer at which the search for the next address starts */
  uint16_t current;         /* index of the current attempt */
  uint8_t family;           /* enum mote_family; NONE: no address to try */
  bool started;
};

struct mote_race {
  struct mote_dial *dial;
  struct mote_name_wait wait; /* for the current lookup */
  struct mote_answer *answer; /* a reference to the addresses, or NULL */
  CURLcode result;            /* of the lookup, CURLE_OK until it fails */
  bool asked;                 /* a lookup is under way */
  bool begun;                 /* the lanes are set up */
  bool bound;                 /* an attempt had the local address that was asked for, or none was */
  mote_time second_at;        /* when the second lane starts; 0: it has started, or does not exist */
  struct mote_lane lanes[2];
};

struct mote_dial {
  struct mote_drive drive;        /* of the connection that is made */
#if MOTE_HAS_H3
  struct mote_quic_race *quic;    /* attempts by QUIC, or NULL (dial_quic.c) */
#endif
  struct mote_transfer *owner;    /* whose options and callbacks it uses */
  struct mote_race *race;         /* lookup and attempts, or NULL */
  struct mote_transfer **waiters; /* the oldest first; a block of the connection's account, or NULL */
  uint32_t waiting;               /* waiters */
  uint32_t waiters_cap;           /* for which the block has room */
  uint8_t phase;                  /* enum mote_dial_phase */
  uint8_t layers : 6;             /* in that phase: how many proxies of the route have connected on */
  bool introducing : 1;           /* then the line of CURLOPT_HAPROXYPROTOCOL is being sent */
  bool introduced : 1;            /* it was sent */
  bool failed;                    /* so that nothing is handed on */
  struct mote_login_round login;  /* of the last CONNECT */
  bool renew;                     /* the proxy's challenge can be answered on another connection */
  bool bound;                     /* to its owner: a layer lies in room of the owner's run */
  bool relayed;                   /* it is the field of a struct mote_dial_relay */
};

/* A dial of another connection by the proxies of the owner's route, to something else than the route says. */
struct mote_dial_relay {
  struct mote_dial dial;
  struct mote_slice host; /* what the last proxy connects to; empty: as the route says */
  uint16_t port;          /* its port there */
};

/* What a dial does in each phase. CURLE_OK: the next phase follows. CURLE_AGAIN: wait. Any other code ends
 * the dial. */
typedef CURLcode (*mote_dial_phase_fn)(struct mote_dial *d, mote_time now);
extern const mote_dial_phase_fn mote_dial_phases[MOTE_DIAL_READY];

/* Gets the addresses of the first hop. CURLE_OK: they are in d->race->answer, or a literal is in the
 * connection's `remote`, or there is a Unix socket. CURLE_AGAIN: a lookup is under way. */
CURLcode mote_dial_resolve(struct mote_dial *d, mote_time now);

/* Makes the route of the owner, with the end of the way that a struct mote_dial_relay has. */
CURLcode mote_dial_route(struct mote_dial *d, struct mote_route *route);

/* Gets one address of a later hop, which a proxy shall connect to, or of another host. route->family limits
 * it. CURLE_AGAIN: a lookup is under way. */
CURLcode mote_dial_resolve_hop(struct mote_dial *d, const struct mote_route *route,
                               const struct mote_hop *hop, mote_time now, struct mote_addr *out);

#if MOTE_HAS_PROXIES
/* Puts the layer on the connection that makes a SOCKS proxy connect to the next hop. Errors: those of
 * mote_dial_resolve_hop() and mote_socks_new(); CURLE_URL_MALFORMAT (a NUL in user or password). */
#if MOTE_HAS_SOCKS
CURLcode mote_dial_push_socks(struct mote_dial *d, const struct mote_route *route, const struct mote_hop *hop,
                              mote_time now);
#else
#define mote_dial_push_socks(d, route, hop, now) \
  ((void)(d), (void)(route), (void)(hop), (void)(now), (CURLcode)CURLE_NOT_BUILT_IN)
#endif

/* Does the same for an HTTP proxy, by CONNECT, and continues its handshake, from which header lines go to the
 * application. CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE; those of stream/tunnel.h and of callbacks. */
#if MOTE_HAS_PROXY
CURLcode mote_dial_push_tunnel(struct mote_dial *d, const struct mote_route *route,
                               const struct mote_hop *hop);
CURLcode mote_dial_open_tunnel(struct mote_dial *d);
/* Continues the handshake alone, and answers challenges. d->renew: another connection would get an answer. */
CURLcode mote_dial_shake_tunnel(struct mote_dial *d);
/* Writes the request, with credentials if there are any to send now. CURLE_BAD_FUNCTION_ARGUMENT: a field
 * has a line end, and goes to the proxy by HTTP/2. */
CURLcode mote_dial_put_connect(struct mote_dial *d, const struct mote_route *route,
                               const struct mote_hop *hop, struct mote_tunnel_head *head);
/* Reports whether the application has a line of this name for proxies. */
bool mote_dial_has_proxy_line(const struct mote_transfer *t, const char *name);
#else
#define mote_dial_push_tunnel(d, route, hop) \
  ((void)(d), (void)(route), (void)(hop), (CURLcode)CURLE_NOT_BUILT_IN)
#define mote_dial_open_tunnel(d) ((void)(d), (CURLcode)CURLE_NOT_BUILT_IN)
#endif

/* Puts TLS to an HTTPS proxy on the connection and continues its handshake. CURLE_AGAIN: wait. Errors as
 * mote_dial_tls(), by the options CURLOPT_PROXY_*. */
#if MOTE_HAS_PROXY
CURLcode mote_dial_proxy_tls(struct mote_dial *d, const struct mote_hop *hop);
/* Reports whether a tunnel of this connection is asked for by HTTP/2. */
bool mote_dial_has_h2_tunnel(const struct mote_conn *c);
#else
#define mote_dial_proxy_tls(d, hop) ((void)(d), (void)(hop), (CURLcode)CURLE_NOT_BUILT_IN)
#endif

/* Puts the layers of the next proxy on the connection, from the bottom up, and takes those away again that
 * have nothing to do any more (connect/proxy/dial_proxy.c). CURLE_OK, *more false: what follows goes to the
 * origin, or by an HTTP proxy; *more true: there is another proxy. CURLE_AGAIN: wait. CURLE_PROXY: a proxy
 * refused (env.proxy_error); those of mote_dial_resolve() and mote_conn_handshake(). */
CURLcode mote_dial_proxies(struct mote_dial *d, mote_time now, bool *more);
#else
#define mote_dial_proxies(d, now, more) ((void)(d), (void)(now), *(more) = false, (CURLcode)CURLE_OK)
#endif

/* Continues the attempts to connect; the first call starts them. CURLE_OK: the connection has a connected
 * socket. CURLE_AGAIN: wait. CURLE_COULDNT_CONNECT and others: all addresses failed. */
CURLcode mote_dial_race(struct mote_dial *d, mote_time now);

/* Makes d->race. CURLE_OUT_OF_MEMORY. */
CURLcode mote_dial_make_race(struct mote_dial *d);
/* Abandons the lookup, closes all attempts and frees d->race. Does nothing without one. */
void mote_dial_stop_race(struct mote_dial *d);

/* Notes that the connection's socket is connected. */
void mote_dial_note_connected(struct mote_dial *d);

/* ---- dial_quic.c: QUIC, alone or beside TCP ---- */

#if MOTE_HAS_H3
/* Goes on with the attempts by QUIC, which begin when the addresses are known. Returns whether they have
 * the lead: true: the dial's phases wait, unless *rc is CURLE_OK, since the connection has become one of
 * QUIC, with its handshake complete. *rc: CURLE_AGAIN, or why the dial has failed. */
bool mote_dial_quic_leads(struct mote_dial *d, mote_time now, CURLcode *rc);
/* The dial of TCP has come to rc. Returns that, or CURLE_AGAIN: attempts by QUIC go on. */
CURLcode mote_dial_quic_judge(struct mote_dial *d, CURLcode rc);
/* The attempts are those of another owner. */
void mote_dial_quic_own(struct mote_dial *d);
/* Ends them in silence. Does nothing without any. */
void mote_dial_quic_end(struct mote_dial *d);
#else
#define mote_dial_quic_leads(d, now, rc) ((void)(d), (void)(now), (void)(rc), false)
#define mote_dial_quic_judge(d, rc) ((void)(d), (rc))
#define mote_dial_quic_own(d) ((void)(d))
#define mote_dial_quic_end(d) ((void)(d))
#endif

/* Adds the lines of CURLOPT_RESOLVE to the name cache, once per transfer. CURLE_SETOPT_OPTION_SYNTAX,
 * CURLE_OUT_OF_MEMORY. */
#if MOTE_HAS_PRESETS
CURLcode mote_dial_preset(struct mote_transfer *t, mote_time now);
/* Reports whether such a line has addresses for the hop. Even a literal address is then looked up like a
 * name. */
bool mote_dial_is_preset(struct mote_transfer *t, const struct mote_route *route, const struct mote_hop *hop,
                         mote_time now);
#else
#define mote_dial_preset(t, now) ((void)(t), (void)(now), (CURLcode)CURLE_OK)
#define mote_dial_is_preset(t, route, hop, now) ((void)(t), (void)(route), (void)(hop), (void)(now), false)
#endif

/* Sends the line of CURLOPT_HAPROXYPROTOCOL, ahead of everything that is for the origin. CURLE_AGAIN: wait.
 * CURLE_BAD_FUNCTION_ARGUMENT: CURLOPT_HAPROXY_CLIENT_IP is no address. */
#if MOTE_HAS_HAPROXY
CURLcode mote_dial_introduce(struct mote_dial *d);
#else
#define mote_dial_introduce(d) ((void)(d), (CURLcode)CURLE_OK)
#endif

/* Reports that all attempts failed. Each failure already had its info line. */
#if MOTE_HAS_TEXTS
void mote_dial_report_failed(struct mote_transfer *t, mote_time now);
#else
#define mote_dial_report_failed(t, now) ((void)(t), (void)(now))
#endif

#endif
