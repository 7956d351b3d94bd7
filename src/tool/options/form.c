/* --form and --form-string: a multipart body, which the library makes.
 *
 * An argument is name=text, name=@file,file (sent as files), name=<file (sent as text), name=( and =) around
 * the parts of a multipart; attributes ;type= ;filename= ;encoder= ;headers= may follow each. Words may stand
 * in quotes. What is not said in the manual page is as curl 7.88 was seen to do it. */
#include "tool/c_program.h"
#include "tool/memory.h"
#include "tool/options/options.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/files.h"
#include "tool/transfers/transfer.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#define BLANKS " \t\n\v\f\r"
#define FORM_DEPTH 32 /* multiparts inside each other: the library's limit */

enum { /* attributes that a part may have besides a type and header lines */
  MAY_NAME = 1,
  MAY_ENCODE = 2
};

struct building {
  struct transfer *t;
  const struct value *value;     /* the argument that is read */
  struct tool_mime open[FORM_DEPTH]; /* the form, and the multiparts that "=)" has not ended yet */
  unsigned depth;                /* of these, without the form itself */
};

/* ---- words ---- */

/* Where the argument is read. */
struct cursor {
  char *at;
  const char *ends; /* characters that end a word */
  char end;         /* the one that ended the last word; 0: the end of the argument */
};

/* Returns the quote that ends the text, or NULL. */
static char *closing_quote(char *p)
{
  while(*p && *p != '"')
    p += *p == '\\' && (p[1] == '"' || p[1] == '\\') ? 2 : 1;
  return *p ? p : NULL;
}

static void unescape(char *text, const char *end)
{
  char *to = text;
  while(text < end) {
    if(*text == '\\' && (text[1] == '"' || text[1] == '\\'))
      text++;
    *to++ = *text++;
  }
  *to = 0;
}

/* Moves past the word whose text ends at `stop`, where a NUL is put. */
static void form_finish(struct cursor *c, char *stop, char *rest)
{
  c->end = *rest;
  c->at = *rest ? rest + 1 : rest;
  *stop = 0;
}

static char *trimmed(const char *start, char *stop)
{
  while(stop > start && strchr(BLANKS, stop[-1]))
    stop--;
  return stop;
}

/* Returns the next word, in place, without quotes or blanks around it. */
static char *form_word(struct cursor *c)
{
  char *start = c->at + strspn(c->at, BLANKS);
  char *quote = *start == '"' ? closing_quote(start + 1) : NULL;
  char *rest = quote ? quote + 1 : start;
  size_t more = strcspn(rest, c->ends);
  if(!quote) {
    rest += more;
    form_finish(c, trimmed(start, rest), rest);
    return start;
  }
  if(strspn(rest, BLANKS) < more)
    mote_cli_warn("--form: text after a closing quote is skipped");
  unescape(start + 1, quote);
  form_finish(c, quote, rest + more);
  return start + 1;
}

static const char *const attributes[] = { "filename=", "encoder=", "headers=", "type=" };

#define IN_A_TYPE 3 /* of them, the first ones end a type; "type=" is taken for its parameter */

/* Returns the length of the attribute's name that the text begins with, or 0. */
static size_t attribute(const char *p, int most)
{
  for(int i = 0; i < most; i++)
    if(!strncasecmp(p, attributes[i], strlen(attributes[i])))
      return strlen(attributes[i]);
  return 0;
}

/* A type has parameters after semicolons. It is not checked, as with curl 8.23. */
static char *type_word(struct cursor *c)
{
  char *start = c->at + strspn(c->at, BLANKS), *rest = start;
  for(;;) {
    rest += strcspn(rest, c->ends);
    if(*rest != ';' || attribute(rest + 1 + strspn(rest + 1, BLANKS), IN_A_TYPE))
      break;
    rest++;
  }
  form_finish(c, trimmed(start, rest), rest);
  return start;
}

