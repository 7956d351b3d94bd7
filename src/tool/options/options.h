/* tool/options/options.h: the option table. Parsing and --help use it, and tools/gen_manual.py makes the
 * manual page and the shell completions from options_table.c.
 *
 * The rows are sorted by name (byte order); a name that begins with "no-" and has ROW_NO is the documented
 * form of a switch that is on by default: its handler is called with on = false.
 *
 * Tests: tests/unit/tool/test_options.c */
#ifndef MOTE_TOOL_OPTIONS_OPTIONS_H
#define MOTE_TOOL_OPTIONS_OPTIONS_H

#include "tool/transfers/operation.h"

#include <stdbool.h>

enum param { /* the result of an option; parse.c has the messages and exit codes */
  PARAM_OK,
  PARAM_DONE,        /* the command line is answered (--help): exit 0 */
  PARAM_CONFIG,      /* the argument names a config file, which the parser reads now */
  PARAM_NEEDS_ARG,
  PARAM_BLANK,       /* an empty argument */
  PARAM_NUMBER,
  PARAM_NEGATIVE,
  PARAM_TOO_LARGE,
  PARAM_BAD_USE,
  PARAM_NO_VALUE,    /* a config file gives a value to an option that takes none */
  PARAM_UNKNOWN,
  PARAM_AMBIGUOUS,
  PARAM_NOT_BOOL,
  PARAM_READ,
  PARAM_PROTOCOL,
  PARAM_NO_EXPAND,   /* --expand- with an option without argument, a NUL byte, a variable that is not set */
  PARAM_NESTED,      /* config files include each other endlessly */
  PARAM_REFUSED,     /* the message was shown already */
  PARAM_NO_MEMORY
};

static inline enum param mote_cli_stored(bool ok)
{
  return ok ? PARAM_OK : PARAM_NO_MEMORY;
}

/* What a command line asks for in place of transfers. */
enum show { SHOW_NOTHING, SHOW_HELP, SHOW_VERSION, SHOW_MANUAL, SHOW_CA_EMBED, SHOW_ENGINES };

struct parse {
  struct operation *first;  /* the caller's */
  struct operation *op;     /* where options go now */
  const char *name;         /* the option as the user wrote it */
  int depth;                /* config files inside each other */
  bool placed;              /* the message of what is wrong was shown, with its place in a config file */
  enum show show;           /* after PARAM_DONE */
  const char *subject;      /* borrowed: the argument of --help, or NULL */
};

struct option_row;
typedef enum param (*option_set)(struct parse *p, const struct option_row *row, char *arg, bool on);

enum row_flag {
  ROW_BOOL = 1,    /* --no-name is allowed */
  ROW_NO = 2,      /* the documented form is the negative one */
  ROW_SECRET = 4,  /* the argument is copied and wiped from argv */
  ROW_FILE = 8,    /* the argument names a file (completion) */
  ROW_DIR = 16,    /* the argument names a directory (completion) */
  ROW_MANY = 32,   /* may be given several times */
  ROW_MAYBE = 64,  /* the argument may be left out */
  ROW_ABSENT = 128, /* known by name, but no build has the feature, as with the rows of mote_set_refused */
  ROW_FILLED = 256, /* an empty argument is refused */
  ROW_THERE = 512  /* the argument names a file that has to exist */
};

enum { /* categories, bits; mote_cli_categories[] has the names in this order */
  C_AUTH = 1 << 0, C_CONNECTION = 1 << 1, C_CURL = 1 << 2, C_DEPRECATED = 1 << 3, C_DNS = 1 << 4,
  C_FILE = 1 << 5, C_FTP = 1 << 6, C_GLOBAL = 1 << 7, C_HTTP = 1 << 8, C_IMAP = 1 << 9,
  C_IMPORTANT = 1 << 10, C_LDAP = 1 << 11, C_MQTT = 1 << 12, C_OUTPUT = 1 << 13, C_POP3 = 1 << 14,
  C_POST = 1 << 15, C_PROXY = 1 << 16, C_SCP = 1 << 17, C_SFTP = 1 << 18, C_SMTP = 1 << 19,
  C_SSH = 1 << 20, C_TELNET = 1 << 21, C_TFTP = 1 << 22, C_TIMEOUT = 1 << 23, C_TLS = 1 << 24,
  C_UPLOAD = 1 << 25, C_VERBOSE = 1 << 26
};

