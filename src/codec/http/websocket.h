/* codec/http/websocket.h: frames of the WebSocket protocol (RFC 6455 section 5), as a client sends and
 * receives them, and the key of its handshake (section 4).
 *
 * The reader parses heads only. The payload stays where the caller has it; the caller reports how much of it
 * was used by mote_websocket_took(). The writer makes a head, and masks the payload at any offset, so that a
 * payload can leave in pieces.
 *
 * Invariants: no allocation; a head is at most MOTE_WEBSOCKET_HEAD bytes; a byte that begins a wrong frame is
 *             found before the frame's payload is asked for.
 * Ownership:  both structs are plain memory of the caller; there is nothing to release.
 * Errors:     enum mote_websocket_why. A connection with a wrong frame is lost (section 7.1.7).
 * Tests:      tests/unit/codec/test_websocket.c; fuzz/fuzz_websocket.c */
#ifndef MOTE_CODEC_HTTP_WEBSOCKET_H
#define MOTE_CODEC_HTTP_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_WEBSOCKET_HEAD 14u    /* bytes of the longest head, with a mask */
#define MOTE_WEBSOCKET_CONTROL 125u /* most bytes of a control frame's payload (section 5.5) */
#define MOTE_WEBSOCKET_KEY 24u     /* characters of Sec-WebSocket-Key (section 4.1) */
#define MOTE_WEBSOCKET_ACCEPT 28u  /* characters of Sec-WebSocket-Accept */
#define MOTE_WEBSOCKET_NONCE 16u   /* random bytes of a key */

/* The opcodes (section 5.2). */
#define MOTE_WEBSOCKET_CONTINUE 0u
#define MOTE_WEBSOCKET_TEXT 1u
#define MOTE_WEBSOCKET_BINARY 2u
#define MOTE_WEBSOCKET_CLOSE 8u
#define MOTE_WEBSOCKET_PING 9u
#define MOTE_WEBSOCKET_PONG 10u

enum mote_websocket_why {
  MOTE_WEBSOCKET_OK,
  MOTE_WEBSOCKET_RESERVED_BIT,   /* section 5.2: no extension was negotiated */
  MOTE_WEBSOCKET_OPCODE,         /* section 5.2: a reserved opcode */
  MOTE_WEBSOCKET_MASKED,         /* section 5.1: a server must not mask */
  MOTE_WEBSOCKET_LENGTH,         /* section 5.2: the highest bit of a length is set */
  MOTE_WEBSOCKET_LENGTH_FORM,    /* section 5.2: a length in more bytes than it needs */
  MOTE_WEBSOCKET_CONTROL_LONG,   /* section 5.5 */
  MOTE_WEBSOCKET_CONTROL_CUT,    /* section 5.5: a control frame in fragments */
  MOTE_WEBSOCKET_NO_MESSAGE,     /* section 5.4: the continuation of nothing */
  MOTE_WEBSOCKET_IN_MESSAGE,     /* section 5.4: a message begins inside another one */
  MOTE_WEBSOCKET_AFTER_CLOSE,    /* section 5.5.1: nothing follows a close frame */
  MOTE_WEBSOCKET_NOT_UTF8,       /* section 8.1: a text that is none */
  MOTE_WEBSOCKET_NO_TYPE,        /* writer: no CURLWS_* that names a type */
  MOTE_WEBSOCKET_FLAGS           /* writer: flags that do not go together, or unknown ones */
};

/* Returns a text for the error buffer, or NULL for OK. */
const char *mote_websocket_why_text(enum mote_websocket_why why);

/* ---- reading ---- */

struct mote_websocket_reader {
  uint64_t size;   /* bytes of the current frame's payload; <= INT64_MAX */
  uint64_t left;   /* of these, bytes that the caller has not used yet */
  uint8_t head[10]; /* the beginning of the next frame's head */
  uint8_t head_len; /* bytes of it, less than it needs */
  uint8_t opcode;  /* of the current frame; a continuation has that of its message */
  uint8_t message; /* TEXT or BINARY while a fragmented message is under way, else 0 */
  bool final;      /* the current frame ends its message; control frames always do */
  bool in_frame;   /* a head is complete, and its payload not used up yet */
  bool closed;     /* a close frame has come */
  uint8_t due;     /* bytes that the character of a text still needs */
  uint8_t low, high; /* what the next one of them may be */
};

/* Takes bytes of a head. *used is all of them, or less if in_frame is true after the call, as it must be
 * false before. The current frame may have no payload. */
enum mote_websocket_why mote_websocket_head(struct mote_websocket_reader *r, const char *bytes, size_t len,
                                            size_t *used);

/* Judges the next n bytes of the payload, at most r->left, before they are used: those of a text are UTF-8,
 * whose characters may be cut by frames. Returns OK or NOT_UTF8. */
enum mote_websocket_why mote_websocket_judge(struct mote_websocket_reader *r, const char *bytes, size_t n);

/* The caller has used n bytes of the payload, at most r->left. The frame ends with its last byte, one without
 * payload by n = 0. */
void mote_websocket_took(struct mote_websocket_reader *r, uint64_t n);

/* Returns the CURLWS_* of the current frame: its type, and CURLWS_CONT if its message goes on. */
unsigned mote_websocket_flags(const struct mote_websocket_reader *r);

static inline bool mote_websocket_is_control(const struct mote_websocket_reader *r)
{
  return r->opcode >= MOTE_WEBSOCKET_CLOSE;
}

/* Reports whether the peer has begun a frame and not ended it. */
static inline bool mote_websocket_is_cut(const struct mote_websocket_reader *r)
{
  return r->in_frame || r->head_len > 0;
}

/* ---- writing ---- */

struct mote_websocket_writer {
  uint64_t left;     /* bytes of the current frame's payload that are still to be masked */
  uint8_t mask[4];   /* rotated: the first byte is for the next byte of the payload */
  bool in_message;   /* the last data frame was not final */
};

/* Begins a frame of `size` bytes (<= INT64_MAX) with these CURLWS_* flags. `mask` is new random bytes. Writes
 * the head, *head_len bytes. Inside a fragmented message flags may be CURLWS_CONT or 0 without a type.
 * w->left must be 0. */
enum mote_websocket_why mote_websocket_begin(struct mote_websocket_writer *w, unsigned flags, uint64_t size,
                                             const uint8_t mask[4], char head[MOTE_WEBSOCKET_HEAD],
                                             size_t *head_len);

/* Masks the next n bytes of the payload (section 5.3), at most w->left. `to` may be `from`. */
void mote_websocket_mask(struct mote_websocket_writer *w, char *to, const char *from, size_t n);

/* ---- the handshake ---- */

/* Writes the key that a nonce makes, with a NUL. */
void mote_websocket_key(const uint8_t nonce[MOTE_WEBSOCKET_NONCE], char key[MOTE_WEBSOCKET_KEY + 1]);

/* Reports whether `accept` is the value that answers `key` (section 4.2.2). */
bool mote_websocket_accepts(const char *key, size_t key_len, const char *accept, size_t accept_len);

#endif
