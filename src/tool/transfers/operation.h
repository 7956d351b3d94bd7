/* tool/transfers/operation.h: one operation of the command line, which is the options between two --next.
 *
 * Switches are bits. Options with a value are in one sparse array of {target, value}, in the order of the
 * command line. A target above 0 is a CURLOPT_ number, whose value goes to the library unchanged; one below 0
 * (a slot) is for the command itself. The first values and the first URL are inline, so that a usual command
 * line allocates nothing.
 *
 * Ownership:  texts are borrowed: from argv, from a config file's buffer, or from kept memory.
 * Errors:     false or NULL: out of memory; the operation is unchanged.
 * Tests:      tests/tool/test_same_as_curl.py */
#ifndef MOTE_TOOL_TRANSFERS_OPERATION_H
#define MOTE_TOOL_TRANSFERS_OPERATION_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

struct option_row;

enum op_flag { /* bits of operation.flags */
  FLAG_ADDED,              /* an option of this operation was given */
  FLAG_BUFFER,             /* no effect, since output is never buffered */
  FLAG_CLOBBER,            /* --clobber: overwrite even with -J */
  FLAG_COMPRESSED,
  FLAG_CREATE_DIRS,
  FLAG_FAIL,
  FLAG_FAIL_BODY,
  FLAG_FORM_ESCAPE,
  FLAG_GET,
  FLAG_GLOBOFF,
  FLAG_HEAD,
  FLAG_KEEPALIVE,          /* on at the start */
  FLAG_MPTCP,
  FLAG_NO_CLOBBER,
  FLAG_REFERER_AUTO,
  FLAG_REMOTE_HEADER_NAME,
  FLAG_REMOTE_NAME_ALL,
  FLAG_REMOTE_TIME,
  FLAG_REMOVE_ON_ERROR,
  FLAG_RETRY_ALL,
  FLAG_RETRY_REFUSED,
  FLAG_SHOW_HEADERS,
  FLAG_SKIP_EXISTING,
  FLAG_XATTR
};

enum slot { /* targets below 0: values that the command uses itself */
  SLOT_CONTINUE = -100,    /* number: offset; -1: where the file ends */
  SLOT_DUMP_HEADER,        /* text: file */
  SLOT_ETAG_COMPARE,       /* text: file */
  SLOT_ETAG_SAVE,          /* text: file */
  SLOT_IP_TOS,             /* number */
  SLOT_LIMIT_RATE,         /* number: bytes a second, both directions */
  SLOT_NETRC,              /* number: 1 optional, 2 required */
  SLOT_OUTPUT_DIR,         /* text */
  SLOT_RETRY,              /* number: retries allowed */
  SLOT_RETRY_DELAY,        /* number: ms */
  SLOT_RETRY_MAX_TIME,     /* number: ms */
  SLOT_TIME_COND,          /* number: CURL_TIMECOND_ */
  SLOT_TLS_MAX,            /* number: CURL_SSLVERSION_MAX_ */
  SLOT_TLS_MIN,            /* number: CURL_SSLVERSION_ */
  SLOT_VLAN,               /* number: priority */
  SLOT_FORM,               /* text: one --form, or --form-string if `literal` is set */
  SLOT_WRITE_OUT           /* text */
};

struct value {
  int target;                    /* CURLOPT_ number or enum slot */
  bool literal;                  /* SLOT_FORM: from --form-string */
  const struct option_row *row;  /* which option set it, for texts */
  union {
    curl_off_t number;
    const char *text;
    struct curl_slist node;      /* an item of a list; linked by mote_cli_op_list() */
  } u;
};

enum output_kind { OUTPUT_FILE, OUTPUT_REMOTE, OUTPUT_NULL };

struct url_entry {
  struct url_entry *next;
  const char *url;        /* NULL: none yet */
  const char *output;     /* --output; NULL: none, "-": stdout */
  const char *upload;     /* --upload-file; "-" or ".": stdin */
  bool output_set;        /* an output option was paired with this URL */
  bool remote_name;
  bool null;              /* --out-null */
  bool remote_off;        /* --no-remote-name */
  bool listed;            /* from the file of --url @file: no pattern */
};

/* The body of a POST, made from the --data options. */
struct post {
  bool set;
  bool json;
  const char *data;   /* borrowed, or `owned` */
  size_t len;
  char *owned;        /* kept while the command runs; NULL: data is borrowed */
  size_t cap;         /* bytes of owned */
  const char *file;   /* --data-binary @file alone, if large: read while sending */
};

#define OPERATION_INLINE 10 /* values without allocation */

struct operation {
  struct operation *next;
  unsigned long flags;             /* bits by enum op_flag */
  struct value *values;            /* `here`, or allocated */
  unsigned count, cap;
  struct url_entry *urls;          /* the list; &first once there is one */
  struct url_entry *url_at, *output_at, *upload_at; /* where to look for the next such option's place;
                                                       NULL: from the start */
  struct post post;
  struct post query;               /* --url-query */
  unsigned outputs, uploads, url_count; /* options for output and uploads, URLs: for the warning */
  char *cookies;                   /* several --cookie, joined: CURLOPT_COOKIE's text; NULL: one at most */
  size_t cookies_cap;              /* bytes of it */
  bool cookies_read;               /* a transfer has read the files of --cookie */
  struct value here[OPERATION_INLINE];
  struct url_entry first;
};

void mote_cli_op_init(struct operation *op);
/* Frees what the operation allocated, not the struct itself. */
void mote_cli_op_free(struct operation *op);

bool mote_cli_op_flag(const struct operation *op, enum op_flag flag);
void mote_cli_op_set_flag(struct operation *op, enum op_flag flag, bool on);

/* Set a value, in place of an earlier one for this target. */
bool mote_cli_op_text(struct operation *op, const struct option_row *row, int target, const char *text);
bool mote_cli_op_number(struct operation *op, const struct option_row *row, int target, curl_off_t number);
/* Add an item, keeping earlier ones. */
struct value *mote_cli_op_add(struct operation *op, const struct option_row *row, int target,
                              const char *text);
void mote_cli_op_remove(struct operation *op, int target);

/* The value for a target; NULL: not set. */
const struct value *mote_cli_op_find(const struct operation *op, int target);
const char *mote_cli_op_get_text(const struct operation *op, int target);
curl_off_t mote_cli_op_get_number(const struct operation *op, int target, curl_off_t otherwise);

/* All items of a target, linked into a list that is valid until a value is added. */
struct curl_slist *mote_cli_op_list(struct operation *op, int target);
/* Whether an item of the target begins with "name:" or "name;" (case ignored). */
bool mote_cli_op_has_header(const struct operation *op, int target, const char *name);

/* The entry that the next URL, output or upload option belongs to, which is made if there is none. */
enum entry_use { ENTRY_URL, ENTRY_OUTPUT, ENTRY_UPLOAD };
struct url_entry *mote_cli_op_entry(struct operation *op, enum entry_use use);

#endif
