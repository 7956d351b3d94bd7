/* transfer/upload/mime.h: a form as a tree of parts (curl_mime_init(3)), and the reader at the bottom of a
 * request's body that gives its bytes.
 *
 * A form (struct curl_mime) is a list of parts, each of which has content from memory, from a file, from a
 * callback or from another form. The texts of a part lie in room after its struct while they fit, so that a
 * usual part is one block. The reader's place is kept in the tree itself: what is sent is made when there
 * is room for it, and no block has to be taken. Hence one transfer at a time sends a form.
 *
 * Invariants: a form is the content of at most one part, or CURLOPT_MIMEPOST of at most one handle; no form
 *             lies inside itself; forms are nested at most MOTE_MIME_DEPTH deep, which bounds the recursion
 *             of what walks the tree.
 * Ownership:  the application frees the top form; a part owns its content, and its header lines if it was
 *             asked to. The process's account pays, as a form may outlive its handle.
 * Errors:     CURLE_OUT_OF_MEMORY; CURLE_READ_ERROR: a file cannot be read, content ended early, or 7bit met
 *             an 8-bit byte; CURLE_ABORTED_BY_CALLBACK; CURLE_SEND_FAIL_REWIND; CURLE_BAD_FUNCTION_ARGUMENT.
 * Tests:      tests/unit/transfer/test_mime.c, tests/e2e/test_forms.py */
#ifndef MOTE_TRANSFER_UPLOAD_MIME_H
#define MOTE_TRANSFER_UPLOAD_MIME_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/mail/mime.h"
#include "parts.h"

struct mote_options;
struct mote_piece;
struct mote_transfer;

#define MOTE_MIME_DEPTH 32       /* forms inside forms; each level takes stack while it is walked */
#define MOTE_MIME_BOUNDARY 46    /* characters; 24 dashes, then letters and digits at random */
#define MOTE_MIME_TAIL 112       /* bytes of texts in the block of a part */
#define MOTE_MIME_DRAIN MOTE_MIME_ENCODED(1) /* bytes that wait where the reader's room is too small */

enum mote_mime_kind {
  MOTE_MIME_NONE, /* no content */
  MOTE_MIME_DATA,
  MOTE_MIME_FILE,
  MOTE_MIME_CALLBACK,
  MOTE_MIME_FORM  /* the parts of another form */
};

/* A text of a part: in its tail, or a block of its own. */
struct mote_mime_string {
  char *ptr;   /* NULL: there is none */
  size_t size; /* bytes, the NUL after them included; 0: the application's, which is only borrowed */
};

struct mote_mime_callback {
  curl_read_callback read;
  curl_seek_callback seek; /* NULL: cannot be sent again */
  curl_free_callback free; /* called once, when the content is dropped, or NULL */
  void *arg;
};

/* What a part is sent as, and how far that has come. */
struct curl_mimepart {
  struct curl_mimepart *next;
  struct curl_mime *form;            /* that it is a part of; never NULL */
  struct mote_mime_string name;
  struct mote_mime_string filename;
  struct mote_mime_string type;
  struct mote_mime_string text;      /* DATA: the content; FILE: the path */
  union {
    struct mote_mime_callback call;  /* CALLBACK */
    struct curl_mime *inner;         /* FORM; owned */
  } from;
  curl_off_t size;                   /* bytes of content, -1: until its end */
  curl_off_t at;                     /* bytes of content read */
  struct curl_slist *headers;        /* the application's lines, or NULL */
  const struct mote_mime_coding *coding; /* NULL: none was asked for */
  struct mote_mime_coder coder;
  int file;                          /* the open file, -1: none */
  uint16_t tail_used;                /* bytes of the tail */
  uint8_t kind;                      /* enum mote_mime_kind */
  uint8_t drain_at;                  /* bytes of the drain that are gone */
  uint8_t drain_len;                 /* bytes in the drain */
  bool owns_headers;
  bool regular;                      /* the file is one that can be read again */
  bool touched;                      /* content was read, which must be rewound to be read again */
  bool coded;                        /* all content has passed the encoding */
  char drain[MOTE_MIME_DRAIN];
  char tail[MOTE_MIME_TAIL];
};

struct curl_mime {
  struct curl_mimepart *first;
  struct curl_mimepart *last;
  struct curl_mimepart *parent;      /* that this is the content of, or NULL */
  struct mote_options *user;         /* of the handle whose CURLOPT_MIMEPOST it is, or NULL */
  struct curl_mimepart *at;          /* the reader's place: this part, NULL: after the last one */
  size_t head_at;                    /* bytes of its head that are gone */
  bool in_head;                      /* the reader is in its head, or in the closing line */
  bool over;                         /* all is read */
  bool busy;                         /* a transfer sends it */
  bool freed;                        /* by the application, while a transfer sends it; its end closes it */
  char boundary[MOTE_MIME_BOUNDARY + 1];
  uint64_t chain[];                  /* the chain of readers above it (MOTE_SOURCE_BYTES) */
};

