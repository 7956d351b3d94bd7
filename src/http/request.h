/* http/request.h: the fields of a request, and how a wire writes them.
 *
 * request.c walks one list, which says which fields there are, in which order and with which values. The wire
 * that carries the request writes them, HTTP/1 as lines (protocol/http1/h1_send.c). A field is begun, its
 * value is put in pieces, and it is ended, so that nothing is formatted twice. A wire that sends fields and
 * not lines notes where each one lies (http/fields.h). No byte of the text says so, since options may have
 * line ends.
 *
 * Ownership: the bytes are in the multi's buffer, and move to a block of the transfer when that is too small.
 *            The wire that made the writer owns the block.
 * Errors:    rc keeps the first one; nothing is written after it.
 * Tests:     tests/unit/http, tests/e2e */
#ifndef MOTE_HTTP_REQUEST_H
#define MOTE_HTTP_REQUEST_H

#include <string.h>

#include "transfer/transfer.h"

struct mote_http_wire;
struct mote_slice;
struct mote_url;

#define MOTE_HTTP_HEAD_MAX (1024u * 1024) /* bytes of a request head; libcurl's limit */

struct mote_http_writer {
  struct mote_transfer *t;
  const struct mote_http_wire *wire;
  char *ptr;                  /* the bytes; not NUL-terminated */
  size_t len;                 /* bytes written */
  size_t cap;                 /* bytes of room, without those of notes */
#if MOTE_HAS_MUX
  size_t notes;               /* bytes after the room that the wire keeps there, which move with the text */
#endif
  struct mote_kept *block;    /* holds ptr; NULL: ptr is in the multi's buffer */
  const struct mote_url *url; /* the request's, unpacked; valid while mote_http_write() runs */
  uint16_t features[4];       /* by enum mote_http_place: those that may write there, as mote_http.hooks */
#if MOTE_HAS_RTSP
  const char *method;         /* of another protocol than HTTP, or NULL */
  const char *target;         /* likewise */
#endif
  bool te;                    /* TE was written, which Connection must name (RFC 9110 section 10.1.4) */
  const char *upgrade;        /* Upgrade and its fields that Connection must name likewise (section 7.8), or
                                 NULL: there is none */
  CURLcode rc;                /* the first failure; nothing is written after it */
};

/* Method and target of a protocol that is not HTTP (protocol/rtsp/rtsp.h), or NULL. */
#if MOTE_HAS_RTSP
#define mote_http_own_method(w) ((w)->method)
#define mote_http_own_target(w) ((w)->target)
#else
#define mote_http_own_method(w) ((void)(w), (const char *)NULL)
#define mote_http_own_target(w) ((void)(w), (const char *)NULL)
#endif

#if MOTE_HAS_MUX
#define mote_http_notes(w) ((w)->notes)
#else
#define mote_http_notes(w) ((void)(w), (size_t)0)
#endif

struct mote_http_wire {
  bool hop_by_hop;            /* TE, Connection and Transfer-Encoding exist (not in HTTP/2) */
  /* Writes method and target. */
  void (*begin)(struct mote_http_writer *w);
  /* Begins a field, the first of which is Host. The value follows by mote_http_put(). Blanks around it
   * belong to the line and not to the value. */
  void (*field)(struct mote_http_writer *w, const char *name, size_t len);
  void (*end)(struct mote_http_writer *w);
  /* Writes the field that frames the body, if there is one. */
  void (*framing)(struct mote_http_writer *w);
  /* Reports whether a line of CURLOPT_HTTPHEADER is left out, because the wire writes this field or must not
   * have it. rest is the line after the name. NULL: none is. */
  bool (*replaces)(const struct mote_http_writer *w, struct mote_slice name, const char *rest);
  /* Ends the head. */
  void (*finish)(struct mote_http_writer *w);
};

/* Reports whether Connection must name fields of ours. */
#define mote_http_names_fields(w) \
  ((MOTE_HAS_CODINGS || MOTE_HAS_H2 || MOTE_HAS_WS) && ((w)->te || (w)->upgrade))

/* Makes *w a writer by this wire into the multi's buffer. CURLE_OUT_OF_MEMORY. */
CURLcode mote_http_open_writer(struct mote_http_writer *w, struct mote_transfer *t,
                               const struct mote_http_wire *wire);
