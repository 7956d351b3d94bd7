#include "tool/show/writevars.h"

#include "tool/memory.h"
#include "tool/newer.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool text_value(struct write_value *value, const char *text)
{
  value->kind = VALUE_TEXT;
  value->text = text;
  return text != NULL;
}

static bool number_value(struct write_value *value, curl_off_t n)
{
  value->kind = VALUE_NUMBER;
  value->number = n;
  return true;
}

static bool get_exit(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  (void)t;
  (void)arg;
  return number_value(value, code);
}

static bool get_error(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  (void)arg;
  return code && text_value(value, t->error[0] ? t->error : curl_easy_strerror(code));
}

static bool get_file(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  (void)code;
  (void)arg;
  return text_value(value, t->out_name);
}

static bool get_version(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  static const char *const names[] = { NULL, "1.0", "1.1", "2", "3" };
  long version = 0;
  (void)code;
  (void)arg;
  curl_easy_getinfo(t->handle, CURLINFO_HTTP_VERSION, &version);
  if(version == CURL_HTTP_VERSION_3)
    version = 4;
  return text_value(value, version > 0 && version < 5 && names[version] ? names[version] : "0");
}

/* Trailers and pseudo-headers do not count. */
static bool get_headers(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  struct curl_header *h = NULL;
  curl_off_t n = 0;
  (void)code;
  (void)arg;
  while((h = curl_easy_nextheader(t->handle, CURLH_HEADER, -1, h)) != NULL)
    n++;
  return number_value(value, n);
}

static bool get_retries(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  (void)code;
  (void)arg;
  return number_value(value, t->retry.count);
}

static bool get_url(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  (void)code;
  (void)arg;
  return text_value(value, t->url);
}

static bool writevars_get_number(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  (void)code;
  (void)arg;
  return number_value(value, t->number);
}

/* All lines of all certificates, without the "Cert:" before the PEM text. Returns the length; to may be
 * NULL. */
static size_t cert_lines(const struct curl_certinfo *info, char *to)
{
  size_t len = 0;
  for(int i = 0; i < info->num_of_certs; i++)
    for(const struct curl_slist *line = info->certinfo[i]; line; line = line->next) {
      const char *text = strncmp(line->data, "Cert:", 5) ? line->data : line->data + 5;
      size_t n = strlen(text);
      bool ended = n && text[n - 1] == '\n';
      if(to) {
        memcpy(to + len, text, n);
        if(!ended)
          to[len + n] = '\n';
      }
      len += n + !ended;
    }
  return len;
}

static bool get_certs(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  struct curl_certinfo *info = NULL;
  char *text = NULL;
  (void)code;
  if(curl_easy_getinfo(t->handle, CURLINFO_CERTINFO, &info))
    info = NULL;
  if(arg)
    return number_value(value, info ? info->num_of_certs : 0);
  if(info && info->num_of_certs)
    text = mote_cli_keep(cert_lines(info, NULL) + 2);
  if(text)
    cert_lines(info, text);
  return text_value(value, text ? text : "");
}

static bool get_memory(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  size_t peak, calls;
  (void)t;
  (void)code;
  if(!mote_cli_memory_figures(&peak, &calls))
    return false;
  return number_value(value, (curl_off_t)(arg ? calls : peak));
}

/* A part of the URL of the command line, or with 100 added of the last URL. */
static bool get_url_part(struct transfer *t, CURLcode code, int arg, struct write_value *value)
{
  CURLU *url = curl_url();
  const char *text = t->url;
  char *part = NULL;
  (void)code;
  if(arg >= 100)
    curl_easy_getinfo(t->handle, CURLINFO_EFFECTIVE_URL, &text);
  if(url && text && !curl_url_set(url, CURLUPART_URL, text, CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME))
    curl_url_get(url, (CURLUPart)(arg % 100), &part, CURLU_DEFAULT_PORT);
  curl_url_cleanup(url);
  value->owned = part;
  return text_value(value, part);
}

#define PART(what, part) \
  { .name = "url." what, .get = get_url_part, .arg = (int)(part), .hidden = true }
#define LAST(what, part) \
  { .name = "urle." what, .get = get_url_part, .arg = (int)(part) + 100, .hidden = true }

