/* options.c: every easy option by its name, every getinfo by its name. */
#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *kept[8 * MAX_OBJECTS];
static int nkept;
static struct curl_slist *lists[8 * MAX_OBJECTS];
static int nlists;
static CURLU *urls[MAX_OBJECTS];
static int nurls;

void keep(void *p)
{
  if(nkept == sizeof kept / sizeof *kept)
    abort();
  kept[nkept++] = p;
}

void *keep_copy(const void *p, size_t n)
{
  char *c = malloc(n + 1);
  memcpy(c, p, n);
  c[n] = 0;
  keep(c);
  return c;
}

void keep_list(struct curl_slist *l)
{
  if(nlists == sizeof lists / sizeof *lists)
    abort();
  lists[nlists++] = l;
}

void kept_free(void)
{
  while(nkept)
    free(kept[--nkept]);
  while(nlists)
    curl_slist_free_all(lists[--nlists]);
  while(nurls)
    curl_url_cleanup(urls[--nurls]);
}

struct curl_slist *list_of(struct field *f, int n)
{
  struct curl_slist *l = NULL;
  for(int i = 0; i < n; i++) {
    struct curl_slist *longer = curl_slist_append(l, f[i].bytes);
    if(!longer) {
      curl_slist_free_all(l);
      return NULL;
    }
    l = longer;
  }
  keep_list(l);
  return l;
}

static CURLcode set_list(struct handle *h, CURLoption id, struct field *f, int n)
{
  struct curl_slist *l = list_of(f + 3, n - 3);
  return l ? curl_easy_setopt(h->easy, id, l) : CURLE_OUT_OF_MEMORY;
}

/* VALUE is the path of a file; a further field "nocopy" leaves the bytes ours */
static CURLcode set_blob(struct handle *h, CURLoption id, struct field *f, int n)
{
  struct curl_blob blob;
  FILE *in = fopen(f[3].bytes, "rb");
  char *bytes = malloc(1 << 20);
  CURLcode rc;
  blob.data = bytes;
  blob.len = in ? fread(bytes, 1, 1 << 20, in) : 0;
  if(in)
    fclose(in);
  blob.flags = n > 4 ? CURL_BLOB_NOCOPY : CURL_BLOB_COPY;
  rc = curl_easy_setopt(h->easy, id, &blob);
  if(n > 4)
    keep(bytes);
  else {
    memset(bytes, '?', blob.len);
    free(bytes);
  }
  return rc;
}

/* A CURLU of fields "part=value", set in that order, with spaces allowed */
static CURLcode set_url_object(struct handle *h, struct field *f, int n)
{
  static const char *const names[] = {
    "url", "scheme", "user", "password", "options", "host", "port", "path", "query", "fragment", "zoneid"
  };
  CURLU *u = curl_url();
  if(!u || nurls == MAX_OBJECTS) {
    curl_url_cleanup(u);
    return CURLE_OUT_OF_MEMORY;
  }
  urls[nurls++] = u;
  for(int i = 3; i < n; i++) {
    char *value = strchr(f[i].bytes, '=');
    unsigned part;
    if(!value)
      return CURLE_BAD_FUNCTION_ARGUMENT;
    *value++ = 0;
    for(part = 0; part < sizeof names / sizeof *names && strcmp(names[part], f[i].bytes); part++)
      ;
    if(curl_url_set(u, (CURLUPart)part, value, CURLU_ALLOW_SPACE))
      return CURLE_URL_MALFORMAT;
  }
  return curl_easy_setopt(h->easy, CURLOPT_CURLU, u);
}

