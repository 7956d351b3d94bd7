/* http/writer.h: a request head under construction.
 *
 * Ownership: the bytes are in the multi's buffer, and move to a block of the transfer when that is too small.
 *            The caller of mote_http_build_head() owns the block.
 * Errors:    rc keeps the first one; nothing is written after it.
 * Tests:     tests/e2e */
#ifndef MOTE_PROTOCOL_HTTP_WRITER_H
#define MOTE_PROTOCOL_HTTP_WRITER_H

#include <string.h>

#include "http/http.h"

struct mote_url;

#define MOTE_HTTP_HEAD_MAX (1024u * 1024) /* bytes of a request head; libcurl's limit */

struct mote_http_writer {
  struct mote_transfer *t;
  char *ptr;                  /* the bytes; not NUL-terminated */
  size_t len;                 /* bytes written */
  size_t cap;                 /* bytes of room */
  struct mote_kept *block;    /* holds ptr; NULL: ptr is in the multi's buffer */
  const struct mote_url *url; /* the run's URL, unpacked */
  CURLcode rc;                /* the first failure; nothing is written after it */
};

/* writer.c: makes room for `more` further bytes, or sets rc. */
void mote_http_grow(struct mote_http_writer *w, size_t more);

/* Returns room for n bytes, which the caller adds to w->len; NULL after a failure. */
static inline char *mote_http_room(struct mote_http_writer *w, size_t n)
{
  if(!w->rc && w->cap - w->len < n)
    mote_http_grow(w, n);
  return w->rc ? NULL : w->ptr + w->len;
}

static inline void mote_http_put(struct mote_http_writer *w, const char *p, size_t n)
{
  char *to = mote_http_room(w, n);
  if(to && n) {
    memcpy(to, p, n);
    w->len += n;
  }
}

static inline void mote_http_put_text(struct mote_http_writer *w, const char *s)
{
  mote_http_put(w, s, strlen(s));
}

static inline void mote_http_put_field(struct mote_http_writer *w, const char *name, const char *value)
{
  mote_http_put_text(w, name);
  mote_http_put_text(w, value);
  mote_http_put(w, "\r\n", 2);
}

void mote_http_put_number(struct mote_http_writer *w, curl_off_t v);

/* Reports whether the application sets or removes this header itself. */
bool mote_http_has_own(const struct mote_transfer *t, const char *name);
/* Writes `field` ("Name: ") and value, unless value is NULL or the application has its own line. */
void mote_http_put_optional(struct mote_http_writer *w, const char *name, const char *field,
                            const char *value);
/* Returns what follows the name, from ':' or ';' on, in the first line of CURLOPT_HTTPHEADER that has it,
 * or NULL. */
const char *mote_http_own_line(const struct mote_transfer *t, const char *name);
/* Returns the length of the name in a line of CURLOPT_HTTPHEADER. */
size_t mote_http_name_length(const char *line);

void mote_http_put_authorization(struct mote_http_writer *w);

#if MOTE_HAS_RANGES /* range.c */
void mote_http_put_range(struct mote_http_writer *w);
#else
#define mote_http_put_range(w) ((void)(w))
#endif

#if MOTE_HAS_DATES /* time_condition.c */
void mote_http_put_time_condition(struct mote_http_writer *w);
#else
#define mote_http_put_time_condition(w) ((void)(w))
#endif

#if MOTE_HAS_CODINGS /* codings.c; a TE field must also be named in Connection */
bool mote_http_asks_te(const struct mote_transfer *t);
void mote_http_put_te(struct mote_http_writer *w);
void mote_http_put_accept_encoding(struct mote_http_writer *w);
#else
#define mote_http_asks_te(t) ((void)(t), false)
#define mote_http_put_te(w) ((void)(w))
#define mote_http_put_accept_encoding(w) ((void)(w))
#endif

#endif
