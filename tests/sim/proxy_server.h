/* proxy_server.h: a proxy that speaks HTTP, SOCKS 4 and SOCKS 5, whichever the first byte begins, and is
 * right by default. Servers are not asked: the proxy answers in their place, as http1_server.c does. */
#ifndef PROXY_SERVER_H
#define PROXY_SERVER_H

struct mote_sim_service;

#define PROXY_NAME "proxy.sim"
#define PROXY_USER "someone"
#define PROXY_PASSWORD "SECRET-9" /* a mark of no host: none may see it */

extern const struct mote_sim_service proxy_server;

/* For a new world: the chance in 1,000 that a handshake goes wrong. */
void proxy_begin(unsigned wrong);
/* How many did in this world. */
unsigned proxy_wrongs(void);

#endif