static CURLcode set_object(struct handle *h, CURLoption id, struct field *f, int n)
{
  if(id == CURLOPT_CURLU)
    return set_url_object(h, f, n);
  if(id == CURLOPT_MIMEPOST)
    return curl_easy_setopt(h->easy, id, form_of(f[3].bytes, 0));
  if(id == 10024) /* CURLOPT_HTTPPOST */
    return curl_easy_setopt(h->easy, id, form_of(f[3].bytes, 1));
  if(id == CURLOPT_SHARE)
    return curl_easy_setopt(h->easy, id, share_find(f[3].bytes));
  if(id == CURLOPT_COPYPOSTFIELDS) {
    char *copy = malloc(f[3].len + 1);
    CURLcode rc;
    memcpy(copy, f[3].bytes, f[3].len + 1);
    rc = curl_easy_setopt(h->easy, id, copy);
    memset(copy, '?', f[3].len);
    free(copy);
    return rc;
  }
  return curl_easy_setopt(h->easy, id, keep_copy(f[3].bytes, f[3].len));
}

static CURLcode set_typed(struct handle *h, const struct curl_easyoption *o, struct field *f, int n)
{
  switch(o->type) {
  case CURLOT_LONG:
  case CURLOT_VALUES:
    /* bit 31, CURLAUTH_ONLY, is the sign of a long of 32 bits: strtol() would give all bits but that */
    return curl_easy_setopt(h->easy, o->id, (long)strtoll(f[3].bytes, NULL, 0));
  case CURLOT_OFF_T:
    return curl_easy_setopt(h->easy, o->id, (curl_off_t)strtoll(f[3].bytes, NULL, 0));
  case CURLOT_STRING: {
    /* the library keeps a copy: ours is spoilt at once */
    char *copy = malloc(f[3].len + 1);
    CURLcode rc;
    memcpy(copy, f[3].bytes, f[3].len + 1);
    rc = curl_easy_setopt(h->easy, o->id, copy);
    memset(copy, '?', f[3].len);
    free(copy);
    return rc;
  }
  case CURLOT_SLIST:
    return set_list(h, o->id, f, n);
  case CURLOT_BLOB:
    return set_blob(h, o->id, f, n);
  case CURLOT_OBJECT:
    return set_object(h, o->id, f, n);
  default:
    return CURLE_BAD_FUNCTION_ARGUMENT;
  }
}

/* f[2] is the option's name without CURLOPT_, f[3] … its value; no value: NULL */
CURLcode option_set(struct handle *h, struct field *f, int n)
{
  const struct curl_easyoption *o;
  if(f[2].bytes[0] == '#')
    return curl_easy_setopt(h->easy, (CURLoption)atoi(f[2].bytes + 1), (long)strtoll(f[3].bytes, NULL, 0));
  o = curl_easy_option_by_name(f[2].bytes);
  if(!o)
    return CURLE_UNKNOWN_OPTION;
  if(n < 4)
    return curl_easy_setopt(h->easy, o->id, NULL);
  return set_typed(h, o, f, n);
}

