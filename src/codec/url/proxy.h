/* codec/url/proxy.h: parses a proxy string, as CURLOPT_PROXY(3) and the environment have it:
 *
 *   [ type "://" ] [ user [ ":" password ] "@" ] host [ ":" port ] [ "/" path of a Unix socket ]
 *
 * The types are http, https, socks (which is socks4), socks4, socks4a, socks5 and socks5h. A SOCKS proxy on
 * "localhost" with a path is a Unix socket; any other path is passed over.
 *
 * Invariants: nothing is allocated. `host` is NUL-terminated when it is in `room`.
 * Ownership:  the struct is the caller's and must not be moved; its slices point into the text or into it.
 * Failure:    a CURLUcode; nothing of the struct is valid then.
 * Tests:      tests/unit/codec/test_proxy.c; fuzz/fuzz_proxy.c */
#ifndef MOTE_CODEC_URL_PROXY_H
#define MOTE_CODEC_URL_PROXY_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Longest host that is not as it was written, and longest path, in bytes with the NUL. */
#define MOTE_PROXY_ROOM 256u

struct mote_proxy {
  struct mote_slice host;     /* name in ACE form, or address with its zone id, without brackets; or path */
  struct mote_slice user;     /* percent-encoded; ptr NULL: there is none */
  struct mote_slice password; /* likewise */
  uint16_t port;              /* as stated, else the type's default */
  uint8_t type;               /* CURLPROXY_HTTP, _HTTPS, _SOCKS4, _SOCKS4A, _SOCKS5, _SOCKS5_HOSTNAME, or the
                                 caller's where the text has none */
  bool stated_port;           /* the text has one */
  bool path;                  /* host is the path of a Unix socket */
  char room[MOTE_PROXY_ROOM]; /* a host that is not in the text like that */
};

/* Parses the text; `type` (CURLPROXY_*) is that of a text without one.
 * CURLUE_UNSUPPORTED_SCHEME: another type. CURLUE_TOO_LARGE: over MOTE_PROXY_ROOM.
 * CURLUE_BAD_PATH: a NUL in the path. Others as mote_url_parse() in codec/url/url.h, but for OUT_OF_MEMORY.
 *                  */
CURLUcode mote_proxy_parse(struct mote_proxy *p, const char *text, uint8_t type);

static inline bool mote_proxy_is_socks(const struct mote_proxy *p)
{
  return p->type >= CURLPROXY_SOCKS4 && p->type <= CURLPROXY_SOCKS5_HOSTNAME;
}

#endif
