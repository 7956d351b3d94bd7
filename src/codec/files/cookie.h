/* codec/files/cookie.h: reads and compares cookies as text, which is the value of a Set-Cookie field (RFC
 * 6265bis section 5.6) or a line of Netscape's file format (docs/http-cookies of libcurl).
 *
 * A text that is read consists of slices of the input. Nothing is stored, and no request is known here.
 *
 * Errors: a reader returns why it refuses a line, as a text without a period, or NULL.
 * Tests:  tests/unit/codec/test_cookie.c, fuzz/fuzz_cookie.c */
#ifndef MOTE_CODEC_FILES_COOKIE_H
#define MOTE_CODEC_FILES_COOKIE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum {
  MOTE_COOKIE_SET_MAX = 5000,    /* bytes of a Set-Cookie value; libcurl's limit */
  MOTE_COOKIE_PAIR_MAX = 4096,   /* bytes of name and value of a Set-Cookie (RFC 6265bis section 5.6) */
  MOTE_COOKIE_LINE_MAX = 10000,  /* bytes of a Netscape line; more than any request can send */
  MOTE_COOKIE_DAYS_MAX = 400     /* days that a server can ask for (RFC 6265bis section 5.5) */
};

struct mote_cookie_text {
  struct mote_slice name;
  struct mote_slice value;
  struct mote_slice domain; /* without a leading dot; empty: the line has none (NULL), or "." */
  struct mote_slice path;   /* begins with "/" and ends with another byte, unless it is "/"; empty: none */
  int64_t expires;          /* Unix time in seconds; 0: with the session */
  bool tail;                /* hosts under the domain get it, too */
  bool secure;
  bool http_only;
  bool expired;             /* its time has passed: a cookie of this name, domain and path is removed */
};

/* Reads the value of a Set-Cookie field. now: Unix time in seconds. `tail` is set where there is a domain. */
const char *mote_cookie_read_set(struct mote_cookie_text *c, struct mote_slice in, int64_t now);

/* Reads a line of a file in Netscape's format. An empty line and a comment are refused, too. */
const char *mote_cookie_read_line(struct mote_cookie_text *c, struct mote_slice line, int64_t now);

/* Reads a line of a file or of CURLOPT_COOKIELIST: either of the two. The first begins with
 * "Set-Cookie:". */
const char *mote_cookie_read(struct mote_cookie_text *c, struct mote_slice line, int64_t now);

/* Reports whether the name's prefix allows the rest (RFC 6265bis section 4.1.3). */
bool mote_cookie_prefix_fits(const struct mote_cookie_text *c);

/* Returns the path of cookies that have none (RFC 6265 section 5.1.4). */
struct mote_slice mote_cookie_default_path(struct mote_slice request_path);
/* Reports whether a request for this path gets a cookie of `path` (RFC 6265 section 5.1.4). */
bool mote_cookie_path_matches(struct mote_slice path, struct mote_slice request_path);
/* Reports whether host is the domain or under it (RFC 6265 section 5.1.3); neither is an address. */
bool mote_cookie_domain_matches(struct mote_slice domain, struct mote_slice host);
/* Reports whether a domain is an IP address. */
bool mote_cookie_is_address(struct mote_slice domain);

#endif
