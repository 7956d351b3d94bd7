#include "tool/options/parse.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_DEPTH 10 /* config files inside each other; stops one that names itself */
#define CONFIG_LINE ((size_t)10 << 20) /* bytes; a longer line is no text, and curl refuses it too */

#define BLANKS " \t\r\v\f"

static const char expand_prefix[] = "expand-";

const char *mote_cli_param_text(enum param result)
{
  switch(result) {
  case PARAM_NEEDS_ARG: return "needs an argument";
  case PARAM_BLANK: return "needs an argument that is not empty";
  case PARAM_NUMBER: return "needs a number";
  case PARAM_NEGATIVE: return "needs a number that is not negative";
  case PARAM_TOO_LARGE: return "the number is too large";
  case PARAM_BAD_USE: return "cannot be used like this";
  case PARAM_NO_VALUE: return "takes no argument";
  case PARAM_UNKNOWN: return "is unknown";
  case PARAM_AMBIGUOUS: return "is short for more than one option";
  case PARAM_NOT_BOOL: return "cannot be turned off with \"--no-\"";
  case PARAM_READ: return "its file cannot be read";
  case PARAM_PROTOCOL: return "the library does not have this protocol";
  case PARAM_NO_EXPAND: return "cannot be expanded";
  case PARAM_NESTED: return "config files include each other without an end";
  case PARAM_NO_MEMORY: return "out of memory";
  default: return NULL;
  }
}

CURLcode mote_cli_param_exit(enum param result)
{
  switch(result) {
  case PARAM_OK:
  case PARAM_DONE: return CURLE_OK;
  case PARAM_READ: return CURLE_READ_ERROR;
  case PARAM_PROTOCOL: return CURLE_UNSUPPORTED_PROTOCOL;
  case PARAM_NO_MEMORY: return CURLE_OUT_OF_MEMORY;
  default: return CURLE_FAILED_INIT;
  }
}

bool mote_cli_not_built(const struct option_row *row, CURLcode code)
{
  return row && (code == CURLE_NOT_BUILT_IN || code == CURLE_UNKNOWN_OPTION ||
                 (code == CURLE_UNSUPPORTED_PROTOCOL && row->target == CURLOPT_HTTP_VERSION));
}

bool mote_cli_lacks_version(long version)
{
  int needs = version >= CURL_HTTP_VERSION_3 ? CURL_VERSION_HTTP3 : CURL_VERSION_HTTP2;
  return version >= CURL_HTTP_VERSION_2_0 && !(curl_version_info(CURLVERSION_NOW)->features & needs);
}

/* Compares a row's name with one that is not terminated, byte by byte. 0: the row's name begins with it. */
static int parse_compare(const struct option_row *row, const char *name, size_t len)
{
  return strncmp(row->name, name, len);
}