/* Reports whether there is another file after the first one. */
static bool is_list(char *p)
{
  for(;;) {
    char *quote;
    p += strspn(p, BLANKS);
    quote = *p == '"' ? closing_quote(p + 1) : NULL;
    p = quote ? quote + 1 : p;
    p += strcspn(p, ",;");
    if(*p != ';')
      return *p == ',';
    p += 1 + strspn(p + 1, BLANKS);
    p += attribute(p, IN_A_TYPE);
    if(*p == '@' || *p == '<')
      p++;
  }
}

/* ---- header lines ---- */

static CURLcode form_append(struct curl_slist **list, const char *line)
{
  struct curl_slist *more = curl_slist_append(*list, line);
  if(!more)
    return CURLE_OUT_OF_MEMORY;
  *list = more;
  return CURLE_OK;
}

/* Makes one line of the next header and its folded lines. Returns where it ends. */
static char *form_unfold(char *p, char *end, char *to)
{
  do {
    for(; p < end && *p != '\n'; p++)
      if(*p != '\r' && *p)
        *to++ = *p;
    p += p < end;
  } while(p < end && (*p == ' ' || *p == '\t'));
  *to = 0;
  return p;
}

static CURLcode form_headers_from_file(struct curl_slist **list, const char *path)
{
  char *text, *p;
  size_t len;
  CURLcode rc = mote_cli_read_file(path, &text, &len);
  if(rc == CURLE_READ_ERROR) {
    mote_cli_warn("--form: cannot read %s: %s", path, strerror(errno));
    return CURLE_OK;
  }
  for(p = text; !rc && p < text + len;) {
    char *line = p;
    if(*p == '#') {
      p += strcspn(p, "\n");
      p += p < text + len;
      continue;
    }
    p = form_unfold(p, text + len, line);
    *trimmed(line, line + strlen(line)) = 0;
    if(*line)
      rc = form_append(list, line);
  }
  return rc;
}

static CURLcode header_lines(struct curl_slist **list, struct cursor *c)
{
  if(*c->at != '@' && *c->at != '<')
    return form_append(list, form_word(c));
  c->at++;
  return form_headers_from_file(list, form_word(c));
}

/* ---- parts ---- */

static CURLcode misused(const struct building *b, const char *why)
{
  mote_cli_help("--form: \"%s\" %s", b->value->u.node.data, why);
  mote_cli_try_help();
  return CURLE_FAILED_INIT;
}

static CURLcode set_encoder(const struct building *b, curl_mimepart *part, const char *name)
{
  CURLcode rc = mote_cli_mime_text(part, MIME_ENCODER, name);
  if(rc == CURLE_BAD_FUNCTION_ARGUMENT)
    mote_cli_help("--form: \"%s\" has an encoding that is unknown: %s", b->value->u.node.data, name);
  return rc;
}

static CURLcode one_attribute(const struct building *b, curl_mimepart *part, int may, struct cursor *c,
                              struct curl_slist **headers)
{
  const char *p = c->at += strspn(c->at, BLANKS);
  const char *text;
  size_t len = attribute(p, IN_A_TYPE + 1);
  c->at += len;
  if(len && (*p == 't' || *p == 'T'))
    return mote_cli_mime_text(part, MIME_TYPE, type_word(c));
  if(len && (*p == 'h' || *p == 'H'))
    return header_lines(headers, c);
  text = form_word(c);
  if(len && (*p == 'f' || *p == 'F') && may & MAY_NAME)
    return mote_cli_mime_text(part, MIME_FILENAME, text);
  if(len && (*p == 'e' || *p == 'E') && may & MAY_ENCODE)
    return set_encoder(b, part, text);
  if(len)
    mote_cli_warn("--form: %.*s is not allowed here and is skipped", (int)len - 1, p);
  else if(*text)
    mote_cli_warn("--form: \"%s\" is unknown and is skipped", text);
  return CURLE_OK;
}

