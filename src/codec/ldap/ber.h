/* codec/ldap/ber.h: elements of the Basic Encoding Rules (X.690), as LDAP has them (RFC 4511 section 5.1):
 * tags of one byte, definite lengths of at most four.
 *
 * A constructed element is written with its length in four bytes, which are filled in at its end, so that
 * nothing is moved.
 *
 * Ownership: pure data; what is read points into the bytes.
 * Failure:   a writer keeps its first error, and writes nothing more: CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE.
 * Tests:     tests/unit/codec/test_ldap.c, fuzz/fuzz_ldap.c */
#ifndef MOTE_CODEC_LDAP_BER_H
#define MOTE_CODEC_LDAP_BER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct mote_buf;

/* Tags of universal types. */
enum mote_ber_tag {
  MOTE_BER_BOOLEAN = 0x01,
  MOTE_BER_INTEGER = 0x02,
  MOTE_BER_OCTETS = 0x04,
  MOTE_BER_ENUMERATED = 0x0a,
  MOTE_BER_SEQUENCE = 0x30
};

#define MOTE_BER_HEAD_MOST 6u /* bytes of a tag and a length */

/* ---- writing ---- */

struct mote_ber_writer {
  struct mote_buf *out; /* borrowed */
  CURLcode rc;          /* the first error */
};

/* Begins a constructed element. Returns what mote_ber_end() wants. */
size_t mote_ber_begin(struct mote_ber_writer *w, uint8_t tag);
void mote_ber_end(struct mote_ber_writer *w, size_t begun);
/* Writes an element of bytes. */
void mote_ber_put(struct mote_ber_writer *w, uint8_t tag, struct mote_slice bytes);
/* Writes an element of one byte. */
void mote_ber_put_byte(struct mote_ber_writer *w, uint8_t tag, uint8_t value);
/* Writes an INTEGER. */
void mote_ber_put_number(struct mote_ber_writer *w, uint32_t n);

/* ---- reading ---- */

/* Returns the bytes of the element that begins with these, its head included. 0: more bytes are needed to
 * know. SIZE_MAX: no element begins like that, or one of 4 GB. */
size_t mote_ber_len(struct mote_slice bytes);
/* Takes the first element off. False: there is none, or not all of it. */
bool mote_ber_take(struct mote_slice *rest, uint8_t *tag, struct mote_slice *inside);
/* Takes an INTEGER or ENUMERATED, which is not negative. */
bool mote_ber_take_number(struct mote_slice *rest, uint8_t tag, uint32_t *n);

#endif
