/* port/sendfile.h: sends bytes of a file without reading them. Rules as in port/port.h.
 *
 * Without it: an upload reads its file and sends what it has read.
 * Tests:      tests/unit/port/test_sendfile.c */
#ifndef MOTE_PORT_SENDFILE_H
#define MOTE_PORT_SENDFILE_H

#include <curl/curl.h>
#include <errno.h>
#include <stddef.h>

#include "parts.h"

#if MOTE_HAS_SENDFILE

/* Sends at most len bytes (1 or more) of a regular file from its position, which moves on. 0 with *n > 0; 0
 * with *n == 0: the file has ended, or its bytes have to be read (the file system cannot do it, or a read
 * failed, which the next one reports); MOTE_PORT_AGAIN; else an error of the socket. Never raises SIGPIPE. */
int mote_port_sendfile(curl_socket_t fd, int file, size_t len, size_t *n);

/* Returns the descriptor of a FILE that reads a regular file, at whose position lie the bytes that the FILE
 * gives next; it may be moved on. -1: they have to be read from the FILE. stream NULL: stdin. */
int mote_port_stream_file(void *stream);

#else

#define mote_port_sendfile(fd, file, len, n) ((void)(fd), (void)(file), (void)(len), *(n) = 0, 0)
#define mote_port_stream_file(stream) ((void)(stream), -1)
#endif

#endif