/* Reads what follows the content of a part. */
static CURLcode form_set_attributes(const struct building *b, curl_mimepart *part, int may, struct cursor *c)
{
  struct curl_slist *headers = NULL;
  CURLcode rc = CURLE_OK;
  while(c->end == ';' && !rc)
    rc = one_attribute(b, part, may, c, &headers);
  if(!rc && headers)
    rc = mote_cli_mime_headers(part, headers);
  if(rc)
    curl_slist_free_all(headers);
  return rc;
}

/* ---- standard input ---- */

/* The first argument that names standard input has all of it, in each transfer. A file is read when it is
 * sent, anything else is kept, so that it can be sent again. */
static struct {
  const struct value *owner; /* NULL: it was not read yet */
  char *bytes;               /* kept; NULL: it is a file */
  size_t len;                /* bytes */
} input;

struct input_file {
  curl_off_t start; /* where the content begins */
  curl_off_t at;    /* bytes of it that were read */
};

static size_t read_input(char *to, size_t size, size_t count, void *arg)
{
  struct input_file *f = arg;
  ssize_t n;
  do
    n = mote_cli_system_read_at(0, to, size * count, f->start + f->at);
  while(n < 0 && errno == EINTR);
  if(n < 0)
    return CURL_READFUNC_ABORT;
  f->at += n;
  return (size_t)n;
}

static int seek_input(void *arg, curl_off_t offset, int origin)
{
  struct input_file *f = arg;
  if(origin != SEEK_SET)
    return CURL_SEEKFUNC_CANTSEEK;
  f->at = offset;
  return CURL_SEEKFUNC_OK;
}

static CURLcode input_content(const struct building *b, curl_mimepart *part)
{
  struct stat st;
  curl_off_t start = mote_cli_system_seek(0, 0, SEEK_CUR);
  bool is_file = start >= 0 && !fstat(0, &st) && S_ISREG(st.st_mode);
  CURLcode rc = CURLE_OK;
  if(!input.owner) {
    input.owner = b->value;
    if(!is_file)
      rc = mote_cli_read_file("-", &input.bytes, &input.len);
  }
  if(rc == CURLE_READ_ERROR)
    b->t->trouble = (struct trouble){ "read", "-", mote_cli.unread_error };
  if(rc)
    return rc;
  if(input.owner != b->value)
    return mote_cli_mime_data(part, "", 0);
  if(is_file) {
    struct input_file *f = mote_cli_keep(sizeof *f);
    if(!f)
      return CURLE_OUT_OF_MEMORY;
    f->start = start;
    mote_cli_mime_note(MIME_FILEDATA, "/dev/stdin");
    mote_cli_mime_note(MIME_FILENAME, NULL);
    return curl_mime_data_cb(part, st.st_size > start ? st.st_size - start : 0, read_input, seek_input, NULL,
                             f);
  }
  return mote_cli_mime_data(part, input.bytes, input.len);
}

/* ---- content ---- */

/* The part has the file's name if it is an upload. */
static CURLcode form_file_content(const struct building *b, curl_mimepart *part, const char *path,
                                  bool upload)
{
  CURLcode rc;
  if(!strcmp(path, "-")) {
    rc = input_content(b, part);
    return rc || !upload ? rc : mote_cli_mime_text(part, MIME_FILENAME, path);
  }
  errno = 0;
  rc = mote_cli_mime_text(part, MIME_FILEDATA, path);
  if(rc == CURLE_READ_ERROR) {
    int error = errno;
    char *copy = mote_cli_keep(strlen(path) + 1);
    if(copy)
      b->t->trouble = (struct trouble){ "read", strcpy(copy, path), error ? error : ENOENT };
  }
  return rc || upload ? rc : mote_cli_mime_text(part, MIME_FILENAME, NULL);
}

static CURLcode one_file(const struct building *b, curl_mimepart *part, struct cursor *c)
{
  CURLcode rc = part ? form_file_content(b, part, form_word(c), true) : CURLE_OUT_OF_MEMORY;
  return rc ? rc : form_set_attributes(b, part, MAY_NAME | MAY_ENCODE, c);
}