const struct write_variable mote_cli_variables[] = {
  { .name = "certs", .get = get_certs },
  { .name = "conn_id", .info = CURLINFO_CONN_ID },
  { .name = "content_type", .info = CURLINFO_CONTENT_TYPE },
  { .name = "errormsg", .get = get_error },
  { .name = "exitcode", .get = get_exit },
  { .name = "filename_effective", .get = get_file },
  { .name = "ftp_entry_path", .info = CURLINFO_FTP_ENTRY_PATH },
  { .name = "header_json", .special = SPECIAL_HEADER_JSON },
  { .name = "http_code", .info = CURLINFO_RESPONSE_CODE, .width = 3 },
  { .name = "http_connect", .info = CURLINFO_HTTP_CONNECTCODE, .width = 3 },
  { .name = "http_version", .get = get_version },
  { .name = "json", .special = SPECIAL_JSON },
  { .name = "local_ip", .info = CURLINFO_LOCAL_IP },
  { .name = "local_port", .info = CURLINFO_LOCAL_PORT },
  { .name = "mem_allocs", .get = get_memory, .arg = 1, .hidden = true },
  { .name = "mem_peak", .get = get_memory, .hidden = true },
  { .name = "method", .info = CURLINFO_EFFECTIVE_METHOD },
  { .name = "num_certs", .get = get_certs, .arg = 1 },
  { .name = "num_connects", .info = CURLINFO_NUM_CONNECTS },
  { .name = "num_headers", .get = get_headers },
  { .name = "num_redirects", .info = CURLINFO_REDIRECT_COUNT },
  { .name = "num_retries", .get = get_retries },
  { .name = "onerror", .special = SPECIAL_ONERROR },
  { .name = "proxy_ssl_verify_result", .info = CURLINFO_PROXY_SSL_VERIFYRESULT },
  { .name = "proxy_used", .info = CURLINFO_USED_PROXY },
  { .name = "redirect_url", .info = CURLINFO_REDIRECT_URL },
  { .name = "referer", .info = CURLINFO_REFERER },
  { .name = "remote_ip", .info = CURLINFO_PRIMARY_IP },
  { .name = "remote_port", .info = CURLINFO_PRIMARY_PORT },
  { .name = "response_code", .info = CURLINFO_RESPONSE_CODE, .width = 3 },
  { .name = "scheme", .info = CURLINFO_SCHEME },
  { .name = "size_delivered", .info = CURLINFO_SIZE_DELIVERED },
  { .name = "size_download", .info = CURLINFO_SIZE_DOWNLOAD_T },
  { .name = "size_header", .info = CURLINFO_HEADER_SIZE },
  { .name = "size_request", .info = CURLINFO_REQUEST_SIZE },
  { .name = "size_upload", .info = CURLINFO_SIZE_UPLOAD_T },
  { .name = "speed_download", .info = CURLINFO_SPEED_DOWNLOAD_T },
  { .name = "speed_upload", .info = CURLINFO_SPEED_UPLOAD_T },
  { .name = "ssl_verify_result", .info = CURLINFO_SSL_VERIFYRESULT },
  { .name = "stderr", .special = SPECIAL_STDERR },
  { .name = "stdout", .special = SPECIAL_STDOUT },
  { .name = "time_appconnect", .info = CURLINFO_APPCONNECT_TIME_T, .time = true },
  { .name = "time_connect", .info = CURLINFO_CONNECT_TIME_T, .time = true },
  { .name = "time_namelookup", .info = CURLINFO_NAMELOOKUP_TIME_T, .time = true },
  { .name = "time_posttransfer", .info = CURLINFO_POSTTRANSFER_TIME_T, .time = true },
  { .name = "time_pretransfer", .info = CURLINFO_PRETRANSFER_TIME_T, .time = true },
  { .name = "time_queue", .info = CURLINFO_QUEUE_TIME_T, .time = true },
  { .name = "time_redirect", .info = CURLINFO_REDIRECT_TIME_T, .time = true },
  { .name = "time_starttransfer", .info = CURLINFO_STARTTRANSFER_TIME_T, .time = true },
  { .name = "time_total", .info = CURLINFO_TOTAL_TIME_T, .time = true },
  { .name = "tls_earlydata", .info = CURLINFO_EARLYDATA_SENT_T },
  { .name = "url", .get = get_url },
  PART("fragment", CURLUPART_FRAGMENT),
  PART("host", CURLUPART_HOST),
  PART("options", CURLUPART_OPTIONS),
  PART("password", CURLUPART_PASSWORD),
  PART("path", CURLUPART_PATH),
  PART("port", CURLUPART_PORT),
  PART("query", CURLUPART_QUERY),
  PART("scheme", CURLUPART_SCHEME),
  PART("user", CURLUPART_USER),
  PART("zoneid", CURLUPART_ZONEID),
  { .name = "url_effective", .info = CURLINFO_EFFECTIVE_URL },
  LAST("fragment", CURLUPART_FRAGMENT),
  LAST("host", CURLUPART_HOST),
  LAST("options", CURLUPART_OPTIONS),
  LAST("password", CURLUPART_PASSWORD),
  LAST("path", CURLUPART_PATH),
  LAST("port", CURLUPART_PORT),
  LAST("query", CURLUPART_QUERY),
  LAST("scheme", CURLUPART_SCHEME),
  LAST("user", CURLUPART_USER),
  LAST("zoneid", CURLUPART_ZONEID),
  { .name = "urlnum", .get = writevars_get_number },
  { .name = "xfer_id", .info = CURLINFO_XFER_ID },
};

