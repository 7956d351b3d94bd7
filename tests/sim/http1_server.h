/* http1_server.h: a scripted server of HTTP/1.1. The path "/3/1" asks for hop 1 of transfer 3, whose plan
 * says what is answered.
 *
 * The server is strict: a request that HTTP/1.1 does not allow, bytes that belong to no request, or an
 * upload that differs from its pattern break a rule. */
#ifndef HTTP1_SERVER_H
#define HTTP1_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "plan.h"

struct mote_sim_peer;
struct mote_sim_service;

enum http1_stage {
  STAGE_HEAD,
  STAGE_BODY,       /* `left` bytes of an upload, or of one of its chunks */
  STAGE_CHUNK_LINE,
  STAGE_CHUNK_END,  /* the line end after a chunk's bytes */
  STAGE_TRAILER,
  STAGE_THINK,
  STAGE_ANSWER,
  STAGE_DONE        /* whatever comes is read and dropped */
};

/* What is written next. */
enum http1_piece {
  PIECE_INTERIM,
  PIECE_HEAD,
  PIECE_BODY,
  PIECE_LAST,
  PIECE_NONE
};

/* One connection. A proxy has it at the beginning of its own state, and takes what comes ahead of HTTP out
 * of `in` (proxy_server.c). */
struct http1 {
  enum http1_stage stage;
  enum http1_piece piece;
  unsigned here;       /* the host that is asked */
  bool by_proxy;       /* requests are for a proxy, with whole URLs: `here` follows from each */
  struct plan *plan;
  unsigned number, hop;
  bool chunked, continues;
  bool asks;           /* for a login, by 401 */
  bool refuses;        /* what the client expects, by 417 */
  bool early;          /* the request's body is still to be read */
  size_t left, received;
  unsigned interims;   /* left to be sent */
  size_t body_at;
  size_t in_len;
  size_t out_at, out_len;
  char in[4096];
  char out[PATTERN_RUN + 512];
};

/* Reads what has come, and answers what is whole. */
void http1_go_on(struct mote_sim_peer *p, struct http1 *s);
/* The value of a field of a head, which ends with an empty line; NULL: it is not there. */
const char *http1_field(const char *head, const char *name);
/* The number of the host of this name, of `len` bytes; HOSTS: of none. */
unsigned http1_host(const char *name, size_t len);

/* Its argument is the number of its host (const unsigned *). */
extern const struct mote_sim_service http1_server;

#endif
