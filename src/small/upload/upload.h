/* small/upload/upload.h: POST and PUT of the small implementation, and the request fields that an application
 * adds. A body comes from memory or from a read callback, and its length is known. Without part uploads all
 * of it is inline and nothing.
 *
 * Differs from the large implementation: a length that is not known is CURLE_NOT_BUILT_IN, and so is a
 * Transfer-Encoding among the added fields, since nothing is sent in chunks; a callback cannot pause; no
 * Expect is sent; what the server answers before the body is sent is read afterwards.
 * Tests: tests/parts/test_parts.py, device/examples */
#ifndef MOTE_SMALL_UPLOAD_UPLOAD_H
#define MOTE_SMALL_UPLOAD_UPLOAD_H

#include <string.h>

#include "base/text.h"
#include "transfer/transfer.h"

#if MOTE_HAS_UPLOADS

/* An option as curl_easy_setopt() stores it: the method under one number, sizes as curl_off_t. *e belongs to
 * the caller. CURLE_OUT_OF_MEMORY. */
CURLcode mote_upload_option(struct mote_options *o, struct mote_option *e);
/* May this number be below zero? */
bool mote_upload_unset(uint16_t id);

/* The beginning of the request line, a blank included. */
struct mote_slice mote_upload_method(const struct mote_transfer *t);
/* Is a field of that name among the added ones, to be sent or left out in place of the usual one? */
bool mote_upload_replaces(const struct mote_transfer *t, const char *name);
/* Writes the added fields and those of the body, unless `to` is NULL; returns their length. */
size_t mote_upload_fields(const struct mote_transfer *t, char *to);
/* Begins a body, or begins it again. CURLE_NOT_BUILT_IN: no length, or a coding.
 * CURLE_SEND_FAIL_REWIND: the callback has given bytes before, and there is none to go back by. */
CURLcode mote_upload_begin(struct mote_transfer *t);
/* Puts the next bytes of the body into a buffer; *n is 0 at its end. CURLE_READ_ERROR,
 * CURLE_ABORTED_BY_CALLBACK. */
CURLcode mote_upload_next(struct mote_transfer *t, char *to, size_t room, uint32_t *n);
/* A redirect to the request's URL is followed: a POST becomes a GET (RFC 9110 section 15.4), and with 303
 * also a PUT. At another origin than the first one, the added fields lose Authorization, Cookie and Host.
 * CURLE_OUT_OF_MEMORY. */
CURLcode mote_upload_redirect(struct mote_transfer *t, int status);

#else

#define mote_upload_option(o, e) CURLE_OK
#define mote_upload_unset(id) false
#define mote_upload_replaces(t, name) false
#define mote_upload_fields(t, to) 0u
#define mote_upload_begin(t) ((void)(t), CURLE_OK)
#define mote_upload_redirect(t, status) ((void)(t), (void)(status), CURLE_OK)

static inline struct mote_slice mote_upload_method(const struct mote_transfer *t)
{
  (void)t;
  return (struct mote_slice){"GET ", 4};
}

static inline CURLcode mote_upload_next(struct mote_transfer *t, char *to, size_t room, uint32_t *n)
{
  (void)t;
  (void)to;
  (void)room;
  *n = 0;
  return CURLE_OK;
}

#endif

#endif
