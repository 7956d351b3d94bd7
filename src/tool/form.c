/* --form and --form-string: a multipart body, which the library makes.
 *
 * An argument is name=text, name=@file (sent as a file) or name=<file (sent as text), and may be followed by
 * ;type= ;filename= ;encoder=. Nested parts ("=(") are not supported. */
#include "tool/files.h"
#include "tool/memory.h"
#include "tool/messages.h"
#include "tool/options.h"
#include "tool/transfer.h"

#include <string.h>
#include <strings.h>

/* A word up to ';', perhaps in quotes, which is unquoted in place. *next: what follows it. */
static char *word(char *p, char **next)
{
  char *to = p, *start = p;
  if(*p == '"') {
    start = to = ++p;
    while(*p && *p != '"') {
      if(*p == '\\' && (p[1] == '"' || p[1] == '\\'))
        p++;
      *to++ = *p++;
    }
    if(*p)
      p++;
    while(*p && *p != ';')
      p++;
  }
  else {
    while(*p && *p != ';')
      p++;
    to = p;
  }
  *next = p;
  if(*p)
    *next = p + 1;
  *to = 0;
  return start;
}

static CURLcode attributes(curl_mimepart *part, char *p)
{
  CURLcode rc = CURLE_OK;
  while(p && *p && !rc) {
    char *next, *start = p + strspn(p, " ");
    if(!strncasecmp(start, "type=", 5))
      rc = curl_mime_type(part, word(start + 5, &next));
    else if(!strncasecmp(start, "filename=", 9))
      rc = curl_mime_filename(part, word(start + 9, &next));
    else if(!strncasecmp(start, "encoder=", 8))
      rc = curl_mime_encoder(part, word(start + 8, &next));
    else {
      mote_cli_warn("--form: \"%s\" is unknown and skipped", start);
      word(start, &next);
    }
    p = next;
  }
  return rc;
}

static CURLcode content(curl_mimepart *part, char kind, char *value)
{
  char *next, *name;
  bool more;
  CURLcode rc;
  if(kind == '@') {
    size_t len = strlen(value);
    name = word(value, &next);
    more = next < value + len;
    rc = curl_mime_filedata(part, strcmp(name, "-") ? name : "/dev/stdin");
  }
  else if(kind == '<') {
    char *text;
    size_t size, len = strlen(value);
    name = word(value, &next);
    more = next < value + len;
    rc = mote_cli_read_file(name, &text, &size);
    if(!rc)
      rc = curl_mime_data(part, text, size);
  }
  else {
    size_t len = strlen(value);
    name = word(value, &next);
    more = next < value + len;
    rc = curl_mime_data(part, name, CURL_ZERO_TERMINATED);
  }
  return rc || !more ? rc : attributes(part, next);
}

static CURLcode one_field(curl_mime *mime, const struct value *v)
{
  curl_mimepart *part = curl_mime_addpart(mime);
  char *name = part ? mote_cli_strdup(v->u.node.data) : NULL;
  char *value = name ? strchr(name, '=') : NULL;
  CURLcode rc;
  if(!name)
    return CURLE_OUT_OF_MEMORY;
  if(!value) {
    mote_cli_help("--form: \"%s\" has no \"=\"", name);
    mote_cli_free(name);
    return CURLE_BAD_FUNCTION_ARGUMENT;
  }
  *value++ = 0;
  rc = curl_mime_name(part, name);
  if(!rc && v->literal)
    rc = curl_mime_data(part, value, CURL_ZERO_TERMINATED);
  else if(!rc)
    rc = content(part, *value, *value == '@' || *value == '<' ? value + 1 : value);
  mote_cli_free(name);
  return rc;
}

CURLcode mote_cli_form(struct transfer *t)
{
  CURLcode rc = CURLE_OK;
  if(!t->mime) {
    t->mime = curl_mime_init(t->handle);
    if(!t->mime)
      return CURLE_NOT_BUILT_IN;
    for(unsigned i = 0; i < t->op->count && !rc; i++)
      if(t->op->values[i].target == SLOT_FORM)
        rc = one_field(t->mime, &t->op->values[i]);
  }
  if(!rc && mote_cli_op_flag(t->op, FLAG_FORM_ESCAPE))
    rc = curl_easy_setopt(t->handle, CURLOPT_MIME_OPTIONS, CURLMIMEOPT_FORMESCAPE);
  return rc ? rc : curl_easy_setopt(t->handle, CURLOPT_MIMEPOST, t->mime);
}
