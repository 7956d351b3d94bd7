/* chunks.c: the callbacks of downloads by a pattern (CURLOPT_WILDCARDMATCH). */
#include "triggers.h"

static void log_or_null(const char *text)
{
  log_text(text ? text : "NULL");
}

/* What is known about a file; the callback's data is the handle. */
static long on_begin(const void *info, void *arg, int remains)
{
  const struct curl_fileinfo *f = info;
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_CHUNKBGN, 0);
  log_begin("chunkbgn");
  log_text(h->name);
  log_num(remains);
  log_text(f->filename);
  log_num(f->filetype);
  log_num(f->perm);
  log_num(f->size);
  log_num(f->hardlinks);
  log_num(f->flags);
  log_or_null(f->strings.time);
  log_or_null(f->strings.perm);
  log_or_null(f->strings.user);
  log_or_null(f->strings.group);
  log_or_null(f->strings.target);
  log_end();
  return o.decided ? (long)o.ret : CURL_CHUNK_BGN_FUNC_OK;
}

static long on_end(void *arg)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_CHUNKEND, 0);
  log_begin("chunkend");
  log_text(h->name);
  log_end();
  return o.decided ? (long)o.ret : CURL_CHUNK_END_FUNC_OK;
}

/* Every name matches, unless the script says otherwise. */
static int on_fnmatch(void *arg, const char *pattern, const char *name)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_FNMATCH, 0);
  log_begin("fnmatch");
  log_text(h->name);
  log_text(pattern);
  log_text(name);
  log_end();
  return o.decided ? (int)o.ret : CURL_FNMATCHFUNC_MATCH;
}

CURLcode chunks_enable(struct handle *h, enum event event)
{
  CURLcode rc = curl_easy_setopt(h->easy, CURLOPT_CHUNK_DATA, h);
  if(rc)
    return rc;
  if(event == EV_CHUNKBGN)
    return curl_easy_setopt(h->easy, CURLOPT_CHUNK_BGN_FUNCTION, on_begin);
  if(event == EV_CHUNKEND)
    return curl_easy_setopt(h->easy, CURLOPT_CHUNK_END_FUNCTION, on_end);
  rc = curl_easy_setopt(h->easy, CURLOPT_FNMATCH_FUNCTION, on_fnmatch);
  return rc ? rc : curl_easy_setopt(h->easy, CURLOPT_FNMATCH_DATA, h);
}
