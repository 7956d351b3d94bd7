/* tool/show/messages.h: messages for the user, and what holds for the whole command line.
 *
 * A process has one command line, whose global settings are the object mote_cli.
 * Tests: tests/tool (end to end) */
#ifndef MOTE_TOOL_SHOW_MESSAGES_H
#define MOTE_TOOL_SHOW_MESSAGES_H

#include <curl/curl.h>
#include <stdbool.h>

enum global_flag { /* bits of mote_cli.flags */
  GLOBAL_SILENT,
  GLOBAL_SHOW_ERROR,
  GLOBAL_METER,      /* the progress meter may be shown; on at the start */
  GLOBAL_BAR,
  GLOBAL_FAIL_EARLY,
  GLOBAL_PARALLEL,
  GLOBAL_IMMEDIATE,
  GLOBAL_STYLED,     /* on at the start */
  GLOBAL_TRACE_TIME,
  GLOBAL_TRACE_IDS,
  GLOBAL_MEMORY,
  GLOBAL_AS_CURL     /* --as-curl, or the command was started as "curl" */
};

enum global_text {
  GSTR_STDERR, GSTR_SSL_SESSIONS, GSTR_TRACE_CONFIG, GSTR_MEMORY_GRAPH, GSTR_LIBCURL, GSTR_LAST
};
enum global_number { GNUM_PARALLEL_MAX, GNUM_MAX_HOST, GNUM_RATE, GNUM_LAST }; /* rate: ms between starts */
enum trace_kind { TRACE_NONE, TRACE_PLAIN, TRACE_ASCII, TRACE_HEX };

#define UNREAD_NUL (-1) /* the file was read, but it is not text */

struct cli {
  unsigned long flags;             /* bits by enum global_flag */
  const char *texts[GSTR_LAST];    /* borrowed; NULL: not set */
  curl_off_t numbers[GNUM_LAST];
  enum trace_kind trace;
  const char *trace_file;          /* borrowed; "-" stdout, "%" stderr, NULL: stderr */
  int trace_fd;                    /* -1: not open yet */
  int err;                         /* where texts for the user go: 2, or the file of --stderr */
  const char *unread;              /* borrowed: the file that an option named and that could not be read */
  int unread_error;                /* errno of it, or UNREAD_NUL */
  bool err_tty;
  bool out_tty;                    /* stdout is a terminal */
  void *share;                     /* CURLSH of --ssl-sessions and of cookies; NULL: none */
  bool cookies;                    /* an operation reads or writes a file of cookies */
};

extern struct cli mote_cli;

/* Messages in curl's own words, for a command that goes by its name. Programs may compare them, so that
 * they are part of the interface. The numbers are those of the tests in libcurl's suite that do. */
#define CURL_SAYS_MORE_OUTPUTS "Got more output options than URLs" /* 371 */
#define CURL_SAYS_ONE_METHOD \
  "You can only select one HTTP request method! You asked for both %s and %s." /* 378 */
#define CURL_SAYS_NO_CONFIG "cannot read config from '%s'"                     /* 411 */
#define CURL_SAYS_UNREAD "option %s: error encountered when reading a file"    /* 411 */
#define CURL_SAYS_NOT_OPENED "Failed to open %s"                               /* 268 */
#define CURL_SAYS_TRY_HELP "try 'curl --help' or 'curl --manual' for more information" /* 411, 422, 1179 */

/* Texts that both names share, since curl's are plain. */
#define CURL_SAYS_FAIL "%s deselects %s here"                                  /* 360 */
#define CURL_SAYS_UNICODE \
  "The argument '%s' starts with a Unicode character. Maybe ASCII was intended?" /* 469, 470 */
#define CURL_SAYS_FOLLOW "%s overrides %s"                                     /* 794 */
#define CURL_SAYS_NO_SUCH_OPTION "Incorrect option name to show help for, see curl -h" /* 1709 */
#define CURL_SAYS_SINGLE_QUOTE \
  "%s:%d Option '%s' uses argument with leading single quote. It is probably a mistake. " \
  "Consider double quotes."                                                    /* 1712 */
#define CURL_SAYS_INFERRED "Unnecessary use of -X or --request, %s is already inferred." /* 1741 */
#define CURL_SAYS_CUSTOM_HEAD \
  "Setting custom HTTP method to HEAD with -X/--request may not work the way you want. " \
  "Consider using -I/--head instead."

bool mote_cli_on(enum global_flag flag);

/* Why the file mote_cli.unread could not be read. */
const char *mote_cli_unread_reason(void);

/* The command's name, "mote" or "curl". */
const char *mote_cli_name(void);

/* "mote: text" and a newline. Always shown. */
void mote_cli_help(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Where to find help, after a command line that was refused. */
void mote_cli_try_help(void);
/* As mote_cli_help(), unless silent without --show-error. */
void mote_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "mote: warning: text" (as curl: "Warning: text"), folded to the terminal's width, unless silent. */
void mote_cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "mote: note: text" ("Note: text"), as a warning, with --verbose or --trace. */
void mote_cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Monotonic clock, us. */
curl_off_t mote_cli_now(void);

/* Terminal columns: COLUMNS, the terminal's own size, or 79. */
int mote_cli_columns(void);

#endif
