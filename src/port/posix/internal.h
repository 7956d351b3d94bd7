/* port/posix/internal.h: what the files of this folder share with each other and with port/linux. */
#ifndef MOTE_PORT_POSIX_INTERNAL_H
#define MOTE_PORT_POSIX_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

struct mote_addr;
struct mote_target;

/* The system's address inside t. */
void *mote_posix_sockaddr(struct mote_target *t);
/* false when it is no IP address; out->family is then NONE or UNIX. */
bool mote_posix_to_addr(const void *sockaddr, size_t len, struct mote_addr *out);
/* Sets *start to where in sun_path the name begins; ENOSYS for an abstract one outside of Linux. */
int mote_posix_unix_start(bool abstract, size_t *start);
/* Makes an existing descriptor non-blocking and closed on exec. */
int mote_posix_prepare(int fd);
/* Makes a socket that is both, from the start where the system can do that. */
int mote_posix_socket(int family, int type, int protocol, int *out);

#endif
