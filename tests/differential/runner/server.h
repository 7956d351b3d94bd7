/* server.h: what net.c and server.c share: a connection, seen from the server that has its other end. */
#ifndef SERVER_H
#define SERVER_H

#include "runner.h"

enum when { WHEN_NOW, WHEN_HEAD, WHEN_BODY, WHEN_BYTES };
enum then { THEN_KEEP, THEN_MORE, THEN_CLOSE, THEN_RESET, THEN_HOLD };

enum { CUTS = 24, CONNECTIONS = 64, ANSWERS = 64, SAYINGS = 24 };

struct answer {
  int group, used;
  enum when when;
  enum then then;
  size_t after;         /* WHEN_BYTES: of the request */
  long long delay;      /* milliseconds from then on */
  struct field data;
  int ncuts;
  size_t cut[CUTS];     /* offsets in data, rising */
  long long pause[CUTS]; /* milliseconds after that offset; 0: until the client waits */
};

/* How much of a request has come. */
enum part { PART_HEAD, PART_LENGTH, PART_CHUNKS, PART_WHOLE };

/* What a server of commands reads next (lines.c). */
enum how { HOW_LINE, HOW_NEXT, HOW_MAIL, HOW_LITERAL, HOW_DATA, HOW_TAKE };

struct conn {
  int client, server;   /* descriptors; client -1: closed, server -1: the server has left */
  char peer[128];       /* whom the client called */
  char local[64];       /* where it bound its socket */
  int port, family;
  int deaf;             /* no answer to the first packet */
  int reset;            /* the client reads all, then ECONNRESET */
  int ended;            /* the server sends no more */
  int left_early;       /* the server lost its patience */
  int closed;           /* how many transfers had ended when the client closed it; -1: it has not */
  struct bytes sent;    /* by the client, all of it */
  size_t start, at;     /* the present request's first byte; how far it was read */
  enum part part;
  long long left;       /* PART_LENGTH: bytes; PART_CHUNKS: of this chunk and its line end; 0: a line */
  int group, answered;  /* of the present request */
  struct answer *now;   /* being sent */
  size_t written;
  int said;             /* how many of its port's lines "says" */
  int held;             /* at a cut: until the client waits, and due */
  long long due;
  enum how how;
  int greeted;          /* the greeting, or the bytes of a data connection, are out */
  int client_ended;     /* the client sends no more */
  char tag[32];         /* of the last command of IMAP */
};

void net_each(void (*call)(struct conn *c, void *user), void *user);

/* Answers what has come, as far as it goes. */
void server_look(struct conn *c);
/* Sends what is to be sent and fits. 1: something went out or ended. */
int server_pump(struct conn *c);
void server_reset(void);
void server_answer(struct field *f, int n);
void server_says(struct field *f, int n);
/* DELAY THEN BYTES [CUT[:PAUSE]...] */
void server_answer_set(struct answer *a, const struct field *f, int n);
void server_leave(struct conn *c);

/* ---- lines.c ---- */

void lines_reset(void);
void lines_reply(struct field *f, int n); /* the verb "reply" */
void lines_data(struct field *f, int n);  /* the verb "data" */
int lines_port(int port);                 /* 1: a server of commands listens there */
int lines_is_data(int port);              /* 1: its connections are data connections */
void lines_look(struct conn *c);
void lines_closed(struct conn *c, void *unused); /* a data connection may have ended */

#endif