struct option_row {
  const char *name;   /* long name, without dashes */
  char letter;        /* short name; 0: none */
  const char *arg;    /* "<file>"; NULL: takes no argument */
  const char *help;   /* one line */
  int categories;     /* bits C_ */
  int flags;          /* bits of enum row_flag */
  option_set set;
  int target;         /* what the handler sets: a CURLOPT_ number, a slot, a flag */
  long value;         /* the handler's second number: constant, bit, limit, second target */
};

struct category {
  const char *name;
  const char *help;
};

extern const struct option_row mote_cli_options[];
extern const int mote_cli_option_count;
extern const struct category mote_cli_categories[]; /* ends with a NULL name */

/* Why a known option is refused (row.target of mote_set_refused). */
enum needs {
  NEEDS_IPFS, NEEDS_METALINK
};

enum data_kind { DATA_TEXT, DATA_BINARY, DATA_RAW, DATA_ENCODE, DATA_JSON, DATA_QUERY };
enum word_list { WORD_DELEGATION, WORD_HTTPSIG, WORD_TLS_MAX, WORD_FTP_METHOD, WORD_CCC };

/* Find by long name. *on: false when it was the negative form. PARAM_UNKNOWN, PARAM_AMBIGUOUS (an
 * abbreviation of several), PARAM_NOT_BOOL. */
enum param mote_cli_option_find(const char *name, size_t len, const struct option_row **row, bool *on);
const struct option_row *mote_cli_option_letter(char letter);

/* help.c: what the command line asked for with --help, --version and the like, to stdout. */
void mote_cli_show(const struct parse *p);

/* Whether the library's result `code` for this option means that the build lacks it. */
bool mote_cli_not_built(const struct option_row *row, CURLcode code);
/* Whether the build of the library lacks the version of HTTP that a CURL_HTTP_VERSION_* asks for. For the
 * library a version that the server may decline is a wish. On a command line it is a demand. */
bool mote_cli_lacks_version(long version);

/* The handlers, in the set_*.c files. Their rows in options_table.c say what they do. */
#define MOTE_SETTER(what) \
  enum param mote_set_##what(struct parse *p, const struct option_row *row, char *arg, bool on)

MOTE_SETTER(bearer);
MOTE_SETTER(bit);
MOTE_SETTER(bool);
MOTE_SETTER(cert);
MOTE_SETTER(clear);
MOTE_SETTER(clobber);
MOTE_SETTER(config);
MOTE_SETTER(const);
MOTE_SETTER(continue);
MOTE_SETTER(cookie);
MOTE_SETTER(data);
MOTE_SETTER(engine);
MOTE_SETTER(exact);
MOTE_SETTER(fail);
MOTE_SETTER(flag);
MOTE_SETTER(follow);
MOTE_SETTER(form);
MOTE_SETTER(global);
MOTE_SETTER(gnumber);
MOTE_SETTER(gstr);
MOTE_SETTER(head);
MOTE_SETTER(header);
MOTE_SETTER(ignored);
MOTE_SETTER(insecure);
MOTE_SETTER(keepalive);
MOTE_SETTER(keyfile);
MOTE_SETTER(list);
MOTE_SETTER(localport);
MOTE_SETTER(location);
MOTE_SETTER(netrcfile);
MOTE_SETTER(next);
MOTE_SETTER(none);
MOTE_SETTER(not);
MOTE_SETTER(number);
MOTE_SETTER(octal);
MOTE_SETTER(output);
MOTE_SETTER(proto);
MOTE_SETTER(protodefault);
MOTE_SETTER(proxy);
MOTE_SETTER(quote);
MOTE_SETTER(range);
MOTE_SETTER(rate);
MOTE_SETTER(raw);
MOTE_SETTER(referer);
MOTE_SETTER(refused);
MOTE_SETTER(seconds);
MOTE_SETTER(show);
MOTE_SETTER(size);
MOTE_SETTER(str);
MOTE_SETTER(timecond);
MOTE_SETTER(tos);
MOTE_SETTER(trace);
MOTE_SETTER(traceconfig);
MOTE_SETTER(upload);
MOTE_SETTER(upload_flags);
MOTE_SETTER(url);
MOTE_SETTER(user);
MOTE_SETTER(variable);
MOTE_SETTER(word);
MOTE_SETTER(writeout);

#endif