const int mote_cli_variable_count = (int)(sizeof mote_cli_variables / sizeof mote_cli_variables[0]);

const struct write_variable *mote_cli_variable_find(const char *name, size_t len)
{
  int low = 0, high = mote_cli_variable_count - 1;
  while(low <= high) {
    int middle = (low + high) / 2;
    const struct write_variable *v = &mote_cli_variables[middle];
    int order = strncmp(v->name, name, len);
    if(!order && !v->name[len])
      return v;
    if(order < 0)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return NULL;
}

static bool get_value(struct transfer *t, CURLcode code, const struct write_variable *v,
                           struct write_value *value)
{
  char *text = NULL;
  long number = 0;
  memset(value, 0, sizeof *value);
  if(!v->info)
    return v->get && v->get(t, code, v->arg, value);
  switch((int)v->info & CURLINFO_TYPEMASK) {
  case CURLINFO_STRING:
    return !curl_easy_getinfo(t->handle, v->info, &text) && text_value(value, text);
  case CURLINFO_LONG:
    if(curl_easy_getinfo(t->handle, v->info, &number))
      return false;
    return number_value(value, number);
  default:
    if(curl_easy_getinfo(t->handle, v->info, &value->number))
      return false;
    value->kind = v->time ? VALUE_TIME : VALUE_NUMBER;
    return true;
  }
}

/* ---- values as text and as JSON (RFC 8259) ---- */

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

/* Time in seconds with six decimals, from microseconds. */
static void put_seconds(struct out *o, curl_off_t us)
{
  mote_cli_out_num(o, us / 1000000);
  mote_cli_out_char(o, '.');
  mote_cli_out_pad(o, us % 1000000, 6, '0');
}

void mote_cli_put_variable(struct out *o, struct transfer *t, CURLcode code, const struct write_variable *v,
                           bool json)
{
  struct write_value value;
  if(!get_value(t, code, v, &value)) {
    if(json)
      mote_cli_out_str(o, "null");
    return;
  }
  switch(value.kind) {
  case VALUE_NUMBER:
    mote_cli_out_pad(o, value.number, v->width && !json ? v->width : 0, '0');
    break;
  case VALUE_TIME:
    put_seconds(o, value.number);
    break;
  case VALUE_TEXT:
    if(json)
      mote_cli_put_json(o, value.text, strlen(value.text));
    else
      mote_cli_out_safe(o, value.text, strlen(value.text));
    break;
  }
  curl_free(value.owned);
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

/* ---- %{header_json} ---- */

struct named {
  const char *name;    /* of the library, as value; NULL: it was written with an earlier header */
  const char *value;
};

/* All headers of the last response, in their order. The walk is done once, since each of its steps costs
 * the library a look at all headers. NULL: there are none, or out of memory. */
static struct named *writevars_collect(struct transfer *t, size_t *count)
{
  struct named *list = NULL;
  struct curl_header *h = NULL;
  size_t n = 0, room = 0;
  while((h = curl_easy_nextheader(t->handle, CURLH_HEADER, -1, h)) != NULL) {
    if(n == room) {
      struct named *more = mote_cli_realloc(list, (room = room ? room * 2 : 16) * sizeof *list);
      if(!more)
        break;
      list = more;
    }
    list[n++] = (struct named){ h->name, h->value };
  }
  if(h)
    n = 0; /* a part of the headers would look like all of them */
  *count = n;
  return list;
}

/* The values of all headers of this name, which is that of the first one. */
static void put_values(struct out *o, struct named *list, size_t count)
{
  const char *name = list->name;
  for(size_t i = 0; i < count; i++)
    if(list[i].name && !strcasecmp(list[i].name, name)) {
      if(i)
        mote_cli_out_char(o, ',');
      mote_cli_put_json(o, list[i].value, strlen(list[i].value));
      list[i].name = NULL;
    }
}

/* Each name is written once, where it comes first, with the values of all headers of that name. */
void mote_cli_put_headers_json(struct out *o, struct transfer *t)
{
  size_t count;
  struct named *list = writevars_collect(t, &count);
  bool first = true;
  mote_cli_out_char(o, '{');
  for(size_t i = 0; i < count; i++) {
    if(!list[i].name)
      continue;
    if(!first)
      mote_cli_out_str(o, ",\n");
    first = false;
    put_escaped(o, list[i].name, strlen(list[i].name), true);
    mote_cli_out_str(o, ":[");
    put_values(o, list + i, count - i);
    mote_cli_out_char(o, ']');
  }
  mote_cli_out_str(o, "\n}");
  mote_cli_free(list);
}
