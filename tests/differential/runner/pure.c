/* pure.c: the verbs for functions that need no transfer: URL API, printf, dates, escapes, lists, texts. */
#include "runner.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CURLU *urls[2];

CURLU *url_of(const struct field *f)
{
  int i = (int)field_number(f) & 1;
  if(!urls[i])
    urls[i] = curl_url();
  return urls[i];
}

void urls_free(void)
{
  for(int i = 0; i < 2; i++) {
    curl_url_cleanup(urls[i]);
    urls[i] = NULL;
  }
}

static void url_set(struct field *f, int n)
{
  unsigned int flags = (unsigned int)field_number(&f[3]);
  CURLUcode rc = curl_url_set(url_of(&f[1]), (CURLUPart)field_number(&f[2]), n > 4 ? f[4].at : NULL, flags);
  log_line("uset", rc, f[2].at);
}

static void url_get(struct field *f)
{
  char *text = NULL;
  unsigned int flags = (unsigned int)field_number(&f[3]);
  CURLUcode rc = curl_url_get(url_of(&f[1]), (CURLUPart)field_number(&f[2]), &text, flags);
  log_begin("uget");
  log_text(f[2].at);
  log_number(rc);
  log_text(text);
  log_end();
  curl_free(text);
}

/* Every part, without flags. */
static void url_parts(struct field *f)
{
  for(int part = CURLUPART_URL; part <= CURLUPART_ZONEID; part++) {
    char *text = NULL;
    CURLUcode rc = curl_url_get(url_of(&f[1]), (CURLUPart)part, &text, 0);
    log_begin("part");
    log_number(part);
    log_number(rc);
    log_text(text);
    log_end();
    curl_free(text);
  }
}

static void url_copy(struct field *f)
{
  int i = (int)field_number(&f[1]) & 1;
  CURLU *copy = curl_url_dup(url_of(&f[1]));
  log_line("udup", copy ? 0 : 1, "");
  curl_url_cleanup(urls[i]);
  urls[i] = copy;
}

int verb_url(struct field *f, int n)
{
  const char *verb = f[0].at;
  if(!strcmp(verb, "uset") && n > 3)
    url_set(f, n);
  else if(!strcmp(verb, "uget") && n > 3)
    url_get(f);
  else if(!strcmp(verb, "uparts") && n > 1)
    url_parts(f);
  else if(!strcmp(verb, "udup") && n > 1)
    url_copy(f);
  else
    return 0;
  return 1;
}

/* ---- printf ---- */

/* A list of arguments made by hand (System V ABI of x86-64): all of them are in memory, eight bytes each. */
static int print_slots(char *to, size_t room, const char *format, void *slots)
{
  va_list list;
  list->gp_offset = 48;
  list->fp_offset = 176;
  list->overflow_arg_area = slots;
  list->reg_save_area = NULL;
  return curl_mvsnprintf(to, room, format, list);
}

/* printf ROOM FORMAT ARGUMENT…: iNUMBER, dDOUBLE, sTEXT, 0 (NULL), c (where %n writes). */
static void print(struct field *f, int n)
{
  union {
    long long i;
    double d;
    const char *s;
    void *p;
  } slots[FIELDS];
  char text[2000];
  long long count = -1;
  size_t room = (size_t)field_number(&f[1]);
  int rc;
  memset(slots, 0, sizeof slots);
  for(int i = 3; i < n; i++) {
    const char *value = f[i].at;
    if(*value == 'i')
      slots[i - 3].i = strtoll(value + 1, NULL, 0);
    else if(*value == 'd')
      slots[i - 3].d = strtod(value + 1, NULL);
    else if(*value == 's')
      slots[i - 3].s = value + 1;
    else if(*value == 'c')
      slots[i - 3].p = &count;
  }
  memset(text, '#', sizeof text);
  text[sizeof text - 1] = 0;
  rc = print_slots(text, room < sizeof text ? room : sizeof text - 1, f[2].at, slots);
  log_begin("printf");
  log_number(rc);
  log_text(text[0] == '#' && !room ? "untouched" : text);
  log_number(count);
  log_end();
}

static void print_allocated(struct field *f, int n)
{
  char *text = n > 2 ? curl_maprintf(f[1].at, f[2].at) : curl_maprintf(f[1].at);
  log_begin("aprintf");
  log_text(text);
  log_end();
  curl_free(text);
}

/* ---- escapes, texts ---- */

static void escape(struct field *f, int n)
{
  char *text = curl_easy_escape(NULL, f[1].at, n > 2 ? (int)field_number(&f[2]) : (int)f[1].len);
  log_begin("escape");
  log_text(text);
  log_end();
  curl_free(text);
}

static void unescape(struct field *f, int n)
{
  int length = -7;
  char *text = curl_easy_unescape(NULL, f[1].at, n > 2 ? (int)field_number(&f[2]) : (int)f[1].len, &length);
  log_begin("unescape");
  log_number(length);
  if(text)
    log_field(text, length > 0 ? (size_t)length : 0);
  else
    log_text(NULL);
  log_end();
  curl_free(text);
}

static void compare(struct field *f, int n)
{
  int equal = n > 3 ? curl_strnequal(f[1].at, f[2].at, (size_t)field_number(&f[3]))
                    : curl_strequal(f[1].at, f[2].at);
  log_line("strequal", equal, "");
}

static void list(struct field *f, int n)
{
  struct curl_slist *all = case_list(f + 1, n - 1);
  log_begin("list");
  for(struct curl_slist *i = all; i; i = i->next)
    log_text(i->data);
  log_end();
}

/* The texts are our own; whether there is one that differs from "unknown" is not. */
static void texts(struct field *f)
{
  int code = (int)field_number(&f[1]);
  log_begin("texts");
  log_number(!strcmp(curl_easy_strerror((CURLcode)code), curl_easy_strerror((CURLcode)-999)));
  log_number(!strcmp(curl_multi_strerror((CURLMcode)code), curl_multi_strerror((CURLMcode)-999)));
  log_number(!strcmp(curl_share_strerror((CURLSHcode)code), curl_share_strerror((CURLSHcode)-999)));
  log_number(!strcmp(curl_url_strerror((CURLUcode)code), curl_url_strerror((CURLUcode)-999)));
  log_end();
}

int verb_pure(struct field *f, int n)
{
  const char *verb = f[0].at;
  if(!strcmp(verb, "date") && n > 1)
    log_line("date", (long long)curl_getdate(f[1].at, NULL), "");
  else if(!strcmp(verb, "printf") && n > 2)
    print(f, n);
  else if(!strcmp(verb, "aprintf") && n > 1)
    print_allocated(f, n);
  else if(!strcmp(verb, "escape") && n > 1)
    escape(f, n);
  else if(!strcmp(verb, "unescape") && n > 1)
    unescape(f, n);
  else if(!strcmp(verb, "strequal") && n > 2)
    compare(f, n);
  else if(!strcmp(verb, "list"))
    list(f, n);
  else if(!strcmp(verb, "texts") && n > 1)
    texts(f);
  else
    return 0;
  return 1;
}
