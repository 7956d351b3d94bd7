/* auth/sign/sigv4.h: signature version 4 of AWS, and of services that took it over under names of their own
 * (CURLOPT_AWS_SIGV4(3); "Signature Version 4 signing process" of the AWS documentation).
 *
 * The caller collects the request's fields and says what the body's digest is; here its canonical form is
 * made and signed. Nothing of that form is ever stored, since its pieces go straight into a digest.
 *
 * Ownership: all slices are borrowed; nothing is allocated or kept.
 * Errors:    mote_sigv4_parse() alone can fail.
 * Tests:     tests/unit/auth/test_sigv4.c; fuzz/fuzz_sigv4.c; tests/e2e/test_sigv4.py */
#ifndef MOTE_AUTH_SIGN_SIGV4_H
#define MOTE_AUTH_SIGN_SIGV4_H

#include <curl/curl.h>

#include "base/digest/hmac.h"
#include "base/text.h"

#define MOTE_SIGV4_WORD 64         /* most bytes of a word of CURLOPT_AWS_SIGV4, as in libcurl 8.23 */
#define MOTE_SIGV4_DATE 16         /* bytes of "20201231T235959Z" */
#define MOTE_SIGV4_HEX 64          /* hex digits of a digest */
#define MOTE_SIGV4_NAME (MOTE_SIGV4_WORD + 18) /* room for a field's name and a NUL */
#define MOTE_SIGV4_SCOPE (3 * MOTE_SIGV4_WORD + 24)
#define MOTE_SIGV4_ITEMS 1024      /* most parameters of a query, which a redirect may have made */

/* The words of CURLOPT_AWS_SIGV4. Each has 1 to MOTE_SIGV4_WORD bytes. */
struct mote_sigv4_words {
  struct mote_slice provider1; /* "aws": names the algorithm and the scope */
  struct mote_slice provider2; /* "amz": names the fields */
  struct mote_slice region;
  struct mote_slice service;
};

/* A field of the request, or a parameter of its query. */
struct mote_sigv4_item {
  struct mote_slice name;
  struct mote_slice value;  /* of a field with any blanks around it; of a parameter percent-encoded */
  uint32_t order;           /* place among items of the same name */
};

struct mote_sigv4 {
  struct mote_sigv4_words words;
  struct mote_slice method;       /* as on the request line */
  struct mote_slice path;         /* likewise, without the query */
  struct mote_slice query;        /* likewise, without "?" */
  struct mote_slice date;         /* MOTE_SIGV4_DATE bytes, or none */
  struct mote_slice payload;      /* what stands for the body: MOTE_SIGV4_HEX digits, or a word */
  struct mote_slice secret;       /* the password */
  struct mote_sigv4_item *fields; /* to be signed */
  unsigned field_count;
  struct mote_sigv4_item *params; /* room for mote_sigv4_count() items; mote_sigv4_sign() writes it */
};

/* Reads "provider1[:provider2[:region[:service]]]". A word that is missing, empty or too long ends the list;
 * what is not in it is the provider, or comes from the host's first two labels. "" is "aws:amz".
 * CURLE_BAD_FUNCTION_ARGUMENT: no provider. CURLE_URL_MALFORMAT: the host has no service, and then
 * words->service is empty, or no region. */
CURLcode mote_sigv4_parse(struct mote_sigv4_words *words, const char *text, struct mote_slice host);

/* Reports whether it is S3 of AWS, which wants the payload's digest in a field of its own. */
bool mote_sigv4_is_s3(const struct mote_sigv4_words *words);

/* Writes "X-Amz-Date" or "x-amz-content-sha256" and a NUL; returns the length. */
size_t mote_sigv4_date_name(const struct mote_sigv4_words *words, char out[MOTE_SIGV4_NAME]);
size_t mote_sigv4_payload_name(const struct mote_sigv4_words *words, char out[MOTE_SIGV4_NAME]);

/* Writes "AWS4-HMAC-SHA256"; returns the length. */
size_t mote_sigv4_algorithm(const struct mote_sigv4_words *words, char out[MOTE_SIGV4_NAME]);

/* Writes "20201231/region/service/aws4_request"; returns the length. */
size_t mote_sigv4_scope(const struct mote_sigv4 *s, char out[MOTE_SIGV4_SCOPE]);

/* Writes the date of a point in time, seconds since 1970. */
void mote_sigv4_print_date(int64_t seconds, char out[MOTE_SIGV4_DATE]);

/* Returns the number of parameters of a query. */
size_t mote_sigv4_count(struct mote_slice query);

/* Writes the digest of the bytes in hex digits, as a payload. */
void mote_sigv4_digest(struct mote_slice bytes, char out[MOTE_SIGV4_HEX]);

/* Makes the key, which follows from the secret and the scope and is good for a day. */
void mote_sigv4_make_key(const struct mote_sigv4 *s, struct mote_hmac *key);

/* Sorts fields and parameters, and writes the signature in hex digits. */
void mote_sigv4_sign(struct mote_sigv4 *s, const struct mote_hmac *key, char out[MOTE_SIGV4_HEX]);

/* For SignedHeaders, after mote_sigv4_sign(): reports whether the field before has the same name. */
bool mote_sigv4_repeats(const struct mote_sigv4 *s, unsigned i);

#endif
