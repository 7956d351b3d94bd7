/* port/env.h: the environment and the machine's name, where the platform has them. Rules as in port/port.h.
 *
 * Without it: no proxies or key log from the environment; curl_getenv finds nothing; no SMTP.
 * Tests:      tests/unit/port/test_clock.c */
#ifndef MOTE_PORT_ENV_H
#define MOTE_PORT_ENV_H

#include <stdbool.h>
#include <stddef.h>

/* The environment's own string, or NULL. Valid until the program changes it. */
const char *mote_port_getenv(const char *name);
/* Whether all_proxy or the variable that is named for a scheme (ftp_proxy) is set, in lower or upper case.
 * This takes one look at the environment. The scheme is in lower case, of len bytes and at least two. */
bool mote_port_env_proxies(const char *scheme, size_t len);
/* The same for no_proxy. */
bool mote_port_env_no_proxy(void);
/* Copies the name of this machine, with its NUL. False: it has none that fits. */
bool mote_port_hostname(char *out, size_t size);

#endif