/* The first row that is not before the name. */
static int lower_bound(const char *name, size_t len)
{
  int low = 0, high = mote_cli_option_count;
  while(low < high) {
    int middle = (low + high) / 2;
    if(parse_compare(&mote_cli_options[middle], name, len) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static enum param find_exact_or_short(const char *name, size_t len, const struct option_row **row)
{
  int at = lower_bound(name, len);
  int count = mote_cli_option_count;
  if(at == count || parse_compare(&mote_cli_options[at], name, len))
    return PARAM_UNKNOWN;
  if(mote_cli_options[at].name[len] && at + 1 < count && !parse_compare(&mote_cli_options[at + 1], name, len))
    return PARAM_AMBIGUOUS;
  *row = &mote_cli_options[at];
  return PARAM_OK;
}

/* "alpn" is the positive form of the row "no-alpn". */
static enum param find_positive(const char *name, size_t len, const struct option_row **row)
{
  char full[40] = "no-";
  if(len + 3 >= sizeof full)
    return PARAM_UNKNOWN;
  memcpy(full + 3, name, len);
  if(find_exact_or_short(full, len + 3, row) || !((*row)->flags & ROW_NO) || (*row)->name[len + 3])
    return PARAM_UNKNOWN;
  return PARAM_OK;
}

enum param mote_cli_option_find(const char *name, size_t len, const struct option_row **row, bool *on)
{
  enum param found = len ? find_exact_or_short(name, len, row) : PARAM_UNKNOWN;
  const struct option_row *positive;
  *on = true;
  /* A whole name comes before an abbreviation: --keepalive is not --keepalive-time. */
  if(len && (found != PARAM_OK || (*row)->name[len]) && !find_positive(name, len, &positive)) {
    *row = positive;
    return PARAM_OK;
  }
  if(found == PARAM_OK) {
    *on = !((*row)->flags & ROW_NO);
    return PARAM_OK;
  }
  if(len > 3 && !strncmp(name, "no-", 3)) {
    *on = false;
    found = find_exact_or_short(name + 3, len - 3, row);
    return found || (*row)->flags & ROW_BOOL ? found : PARAM_NOT_BOOL;
  }
  return found;
}

const struct option_row *mote_cli_option_letter(char letter)
{
  for(int i = 0; i < mote_cli_option_count; i++)
    if(mote_cli_options[i].letter == letter)
      return &mote_cli_options[i];
  return NULL;
}

/* --config, on the command line or in a file. Afterwards p->name is this option's again, for messages. */
static enum param read_config(struct parse *p, const char *path)
{
  const char *name = p->name;
  enum param rc = mote_cli_config(p, path);
  if(rc == PARAM_READ && mote_cli_on(GLOBAL_AS_CURL)) {
    mote_cli_help(CURL_SAYS_NO_CONFIG, path);
    mote_cli.unread = NULL;
  }
  p->name = name;
  return rc;
}

/* U+2000 to U+203F are no letters. A word that begins with one was probably copied from a text whose quotes
 * and dashes had been made beautiful. */
static void warn_of_unicode(const char *arg)
{
  if((unsigned char)arg[0] == 0xe2 && (unsigned char)arg[1] == 0x80)
    mote_cli_warn(CURL_SAYS_UNICODE, arg);
}

/* Reports whether there is certainly no such file. Any other failure is left to the transfer, which reports
 * why the file cannot be read. */
static bool is_missing(const char *path)
{
  return mote_cli_system_access(path, F_OK) && (errno == ENOENT || errno == ENOTDIR);
}

/* What can be said of an argument before its handler looks at it. */
static enum param check_argument(const struct parse *p, const struct option_row *row, const char *arg)
{
  if(row->flags & ROW_FILLED && !*arg)
    return PARAM_BLANK;
  if(row->flags & ROW_THERE && is_missing(arg)) {
    mote_cli_help("%s: there is no file \"%s\"", p->name, arg);
    return PARAM_BAD_USE;
  }
  warn_of_unicode(arg);
  return PARAM_OK;
}

/* Call the row's handler. A secret is copied first and wiped from argv, where other users could see it. */
static enum param parse_apply(struct parse *p, const struct option_row *row, char *arg, bool on, bool wipe)
{
  enum param rc;
  if(row->arg && !arg && !(row->flags & ROW_MAYBE))
    return PARAM_NEEDS_ARG;
  rc = arg ? check_argument(p, row, arg) : PARAM_OK;
  if(rc)
    return rc;
  if(row->flags & ROW_SECRET && wipe && arg) {
    size_t len = strlen(arg);
    char *copy = mote_cli_keep(len + 1);
    if(!copy)
      return PARAM_NO_MEMORY;
    memcpy(copy, arg, len);
    memset(arg, ' ', len);
    arg = copy;
  }
  if(row->flags & ROW_FILE && wipe && arg && arg[0] == '-' && arg[1])
    mote_cli_warn("%s uses \"%s\" as a file name, though it looks like an option", p->name, arg);
  mote_cli_op_set_flag(p->op, FLAG_ADDED, true);
  rc = row->set(p, row, arg, on);
  return rc == PARAM_CONFIG ? read_config(p, arg) : rc;
}

static enum param parse_expand(struct parse *p, const char *name, size_t len, char *arg, bool *used)
{
  const struct option_row *row;
  bool on;
  char *text = NULL;
  enum param rc = mote_cli_option_find(name, len, &row, &on);
  if(rc)
    return rc;
  if(!row->arg)
    return PARAM_NO_EXPAND;
  if(!arg)
    return PARAM_NEEDS_ARG;
  *used = true;
  rc = mote_cli_expand(arg, &text);
  return rc ? rc : parse_apply(p, row, text, true, false);
}

enum param mote_cli_parse_long(struct parse *p, const char *name, size_t len, char *arg, bool wipe,
                               bool *used)
{
  const size_t prefix = sizeof expand_prefix - 1;
  const struct option_row *row;
  bool on;
  enum param rc;
  *used = false;
  if(len > prefix && !strncmp(name, expand_prefix, prefix))
    return parse_expand(p, name + prefix, len - prefix, arg, used);
  rc = mote_cli_option_find(name, len, &row, &on);
  if(rc)
    return rc;
  *used = row->arg && arg;
  return parse_apply(p, row, row->arg ? arg : NULL, on, wipe);
}

enum param mote_cli_parse_short(struct parse *p, char *letters, char *arg, bool wipe, bool *used)
{
  enum param rc = PARAM_UNKNOWN;
  *used = false;
  while(*letters) {
    const struct option_row *row = mote_cli_option_letter(*letters++);
    if(!row)
      return PARAM_UNKNOWN;
    if(!row->arg)
      rc = parse_apply(p, row, NULL, !(row->flags & ROW_NO), wipe);
    else if(*letters)
      return parse_apply(p, row, letters, true, wipe);
    else {
      *used = arg != NULL;
      return parse_apply(p, row, arg, true, wipe);
    }
    if(rc)
      return rc;
  }
  return rc;
}

/* ---- config files ----
 *
 * Source: curl(1), --config. A line that makes no sense gets a warning, as in curl. Lines are
 * parsed in place, since the file's bytes are kept and options point into them. */

/* A text in double quotes, which is unquoted in place. Returns what follows it. */
static char *parse_unquote(char *p)
{
  char *to = p;
  while(*p && *p != '"') {
    if(*p == '\\' && p[1]) {
      p++;
      switch(*p) {
      case 't': *to++ = '\t'; break;
      case 'n': *to++ = '\n'; break;
      case 'r': *to++ = '\r'; break;
      case 'v': *to++ = '\v'; break;
      default: *to++ = *p; break;
      }
      p++;
    }
    else
      *to++ = *p++;
  }
  if(*p)
    p++;
  *to = 0;
  return p;
}

struct line {
  char *name;   /* terminated, without its value */
  char *value;  /* NULL: none */
  bool comment; /* the value is a comment if the option takes none */
  bool cut;     /* more follows the value */
};

/* Terminate the value that starts at p. False: it is followed by something other than a comment. */
static bool end_value(char *p)
{
  char *end = p + strcspn(p, BLANKS);
  const char *rest = end + strspn(end, BLANKS);
  bool clean = !*rest || *rest == '#';
  *end = 0;
  return clean;
}

/* Split a line into name and value. False: it is empty or a comment. */
static bool parse_split(char *p, struct line *line, const char *path, int number)
{
  bool dashed;
  char *end;
  line->cut = false;
  p += strspn(p, BLANKS);
  if(!*p || *p == '#')
    return false;
  dashed = *p == '-';
  line->name = p;
  p += strcspn(p, dashed ? BLANKS : BLANKS ":=");
  end = p;
  p += strspn(p, dashed ? BLANKS : BLANKS ":=");
  line->value = *p ? p : NULL;
  line->comment = *p == '#';
  *end = 0;
  if(line->value && *p == '"') {
    line->value = p + 1;
    parse_unquote(p + 1);
  }
  else if(line->value && *p == '\'') {
    mote_cli_warn(CURL_SAYS_SINGLE_QUOTE, path, number, line->name);
    end_value(p);
  }
  else if(line->value)
    line->cut = !end_value(p);
  return true;
}

static enum param one_line(struct parse *p, const struct line *line, bool *used)
{
  char *value = line->value && *line->value ? line->value : NULL;
  char *name = line->name;
  p->name = name;
  *used = false;
  /* An empty text in quotes is an argument too. */
  if(line->value)
    value = line->value;
  if(name[0] != '-')
    return mote_cli_parse_long(p, name, strlen(name), value, false, used);
  if(name[1] == '-')
    return mote_cli_parse_long(p, name + 2, strlen(name + 2), value, false, used);
  return mote_cli_parse_short(p, name + 1, value, false, used);
}

/* Say what is wrong with p->name. place: "file:line: " in a config file, or "". */
static void parse_describe(const struct parse *p, const char *place, enum param rc)
{
  const char *text = mote_cli_param_text(rc);
  if(rc == PARAM_READ && mote_cli_on(GLOBAL_AS_CURL)) {
    if(mote_cli.unread)
      mote_cli_help(CURL_SAYS_NOT_OPENED, mote_cli.unread);
    mote_cli_help("%s" CURL_SAYS_UNREAD, place, p->name);
  }
  else if(rc == PARAM_READ && mote_cli.unread)
    mote_cli_help("%soption %s: cannot read %s: %s", place, p->name, mote_cli.unread,
                  mote_cli_unread_reason());
  else if(text && p->name)
    mote_cli_help("%soption %s: %s", place, p->name, text);
}

/* An error in a line ends the command, since otherwise a request would be sent without what the line asks
 * for. Source: curl 8.23, which ends; curl 7.88 went on. */
static void refuse_line(struct parse *p, const char *path, int number, enum param rc)
{
  char place[1024];
  if(p->placed || rc == PARAM_DONE || rc == PARAM_NESTED)
    return;
  snprintf(place, sizeof place, "%s:%d: ", path, number);
  parse_describe(p, place, rc);
  p->placed = true;
}

static bool parse_too_long(const char *line, const char *next, const char *path)
{
  if((next ? (size_t)(next - line) : strlen(line)) <= CONFIG_LINE)
    return false;
  mote_cli.unread = path;
  mote_cli.unread_error = EFBIG;
  return true;
}

/* Takes LF or CRLF away at `end`, up to which an open quote goes. Returns the next line. */
static char *parse_end_line(const char *line, char *end)
{
  if(end > line && end[-1] == '\r')
    end[-1] = 0;
  *end = 0;
  return end + 1;
}

static enum param parse_lines(struct parse *p, char *text, const char *path)
{
  int number = 0;
  while(text && *text) {
    struct line line;
    char *next = strchr(text, '\n');
    bool used;
    enum param rc;
    number++;
    if(parse_too_long(text, next, path))
      return PARAM_READ;
    if(next)
      next = parse_end_line(text, next);
    if(parse_split(text, &line, path, number)) {
      rc = one_line(p, &line, &used);
      if(used && line.cut)
        mote_cli_warn("%s:%d: the value of '%s' ends at a space: put values with spaces in double quotes",
                      path, number, line.name);
      if(!rc && !used && line.value && *line.value && !line.comment)
        rc = PARAM_NO_VALUE;
      if(rc) {
        refuse_line(p, path, number, rc);
        return rc;
      }
    }
    text = next;
  }
  return PARAM_OK;
}

enum param mote_cli_config(struct parse *p, const char *path)
{
  char *text;
  enum param rc;
  CURLcode code;
  if(p->depth >= CONFIG_DEPTH)
    return PARAM_NESTED;
  code = mote_cli_read_text(path, &text);
  if(code)
    return code == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
  p->depth++;
  rc = parse_lines(p, text, strcmp(path, "-") ? path : "<stdin>");
  p->depth--;
  return rc;
}

/* A directory of this name is passed over, as curl does. What is wrong with a file is reported when the path
 * here is gone, so that the path is kept. */
static bool try_default(struct parse *p, const char *folder, const char *name, enum param *rc)
{
  char path[4096], *kept;
  struct stat st;
  int n;
  if(!folder || !*folder)
    return false;
  n = snprintf(path, sizeof path, "%s/%s", folder, name);
  if(n < 0 || n >= (int)sizeof path || mote_cli_system_access(path, R_OK) ||
     mote_cli_system_stat(path, &st) || S_ISDIR(st.st_mode))
    return false;
  kept = mote_cli_keep((size_t)n + 1);
  p->name = "--config";
  if(kept)
    *rc = mote_cli_config(p, strcpy(kept, path));
  else
    *rc = PARAM_NO_MEMORY;
  return true;
}

static enum param config_default(struct parse *p)
{
  enum param rc = PARAM_OK;
  const char *curl_home = getenv("CURL_HOME"), *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  const char *folder, *name;
  if(try_default(p, curl_home, ".curlrc", &rc) || try_default(p, xdg, "curlrc", &rc) ||
     try_default(p, xdg, ".curlrc", &rc) || try_default(p, home, ".curlrc", &rc) ||
     try_default(p, curl_home, ".config/curlrc", &rc) || try_default(p, home, ".config/curlrc", &rc))
    return rc;
  for(unsigned i = 0; (folder = mote_cli_system_config(i, home, &name)) != NULL; i++)
    if(try_default(p, folder, name, &rc))
      break;
  return rc;
}

/* ---- the command line ---- */

/* One word of argv that starts with a dash. */
static enum param parse_word(struct parse *p, char *word, char *next, bool *used)
{
  char *equals;
  p->name = word;
  if(word[1] != '-')
    return mote_cli_parse_short(p, word + 1, next, true, used);
  equals = strchr(word, '=');
  if(equals) {
    enum param rc = mote_cli_parse_long(p, word + 2, (size_t)(equals - word - 2), equals + 1, true, used);
    if(!rc && !*used)
      rc = PARAM_BAD_USE;
    *used = false;
    return rc;
  }
  return mote_cli_parse_long(p, word + 2, strlen(word + 2), next, true, used);
}

static CURLcode complain(const struct parse *p, enum param rc)
{
  if(!p->placed)
    parse_describe(p, "", rc);
  if(rc != PARAM_DONE && rc != PARAM_REFUSED)
    mote_cli_try_help();
  return mote_cli_param_exit(rc);
}

static bool skips_config(const char *word)
{
  return !strncmp(word, "-q", 2) || !strcmp(word, "--disable");
}

CURLcode mote_cli_parse(struct parse *p, int argc, char **argv, bool *done)
{
  bool options = true;
  enum param rc = PARAM_OK;
  *done = false;
  if(argc < 2 || !skips_config(argv[1]))
    rc = config_default(p);
  for(int i = 1; i < argc && !rc; i++) {
    bool used = false;
    if(options && !strcmp(argv[i], "--"))
      options = false;
    else if(options && argv[i][0] == '-')
      rc = parse_word(p, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used);
    else {
      p->name = "--url";
      warn_of_unicode(argv[i]);
      rc = *argv[i] ? mote_set_url(p, NULL, argv[i], true) : PARAM_BLANK;
    }
    if(used)
      i++;
  }
  *done = rc == PARAM_DONE;
  return rc ? complain(p, rc) : CURLE_OK;
}
