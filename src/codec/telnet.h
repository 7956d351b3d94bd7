/* codec/telnet.h: TELNET's commands (RFC 854) and the negotiation of options (RFC 855, RFC 1143).
 *
 * The reader cuts received bytes into data and commands. The negotiation knows the options that a client may
 * agree to, and answers each request of the server once, so that two ends cannot answer each other for ever.
 * It asks for an option itself only once, and never ends one.
 *
 * Invariants: no allocation; a subnegotiation of any length takes no memory.
 * Tests:      tests/unit/codec/test_telnet.c; fuzz/fuzz_telnet.c */
#ifndef MOTE_CODEC_TELNET_H
#define MOTE_CODEC_TELNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_TELNET_IAC 255u
#define MOTE_TELNET_SB 250u
#define MOTE_TELNET_SE 240u
#define MOTE_TELNET_WILL 251u
#define MOTE_TELNET_WONT 252u
#define MOTE_TELNET_DO 253u
#define MOTE_TELNET_DONT 254u

/* The options that are known. */
#define MOTE_TELNET_BINARY 0u    /* RFC 856 */
#define MOTE_TELNET_ECHO 1u      /* RFC 857 */
#define MOTE_TELNET_SGA 3u       /* suppress go ahead, RFC 858 */
#define MOTE_TELNET_TTYPE 24u    /* RFC 1091 */
#define MOTE_TELNET_NAWS 31u     /* window size, RFC 1073 */
#define MOTE_TELNET_XDISPLOC 35u /* RFC 1096 */
#define MOTE_TELNET_ENVIRON 39u  /* RFC 1572 */

enum mote_telnet_kind {
  MOTE_TELNET_DATA,    /* `len` bytes from `from` on, which may be none */
  MOTE_TELNET_REQUEST, /* WILL, WONT, DO or DONT */
  MOTE_TELNET_SEND     /* IAC SB option SEND IAC SE: the server asks for a value */
};

struct mote_telnet_event {
  enum mote_telnet_kind kind;
  size_t from, len; /* DATA: within the bytes */
  uint8_t verb;     /* REQUEST */
  uint8_t option;   /* REQUEST, SEND */
};

/* Where received bytes have got to. All zero at the beginning. */
struct mote_telnet_in {
  uint8_t state;  /* private */
  uint8_t verb;   /* of the command */
  uint8_t sub[2]; /* the first bytes of a subnegotiation */
  uint8_t subs;   /* how many there are, at most 3 */
};

/* Takes bytes up to an event, one at least. Returns how many. A NUL after CR is taken away. */
size_t mote_telnet_feed(struct mote_telnet_in *in, const char *bytes, size_t len,
                        struct mote_telnet_event *e);

/* What is agreed on. All zero at the beginning, but for what is wanted. */
struct mote_telnet_side {
  uint64_t wanted; /* bit `option`: it may be on */
  uint64_t on;
  uint64_t asked;  /* the client has asked, and the server has not answered */
};

struct mote_telnet_options {
  struct mote_telnet_side us;  /* WILL and WONT of the client */
  struct mote_telnet_side him; /* of the server */
  bool begun;                  /* the client has asked for what it wants */
};

/* The client may take part in this option itself (us), and may let the server (him). */
void mote_telnet_want(struct mote_telnet_side *side, unsigned option);

/* Answers a request. Returns the verb to send back, or 0: none. *on: the client's side of the option begins
 * with it. */
uint8_t mote_telnet_answer(struct mote_telnet_options *o, uint8_t verb, uint8_t option, bool *on);

/* ---- writing ---- */

/* Bytes for the server in room of the caller's. What one call writes is there as a whole or not at all.
 * Invariant: len + kept <= most. */
struct mote_telnet_out {
  char *bytes;
  size_t len;
  size_t most; /* bytes of room */
  size_t kept; /* bytes of room that the end of a subnegotiation needs */
};

/* Each returns false where there is no room. */
bool mote_telnet_put_command(struct mote_telnet_out *out, uint8_t verb, uint8_t option);
bool mote_telnet_put(struct mote_telnet_out *out, const char *bytes, size_t len); /* IAC doubled */
/* IAC SB option. Room for the end is kept from here on. */
bool mote_telnet_begin_sub(struct mote_telnet_out *out, uint8_t option);
/* IAC SE, after a beginning. */
void mote_telnet_end_sub(struct mote_telnet_out *out);

/* Asks, once, for what is wanted and neither on nor asked for. What has no room is asked for by the next
 * call. */
void mote_telnet_ask(struct mote_telnet_options *o, struct mote_telnet_out *out);

#endif
