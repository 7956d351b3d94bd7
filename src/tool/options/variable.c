/* --variable, and {{name}} in the arguments of --expand- options. */
#include "tool/memory.h"
#include "tool/options/data.h"
#include "tool/options/numbers.h"
#include "tool/options/parse.h"
#include "tool/show/messages.h"
#include "tool/transfers/files.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LEN 128 /* bytes, as in curl(1); in {{}} a name of this length is left as it is */

struct variable {
  struct variable *next;
  const char *name;  /* borrowed from the argument, not terminated */
  size_t name_len;   /* bytes */
  const char *text;  /* may hold NUL bytes */
  size_t len;        /* bytes */
};

static struct variable *variables; /* kept memory */

static size_t name_length(const char *p)
{
  size_t len = 0;
  while(isalnum((unsigned char)p[len]) || p[len] == '_')
    len++;
  return len;
}

static const struct variable *variable_find(const char *name, size_t len)
{
  for(const struct variable *v = variables; v; v = v->next)
    if(v->name_len == len && !memcmp(v->name, name, len))
      return v;
  return NULL;
}

/* Digits at *p, which is moved past them. A number that does not fit becomes the largest. False: there are
 * none. */
static bool read_offset(const char **p, curl_off_t *n)
{
  const char *digit = *p;
  for(*n = 0; isdigit((unsigned char)*digit); digit++)
    *n = *n > (INT64_MAX - (*digit - '0')) / 10 ? INT64_MAX : *n * 10 + (*digit - '0');
  if(digit == *p)
    return false;
  *p = digit;
  return true;
}

/* "[start-end]" after a name. Both ends are included; without an end it is the last byte. */
static enum param variable_read_range(const char **p, curl_off_t *first, curl_off_t *last)
{
  const char *end = *p + 1;
  if(**p != '[')
    return PARAM_OK;
  if(!read_offset(&end, first) || *end++ != '-')
    return PARAM_BAD_USE;
  if(*end != ']' && (!read_offset(&end, last) || *end != ']' || *last < *first))
    return PARAM_BAD_USE;
  *p = end + 1;
  return PARAM_OK;
}

static enum param variable_load(const char *p, const char **text, size_t *len)
{
  char *bytes;
  CURLcode rc;
  if(*p == '=') {
    *text = p + 1;
    *len = strlen(p + 1);
    return PARAM_OK;
  }
  if(*p != '@')
    return PARAM_BAD_USE;
  rc = mote_cli_read_file(p + 1, &bytes, len);
  *text = bytes;
  if(!rc)
    return PARAM_OK;
  return rc == CURLE_OUT_OF_MEMORY ? PARAM_NO_MEMORY : PARAM_READ;
}

MOTE_SETTER(variable)
{
  bool import = *arg == '%';
  const char *name = arg + import, *text = NULL, *rest;
  size_t name_len = name_length(name), len = 0;
  curl_off_t first = 0, last = -1;
  struct variable *v;
  enum param rc;
  char key[NAME_MAX_LEN + 1];
  (void)p;
  (void)row;
  (void)on;
  if(!name_len || name_len > NAME_MAX_LEN) {
    mote_cli_help("\"%s\" does not begin with a variable's name", arg);
    return PARAM_BAD_USE;
  }
  rest = name + name_len;
  rc = variable_read_range(&rest, &first, &last);
  if(rc)
    return rc;
  memcpy(key, name, name_len);
  key[name_len] = 0;
  if(import) {
    text = getenv(key);
    if(!text && !*rest) {
      mote_cli_help("the environment has no variable %s", key);
      return PARAM_NO_EXPAND;
    }
    len = text ? strlen(text) : 0;
  }
  if(!text)
    rc = variable_load(rest, &text, &len);
  if(rc)
    return rc;
  if((size_t)first > len)
    first = (curl_off_t)len;
  if(last >= 0 && (size_t)last + 1 < len)
    len = (size_t)last + 1;
  v = mote_cli_keep(sizeof *v);
  if(!v)
    return PARAM_NO_MEMORY;
  v->name = name;
  v->name_len = name_len;
  v->text = text + first;
  v->len = len - (size_t)first;
  v->next = variables;
  variables = v;
  return PARAM_OK;
}

/* A value that passes through functions. Allocated. */
struct work {
  char *text;
  size_t len;
};

static bool variable_replace(struct work *w, char *text, size_t len)
{
  mote_cli_free(w->text);
  w->text = text;
  w->len = len;
  return text != NULL;
}

static bool variable_trim(struct work *w)
{
  size_t start = 0;
  while(start < w->len && isspace((unsigned char)w->text[start]))
    start++;
  while(w->len > start && isspace((unsigned char)w->text[w->len - 1]))
    w->len--;
  w->len -= start;
  memmove(w->text, w->text + start, w->len);
  return true;
}

/* RFC 8259, 7. */
static bool variable_json(struct work *w)
{
  static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  char *text = mote_cli_alloc(w->len * 6 + 1), *at = text;
  for(size_t i = 0; text && i < w->len; i++) {
    const char *special = w->text[i] ? strchr(from, w->text[i]) : NULL;
    if(special) {
      *at++ = '\\';
      *at++ = to[special - from];
    }
    else if((unsigned char)w->text[i] < 0x20)
      at += snprintf(at, 7, "\\u%04x", (unsigned)w->text[i]);
    else
      *at++ = w->text[i];
  }
  return variable_replace(w, text, text ? (size_t)(at - text) : 0);
}

