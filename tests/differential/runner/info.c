/* info.c: what curl_easy_getinfo() says. What depends on the clock is printed as zero or not; ports of ours
 * not at all. */
#include "runner.h"
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int id;
} infos[] = {
#include "info_rows.inc"
};

/* After each transfer these are left out: they name memory or the machine, or count in another way in each
 * library. */
static int quiet(const char *name)
{
  static const char *const words[] = {
    "TLS_SESSION", "TLS_SSL_PTR", "SSL_ENGINES", "CERTINFO", "PRIVATE", "CAINFO", "CAPATH", "LASTSOCKET",
    "ACTIVESOCKET", "LOCAL_PORT", "SPEED_DOWNLOAD", "SPEED_UPLOAD", "SPEED_DOWNLOAD_T", "SPEED_UPLOAD_T",
    "CONN_ID", "XFER_ID"};
  for(size_t i = 0; i < sizeof words / sizeof *words; i++)
    if(!strcmp(words[i], name))
      return 1;
  return strstr(name, "_TIME") != NULL && !strstr(name, "FILETIME");
}

const char *info_name(int id)
{
  for(size_t i = 0; i < sizeof infos / sizeof *infos; i++)
    if(infos[i].id == id)
      return infos[i].name;
  return NULL;
}

static CURLcode number_of(CURL *easy, int id, long long *value)
{
  CURLcode rc;
  long l = -12345;
  curl_off_t o = -12345;
  double d = -12345;
  curl_socket_t s = -12345;
  int type = id & CURLINFO_TYPEMASK;
  *value = -12345;
  if(type == CURLINFO_LONG) {
    rc = curl_easy_getinfo(easy, (CURLINFO)id, &l);
    *value = l;
  }
  else if(type == CURLINFO_OFF_T) {
    rc = curl_easy_getinfo(easy, (CURLINFO)id, &o);
    *value = o;
  }
  else if(type == CURLINFO_DOUBLE) {
    rc = curl_easy_getinfo(easy, (CURLINFO)id, &d);
    *value = (long long)d;
  }
  else {
    rc = curl_easy_getinfo(easy, (CURLINFO)id, &s);
    *value = s;
  }
  return rc;
}

static CURLcode text_of(CURL *easy, int id)
{
  char *text = NULL;
  CURLcode rc = curl_easy_getinfo(easy, (CURLINFO)id, &text);
  log_number(rc);
  log_text(text);
  return rc;
}

static void pointer_of(CURL *easy, int id)
{
  struct curl_slist *list = NULL;
  CURLcode rc = curl_easy_getinfo(easy, (CURLINFO)id, &list);
  log_number(rc);
  if(id != CURLINFO_COOKIELIST)
    return;
  for(struct curl_slist *i = list; i; i = i->next)
    log_text(i->data);
  curl_slist_free_all(list);
}

static void log_one(struct handle *h, const char *name, int id)
{
  int type = id & CURLINFO_TYPEMASK;
  long long value;
  CURLcode rc;
  log_begin("info");
  log_number(h->number);
  log_text(name);
  if(type == CURLINFO_STRING)
    text_of(h->easy, id);
  else if(type == CURLINFO_SLIST)
    pointer_of(h->easy, id);
  else {
    rc = number_of(h->easy, id, &value);
    log_number(rc);
    log_number(value);
  }
  log_end();
}

void info_log(struct handle *h, int id)
{
  char text[24];
  const char *name = info_name(id);
  snprintf(text, sizeof text, "%#x", (unsigned int)id);
  log_one(h, name ? name : text, id);
}

void infos_log(struct handle *h)
{
  for(size_t i = 0; i < sizeof infos / sizeof *infos; i++)
    if(!quiet(infos[i].name))
      log_one(h, infos[i].name, infos[i].id);
}
