/* protocol/ssh/ssh_known_hosts.h: what a file of known hosts (sshd(8)) says of a server and its key.
 *
 * The file is read a line at a time: names may be plain, several, or hashed, and only what concerns the
 * server is kept. A line that is not understood or has more than 16 KB is passed over, but copied when the
 * file is rewritten. libssh2 reads and compares lines.
 *
 * Ownership: everything is the caller's.
 * Errors:    CURLE_OUT_OF_MEMORY. A file that cannot be read knows no hosts.
 * Tests:     tests/e2e/test_sftp.py, tests/e2e/test_ssh_logins.py */
#ifndef MOTE_PROTOCOL_SSH_SSH_KNOWN_HOSTS_H
#define MOTE_PROTOCOL_SSH_SSH_KNOWN_HOSTS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct mote_ssh;

#define MOTE_KNOWN_KEY_MOST 4096u /* bytes of a key in base 64, with its NUL; RSA of 16,384 bits has 2,800 */

struct mote_known_hosts {
  const char *file;
  char host[300];    /* without brackets */
  char name[312];    /* as a line has it, in brackets and with the port unless that is the default one */
  int port;          /* -1: the default one */
  const char *key;   /* of the server; NULL: the types of all keys that are known are asked for */
  size_t key_len;    /* bytes */
  int type;          /* LIBSSH2_KNOWNHOST_KEY_* of the server's key */
  int copy;          /* a file that gets all lines, without the server's name where the key is another of that
                        type; -1: none */
  int err;           /* of reading the file or writing the copy, as port/file.h reports it; 0: none */

  int verdict;       /* LIBSSH2_KNOWNHOST_CHECK_MATCH, _MISMATCH, _NOTFOUND */
  bool unended;      /* the last line has no end */
  unsigned types;    /* bits 1 << LIBSSH2_HOSTKEY_TYPE_* of the keys that are known */
  int known_type;    /* LIBSSH2_KNOWNHOST_KEY_* of the key that matches, or else of the last that does not */
  char known[MOTE_KNOWN_KEY_MOST]; /* that key, in base 64; empty: there is none */
};

/* Looks through the file. room: bytes for a while. */
CURLcode mote_known_hosts_look(struct mote_ssh *s, struct mote_known_hosts *k, char *room, size_t size);
/* Adds a line for the key. Returns errno's kind of error, 0: it is written. */
int mote_known_hosts_add(const struct mote_known_hosts *k, int file);
/* Rewrites the file without the server's other keys of the type, and adds the key. What the file has of the
 * same host without a port stays, since it is another server's, and so do other names of a line. */
CURLcode mote_known_hosts_replace(struct mote_ssh *s, struct mote_known_hosts *k, char *room, size_t size,
                                  int *err);

#endif
