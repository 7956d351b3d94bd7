/* runner.h: one program per library runs many cases, each read from stdin and answered on stdout.
 *
 * The network and the clock are not real. net.c takes the place of the C library's socket functions: a
 * connection is a pair of local sockets whose other end a scripted server holds, and the server acts
 * inside the client's own calls. clock.c takes the place of the clock: time passes only when the client
 * waits with nothing to do. So a case gives the same result on any machine, however busy, and a time-out
 * of five minutes takes no time.
 *
 * Names, verbs and the log's form: tests/differential/README.md. */
#ifndef RUNNER_H
#define RUNNER_H

#include <curl/curl.h>
#include <stddef.h>

enum { HANDLES = 4, GROUPS = 4, FIELDS = 64 };

/* ---- text: bytes that grow; the log of the present case ---- */

struct bytes {
  char *at;
  size_t len, room;
};

void bytes_add(struct bytes *b, const void *data, size_t n);
void bytes_free(struct bytes *b);

/* A field of a case's line: its bytes and how many; a zero follows them. */
struct field {
  char *at;
  size_t len;
};

long long field_number(const struct field *f);

/* A line of the log: its first word, then fields in front of each of which a TAB goes. */
void log_begin(const char *word);
void log_field(const void *data, size_t n);
void log_text(const char *text); /* NULL: (null) */
void log_number(long long n);
void log_end(void);
void log_line(const char *word, long long n, const char *text);

/* Bytes that came in pieces: pieces of the same kind and handle make one line. */
void log_piece(const char *word, int handle, const void *data, size_t n);

/* Writes the log of the case, and ends its text. verdict: "done", "hang", "busy". */
void log_deliver(const char *verdict);

/* The case cannot go on: delivers what there is, and ends the program; it is started again. */
_Noreturn void give_up(const char *verdict);

/* ---- clock.c ---- */

void clock_reset(void);
/* microseconds since the case began */
long long clock_now(void);
void clock_advance(long long microseconds);

/* ---- net.c ---- */

void net_reset(void);                     /* the case begins: no connection, no answer, nothing refused */
void net_answer(struct field *f, int n);  /* the verb "answer" */
int net_step(void);                       /* the servers' next pieces, when the client waits; 0: none */
long long net_next(void);                 /* when a server acts by itself, in clock_now()'s time; -1: never */
int net_leave(void);                      /* every server closes, as a last resort; 0: all have */
void net_log(void);                       /* a line for each connection: what it was sent, how it ended */

/* ---- wait.c: poll and its like ---- */

void wait_reset(void);
void wait_moved(void); /* the client has connected or sent: servers are patient from now on */

/* ---- handles.c: easy handles and their callbacks ---- */

struct handle {
  CURL *easy;
  int number;
  char error[CURL_ERROR_SIZE];
  struct field body; /* what the read callback gives */
  size_t at, chunk;
  int added;         /* in the multi handle */
  long long reads, sent, received, headers, paused_at;
  int paused;        /* CURLPAUSE_ bits that the application set */
  curl_off_t progress[4];
  struct curl_slist *trailers;
};

struct handle *handle_of(const struct field *f);
void handle_defaults(const struct handle *h); /* options that a new handle, and one that was reset, has */
void handles_each(void (*call)(struct handle *h));
void handles_free(void);
void *case_copy(const void *data, size_t n); /* lives until the case ends */
struct curl_slist *case_list(struct field *f, int n);
void case_free(void);

/* ---- callbacks.c ---- */

void callbacks_install(struct handle *h, const char *kind);
void callbacks_action(struct handle *h, struct field *f, int n);
void callbacks_begin(struct handle *h); /* before a transfer */
void callbacks_resume(struct handle *h); /* unpauses what an action paused a moment ago */
void callbacks_reset(void);

/* ---- drive.c: transfers, by any way ---- */

void drive_way(const char *name);
void drive(struct field *f, int n);
void drive_reset(void);
CURLM *drive_multi(void);

/* ---- info.c ---- */

void infos_log(struct handle *h);
void info_log(struct handle *h, int id);
const char *info_name(int id);

/* ---- the verbs: 1 when the verb is theirs ---- */

int verb_transfer(struct field *f, int n);
int verb_option(struct field *f, int n);
int verb_url(struct field *f, int n);
int verb_pure(struct field *f, int n);
int verb_form(struct field *f, int n);
curl_mime *form_of(const struct field *f);
struct curl_httppost *post_of(const struct field *f);
void forms_free(void); /* and variables */
CURLU *url_of(const struct field *f);
void urls_free(void);
CURLSH *share_of(const struct field *f);
void shares_free(void);

#endif