#if MOTE_HAS_FORMS

/* ---- the tree (mime.c) ---- */

struct curl_mime *mote_mime_new(void); /* NULL: out of memory, or of random bytes */
void mote_mime_close(struct curl_mime *m);
/* Closes the form that has lent this block (curl_mime.chain), if the application has freed it meanwhile. */
void mote_mime_return(void *chain);
struct curl_mimepart *mote_mime_add(struct curl_mime *m);
/* Replaces a text by a copy of len bytes; from NULL: by none. */
CURLcode mote_mime_keep(struct curl_mimepart *p, struct mote_mime_string *s, const char *from, size_t len);
/* Drops the content of a part. */
void mote_mime_clear(struct curl_mimepart *p);
/* Forgets how far its content was read. */
void mote_mime_forget(struct curl_mimepart *p);
void mote_mime_set_callback(struct curl_mimepart *p, curl_off_t size, const struct mote_mime_callback *call);
void mote_mime_set_headers(struct curl_mimepart *p, struct curl_slist *headers, bool own);
/* Makes a file the content, and its name the part's filename. CURLE_READ_ERROR: it cannot be read now. */
CURLcode mote_mime_set_file(struct curl_mimepart *p, const char *path);
/* Makes a form the content. CURLE_BAD_FUNCTION_ARGUMENT: it has another place, or the part is inside it. */
CURLcode mote_mime_set_form(struct curl_mimepart *p, struct curl_mime *inner);
/* Copies a form (curl_easy_duphandle(3)). NULL: out of memory. */
struct curl_mime *mote_mime_dup(const struct curl_mime *from);

/* ---- reading it (mime_read.c) ---- */

/* How the tree is read. */
struct mote_mime_reading {
  struct mote_transfer *t; /* whose callbacks may be called; NULL: none is set (curl_formget(3)) */
  bool backslash;          /* quotes in names get one: CURLMIMEOPT_FORMESCAPE, and in mail */
  bool mail;               /* it is a mail: its head comes first, and its parts are those of one. With t */
};

/* Returns the bytes of the whole form, -1: unknown. is_form: multipart/form-data, whose parts all say so.
 * *refused: a name cannot be sent. */
curl_off_t mote_mime_size(const struct mote_mime_reading *how, const struct curl_mime *m, bool is_form,
                          bool *refused);
/* Fills the room of the piece. The codes are those of a reader (transfer/upload/source.h). */
CURLcode mote_mime_read(const struct mote_mime_reading *how, struct curl_mime *m, bool is_form,
                        struct mote_piece *p);
/* The place of a file's content that can be sent from the file, and the way on from there, as the row of a
 * reader has them (transfer/upload/source.h). */
int mote_mime_file(struct curl_mime *form, curl_off_t *len);
bool mote_mime_moved(struct curl_mime *form, curl_off_t n);
/* Goes back to the first byte. CURLE_SEND_FAIL_REWIND: content cannot go back; the rest has. */
CURLcode mote_mime_rewind(const struct mote_mime_reading *how, struct curl_mime *m);
/* Closes the files that reading has left open. */
void mote_mime_rest(struct curl_mime *m);
/* Takes the sizes that files have now. */
void mote_mime_measure(struct curl_mime *m);
/* Reports whether a content type is multipart/form-data. */
bool mote_mime_is_form_data(const char *type);
/* Reports whether all content lies in memory. */
bool mote_mime_at_hand(const struct curl_mime *m);

/* ---- a request that sends it (mime_source.c, mime_post.c) ---- */

/* Makes run->body from CURLOPT_MIMEPOST or CURLOPT_HTTPPOST. mail: it is a mail with its head, whose parts
 * are multipart/mixed unless Content-Type says otherwise. */
CURLcode mote_mime_open(struct mote_transfer *t, bool mail);
/* Returns the form that this request sends, or NULL. */
const struct curl_mime *mote_mime_sent(const struct mote_transfer *t);
/* Makes a form of what curl_formadd(3) has made, whose lists and texts must stay. read: gives the content of
 * CURLFORM_STREAM. *out is NULL after an error. */
CURLcode mote_mime_from_post(const struct curl_httppost *post, curl_read_callback read,
                             struct curl_mime **out);

/* Frees a form that an option owns, and copies one. */
static inline void mote_mime_drop(void *form)
{
  mote_mime_close(form);
}

#else

#define mote_mime_open(t, mail) ((void)(t), (void)(mail), (CURLcode)CURLE_NOT_BUILT_IN)
#define mote_mime_sent(t) ((void)(t), (const struct curl_mime *)NULL)
#define mote_mime_drop(form) ((void)(form))
#define mote_mime_return(chain) ((void)(chain))
#define mote_mime_dup(form) ((void)(form), (struct curl_mime *)NULL)
#endif

#endif