/* Returns what became of the writing, and reports a head that is too large (CURLE_TOO_LARGE). */
CURLcode mote_http_judge_head(struct mote_http_writer *w);
/* Writes the whole request head. */
void mote_http_write(struct mote_http_writer *w);
/* Ends the waiting for an answer to "Expect: 100-continue" when its timer is due. */
void mote_http_check_expect(struct mote_transfer *t, mote_time now);
/* Prepares for the response to a request that the server itself has made (RFC 9113 section 8.4): features
 * read its fields, and none has asked for anything. */
void mote_http_expect_response(struct mote_transfer *t);

/* For the wire's begin(): the method, and the target of the request line, which has more at both ends where a
 * proxy passes the request on. */
const char *mote_http_method(const struct mote_transfer *t);
void mote_http_put_target(struct mote_http_writer *w);
/* Write host and port as Host names them, and path and query, whatever the options have in their place. */
void mote_http_put_authority(struct mote_http_writer *w);
void mote_http_put_path(struct mote_http_writer *w);

/* ---- values ---- */

/* Makes room for `more` further bytes, or sets rc. */
void mote_http_grow(struct mote_http_writer *w, size_t more);

/* Returns room for n bytes, which the caller adds to w->len; NULL after a failure. This and the next are not
 * static, so that a build for size (-Os) has one copy. */
inline char *mote_http_room(struct mote_http_writer *w, size_t n)
{
  if(!w->rc && w->cap - w->len < n)
    mote_http_grow(w, n);
  return w->rc ? NULL : w->ptr + w->len;
}

inline void mote_http_put(struct mote_http_writer *w, const char *p, size_t n)
{
  char *to = mote_http_room(w, n);
  if(to && n) {
    memcpy(to, p, n);
    w->len += n;
  }
}

void mote_http_put_text(struct mote_http_writer *w, const char *s);
void mote_http_put_number(struct mote_http_writer *w, curl_off_t v);

/* ---- fields ---- */

/* Begins a field and writes the first piece of its value. */
void mote_http_begin_field(struct mote_http_writer *w, const char *name, const char *value);

static inline void mote_http_end_field(struct mote_http_writer *w)
{
  w->wire->end(w);
}

void mote_http_put_field(struct mote_http_writer *w, const char *name, const char *value);

/* Writes the field, unless value is NULL or the application has its own line. */
void mote_http_put_optional(struct mote_http_writer *w, const char *name, const char *value);

/* Reports whether an HTTP proxy passes the request on, whose target then is the whole URL (RFC 9112 section
 * 3.2.2). */
#define mote_http_is_forwarded(t) (MOTE_HAS_PROXY && (t)->run->lease.forwarded)
/* Write what such a target has before the URL's path, and after it (http/proxy.c). */
#if MOTE_HAS_PROXY
void mote_http_put_origin(struct mote_http_writer *w);
void mote_http_put_transfer_type(struct mote_http_writer *w);
#else
#define mote_http_put_origin(w) ((void)(w))
#define mote_http_put_transfer_type(w) ((void)(w))
#endif

/* ---- the application's own lines (CURLOPT_HTTPHEADER(3)) ---- */

/* Returns what follows the name, from ':' or ';' on, in the first of these lines that has it, or NULL. */
const char *mote_http_find_line(const struct curl_slist *lines, const char *name);
/* The same for the application's lines, of which most requests have none. */
static inline const char *mote_http_own_line(const struct mote_transfer *t, const char *name)
{
  const struct curl_slist *lines = mote_opt_ptr(&t->options, CURLOPT_HTTPHEADER);
  return lines ? mote_http_find_line(lines, name) : NULL;
}
/* Reports whether the application sets or removes this field itself. */
bool mote_http_has_own(const struct mote_transfer *t, const char *name);
/* Returns the value that CURLOPT_HTTPHEADER has for this name, or NULL. *removed: the list has "Name:"
 * without a value. */
const char *mote_http_custom_header(const struct mote_transfer *t, const char *name, bool *removed);
/* Writes such lines, but for those that are not for the current origin, or that the wire has itself. */
void mote_http_put_lines(struct mote_http_writer *w, const struct curl_slist *lines);
/* Reports whether such a line is written. *name is as the line has it, *value is what follows the colon. */
bool mote_http_line_is_sent(const struct mote_http_writer *w, const char *line, struct mote_slice *name,
                            struct mote_slice *value);
/* Returns the length of the name in a line. */
size_t mote_http_name_length(const char *line);

#endif