static const struct {
  const char *name;
  int id; /* newer ones by number: the headers may be old */
} infos[] = {
  {"FTP_ENTRY_PATH", CURLINFO_FTP_ENTRY_PATH},
  {"RTSP_SESSION_ID", CURLINFO_RTSP_SESSION_ID}, {"RTSP_CLIENT_CSEQ", CURLINFO_RTSP_CLIENT_CSEQ},
  {"RTSP_SERVER_CSEQ", CURLINFO_RTSP_SERVER_CSEQ}, {"RTSP_CSEQ_RECV", CURLINFO_RTSP_CSEQ_RECV},
  {"EFFECTIVE_URL", CURLINFO_EFFECTIVE_URL}, {"RESPONSE_CODE", CURLINFO_RESPONSE_CODE},
  {"FTP_ENTRY_PATH", CURLINFO_FTP_ENTRY_PATH},
  {"TOTAL_TIME", CURLINFO_TOTAL_TIME}, {"NAMELOOKUP_TIME", CURLINFO_NAMELOOKUP_TIME},
  {"CONNECT_TIME", CURLINFO_CONNECT_TIME}, {"PRETRANSFER_TIME", CURLINFO_PRETRANSFER_TIME},
  {"SIZE_UPLOAD_T", CURLINFO_SIZE_UPLOAD_T}, {"SIZE_DOWNLOAD_T", CURLINFO_SIZE_DOWNLOAD_T},
  {"SPEED_DOWNLOAD_T", CURLINFO_SPEED_DOWNLOAD_T}, {"SPEED_UPLOAD_T", CURLINFO_SPEED_UPLOAD_T},
  {"SIZE_DOWNLOAD", (CURLINFO_DOUBLE + 8)}, {"CONTENT_LENGTH_DOWNLOAD", (CURLINFO_DOUBLE + 15)},
  {"HEADER_SIZE", CURLINFO_HEADER_SIZE}, {"REQUEST_SIZE", CURLINFO_REQUEST_SIZE},
  {"SSL_VERIFYRESULT", CURLINFO_SSL_VERIFYRESULT}, {"FILETIME", CURLINFO_FILETIME},
  {"FILETIME_T", CURLINFO_FILETIME_T}, {"CONTENT_LENGTH_DOWNLOAD_T", CURLINFO_CONTENT_LENGTH_DOWNLOAD_T},
  {"CONTENT_LENGTH_UPLOAD_T", CURLINFO_CONTENT_LENGTH_UPLOAD_T},
  {"STARTTRANSFER_TIME", CURLINFO_STARTTRANSFER_TIME}, {"CONTENT_TYPE", CURLINFO_CONTENT_TYPE},
  {"REDIRECT_TIME", CURLINFO_REDIRECT_TIME}, {"REDIRECT_COUNT", CURLINFO_REDIRECT_COUNT},
  {"HTTPAUTH_AVAIL", CURLINFO_HTTPAUTH_AVAIL},
  {"PROXYAUTH_AVAIL", CURLINFO_PROXYAUTH_AVAIL}, {"OS_ERRNO", CURLINFO_OS_ERRNO},
  {"NUM_CONNECTS", CURLINFO_NUM_CONNECTS}, {"REDIRECT_URL", CURLINFO_REDIRECT_URL},
  {"PRIMARY_IP", CURLINFO_PRIMARY_IP}, {"APPCONNECT_TIME", CURLINFO_APPCONNECT_TIME},
  {"CERTINFO", CURLINFO_CERTINFO}, {"CONDITION_UNMET", CURLINFO_CONDITION_UNMET},
  {"PRIMARY_PORT", CURLINFO_PRIMARY_PORT}, {"LOCAL_IP", CURLINFO_LOCAL_IP},
  {"LOCAL_PORT", CURLINFO_LOCAL_PORT}, {"ACTIVESOCKET", CURLINFO_ACTIVESOCKET},
  {"LASTSOCKET", CURLINFO_LONG + 29}, {"HTTP_VERSION", CURLINFO_HTTP_VERSION},
  {"PROTOCOL", (CURLINFO_LONG + 48)}, {"SCHEME", CURLINFO_SCHEME},
  {"TOTAL_TIME_T", CURLINFO_TOTAL_TIME_T}, {"NAMELOOKUP_TIME_T", CURLINFO_NAMELOOKUP_TIME_T},
  {"CONNECT_TIME_T", CURLINFO_CONNECT_TIME_T}, {"APPCONNECT_TIME_T", CURLINFO_APPCONNECT_TIME_T},
  {"PRETRANSFER_TIME_T", CURLINFO_PRETRANSFER_TIME_T},
  {"STARTTRANSFER_TIME_T", CURLINFO_STARTTRANSFER_TIME_T}, {"REDIRECT_TIME_T", CURLINFO_REDIRECT_TIME_T},
  {"RETRY_AFTER", CURLINFO_RETRY_AFTER}, {"EFFECTIVE_METHOD", CURLINFO_EFFECTIVE_METHOD},
  {"PROXY_ERROR", CURLINFO_PROXY_ERROR}, {"HTTP_CONNECTCODE", CURLINFO_HTTP_CONNECTCODE},
  {"PROXY_SSL_VERIFYRESULT", CURLINFO_PROXY_SSL_VERIFYRESULT},
  {"REFERER", CURLINFO_REFERER}, {"CAINFO", CURLINFO_CAINFO}, {"CAPATH", CURLINFO_CAPATH},
  {"COOKIELIST", CURLINFO_COOKIELIST}, {"SSL_ENGINES", CURLINFO_SSL_ENGINES},
  {"XFER_ID", CURLINFO_OFF_T + 63}, {"CONN_ID", CURLINFO_OFF_T + 64}, {"QUEUE_TIME_T", CURLINFO_OFF_T + 65},
  {"USED_PROXY", CURLINFO_LONG + 66}, {"POSTTRANSFER_TIME_T", CURLINFO_OFF_T + 67},
  {"TLS_SSL_PTR", CURLINFO_TLS_SSL_PTR}, {"TLS_SESSION", (CURLINFO_PTR + 43)},
  {"EARLYDATA_SENT_T", CURLINFO_OFF_T + 68}, {"HTTPAUTH_USED", CURLINFO_LONG + 69},
  {"PROXYAUTH_USED", CURLINFO_LONG + 70}, {"SIZE_DELIVERED", CURLINFO_OFF_T + 71},
  {"BAD", CURLINFO_LONG + 999}
};

