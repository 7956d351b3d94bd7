/* codec/socks/socks_gss.h: the frames in which SOCKS5 carries GSS-API (RFC 1961 sections 3 to 5). A frame
 * is a head of four bytes and what GSS-API has made; a proxy that refuses the client sends the first two
 * bytes alone.
 *
 * Invariants: nothing is allocated, and no byte after the head is asked for.
 * Ownership:  the struct is plain memory of the caller.
 * Failure:    enum mote_socks_gss_verdict.
 * Tests:      tests/unit/codec/test_socks_gss.c; fuzz/fuzz_socks_gss.c */
#ifndef MOTE_CODEC_SOCKS_SOCKS_GSS_H
#define MOTE_CODEC_SOCKS_SOCKS_GSS_H

#include <stddef.h>
#include <stdint.h>

#define MOTE_SOCKS_GSS_HEAD 4u      /* bytes */
#define MOTE_SOCKS_GSS_MOST 65535u  /* bytes of a frame after its head: its length has two bytes */

enum mote_socks_gss_type {
  MOTE_SOCKS_GSS_TOKEN = 1, /* of the context */
  MOTE_SOCKS_GSS_LEVEL = 2, /* one byte, enum mote_socks_gss_level */
  MOTE_SOCKS_GSS_DATA = 3   /* a wrapped message */
};

/* How messages are protected after the login. RFC 1961 has no level 0, proxies do. */
enum mote_socks_gss_level {
  MOTE_SOCKS_GSS_PLAIN = 0,
  MOTE_SOCKS_GSS_SIGNED = 1,
  MOTE_SOCKS_GSS_ENCRYPTED = 2
};

enum mote_socks_gss_verdict {
  MOTE_SOCKS_GSS_OK,
  MOTE_SOCKS_GSS_REFUSED, /* the proxy does not accept the client */
  MOTE_SOCKS_GSS_WRONG    /* no frame, or one of another type */
};

struct mote_socks_gss_head {
  uint8_t type;  /* enum mote_socks_gss_type that is expected */
  uint8_t have;  /* bytes of the head, 0 to MOTE_SOCKS_GSS_HEAD */
  uint16_t len;  /* bytes after the head, when it is complete */
};

/* Writes the head of a frame that has `len` bytes after it. */
void mote_socks_gss_put(uint8_t out[MOTE_SOCKS_GSS_HEAD], enum mote_socks_gss_type type, uint16_t len);

/* Expects a frame. */
void mote_socks_gss_expect(struct mote_socks_gss_head *h, enum mote_socks_gss_type type);
/* Returns how many bytes of the head are certain to come; 0: it is complete. */
size_t mote_socks_gss_missing(const struct mote_socks_gss_head *h);
/* Takes in `len` bytes of the head, at most mote_socks_gss_missing(). */
enum mote_socks_gss_verdict mote_socks_gss_feed(struct mote_socks_gss_head *h, const uint8_t *bytes,
                                                size_t len);

#endif
