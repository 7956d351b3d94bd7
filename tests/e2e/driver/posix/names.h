/* names.h: the system's headers of sockets. The windows folder has one with the same names in it. */
#ifndef E2E_NAMES_H
#define E2E_NAMES_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#endif
