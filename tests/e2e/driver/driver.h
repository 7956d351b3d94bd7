/* driver.h: what the files of the end-to-end driver share.
 *
 * The driver performs transfers that a script on stdin describes and logs what the application saw, one line
 * per thing. It uses the public interface only, so the same binary runs on any libcurl.so.4.
 * Script and log: one command or event per line, fields separated by TAB, with \t \n \r \\ \xNN as escapes.
 * See tests/e2e/README.md for the commands. */
#ifndef E2E_DRIVER_H
#define E2E_DRIVER_H

#include <curl/curl.h>
#include <setjmp.h>
#include <stddef.h>

#define MAX_FIELDS 1024
#define MAX_TRIGGERS 24
#define MAX_OBJECTS 10500
#define MAX_WATCHED 4096
#define BODY_SHOWN 65536u /* longest body printed in full, bytes */

/* What an application can be called for. */
enum event {
  EV_WRITE, EV_HEADER, EV_READ, EV_SEEK, EV_XFERINFO, EV_DEBUG, EV_SOCKOPT, EV_OPENSOCKET, EV_CLOSESOCKET,
  EV_PREREQ, EV_RESOLVE, EV_TRAILER, EV_SSLCTX, EV_HSTSREAD, EV_HSTSWRITE, EV_CHUNKBGN,
  EV_CHUNKEND, EV_FNMATCH, EV_SSHKEY, EV_HOSTKEY, EV_COUNT
};

enum way { WAY_EASY, WAY_POLL, WAY_WAIT, WAY_FDSET, WAY_WAITFDS, WAY_SOCKET, WAY_COUNT };

struct field {
  char *bytes; /* zero-terminated, in the script line */
  size_t len;  /* bytes without the zero; may contain zeros */
};

struct trigger {
  enum event event;
  int by_bytes;          /* 1: `at` counts bytes, 0: calls; -1: every call */
  unsigned long long at; /* fires at the first call that reaches it */
  int fired;
  char action[24];
  struct field arg[4]; /* owned */
  int nargs;
};

/* Where the bytes of an upload come from. */
struct source {
  unsigned char *bytes; /* NULL: a pattern */
  unsigned long long len, pos;
  size_t chunk; /* most bytes per callback; 0: no limit */
};

struct multi;

struct handle {
  char name[24];
  CURL *easy;
  struct multi *multi;          /* where it is attached; NULL when it is not */
  char error[CURL_ERROR_SIZE];
  struct trigger triggers[MAX_TRIGGERS];
  int ntriggers;
  unsigned long long calls[EV_COUNT], bytes[EV_COUNT];
  struct source source;
  unsigned char *body; /* the first BODY_SHOWN bytes that came */
  unsigned long body_crc;
  unsigned char *held; /* the chunk that was refused with a pause */
  size_t held_len;
  int paused_write, paused_read;
  int done; /* the transfer ended and was logged */
  int quiet; /* no header lines in the log */
  int verify_later, verified; /* calls of the verify callback that put the answer off; calls so far */
  int ws_meta; /* what curl_ws_meta() says is logged for each piece */
  curl_off_t dltotal, dlnow, ultotal, ulnow;
  struct curl_slist *trailers;
  struct curl_slist *hosts; /* of HSTS, "host stamp"; a dot in front: all under it, too */
  struct curl_slist *next_host; /* to give to the read callback */
  unsigned long long debug_bytes[8];
  int debug_print;
  int failed; /* with calls failing on purpose: a transfer of it failed */
  int spoilt; /* an option or callback could not be set, in a script that lets calls fail: not performed */
};

struct watched {
  curl_socket_t fd;
  int what;  /* CURL_POLL_*; 0: a free slot */
  int named; /* the announcement named a handle */
  int armed; /* the loop watches it and has not dropped it */
  unsigned long long identity;   /* of the socket, or 0 */
  const CURL *removed_for;       /* the handle that the last CURL_POLL_REMOVE named */
  unsigned long long removed_in; /* multi.actions then */
};

struct multi {
  char name[24];
  CURLM *multi;
  enum way way;
  int attached; /* handles in it */
  int loop;     /* socket way only; -1 otherwise */
  struct watched watched[MAX_WATCHED];
  int nwatched;
  int timer_on;
  double timer_at; /* monotonic seconds */
  unsigned long long loops;
  unsigned long long actions; /* socket way: calls of curl_multi_socket_action() */
  int acts; /* socket way: inside one */
  int started; /* socket way: the first timeout action was made */
  int busy;    /* inside a call of the library that may call back */
  double paused_since; /* with torture: nothing but paused transfers since then; 0: others too */
  int errors;  /* calls of the library about it that failed */
};

