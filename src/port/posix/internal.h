/* port/posix/internal.h: what the files of this folder share with each other and with port/linux. */
#ifndef MOTE_PORT_POSIX_INTERNAL_H
#define MOTE_PORT_POSIX_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* Sets *start to where in sun_path the name begins; ENOSYS for an abstract one outside of Linux. */
int mote_posix_unix_start(bool abstract, size_t *start);
/* Makes an existing descriptor non-blocking and closed on exec. */
int mote_posix_prepare(int fd);
/* Makes a socket that is both, from the start where the system can do that. */
int mote_posix_socket(int family, int type, int protocol, int *out);

#endif
