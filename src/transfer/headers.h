/* transfer/headers.h: the response headers of every response of a transfer, packed.
 *
 * Entries lie one behind the other in blocks that never move, so that what curl_easy_header() points to stays
 * until the next transfer. The first block is the tail of the run: most responses need no other.
 * An entry is: origin (1 byte), request, name length, value length (7-bit groups, least first), name, NUL,
 * value, NUL.
 *
 * Without part header_store nothing is kept, and the tail is room for whoever needs some.
 *
 * Ownership:  the run owns the blocks.
 * Failure:    CURLE_OUT_OF_MEMORY; CURLE_TOO_LARGE above MOTE_HEADERS_MAX headers of one transfer.
 * Tests:      tests/unit/transfer/test_headers.c */
#ifndef MOTE_TRANSFER_HEADERS_H
#define MOTE_TRANSFER_HEADERS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "parts.h"

struct mote_account;
struct mote_ceiling;

/* What libcurl allows as well: a server that sends more is up to something. */
#define MOTE_HEADERS_MAX 5000u

#if MOTE_HAS_HEADER_STORE

struct mote_header_block {
  struct mote_header_block *next;
  uint32_t cap; /* bytes behind the struct */
  uint32_t len; /* bytes used */
};

struct mote_header_store {
  struct mote_header_block *first; /* the run's tail; its `next` are blocks of their own */
  struct mote_header_block *last;  /* the one being filled */
  uint16_t count;                  /* headers stored */
  uint16_t request;                /* index of the current request of the chain, from 0 */
};

/* A view of one stored header; pointers into the store. */
struct mote_header_view {
  const char *name;
  const char *value;
  uint32_t request;
  uint8_t origin;                        /* CURLH_HEADER, CURLH_TRAILER, CURLH_1XX … */
  const struct mote_header_block *block; /* where the next one is looked for */
  uint32_t at;                           /* offset behind this entry */
};

/* tail: room of tail_size bytes that outlives the store. Empties the store. */
void mote_headers_init(struct mote_header_store *s, void *tail, uint32_t tail_size);
/* Blocks of their own are given back, but for one, which the next transfer will need again. */
void mote_headers_clear(struct mote_header_store *s, struct mote_account *account);
void mote_headers_close(struct mote_header_store *s, struct mote_account *account);

CURLcode mote_headers_add(struct mote_header_store *s, struct mote_account *account, uint8_t origin,
                          struct mote_slice name, struct mote_slice value);

/* What the store takes at most for header lines of `lines` bytes in all, none longer than `line`, in
 * `requests` requests. */
void mote_headers_ceiling(size_t lines, size_t line, size_t requests, struct mote_ceiling *c);

/* Room of the run's tail that holds no header yet: free for use until the next add. */
char *mote_headers_spare(struct mote_header_store *s, size_t *size);

/* Walk: begin with v all zero. False: no more. */
bool mote_headers_next(const struct mote_header_store *s, struct mote_header_view *v);

/* Last value of a header of the request (request < 0: of the last one) or NULL; origin CURLH_HEADER. */
const char *mote_headers_find(const struct mote_header_store *s, const char *name, int request);

#else

struct mote_header_store {
  char *tail;
  uint32_t tail_size;
  uint16_t request;
};

#define mote_headers_init(s, room, size) \
  ((s)->tail = (char *)(room), (s)->tail_size = (size), (void)((s)->request = 0))
#define mote_headers_clear(s, account) ((void)(account), (void)((s)->request = 0))
#define mote_headers_close(s, account) ((void)(s), (void)(account))
#define mote_headers_add(s, account, origin, name, value) \
  ((void)(s), (void)(account), (void)(origin), (void)(name), (void)(value), CURLE_OK)
#define mote_headers_ceiling(lines, line, requests, c) \
  ((void)(lines), (void)(line), (void)(requests), (void)(c))
#define mote_headers_spare(s, size) (*(size) = (s)->tail_size, (s)->tail)
#define mote_headers_find(s, name, request) ((void)(s), (void)(name), (void)(request), NULL)
#endif

#endif
