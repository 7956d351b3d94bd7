/* tls/x509/pem.h: finding and decoding the blocks of a PEM text (RFC 7468) that arrives in pieces.
 *
 * Text between blocks, blocks of other kinds and a byte-order mark of UTF-8 in front are skipped; lines end
 * with LF or CRLF. The first bytes of each block are decoded into a buffer that the caller lends.
 *
 * Ownership: the struct and the buffer are the caller's. No memory, no TLS library.
 * Failure:   a block that does not end or is not base64 is passed over.
 * Tests:     tests/unit/tls/test_pem.c */
#ifndef MOTE_TLS_X509_PEM_H
#define MOTE_TLS_X509_PEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_PEM_LINE 40 /* bytes of a line that are compared: more than any label of ours */

struct mote_pem {
  const char *label;  /* of the blocks wanted; NULL: certificates (also "X509 ..." and "TRUSTED ...") */
  uint8_t *der;       /* lent; the first bytes of the block being read */
  size_t der_cap;
  size_t der_len;     /* bytes decoded into der; the block may be longer */
  uint64_t pos;       /* offset of the next byte of the text */
  uint64_t line_pos;  /* offset of the line being read */
  uint64_t start;     /* offset of the block's BEGIN line */
  uint32_t bits;      /* of base64 digits that do not make a byte yet */
  uint8_t bit_count;
  uint8_t pads;       /* '=' seen */
  uint8_t line_len;   /* bytes of the line kept */
  bool inside;        /* between BEGIN and END of a block that is wanted */
  bool trusted;       /* OpenSSL's TRUSTED CERTIFICATE: trust settings follow the certificate */
  bool bad;           /* the block has something that is not base64 */
  char line[MOTE_PEM_LINE];
};

void mote_pem_init(struct mote_pem *pem, const char *label, uint8_t *der, size_t der_cap);

/* Reads on from p, at most to p + len, until a block ends. Returns true then, with its offset in start, its
 * end (after the END line) in pos, the first bytes in der, and the number of bytes read in *used; false
 * when all were read. */
bool mote_pem_feed(struct mote_pem *pem, const char *p, size_t len, size_t *used);

/* Ends the text. Returns true if that ended a last block, one without a line ending after it. */
bool mote_pem_end(struct mote_pem *pem);

#endif
