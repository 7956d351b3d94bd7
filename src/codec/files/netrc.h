/* codec/files/netrc.h: finds the credentials of a host in a netrc file, which comes in pieces of any size.
 *
 * The file is a sequence of words: "machine" HOST or "default", then "login" USER, "password" SECRET,
 * "account" TEXT. A word in double quotes may have blanks, and \n, \r, \t and \ before any other byte. A word
 * that begins with "#" in the place of a keyword hides the rest of its line, and "macdef" all lines up to an
 * empty one. The first entry of the host, or the default, that has what is looked for ends the search
 * (CURLOPT_NETRC(3), and as libcurl 8.23 was seen to read it).
 *
 * Ownership: host and user are borrowed; the rest is the struct's until mote_netrc_close().
 * Errors:    CURLE_READ_ERROR: a quote without end; CURLE_TOO_LARGE: a word above MOTE_NETRC_WORD bytes;
 *            CURLE_OUT_OF_MEMORY.
 * Tests:     tests/unit/codec/test_netrc.c, fuzz/fuzz_netrc.c */
#ifndef MOTE_CODEC_FILES_NETRC_H
#define MOTE_CODEC_FILES_NETRC_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/text.h"

#define MOTE_NETRC_WORD 4096 /* bytes; a secret may be a token of some kilobytes */

struct mote_netrc {
  struct mote_slice host;   /* without brackets */
  struct mote_slice user;   /* whose password is looked for; ptr NULL: any */
  struct mote_buf word;     /* the word that is being read */
  struct mote_buf login;    /* of the entry */
  struct mote_buf password; /* of the entry */
  uint8_t mode;             /* what the next byte is part of */
  uint8_t want;             /* what the next word is */
  bool quoted;              /* the word is in quotes */
  bool line_empty;          /* of a macro */
  bool inside;              /* in an entry that concerns the host */
  bool has_login;
  bool has_password;
  bool found;               /* login and password are the answer; what follows does not matter */
};

void mote_netrc_init(struct mote_netrc *n, struct mote_account *account, struct mote_slice host,
                     struct mote_slice user);
CURLcode mote_netrc_feed(struct mote_netrc *n, const char *bytes, size_t len);
/* The file is over. */
CURLcode mote_netrc_end(struct mote_netrc *n);
void mote_netrc_close(struct mote_netrc *n);

#endif
