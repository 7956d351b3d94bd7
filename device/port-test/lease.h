/* lease.h: does the port count the minutes of DHCP's lease? */
#ifndef PORT_TEST_LEASE_H
#define PORT_TEST_LEASE_H

#include <stdbool.h>

/* True, too, without DHCP, and where lwIP counts by itself. */
bool lease_is_counted(void);

#endif
