/* tool/transfers/transfer.h: one transfer of the command: a URL, where its body goes, what is uploaded.
 *
 * mote_cli_plan_next() (plan.h) makes it, mote_cli_setup() sets its options on an easy handle, the library
 * runs it, mote_cli_finish() (finish.h) decides whether it is done or needs a retry, and
 * mote_cli_transfer_close() frees what it holds. A serial command has one, on the stack; a parallel one has
 * as many as --parallel-max allows.
 *
 * Ownership:  owns its descriptors and the `owned` texts; the operation and the handle are the caller's.
 * Tests:      tests/tool (end to end) */
#ifndef MOTE_TOOL_TRANSFERS_TRANSFER_H
#define MOTE_TOOL_TRANSFERS_TRANSFER_H

#include "tool/transfers/operation.h"

#include <curl/curl.h>
#include <stdbool.h>

struct meter { /* what the progress display remembers */
  bool on;
  bool started;              /* the heading was written */
  bool drawn;                /* a line without newline is on the screen */
  curl_off_t drawn_at;       /* us, monotonic; 0: never */
  curl_off_t begun_at;       /* us, monotonic */
  curl_off_t down, down_total, up, up_total; /* bytes, the last figures of the library */
  curl_off_t ring_at[6];     /* us; the last seconds, for the current speed */
  curl_off_t ring_bytes[6];
  unsigned ring;             /* samples ever taken */
  unsigned tick;             /* the bar's position when the size is unknown */
};

struct retry {
  curl_off_t left;           /* retries allowed from now on */
  long count;                /* retries made */
  curl_off_t delay;          /* ms, the next pause unless the server or the user chooses one */
  curl_off_t first_at;       /* us, monotonic: start of the first try */
  bool resume;               /* this try continues the file of the last one */
  curl_off_t first_from;     /* resume_from of the first try */
  curl_off_t length;         /* bytes of the document whose beginning the file has; 0: unknown */
  char validator[160];       /* "If-Range: ..." for it */
};

/* A system call of ours that failed. The message is made when the transfer is over. */
struct trouble {
  const char *what;          /* "write", constant; NULL: nothing went wrong */
  const char *name;          /* borrowed: the file, which the transfer or the operation names */
  int error;                 /* errno */
};

struct transfer {
  CURL *handle;
  struct operation *op;
  struct url_entry *entry;
  unsigned number;           /* 0-based index of the URL option on the command line */
  const char *url;
  char *url_owned;           /* NULL: url is borrowed */

  const char *out_name;      /* NULL: stdout */
  char *out_owned;           /* NULL: out_name is borrowed */
  int out_fd;                /* -1: not open yet */
  bool out_file;             /* out_fd is a file that we opened */
  bool out_tty;              /* it is a terminal */
  bool out_binary_ok;        /* --output -: binary may go to the terminal */
  bool out_kept_back;        /* a binary body was kept from the terminal */
  bool out_null;
  bool out_new_only;         /* -J: never overwrite */
  curl_off_t out_start;      /* size of the file before the body of the first try */
  curl_off_t out_bytes;      /* bytes written in this try, heads included */
  bool out_body;             /* some of them are the body's */
  curl_off_t resume_from;    /* -C: where this try starts; 0: at the beginning; -1: the server knows */

  const char *in_name;       /* NULL: no upload; "-" and ".": stdin */
  char *in_owned;
  int in_fd;                 /* -1: not open; also the file of a POST body */
  FILE *in_file;             /* in_fd, if the library may read it by itself; or NULL */
  curl_off_t in_start;       /* where in the file the upload began */
  bool in_waiting;           /* --upload-file .: paused, there was nothing to read */
  bool in_taken;             /* bytes of it were read */

  int head_fd;               /* --dump-header; -1: none */
  int etag_fd;               /* --etag-save; -1: none */
  bool head_tty;             /* head_fd is a terminal */
  bool etag_tty;             /* etag_fd is a terminal */
  bool head_named;           /* -J: the server named the file */
  bool head_final;           /* -J: by Content-Disposition, which comes before the target of a redirect */
  bool head_over;            /* the head of a response is complete */

  char *held;                /* -i with -J: lines that wait until the file's name is known */
  size_t held_len;
  struct curl_slist extra;   /* If-Range, linked before the operation's headers */
  curl_mime *mime;           /* --form */
  struct meter meter;
  struct retry retry;
  curl_off_t start_at;       /* us, monotonic: parallel, not before this time */
  bool active;               /* parallel: this slot is in use */
  bool skipped;              /* no transfer is needed: --skip-existing */
  CURLcode failed;           /* why a callback of ours ended the transfer, for the exit code */
  struct trouble trouble;    /* and why */
  char error[CURL_ERROR_SIZE];
};

/* Set all options on the handle. Errors are reported to the user. */
CURLcode mote_cli_setup(struct transfer *t);
/* Close and free what the transfer holds; the struct can be used again. */
void mote_cli_transfer_close(struct transfer *t);

/* body.c: where the body goes */
size_t mote_cli_body(char *bytes, size_t size, size_t count, void *transfer);
/* Write to the transfer's output, which is opened if need be. False: t->trouble has the reason. */
bool mote_cli_sink(struct transfer *t, const char *bytes, size_t len);
bool mote_cli_sink_open(struct transfer *t);
/* After a transfer: the empty file of an empty body, the remote time, removal on error, attributes. */
CURLcode mote_cli_sink_finish(struct transfer *t, CURLcode code);
/* Before a retry: the file becomes what it was before this try. */
CURLcode mote_cli_sink_rewind(struct transfer *t);

/* head.c: response headers for -i, -I, -D, -J, --etag-save */
size_t mote_cli_header(char *bytes, size_t size, size_t count, void *transfer);
bool mote_cli_header_wanted(const struct transfer *t);

/* upload.c */
CURLcode mote_cli_upload_open(struct transfer *t);
/* Reports whether bytes were read that cannot be read again: those of a pipe. */
bool mote_cli_upload_is_gone(const struct transfer *t);
/* --upload-file . and telnet: stdin is sent as it comes. */
bool mote_cli_upload_comes_late(const struct transfer *t);
/* Unpauses an upload that waits for its input, if there is some. If there is none yet, curl_multi_poll()
 * has to watch *input (1), or wait no longer than *timeout, which was shortened (0). */
unsigned mote_cli_upload_waits(struct transfer *t, struct curl_waitfd *input, int *timeout);

/* form.c: --form into t->mime */
CURLcode mote_cli_form(struct transfer *t);

/* trace.c: -v and --trace */
CURLcode mote_cli_trace_setup(struct transfer *t);

/* progress.c */
bool mote_cli_meter_wanted(const struct transfer *t);
int mote_cli_progress(void *transfer, curl_off_t down_total, curl_off_t down, curl_off_t up_total,
                      curl_off_t up);
/* The last line of a transfer's meter. */
void mote_cli_meter_finish(struct transfer *t);

#endif
