/* transfer/upload/source.h: what a transfer sends, as a chain of readers.
 *
 * The reader at the bottom gets bytes from the application: from memory (CURLOPT_POSTFIELDS), or from the
 * read callback, which is fread() of a FILE by default. A reader above it changes what the one below gives;
 * a protocol pushes those that its request needs, such as chunked framing (protocol/http1/h1_chunks.c). The
 * chain is read, measured and rewound from its top. Each reader knows the one below by its row alone.
 *
 * A read puts bytes into a piece. A reader may always give fewer than fit, and a caller has to go on with
 * what it got:
 *
 *   CURLE_OK, len > 0          these bytes come next; with `end` they are the last ones
 *   CURLE_OK, len == 0, end    the body is over; so is every later read until a rewind
 *   CURLE_OK, len == 0         no more now: the bytes from below gave none yet. The caller reads again, in
 *                              this step or in the next
 *   CURLE_AGAIN                the read callback has paused (run->flow.send.paused is set); no byte is lost,
 *                              and a read after the transfer is unpaused goes on
 *   CURLE_ABORTED_BY_CALLBACK  the read or the trailer callback has ended the transfer
 *   CURLE_READ_ERROR           the source ended early, or the callback returned more than fits
 *   another code               ends the transfer as well
 *
 * A reader hands on every code from below as it is, without a change of its own state. No read allocates,
 * except for what is read once in a transfer (trailers).
 *
 * Without part bodies run->body is always NULL, and run->request.size_up is unknown.
 *
 * Ownership: the run owns the readers, and the options own a body in memory. The block of struct mote_source
 *            stays with the handle's options (MOTE_OPT_SOURCE), so that a further upload takes none.
 * Errors:    also CURLE_SEND_FAIL_REWIND, CURLE_PARTIAL_FILE, CURLE_OUT_OF_MEMORY.
 * Tests:     tests/unit/transfer/test_source.c, tests/e2e/test_upload.py */
#ifndef MOTE_TRANSFER_UPLOAD_SOURCE_H
#define MOTE_TRANSFER_UPLOAD_SOURCE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "transfer/transfer.h"

struct mote_slice;
struct mote_source;
struct mote_transfer;

/* Bytes of the block that a transfer with a body has, its first readers included. */
#define MOTE_SOURCE_BYTES (2 * sizeof(void *) + 8 + 96)

/* Bytes of a file that are sent from it at once (part sendfile). Fewer are read, so that they leave together
 * with what comes before and after them. */
#define MOTE_SOURCE_FILE_LEAST 65536

/* One read: the caller sets room and most, the reader the rest. */
struct mote_piece {
  char *room;         /* memory of the caller that the reader may write to */
  size_t most;        /* bytes that fit there; 16 or more where a reader adds framing */
  const char *bytes;  /* what was read: in the room, or in memory of a reader or of the application, where
                         it stays until the next read, rewind or close */
  size_t len;         /* bytes read, 0 to most */
  size_t front;       /* how many of them are framing, at the beginning */
  size_t back;        /* the same at the end; what lies between them is payload */
  bool end;           /* no byte comes after these */
};

/* The head of every reader; it is its struct's first member. */
struct mote_reader {
  const struct mote_reader_row *row;
  struct mote_reader *below; /* NULL at the bottom */
};

struct mote_reader_row {
  const char *name;
  size_t bytes;       /* size of its struct, buffers included */
  bool at_hand;       /* what it gives is in memory: no callback is called, no read pauses */
  /* Never NULL. The piece is empty (mote_reader_read()). */
  CURLcode (*read)(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p);
  /* Goes back to the first byte, for a request that is sent again (again), or for one that has no body any
   * more, and its result is then ignored. The readers below rewind themselves. NULL: nothing to do.
   * CURLE_SEND_FAIL_REWIND: the application cannot go back. */
  CURLcode (*rewind)(struct mote_transfer *t, struct mote_reader *r, bool again);
  /* The end that it has seen was none (mote_source_go_on()). NULL: it remembers no end. */
  void (*go_on)(struct mote_reader *r);
  /* Returns how many bytes it gives from the first to the end, -1: unknown. NULL: as many as come from
   * below. */
  curl_off_t (*size)(const struct mote_reader *r);
  /* Returns a file at whose position the next *len bytes lie that it would give, MOTE_SOURCE_FILE_LEAST or
   * more; -1: they have to be read. NULL: likewise. */
  int (*file)(struct mote_reader *r, curl_off_t *len);
  /* The position of that file has moved by n bytes, 1 to *len, which were sent. Returns whether that was the
   * end of the body. NULL if `file` is. */
  bool (*moved)(struct mote_reader *r, curl_off_t n);
  /* Frees what its struct points to. NULL: nothing. */
  void (*close)(struct mote_transfer *t, struct mote_reader *r);
};