/* Several files of a name are a multipart. */
static CURLcode form_files(const struct building *b, curl_mimepart *part, struct cursor *c)
{
  struct tool_mime several;
  CURLcode rc;
  c->ends = ";,";
  if(!is_list(c->at))
    return one_file(b, part, c);
  rc = mote_cli_mime_init(b->t, &several);
  if(rc)
    return rc;
  rc = mote_cli_mime_subparts(part, &several);
  if(rc)
    curl_mime_free(several.mime);
  do {
    if(!rc)
      rc = one_file(b, mote_cli_mime_addpart(&several), c);
  } while(!rc && c->end == ',');
  return rc;
}

static CURLcode open_multipart(struct building *b, curl_mimepart *part, struct cursor *c)
{
  struct tool_mime inner;
  CURLcode rc;
  if(b->depth + 1 == FORM_DEPTH)
    return misused(b, "is inside too many multiparts");
  rc = mote_cli_mime_init(b->t, &inner);
  if(rc)
    return rc;
  rc = mote_cli_mime_subparts(part, &inner);
  if(rc) {
    curl_mime_free(inner.mime);
    return rc;
  }
  b->open[++b->depth] = inner;
  (void)form_word(c);
  return form_set_attributes(b, part, 0, c);
}

static CURLcode form_content(struct building *b, curl_mimepart *part, char *text)
{
  struct cursor c = { text, ";", 0 };
  CURLcode rc;
  if(*text == '@' || *text == '<' || *text == '(')
    c.at++;
  if(*text == '@')
    return form_files(b, part, &c);
  if(*text == '(')
    return open_multipart(b, part, &c);
  if(*text == '<') {
    rc = form_file_content(b, part, form_word(&c), false);
    return rc ? rc : form_set_attributes(b, part, MAY_ENCODE, &c);
  }
  text = form_word(&c);
  rc = mote_cli_mime_data(part, text, strlen(text));
  return rc ? rc : form_set_attributes(b, part, MAY_NAME | MAY_ENCODE, &c);
}

/* ---- arguments ---- */

static CURLcode form_one_part(struct building *b, char *name, char *text)
{
  curl_mimepart *part = mote_cli_mime_addpart(&b->open[b->depth]);
  CURLcode rc = part ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  if(!rc && *name)
    rc = mote_cli_mime_text(part, MIME_NAME, name);
  if(rc)
    return rc;
  return b->value->literal ? mote_cli_mime_data(part, text, strlen(text)) : form_content(b, part, text);
}

static CURLcode one_argument(struct building *b)
{
  char *name = mote_cli_strdup(b->value->u.node.data);
  char *text = name ? strchr(name, '=') : NULL;
  CURLcode rc;
  if(!text) /* the parser has refused an argument without "=" */
    return CURLE_OUT_OF_MEMORY;
  if(!strcmp(name, "=)") && !b->value->literal) {
    rc = b->depth ? CURLE_OK : misused(b, "ends a multipart, but none is open");
    b->depth -= b->depth != 0;
  }
  else {
    *text = 0;
    rc = form_one_part(b, name, text + 1);
  }
  mote_cli_free(name);
  return rc;
}

CURLcode mote_cli_form(struct transfer *t)
{
  struct building b = { .t = t };
  CURLcode rc = CURLE_OK;
  if(!t->mime) {
    rc = mote_cli_mime_init(t, &b.open[0]);
    if(rc)
      return rc;
    t->mime = b.open[0].mime;
    for(unsigned i = 0; i < t->op->count && !rc; i++) {
      b.value = &t->op->values[i];
      if(b.value->target == SLOT_FORM)
        rc = one_argument(&b);
    }
  }
  if(!rc && mote_cli_op_flag(t->op, FLAG_FORM_ESCAPE))
    rc = mote_cli_set_long(t, CURLOPT_MIME_OPTIONS, CURLMIMEOPT_FORMESCAPE);
  return rc ? rc : mote_cli_mime_post(t);
}
