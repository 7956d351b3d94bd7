/* port/env.h: the environment, where the platform has one. Rules as in port/port.h.
 *
 * Without it: no proxies or key log from the environment; curl_getenv finds nothing.
 * Tests:      tests/unit/port/test_clock.c */
#ifndef MOTE_PORT_ENV_H
#define MOTE_PORT_ENV_H

#include <stdbool.h>

/* The environment's own string, valid until the program changes it, or NULL. */
const char *mote_port_getenv(const char *name);
/* Is it worth asking for http_proxy, https_proxy and all_proxy, in small letters or capitals? One look at the
 * environment for all of them; false: none is there. */
bool mote_port_env_proxies(void);

#endif
