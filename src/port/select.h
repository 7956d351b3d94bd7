/* port/select.h: the sets that select() waits for, which are the application's (curl_multi_fdset(3)).
 *
 * POSIX has bits, of which FD_SETSIZE is the number: a higher descriptor is in no set. Winsock has a list, of
 * which FD_SETSIZE is the length, for descriptors of any number.
 *
 * Tests: tests/unit/api/test_multi_api.c */
#ifndef MOTE_PORT_SELECT_H
#define MOTE_PORT_SELECT_H

#include <curl/curl.h>
#include <stdbool.h>

#ifdef _WIN32

/* Whether a set may have this descriptor in it. */
static inline bool mote_port_select_takes(curl_socket_t fd)
{
  (void)fd;
  return true;
}

/* Puts a descriptor that mote_port_select_takes() into a set, once. A list that is full stays as it is. */
static inline void mote_port_select_add(curl_socket_t fd, fd_set *set)
{
  unsigned i = 0;
  while(i < set->fd_count && set->fd_array[i] != fd)
    i++;
  if(i == set->fd_count && i < FD_SETSIZE)
    set->fd_array[set->fd_count++] = fd;
}

#else
#include <sys/select.h>

static inline bool mote_port_select_takes(curl_socket_t fd)
{
  return fd < FD_SETSIZE;
}

static inline void mote_port_select_add(curl_socket_t fd, fd_set *set)
{
  FD_SET(fd, set);
}

#endif

#endif
