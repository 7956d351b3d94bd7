/* codec/rtsp.h: what RTSP (RFC 2326) has that HTTP/1 has not: its status line, CSeq, Session, the channels of
 * Transport, and the packets of interleaved data between responses (section 10.12).
 *
 * Invariants: no allocation; slices point into the caller's bytes.
 * Tests:      tests/unit/codec/test_rtsp.c; fuzz/fuzz_rtsp.c */
#ifndef MOTE_CODEC_RTSP_H
#define MOTE_CODEC_RTSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mote_slice;

#define MOTE_RTSP_PACKET_HEAD 4u                             /* bytes of "$", channel and length */
#define MOTE_RTSP_PACKET_MOST (MOTE_RTSP_PACKET_HEAD + 65535u) /* bytes of a packet */

/* The channels that carry interleaved data: bit channel % 8 of byte channel / 8. */
struct mote_rtsp_channels {
  uint8_t bits[32];
};

enum mote_rtsp_next {
  MOTE_RTSP_MORE,    /* neither is complete: `skip` bytes are neither, and more are needed after them */
  MOTE_RTSP_PACKET,  /* after `skip` bytes comes a packet of `size` bytes, its head included */
  MOTE_RTSP_RESPONSE /* after `skip` bytes comes "RTSP/" */
};

/* Finds what comes next between two responses. Bytes that begin neither a packet of a known channel nor a
 * response are skipped, as libcurl does. */
enum mote_rtsp_next mote_rtsp_find(const char *bytes, size_t len, const struct mote_rtsp_channels *known,
                                   size_t *skip, size_t *size);

/* Parses "RTSP/1.0 200 OK" with its line end. Returns the code, 100 to 999; 0: it is no such line. */
unsigned mote_rtsp_status(const char *line, size_t len);

/* Parses the value of CSeq. */
bool mote_rtsp_cseq(struct mote_slice value, long *cseq);

/* Returns the session of the value of Session, without its parameters. */
struct mote_slice mote_rtsp_session(struct mote_slice value);

/* Adds the channels of the value of Transport ("interleaved=0-1"). */
void mote_rtsp_transport(struct mote_slice value, struct mote_rtsp_channels *channels);

#endif
