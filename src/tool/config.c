/* Config files. Source: curl(1), --config. A line that makes no sense gets a warning, as in curl. Each line
 * is parsed where it lies: the file's bytes are kept, and options point into them. */
#include "tool/files.h"
#include "tool/memory.h"
#include "tool/parse.h"
#include "tool/say.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_DEPTH 10 /* config files inside each other: stops one that names itself */

#define BLANKS " \t\r\v\f"

/* A text in double quotes, written over itself; returns what follows it. */
static char *unquote(char *p)
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
  char *name;  /* terminated, without its value */
  char *value; /* NULL: none */
};

/* The value that starts at p, terminated. False: something follows it that does not belong there. */
static bool end_value(char *p)
{
  char *end = p + strcspn(p, BLANKS);
  const char *rest = end + strspn(end, BLANKS);
  bool clean = !*rest || *rest == '#';
  *end = 0;
  return clean;
}

/* Take a line apart. False: it is empty or a comment. */
static bool split(char *p, struct line *line, const char *path, int number)
{
  bool dashed;
  char *end;
  p += strspn(p, BLANKS);
  if(!*p || *p == '#')
    return false;
  dashed = *p == '-';
  line->name = p;
  p += strcspn(p, dashed ? BLANKS : BLANKS ":=");
  end = p;
  p += strspn(p, dashed ? BLANKS : BLANKS ":=");
  line->value = *p ? p : NULL;
  *end = 0;
  if(line->value && *p == '"') {
    line->value = p + 1;
    unquote(p + 1);
  }
  else if(line->value && !end_value(p))
    mote_cli_warn("%s:%d: the value of '%s' ends at a blank; one with blanks stands in double quotes", path,
                  number, line->name);
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

/* Whether the line ends the whole command, since a request would go out without what it asks for. Any other
 * error gets a warning only, as with curl. */
static bool ends_it(enum param rc)
{
  return rc == PARAM_READ || rc == PARAM_DONE || rc == PARAM_NO_MEMORY || rc == PARAM_NO_EXPAND ||
         rc == PARAM_NESTED;
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
    if(next)
      *next++ = 0;
    if(split(text, &line, path, number)) {
      rc = one_line(p, &line, &used);
      if(ends_it(rc))
        return rc;
      if(!rc && !used && line.value && *line.value)
        mote_cli_warn("%s:%d: '%s' takes no argument", path, number, line.name);
      else if(rc && mote_cli_param_text(rc))
        mote_cli_warn("%s:%d: '%s' %s", path, number, line.name, mote_cli_param_text(rc));
    }
    text = next;
  }
  return PARAM_OK;
}

enum param mote_cli_config(struct parse *p, const char *path)
{
  char *text;
  size_t len;
  enum param rc;
  CURLcode code;
  if(p->depth >= CONFIG_DEPTH)
    return PARAM_NESTED;
  code = mote_cli_read_file(path, &text, &len);
  if(code)
    return code == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
  p->depth++;
  rc = parse_lines(p, text, strcmp(path, "-") ? path : "<stdin>");
  p->depth--;
  return rc;
}

static bool try_default(struct parse *p, const char *folder, const char *name, enum param *rc)
{
  char path[4096];
  int n;
  if(!folder || !*folder)
    return false;
  n = snprintf(path, sizeof path, "%s/%s", folder, name);
  if(n < 0 || n >= (int)sizeof path || access(path, R_OK))
    return false;
  *rc = mote_cli_config(p, path);
  return true;
}

enum param mote_cli_config_default(struct parse *p)
{
  enum param rc = PARAM_OK;
  const char *curl_home = getenv("CURL_HOME"), *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  const struct passwd *user;
  if(try_default(p, curl_home, ".curlrc", &rc) || try_default(p, xdg, "curlrc", &rc) ||
     try_default(p, xdg, ".curlrc", &rc) || try_default(p, home, ".curlrc", &rc) ||
     try_default(p, curl_home, ".config/curlrc", &rc) || try_default(p, home, ".config/curlrc", &rc))
    return rc;
  if(!home) {
    user = getpwuid(geteuid());
    if(user)
      try_default(p, user->pw_dir, ".curlrc", &rc);
  }
  return rc;
}