static void log_certs(const struct curl_certinfo *ci)
{
  log_num(ci ? ci->num_of_certs : -1);
  for(int i = 0; ci && i < ci->num_of_certs; i++)
    for(struct curl_slist *l = ci->certinfo[i]; l; l = l->next) {
      char text[400];
      snprintf(text, sizeof text, "%d:%s", i, l->data);
      log_text(text);
    }
}

static void log_value(struct handle *h, CURLINFO id)
{
  CURLcode rc;
  char *s = NULL;
  long l = -12345;
  double d = -1;
  curl_off_t o = -12345;
  curl_socket_t fd = -1;
  void *p = NULL;
  int type = (int)id & CURLINFO_TYPEMASK;
  if(type == CURLINFO_STRING)
    rc = curl_easy_getinfo(h->easy, id, &s);
  else if(type == CURLINFO_LONG)
    rc = curl_easy_getinfo(h->easy, id, &l);
  else if(type == CURLINFO_DOUBLE)
    rc = curl_easy_getinfo(h->easy, id, &d);
  else if(type == CURLINFO_OFF_T)
    rc = curl_easy_getinfo(h->easy, id, &o);
  else if(type == CURLINFO_SOCKET)
    rc = curl_easy_getinfo(h->easy, id, &fd);
  else
    rc = curl_easy_getinfo(h->easy, id, &p);
  log_num(rc);
  if(rc)
    return;
  if(type == CURLINFO_STRING)
    log_text(s ? s : "(null)");
  else if(type == CURLINFO_LONG)
    log_num(l);
  else if(type == CURLINFO_DOUBLE) {
    char text[40];
    snprintf(text, sizeof text, "%.6f", d);
    log_text(text);
  }
  else if(type == CURLINFO_OFF_T)
    log_num(o);
  else if(type == CURLINFO_SOCKET)
    log_num(fd);
  else if(id == CURLINFO_CERTINFO)
    log_certs(p);
  else if(id == CURLINFO_TLS_SSL_PTR || (int)id == CURLINFO_PTR + 43) { /* the library; is there one? */
    const struct curl_tlssessioninfo *tls = p;
    log_num(tls->backend);
    log_num(tls->internals != NULL);
  }
  else {
    for(struct curl_slist *i = p; i; i = i->next)
      log_text(i->data);
    curl_slist_free_all(p);
  }
}

void info_log(struct handle *h, const char *name)
{
  for(size_t i = 0; i < sizeof infos / sizeof *infos; i++)
    if(!strcmp(infos[i].name, name)) {
      log_begin("info");
      log_text(h->name);
      log_text(name);
      log_value(h, (CURLINFO)infos[i].id);
      log_end();
      return;
    }
  violation("unknown info", name, 0);
}
