/* auth/sign/message_signature.h: HTTP message signatures (RFC 9421) as a client makes them: which
 * components of a request are signed, the text that is signed, and the parameters that say so.
 *
 * The caller finds the components' values and signs the text. One signature, with the label sig1.
 *
 * Ownership: slices are borrowed; the texts go into the caller's buffers.
 * Errors:    CURLE_BAD_FUNCTION_ARGUMENT as said below; CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE of a buffer.
 * Tests:     tests/unit/auth/test_message_signature.c; fuzz/fuzz_message_signature.c;
 *            tests/e2e/test_message_signature.py */
#ifndef MOTE_AUTH_SIGN_MESSAGE_SIGNATURE_H
#define MOTE_AUTH_SIGN_MESSAGE_SIGNATURE_H

#include <curl/curl.h>
#include <stdint.h>

#include "base/text.h"

struct mote_buf;

#define MOTE_SIGNED_MAX 16              /* most components, as in libcurl 8.22 */
#define MOTE_SIGNED_TEXT (1024u * 1024) /* bytes of the text; no request head is longer */

enum mote_signed_kind {
  MOTE_SIGNED_METHOD,    /* "@method" (RFC 9421 section 2.2.1) */
  MOTE_SIGNED_AUTHORITY, /* "@authority" (section 2.2.3) */
  MOTE_SIGNED_PATH,      /* "@path" (section 2.2.6) */
  MOTE_SIGNED_QUERY,     /* "@query" (section 2.2.7) */
  MOTE_SIGNED_FIELD      /* a field (section 2.1) */
};

struct mote_signed {
  enum mote_signed_kind kind;
  struct mote_slice name;     /* of a field, as the list has it, which need not be lower case */
};

struct mote_signed_list {
  struct mote_signed item[MOTE_SIGNED_MAX];
  unsigned count;             /* 1 to MOTE_SIGNED_MAX */
};

struct mote_signed_params {
  int64_t created;            /* seconds since 1970 */
  struct mote_slice keyid;    /* CURLOPT_HTTPSIG_KEYID */
  const char *algorithm;      /* "ed25519", as the registry of RFC 9421 section 6.2.2 has it */
};

/* Reads CURLOPT_HTTPSIG_HEADERS: "method", "authority", "path", "query" and fields with a colon after the
 * name, blanks between them. CURLE_BAD_FUNCTION_ARGUMENT: another word, one that is there twice, none or too
 * many. */
CURLcode mote_signed_read(struct mote_signed_list *list, const char *text);

/* Makes the list of a request that has no such option. */
void mote_signed_default(struct mote_signed_list *list, bool query);

/* Adds the parameters, which are the value of Signature-Input after "sig1=".
 * CURLE_BAD_FUNCTION_ARGUMENT: a text cannot have the key's name (RFC 8941 section 3.3.3). */
CURLcode mote_signed_put_params(const struct mote_signed_list *list, const struct mote_signed_params *params,
                                struct mote_buf *out);

/* Add to the text that is signed: a component without its value, and the last line. A value ends with
 * "\n". */
CURLcode mote_signed_put_name(const struct mote_signed *item, struct mote_buf *text);
CURLcode mote_signed_put_end(struct mote_slice params, struct mote_buf *text);

/* Reads a key of hex digits. CURLE_BAD_FUNCTION_ARGUMENT: anything else, or none. */
CURLcode mote_signed_read_key(const char *digits, struct mote_buf *key);

#endif
