#include "tool/writejson.h"

#include "tool/writevars.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static void put_escaped(struct out *o, const char *text, size_t len, bool lower)
{
  static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  mote_cli_out_char(o, '"');
  for(size_t i = 0; i < len; i++) {
    char c = lower ? (char)tolower((unsigned char)text[i]) : text[i];
    const char *special = c ? strchr(from, c) : NULL;
    if(special) {
      mote_cli_out_char(o, '\\');
      mote_cli_out_char(o, to[special - from]);
    }
    else if((unsigned char)c < 0x20) {
      mote_cli_out_str(o, "\\u");
      mote_cli_out_hex(o, (unsigned char)c, 4);
    }
    else if((unsigned char)c < 0x7f)
      mote_cli_out_char(o, c);
    else {
      size_t end = i + 1;
      while(end < len && (unsigned char)text[end] >= 0x7f)
        end++;
      mote_cli_out_safe(o, text + i, end - i);
      i = end - 1;
    }
  }
  mote_cli_out_char(o, '"');
}

void mote_cli_put_json(struct out *o, const char *text, size_t len)
{
  put_escaped(o, text, len, false);
}

void mote_cli_put_all_json(struct out *o, struct transfer *t, CURLcode code)
{
  mote_cli_out_char(o, '{');
  for(int i = 0; i < mote_cli_variable_count; i++) {
    const struct write_variable *v = &mote_cli_variables[i];
    if(v->special || v->hidden)
      continue;
    mote_cli_put_json(o, v->name, strlen(v->name));
    mote_cli_out_char(o, ':');
    mote_cli_put_variable(o, t, code, v, true);
    mote_cli_out_char(o, ',');
  }
  mote_cli_out_str(o, "\"curl_version\":");
  mote_cli_put_json(o, curl_version(), strlen(curl_version()));
  mote_cli_out_char(o, '}');
}

static struct curl_header *next(struct transfer *t, struct curl_header *h)
{
  return curl_easy_nextheader(t->handle, CURLH_HEADER, -1, h);
}

/* The values of all headers of this name. */
static void put_values(struct out *o, struct transfer *t, const char *name)
{
  bool first = true;
  for(struct curl_header *h = next(t, NULL); h; h = next(t, h))
    if(!strcasecmp(h->name, name)) {
      if(!first)
        mote_cli_out_char(o, ',');
      mote_cli_put_json(o, h->value, strlen(h->value));
      first = false;
    }
}

/* Written once for each name, where it comes first, with the values of the others of that name. A handle
 * remembers one place in the walk only: it begins anew for every header. */
void mote_cli_put_headers_json(struct out *o, struct transfer *t)
{
  bool first = true;
  mote_cli_out_char(o, '{');
  for(size_t at = 0;; at++) {
    struct curl_header *h = next(t, NULL);
    const char *name;
    for(size_t i = 0; h && i < at; i++)
      h = next(t, h);
    if(!h)
      break;
    if(h->index)
      continue;
    if(!first)
      mote_cli_out_str(o, ",\n");
    first = false;
    name = h->name;
    put_escaped(o, name, strlen(name), true);
    mote_cli_out_str(o, ":[");
    put_values(o, t, name);
    mote_cli_out_char(o, ']');
  }
  mote_cli_out_str(o, "\n}");
}