/* log.c: each line is written whole */
void log_begin(const char *kind);
void log_text(const char *text);
void log_bytes(const void *bytes, size_t len);
void log_num(long long n);
void log_end(void);
void log_code(const char *kind, const char *who, const char *what, long long code);
void violation(const char *text, const char *who, long long n);
void complain(const char *text, const char *who, long long n);
extern int violations;
extern int tolerant; /* 1: failed calls are logged as merror, not as violations */

/* callbacks.c */
extern const char *const event_names[EV_COUNT];
int event_by_name(const char *name);
CURLcode callbacks_install(struct handle *h); /* write, header, read, error buffer, private pointer */
int callbacks_enable(struct handle *h, const char *kind); /* 0: no such kind */
void transfer_begin(struct handle *h);
void transfer_log(struct handle *h, CURLcode code);
unsigned long crc_update(unsigned long crc, const unsigned char *p, size_t n);

/* posix/verify.c: installs a callback that puts its answer off so many times, in a
 * CURLOPT_SSL_CTX_FUNCTION */
void verify_later(struct handle *h, void *ctx, int times);

/* chunks.c */
CURLcode chunks_enable(struct handle *h, enum event event);

/* pushes.c */
void cmd_push(struct field *f, int n);

/* hostkeys.c */
CURLcode host_keys_enable(struct handle *h, enum event event);

/* options.c */
CURLcode option_set(struct handle *h, struct field *f, int n);
void info_log(struct handle *h, const char *name);
void keep(void *p); /* freed at the end of the program */
void *keep_copy(const void *p, size_t n);
void keep_list(struct curl_slist *l);
void kept_free(void);
struct curl_slist *list_of(struct field *f, int n);

/* ways.c */
struct multi *multi_new(const char *name, enum way way);
CURLMcode multi_add(struct multi *m, struct handle *h);
CURLMcode multi_remove(struct multi *m, struct handle *h);
void multi_complain(struct multi *m, const char *text, CURLMcode rc);
void multi_free(struct multi *m);
int multi_drive(struct multi *m, int (*until)(void *), void *arg, double seconds); /* 0: gave up waiting */
extern enum way default_way;
int way_by_name(const char *name);

/* socketway.c */
int socket_install(struct multi *m); /* 0: it failed */
void socket_step(struct multi *m, int ms, int extra_fd);

/* objects.c: found by name */
struct handle *handle_find(const char *name);
struct handle *handle_new(const char *name, CURL *easy);
void handle_free(struct handle *h);
void handle_forget_triggers(struct handle *h);
struct multi *multi_find(const char *name);
CURLSH *share_find(const char *name);
CURLSH *share_new(const char *name);
CURLSHcode share_free(const char *name);
void share_set(struct field *f, int n);
int share_locks_held(void); /* by this thread */
void objects_free(void);
void objects_each(void (*fn)(struct handle *));
void multi_register(struct multi *m);
void multi_forget(struct multi *m);

/* script.c */
int script_run(void);
int script_line_ready(void);
void script_idle(void); /* with torture: notified that nothing happens until there is more of the script */
int script_fd_wanted(void); /* the script's descriptor when a loop should also watch it, else -1 */
extern int script_watch;
extern int script_fd; /* where the script comes from */

/* names.c: writes the function of that name through `to`, a pointer to a pointer to it; 0: there is none */
int find_function(const char *name, void *to);

/* commands.c */
int command_run(struct field *f, int n); /* 0: no such command */
/* What a command names; where it is not there the program ends, or with torture the command is given up. */
extern jmp_buf given_up;
struct handle *need(struct field *f);
struct multi *need_multi(const char *name);

/* extra.c: send and receive, sessions, threads, faults */
int extra_run(struct field *f, int n);

/* websocket.c */
int ws_command(struct field *f, int n); /* 0: no such command */
void ws_act(struct handle *h, const struct trigger *t); /* wssend, wsstart */
void ws_log_meta(struct handle *h, size_t n);

/* forms.c */
int forms_run(struct field *f, int n); /* 0: no such command */
void forms_free(void);
/* A form by its name: curl_mime, or with `old` struct curl_httppost. */
void *form_of(const char *name, int old);

#endif
