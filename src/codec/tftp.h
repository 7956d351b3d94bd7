/* codec/tftp.h: packets of TFTP (RFC 1350) with options (RFC 2347 to 2349).
 *
 * Errors: a packet that is not whole or not known is refused; its bytes are then ignored.
 * Tests:  tests/unit/codec/test_tftp.c, fuzz/fuzz_tftp.c */
#ifndef MOTE_CODEC_TFTP_H
#define MOTE_CODEC_TFTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum mote_tftp_code {
  MOTE_TFTP_READ = 1,
  MOTE_TFTP_WRITE,
  MOTE_TFTP_DATA,
  MOTE_TFTP_ACK,
  MOTE_TFTP_ERROR,
  MOTE_TFTP_OACK
};

enum {
  MOTE_TFTP_HEAD = 4,            /* bytes in front of the data of a block; an ACK has no more */
  MOTE_TFTP_REQUEST_MOST = 512,  /* bytes of a request (RFC 2347) */
  MOTE_TFTP_BLOCK = 512,         /* bytes of a block without option "blksize" */
  MOTE_TFTP_BLOCK_LEAST = 8,     /* of it with the option (RFC 2348) */
  MOTE_TFTP_BLOCK_MOST = 65464
};

struct mote_tftp_packet {
  uint16_t code;           /* enum mote_tftp_code */
  uint16_t number;         /* of the block (DATA, ACK), or of the error */
  struct mote_slice rest;  /* data, text of an error, options of an OACK; lies in the packet */
};

/* Reads a packet that a server has sent. False: it is none. A file's name of a request is not read. */
bool mote_tftp_read(struct mote_tftp_packet *p, const char *bytes, size_t len);

/* Takes an option off the rest of an OACK. False: there is no further one, and *rest has what is none. */
bool mote_tftp_next_option(struct mote_slice *rest, struct mote_slice *name, struct mote_slice *value);

/* Write a head: code and number; a NUL-terminated text. They return the end. */
char *mote_tftp_put_head(char *at, enum mote_tftp_code code, uint16_t number);
char *mote_tftp_put_text(char *at, struct mote_slice text);

struct mote_tftp_request {
  enum mote_tftp_code code; /* READ or WRITE */
  struct mote_slice file;   /* without a NUL */
  bool netascii;            /* the mode; else octet */
  bool options;             /* asks for what follows */
  uint64_t size;            /* of the file that is written; 0: unknown, or asked for */
  uint16_t block;           /* bytes */
  unsigned timeout;         /* seconds after which a packet is sent again */
};

/* Writes a request. Returns its length, 0: it is too long. */
size_t mote_tftp_put_request(char room[MOTE_TFTP_REQUEST_MOST], const struct mote_tftp_request *r);

#endif
