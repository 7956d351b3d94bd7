/* codec/url/url_part.h: the pieces of the URL parser, for codec/url/url*.c, codec/url/curlu.c and
 * api/text/url.c.
 *
 * mote_url_split() finds the parts of an input where they lie, mote_host_read() recognises a host, and url.c
 * writes the normal form. The first two allocate nothing.
 *
 * Ownership:  slices point into the input.
 * Tests:      tests/unit/codec/test_url.c, tests/unit/api/test_url_api.c */
#ifndef MOTE_CODEC_URL_URL_PART_H
#define MOTE_CODEC_URL_URL_PART_H

#include <string.h>

#include "codec/url/url.h"

/* Longest normal form of an address literal, NUL included (INET6_ADDRSTRLEN). */
#define MOTE_HOST_LITERAL 46

/* A host as it was read. */
struct mote_host {
  struct mote_slice raw;           /* name or literal in the input; IPv6 without brackets and zone id */
  struct mote_slice zone;          /* IPv6 zone id without "%25"; ptr NULL: none */
  char literal[MOTE_HOST_LITERAL]; /* IPv4 and IPv6: normal form. Names: not used */
  uint8_t literal_len;             /* bytes of literal; 0 for names */
  uint8_t kind;                    /* enum mote_host_kind */
};

/* Parts of an input. */
struct mote_url_raw {
  struct mote_slice part[MOTE_URL_PARTS]; /* as given; HOST, ZONEID, PORT in `host` and `port` instead */
  struct mote_host host;
  uint16_t has;                           /* bits as in mote_url.has */
  uint16_t port;                          /* stated port; valid when has says so */
  uint8_t scheme_flags;                   /* MOTE_SCHEME_* of the scheme; 0 for an unknown one */
  uint16_t default_port;                  /* of the scheme; 0: none */
  bool guessed;                           /* the scheme is not from the input, nor the default */
  bool apart;                             /* from parts: user and password need encoding */
};

/* Printed text, which may be longer than its room. */
struct mote_url_out {
  char *ptr;  /* the room */
  size_t cap; /* bytes at ptr */
  size_t len; /* bytes of the text so far, also those that did not fit */
};

static inline void mote_url_add(struct mote_url_out *out, const char *p, size_t n)
{
  if(out->len < out->cap && n)
    memcpy(out->ptr + out->len, p, n < out->cap - out->len ? n : out->cap - out->len);
  out->len += n;
}

static inline bool mote_url_raw_has(const struct mote_url_raw *raw, enum mote_url_part part)
{
  return (raw->has & (1u << part)) != 0;
}

/* Errors as mote_url_parse(), but for CURLUE_OUT_OF_MEMORY. */
CURLUcode mote_url_split(struct mote_url_raw *raw, const char *in, size_t len,
                         const struct mote_url_how *how);

/* Likewise from parts, for mote_url_compose(). */
CURLUcode mote_url_gather(struct mote_url_raw *raw, const struct mote_slice part[MOTE_URL_PARTS],
                          unsigned has, const struct mote_url_how *how);

/* Length of the scheme that the input begins with; 0: none. With strict only one that a slash follows
 * after the colon, so that "host:80" is left for a guess. */
size_t mote_url_scheme_len(const char *in, size_t len, bool strict);

/* Recognises a host: "[v6]", "[v6%25zone]", IPv4 in the forms that inet_aton() takes, or a name. decode:
 * percent escapes are resolved first (never in an IPv6 literal).
 * CURLUE_NO_HOST: empty. CURLUE_BAD_IPV6. CURLUE_BAD_HOSTNAME: a byte that no host may have. */
CURLUcode mote_host_read(struct mote_host *h, struct mote_slice text, bool decode);

/* IPv6 text, all of it, to 16 bytes in network order. */
bool mote_ipv6_read(struct mote_slice text, unsigned char out[16]);

/* RFC 5952 text of an address, NUL-terminated; returns its length. */
size_t mote_ipv6_print(const unsigned char in[16], char out[MOTE_HOST_LITERAL]);

/* A zone id of an IPv6 literal, without "%25". */
bool mote_zone_ok(struct mote_slice zone);

/* Returns the byte of a host at *p and moves *p past it; with decode an escape is one byte. -1 at the end. */
int mote_host_byte(const char **p, const char *end, bool decode);

#endif
