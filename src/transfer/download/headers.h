/* transfer/download/headers.h: stores the headers of all responses of a transfer, packed. The
 * store itself is a member of the response (transfer/exchange.h).
 *
 * Entries follow one another, first in the tail of the run and then in blocks. Neither moves, so that what
 * curl_easy_header() points to stays valid until the next transfer. Most responses need no block.
 *
 * An entry is: origin and flags (1 byte), the request's number (2 bytes, unless it is 0), the name, the
 * value, NUL. The name is a spelling of codec/http/http1.h (1 byte) where there is one, else the text and
 * NUL. Of most headers the first byte is the name too, so that common responses take half of their own
 * length.
 *
 * Without part header_store nothing is stored, and other code may use the tail as room.
 *
 * Invariants: no name and no value has a NUL, since the codecs refuse it.
 * Ownership:  the run owns the blocks.
 * Errors:     CURLE_OUT_OF_MEMORY; CURLE_TOO_LARGE above MOTE_HEADERS_MAX headers of one transfer or
 *             MOTE_HEADERS_BYTES_MAX bytes.
 * Tests:      tests/unit/transfer/test_headers.c */
#ifndef MOTE_TRANSFER_DOWNLOAD_HEADERS_H
#define MOTE_TRANSFER_DOWNLOAD_HEADERS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts.h"

struct mote_account;
struct mote_ceiling;
struct mote_header_store;
struct mote_slice;

/* libcurl's limit too. More headers are an attack on the client's memory. */
#define MOTE_HEADERS_MAX 5000u
/* Bytes of their blocks, as libcurl's limit for the heads of a transfer: 20 times MOTE_HTTP1_MAX_HEAD. Each
 * redirect has a head of its own, and there may be redirects without end (CURLOPT_MAXREDIRS(3)). */
#define MOTE_HEADERS_BYTES_MAX (20u * 300u * 1024u)

#if MOTE_HAS_HEADER_STORE

struct mote_header_block {
  struct mote_header_block *next;
  uint32_t cap; /* bytes after the struct */
  uint32_t len; /* bytes used */
};

/* A view of one stored header. */
struct mote_header_view {
  const char *name;                      /* into the store, or a constant */
  const char *value;                     /* into the store */
  uint32_t request;
  uint8_t origin;                        /* CURLH_HEADER, CURLH_TRAILER, CURLH_1XX … */
  const struct mote_header_block *block; /* where the search for the next header starts; NULL: in the tail */
  uint32_t at;                           /* offset after this entry */
};

/* Empties the store and frees its blocks, except one, which the next transfer will probably need again. */
void mote_headers_clear(struct mote_header_store *s, struct mote_account *account);
void mote_headers_close(struct mote_header_store *s, struct mote_account *account);

/* spelling: of the name (mote_http1_name_of()); 0 is right for every name, which is then stored. */
CURLcode mote_headers_add(struct mote_header_store *s, struct mote_account *account, uint8_t origin,
                          uint8_t spelling, struct mote_slice name, struct mote_slice value);
/* The same for a header of a final response that goes where nearly all do: the name has a spelling, and the
 * run's tail has room. False: nothing has changed, and mote_headers_add() finds its place. */
bool mote_headers_add_plain(struct mote_header_store *s, uint8_t spelling, struct mote_slice value);

/* Adds the most memory that the store takes for header lines of `lines` bytes in all, none longer than
 * `line`, in `requests` requests. */
void mote_headers_ceiling(size_t lines, size_t line, size_t requests, struct mote_ceiling *c);

/* Returns the room of the run's tail that holds no header yet. It is free for use until the next add. */
char *mote_headers_spare(struct mote_header_store *s, size_t *size);

/* Steps to the next header, starting with v all zero. False: there are no more. */
bool mote_headers_next(const struct mote_header_store *s, struct mote_header_view *v);

/* Where a header's entry ends, and the view from there on. False: it is no such place of this store. */
const char *mote_headers_end_of(const struct mote_header_store *s, const struct mote_header_view *v);
bool mote_headers_resume(const struct mote_header_store *s, const char *end, struct mote_header_view *v);

/* Returns the last value of a header with origin CURLH_HEADER, or NULL. request < 0 means the last
 * request. */
const char *mote_headers_find(const struct mote_header_store *s, const char *name, int request);
/* The same of the last request, without headers that have no value. */
const char *mote_headers_find_value(const struct mote_header_store *s, const char *name);
/* Returns the value of a note: an entry with origin 0, which is no header and which curl_easy_header() does
 * not show. NULL: there is none. */
const char *mote_headers_find_note(const struct mote_header_store *s, const char *name);
#define MOTE_NOTE_ENTRY_PATH "Entry-Path" /* of an FTP server */

#else

#define mote_headers_clear(s, account) ((void)(account), (void)((s)->request = 0))
#define mote_headers_close(s, account) ((void)(s), (void)(account))
#define mote_headers_add(s, account, origin, spelling, name, value) \
  ((void)(s), (void)(account), (void)(origin), (void)(spelling), (void)(name), (void)(value), \
   (CURLcode)CURLE_OK)
#define mote_headers_add_plain(s, spelling, value) ((void)(s), (void)(spelling), (void)(value), true)
#define mote_headers_ceiling(lines, line, requests, c) \
  ((void)(lines), (void)(line), (void)(requests), (void)(c))
#define mote_headers_spare(s, size) (*(size) = (s)->tail_size, (s)->tail)
struct mote_header_view {
  const char *name, *value;
  uint32_t request;
  uint8_t origin;
};
#define mote_headers_next(s, v) ((void)(s), (void)(v), false)
#define mote_headers_find(s, name, request) ((void)(s), (void)(name), (void)(request), NULL)
#define mote_headers_find_value(s, name) ((void)(s), (void)(name), NULL)
#define mote_headers_find_note(s, name) ((void)(s), (void)(name), NULL)
#endif

#endif
