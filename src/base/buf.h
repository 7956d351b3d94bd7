/* base/buf.h: growing byte buffer with a ceiling.
 *
 * Invariants: len <= cap; cap <= limit + 1; ptr[len] == 0 whenever ptr is not NULL.
 * Ownership:  the struct is the caller's (embed it); the bytes are the buffer's until mote_buf_close().
 * Failure:    CURLE_OUT_OF_MEMORY or CURLE_TOO_LARGE; what was in the buffer before stays.
 * Tests:      tests/unit/base/test_buf.c */
#ifndef MOTE_BASE_BUF_H
#define MOTE_BASE_BUF_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

struct mote_ceiling;

struct mote_buf {
  char *ptr;                    /* NULL while nothing was added */
  size_t len;                   /* bytes used */
  size_t cap;                   /* bytes allocated */
  size_t limit;                 /* most bytes it may ever hold */
  struct mote_account *account; /* pays; borrowed */
  enum mote_part part;          /* that the bytes are for */
  bool borrowed;                /* ptr is room of the caller's (mote_buf_borrow()) */
};

void mote_buf_init(struct mote_buf *b, struct mote_account *account, enum mote_part part, size_t limit);
/* The same, with room of the caller's for the first bytes, which is left when they become more. It must
 * outlive the buffer, or be left by mote_buf_settle(). size is not above limit + 1. */
void mote_buf_borrow(struct mote_buf *b, struct mote_account *account, enum mote_part part, size_t limit,
                     char *room, size_t size);
/* Moves the bytes out of borrowed room. On failure the buffer is empty and usable. */
CURLcode mote_buf_settle(struct mote_buf *b);
/* Adds what a buffer takes at most for `len` bytes. */
void mote_buf_ceiling(size_t len, struct mote_ceiling *c);
void mote_buf_close(struct mote_buf *b);   /* frees the bytes; the buffer is empty and usable */
void mote_buf_clear(struct mote_buf *b);   /* length 0, bytes kept */
CURLcode mote_buf_add(struct mote_buf *b, const void *p, size_t len);
CURLcode mote_buf_add_str(struct mote_buf *b, const char *s);
/* Makes room for len more bytes and a NUL at ptr + len, for a caller that writes there, raises len and adds
 * the NUL. An empty buffer gets exactly that much. */
CURLcode mote_buf_reserve(struct mote_buf *b, size_t len);
/* Drops n bytes from the front. */
void mote_buf_drop(struct mote_buf *b, size_t n);

#endif