/* Reads from one reader: from the one below, or from the top. */
static inline CURLcode mote_reader_read(struct mote_transfer *t, struct mote_reader *r, struct mote_piece *p)
{
  p->bytes = p->room;
  p->len = 0;
  p->front = 0;
  p->back = 0;
  p->end = false;
  return r->row->read(t, r, p);
}

curl_off_t mote_reader_size(const struct mote_reader *r);

/* Reports whether the application has given the body as bytes in memory (CURLOPT_POSTFIELDS(3)), and sets
 * *body to them. */
bool mote_source_in_memory(const struct mote_transfer *t, struct mote_slice *body);
/* Makes run->body from POSTFIELDS or the read callback, as the method says. GET and HEAD have none. */
CURLcode mote_source_open_whole(struct mote_transfer *t);
/* Does the same and skips the first bytes of a resumed upload (RESUME_FROM), by SEEKFUNCTION or by reading
 * them. */
CURLcode mote_source_open_rest(struct mote_transfer *t);

/* Skips that many bytes of a PUT's source, from its beginning. CURLE_PARTIAL_FILE: it has no more. */
CURLcode mote_source_skip(struct mote_transfer *t, curl_off_t from);

/* Opens the source and skips, for a request that may have no body. */
static inline CURLcode mote_source_open(struct mote_transfer *t)
{
  long method = t->run->request.method;
  mote_request_announce(&t->run->request, -1);
  return t->run->body || method == MOTE_METHOD_POST || method == MOTE_METHOD_PUT ? mote_source_open_rest(t)
                                                                                : CURLE_OK;
}

/* The body ends where the read callback says so, after more or fewer bytes than the size that was set. An
 * empty body stays empty, and one in memory stays as it is. run->body must not be NULL. */
void mote_source_forget_size(struct mote_transfer *t);
void mote_source_close(struct mote_transfer *t);

/* Makes run->body with one reader, all zero but for its head, at the bottom. lent: MOTE_SOURCE_BYTES for the
 * block, which stay until mote_source_close(); NULL: the handle's own. NULL: out of memory. */
struct mote_reader *mote_source_begin(struct mote_transfer *t, void *lent, const struct mote_reader_row *row);
/* source_crlf.c */
extern const struct mote_reader_row mote_source_crlf;

/* The read callback's last 0 was not the end of the body (curl_ws_start_frame(3)). run->body must be that
 * of the callback, without a size, under whatever reader. */
void mote_source_go_on(struct mote_transfer *t);
/* struct mote_reader_row.size of a reader that gives more or fewer bytes than come from below. */
curl_off_t mote_source_no_size(const struct mote_reader *r);

/* Returns the reader at the bottom, or NULL. */
const struct mote_reader *mote_source_bottom(const struct mote_transfer *t);

/* Puts a reader on top, all zero but for its head. It lies in the chain's block while that has room.
 * NULL: out of memory. run->body must not be NULL. */
struct mote_reader *mote_source_push(struct mote_transfer *t, const struct mote_reader_row *row);
/* Takes away all readers that were pushed. */
void mote_source_strip(struct mote_transfer *t);

/* Reads from the top. run->body must not be NULL. */
CURLcode mote_source_read(struct mote_transfer *t, struct mote_piece *p);
/* Ask the top reader what the members of its row say. run->body must not be NULL. */
int mote_source_file(const struct mote_transfer *t, curl_off_t *len);
bool mote_source_moved(const struct mote_transfer *t, curl_off_t n);
/* Returns the bytes of the whole body, -1: unknown until its end. run->body must not be NULL. */
curl_off_t mote_source_size(const struct mote_transfer *t);
/* Reports whether all that is sent is in memory already, so that reads cannot pause. */
bool mote_source_at_hand(const struct mote_transfer *t);

/* Rewinds to the start for a request that is sent again. CURLE_SEND_FAIL_REWIND: that is impossible. */
CURLcode mote_source_rewind(struct mote_transfer *t);
/* The next request has no body. The application's seek callback is called, if there is one. */
void mote_source_seek_back(struct mote_transfer *t);

#endif