static bool variable_url(struct work *w)
{
  char *text = mote_cli_url_encode(w->text, w->len, false);
  return variable_replace(w, text, text ? strlen(text) : 0);
}

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static bool base64(struct work *w)
{
  char *text = mote_cli_alloc((w->len + 2) / 3 * 4 + 1), *at = text;
  for(size_t i = 0; text && i < w->len; i += 3) {
    size_t left = w->len - i;
    unsigned n = (unsigned)(unsigned char)w->text[i] << 16;
    if(left > 1)
      n |= (unsigned)(unsigned char)w->text[i + 1] << 8;
    if(left > 2)
      n |= (unsigned char)w->text[i + 2];
    *at++ = alphabet[n >> 18];
    *at++ = alphabet[n >> 12 & 63];
    *at++ = left > 1 ? alphabet[n >> 6 & 63] : '=';
    *at++ = left > 2 ? alphabet[n & 63] : '=';
  }
  return variable_replace(w, text, text ? (size_t)(at - text) : 0);
}

static bool from_base64(struct work *w)
{
  static const char failed[] = "[64dec-fail]";
  char *text = mote_cli_alloc(w->len + sizeof failed);
  size_t out = 0, good = w->len;
  unsigned bits = 0, have = 0;
  if(!text)
    return variable_replace(w, NULL, 0);
  while(good && w->len - good < 2 && w->text[good - 1] == '=')
    good--;
  for(size_t i = 0; i < good; i++) {
    const char *digit = w->text[i] ? strchr(alphabet, w->text[i]) : NULL;
    if(!digit)
      have = 99;
    else {
      bits = bits << 6 | (unsigned)(digit - alphabet);
      have += 6;
    }
    if(have > 32)
      break;
    if(have >= 8) {
      have -= 8;
      text[out++] = (char)(bits >> have & 0xff);
    }
  }
  if(have > 32 || w->len % 4) {
    strcpy(text, failed);
    out = sizeof failed - 1;
  }
  return variable_replace(w, text, out);
}

struct function {
  const char *name;
  bool (*run)(struct work *w);
};

/* ":trim:url" at p, up to the closing braces. */
static enum param run_functions(const char *p, const char *end, struct work *w)
{
  static const struct function functions[] = {
    { "trim", variable_trim }, { "json", variable_json }, { "url", variable_url }, { "b64", base64 },
    { "64dec", from_base64 }
  };
  while(p < end) {
    size_t len, i;
    p++;
    for(len = 0; p + len < end && p[len] != ':'; len++)
      ;
    for(i = 0; i < sizeof functions / sizeof functions[0]; i++)
      if(strlen(functions[i].name) == len && !memcmp(functions[i].name, p, len))
        break;
    if(i == sizeof functions / sizeof functions[0]) {
      mote_cli_help("\"%.*s\" is not a function for variables", (int)(len < 100 ? len : 100), p);
      return PARAM_NO_EXPAND;
    }
    if(!functions[i].run(w))
      return PARAM_NO_MEMORY;
    p += len;
  }
  return PARAM_OK;
}

static bool variable_append(struct work *all, const char *text, size_t len)
{
  char *more = mote_cli_realloc(all->text, all->len + len + 1);
  if(!more)
    return false;
  if(len)
    memcpy(more + all->len, text, len);
  all->text = more;
  all->len += len;
  more[all->len] = 0;
  return true;
}

/* One {{...}}, whose inside is p to end. *known: it stands for a variable. */
static enum param expand_one(const char *p, const char *end, struct work *all, bool *known)
{
  const char *name = p;
  size_t len = name_length(p);
  const struct variable *v;
  struct work w = { NULL, 0 };
  enum param rc;
  *known = len && len < NAME_MAX_LEN && (p + len == end || p[len] == ':');
  if(!*known)
    return PARAM_OK;
  v = variable_find(p, len);
  if(!variable_append(&w, v ? v->text : "", v ? v->len : 0))
    return PARAM_NO_MEMORY;
  rc = run_functions(p + len, end, &w);
  if(!rc && w.len && memchr(w.text, 0, w.len)) {
    mote_cli_help("the variable %.*s has a NUL byte in it", (int)name_length(name), name);
    rc = PARAM_NO_EXPAND;
  }
  if(!rc && !variable_append(all, w.text, w.len))
    rc = PARAM_NO_MEMORY;
  mote_cli_free(w.text);
  return rc;
}

/* The text up to the next variable, and that variable. *arg is moved past them. */
static enum param expand_next(const char **arg, const char *open, const char *close, struct work *all)
{
  bool escaped = open > *arg && open[-1] == '\\', known = false;
  enum param rc = PARAM_OK;
  if(!variable_append(all, *arg, (size_t)(open - *arg) - escaped))
    return PARAM_NO_MEMORY;
  *arg = escaped ? open + 2 : close + 2;
  if(!escaped)
    rc = expand_one(open + 2, close, all, &known);
  if(!rc && !known && !variable_append(all, open, (size_t)(*arg - open)))
    rc = PARAM_NO_MEMORY;
  return rc;
}

enum param mote_cli_expand(const char *arg, char **out)
{
  struct work all = { NULL, 0 };
  enum param rc = variable_append(&all, "", 0) ? PARAM_OK : PARAM_NO_MEMORY;
  while(*arg && !rc) {
    const char *open = strstr(arg, "{{"), *close = open ? strstr(open, "}}") : NULL;
    if(!close && open && (open == arg || open[-1] != '\\'))
      mote_cli_warn("\"{{\" is not followed by \"}}\" in \"%s\"", arg);
    if(!close)
      break;
    rc = expand_next(&arg, open, close, &all);
  }
  if(!rc && !variable_append(&all, arg, strlen(arg)))
    rc = PARAM_NO_MEMORY;
  *out = rc ? NULL : mote_cli_keep(all.len + 1);
  if(!rc && !*out)
    rc = PARAM_NO_MEMORY;
  if(!rc)
    memcpy(*out, all.text, all.len);
  mote_cli_free(all.text);
  return rc;
}
