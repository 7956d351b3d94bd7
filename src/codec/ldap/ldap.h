/* codec/ldap/ldap.h: messages of LDAP (RFC 4511).
 *
 * Requests are written into a buffer. Replies are read from a message that is there as a whole.
 *
 * Ownership: pure data; what is read points into the message.
 * Failure:   a writer keeps its first error (codec/ldap/ber.h).
 * Tests:     tests/unit/codec/test_ldap.c, fuzz/fuzz_ldap.c */
#ifndef MOTE_CODEC_LDAP_LDAP_H
#define MOTE_CODEC_LDAP_LDAP_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct mote_ber_writer;
struct mote_buf;

/* Tags of operations (RFC 4511 section 4.2 and following). */
enum mote_ldap_op {
  MOTE_LDAP_BIND = 0x60,
  MOTE_LDAP_BIND_RESULT = 0x61,
  MOTE_LDAP_UNBIND = 0x42,
  MOTE_LDAP_SEARCH = 0x63,
  MOTE_LDAP_ENTRY = 0x64,
  MOTE_LDAP_SEARCH_RESULT = 0x65,
  MOTE_LDAP_REFERENCE = 0x73,
  MOTE_LDAP_EXTENDED = 0x77,
  MOTE_LDAP_EXTENDED_RESULT = 0x78,
  MOTE_LDAP_INTERMEDIATE = 0x79
};

/* Result codes (RFC 4511 appendix A) that mean more than a failure. */
enum mote_ldap_code {
  MOTE_LDAP_SUCCESS = 0,
  MOTE_LDAP_SIZE_LIMIT_EXCEEDED = 4,
  MOTE_LDAP_BIND_IN_PROGRESS = 14, /* saslBindInProgress: a challenge */
  MOTE_LDAP_INVALID_CREDENTIALS = 49,
  MOTE_LDAP_INSUFFICIENT_ACCESS = 50
};

#define MOTE_LDAP_FILTER_DEPTH 32 /* filters within filters */

/* ---- requests ---- */

/* Writes a BindRequest with a name and a password (section 4.2). */
void mote_ldap_put_bind(struct mote_ber_writer *w, uint32_t id, struct mote_slice name,
                        struct mote_slice password);
/* Writes a BindRequest of a mechanism of SASL. credentials: of this step, NULL: there are none. */
void mote_ldap_put_sasl_bind(struct mote_ber_writer *w, uint32_t id, struct mote_slice mechanism,
                             const struct mote_slice *credentials);
/* Writes an ExtendedRequest that asks for TLS (section 4.14). */
void mote_ldap_put_start_tls(struct mote_ber_writer *w, uint32_t id);

/* What a search asks for. Nothing is percent-encoded. */
struct mote_ldap_search {
  struct mote_slice base;       /* a distinguished name */
  uint8_t scope;                /* 0: the base; 1: one level below it; 2: the subtree */
  struct mote_slice filter;     /* RFC 4515; empty: every entry */
  struct mote_slice attributes; /* names with commas between; empty: all of the user's */
};

/* Writes a SearchRequest (section 4.5.1). False: the filter is wrong; what was written is to be dropped. */
bool mote_ldap_put_search(struct mote_ber_writer *w, uint32_t id, const struct mote_ldap_search *s);

/* Writes a filter (RFC 4515). False: it is wrong, or deeper than MOTE_LDAP_FILTER_DEPTH. (ldap_filter.c) */
bool mote_ldap_put_filter(struct mote_ber_writer *w, struct mote_slice text);

/* ---- replies ---- */

/* Returns the bytes of the message that begins with these, its head included. 0: more bytes are needed to
 * know. SIZE_MAX: no LDAPMessage begins like that. */
size_t mote_ldap_message_len(const char *bytes, size_t len);

struct mote_ldap_message {
  uint32_t id;
  uint8_t op;             /* enum mote_ldap_op, or what else the server has sent */
  struct mote_slice body; /* of the operation */
};

/* Reads a message. False: it is none. */
bool mote_ldap_read(struct mote_slice bytes, struct mote_ldap_message *m);

/* What the server says of a request (LDAPResult, section 4.1.9). */
struct mote_ldap_result {
  uint32_t code;          /* enum mote_ldap_code, or another one */
  struct mote_slice text; /* diagnosticMessage; may be empty */
  struct mote_slice credentials; /* serverSaslCreds of a BindResponse (section 4.2.2); may be empty */
};

bool mote_ldap_read_result(struct mote_slice body, struct mote_ldap_result *r);

/* Finds the values of an attribute, whose name is compared without case, in a SearchResultEntry. Sets
 * *values to elements that mote_ber_take() takes off; empty: there are none. False: the body is no entry. */
bool mote_ldap_find_values(struct mote_slice body, const char *name, struct mote_slice *values);

/* Adds an entry as text, as libcurl writes it: a line "DN: name", a line of a tab, the attribute, ": " and a
 * value for each value, with ":: " and base64 where it is not printable or begins or ends with a blank, an
 * empty line after each attribute and one at the end. CURLE_WEIRD_SERVER_REPLY: the body is no
 * SearchResultEntry (section 4.5.2). Errors of the buffer. (ldap_text.c) */
CURLcode mote_ldap_add_entry(struct mote_buf *out, struct mote_slice body);

#endif
