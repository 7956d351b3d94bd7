/* api/easy/getinfo_text.c: the texts that curl_easy_getinfo(3) returns. Those that do not lie anywhere as
 * they are to be shown are made in run->info. */
#include <string.h>

#include "api/easy/easy_handle.h"
#include "api/easy/getinfo.h"
#include "base/memory.h"
#include "codec/url/url.h"
#include "http/cookies/cookies.h"
#include "net/names/address.h"
#include "protocol/rtsp/rtsp.h"
#include "tls/tls.h"
#include "transfer/download/headers.h"
#include "transfer/protocol.h"
#include "transfer/report/info.h"

/* The URL without credentials, and with the "?" and "#" that the normal form leaves out, in a block of
 * *size bytes. NULL: out of memory. */
static char *getinfo_text_print_url(struct mote_easy *e, const struct mote_url *url, size_t *size)
{
  char *text = mote_url_text(url, MOTE_URL_NO_CREDENTIALS | MOTE_URL_WITH_EMPTY, &e->t.account,
                             MOTE_PART_TRANSFER);
  *size = text ? strlen(text) + 1 : 0;
  return text;
}

/* An equal text from an earlier call stays, since the application may still use it. */
static CURLcode show_of_run(struct mote_easy *e, const struct mote_url *url, const char **out)
{
  struct mote_info *info = mote_info_need(&e->t);
  size_t size;
  char *text = info ? getinfo_text_print_url(e, url, &size) : NULL;
  if(!text)
    return CURLE_OUT_OF_MEMORY;
  if(info->url && !strcmp(info->url, text))
    mote_mem_free(&e->t.account, MOTE_PART_TRANSFER, text, size);
  else {
    mote_mem_free(&e->t.account, MOTE_PART_TRANSFER, info->url, info->url_size);
    info->url = text;
    info->url_size = size;
  }
  *out = info->url;
  return CURLE_OK;
}

/* The same without a run. The text is kept among the options unless it equals what was set. */
static CURLcode show_of_options(struct mote_easy *e, const struct mote_url *url, const char **out)
{
  struct mote_options *o = &e->t.options;
  const char *kept = mote_opt_find_ptr(o, MOTE_OPT_SHOWN_URL);
  bool changed = o->changed;
  CURLcode rc = CURLE_OK;
  size_t size;
  char *text = getinfo_text_print_url(e, url, &size);
  if(!text)
    return CURLE_OUT_OF_MEMORY;
  if(strcmp(*out, text)) {
    if(!kept || strcmp(kept, text))
      rc = mote_option_set_str(o, MOTE_OPT_SHOWN_URL, text, size - 1);
    if(!rc)
      *out = mote_opt_find_ptr(o, MOTE_OPT_SHOWN_URL);
    o->changed = changed;
  }
  mote_mem_free(&e->t.account, MOTE_PART_TRANSFER, text, size);
  return rc;
}

/* Before a transfer it is what was set, without its credentials if that is a URL. A copy has that of the
 * handle that it was made of. */
static CURLcode effective_before(struct mote_easy *e, const char **out)
{
  struct mote_url_how how = {.account = &e->t.account, .flags = CURLU_NON_SUPPORT_SCHEME};
  const char *set = mote_opt_str(&e->t.options, CURLOPT_URL);
  const char *copied = mote_opt_find_ptr(&e->t.options, MOTE_OPT_COPIED_URL);
  struct mote_url url;
  CURLUcode parsed;
  CURLcode rc;
  if(copied && !e->t.run && !e->t.options.url_changed) {
    *out = copied;
    return CURLE_OK;
  }
  *out = set ? set : "";
  if(!set)
    return CURLE_OK;
  if(mote_opt_long(&e->t.options, CURLOPT_PATH_AS_IS))
    how.flags |= CURLU_PATH_AS_IS;
  parsed = mote_url_parse(&url, set, strlen(set), &how);
  if(parsed)
    return parsed == CURLUE_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_OK;
  rc = show_of_options(e, &url, out);
  mote_url_close(&url);
  return rc;
}

CURLcode mote_info_effective_url(struct mote_easy *e, const char **out)
{
  static const unsigned shown_apart = 1u << MOTE_URL_USER | 1u << MOTE_URL_PASSWORD | 1u << MOTE_URL_OPTIONS;
  const struct mote_run *r = e->t.run;
  struct mote_url url;
  if(!r || !r->request.url.text || (e->t.options.url_changed && !e->t.options.running))
    return effective_before(e, out);
  mote_url_unpack(&r->request.url, &url);
  if((url.has & shown_apart) || url.text[r->request.url.len] ||
     (mote_url_has(&url, MOTE_URL_QUERY) && !url.part[MOTE_URL_QUERY].len) ||
     (mote_url_has(&url, MOTE_URL_FRAGMENT) && !url.part[MOTE_URL_FRAGMENT].len))
    return show_of_run(e, &url, out);
  *out = url.text;
  return CURLE_OK;
}

CURLcode mote_info_copy_url(struct mote_easy *to, struct mote_easy *from)
{
  bool copied = mote_opt_find_ptr(&from->t.options, MOTE_OPT_COPIED_URL) != NULL;
  const char *url = NULL;
  CURLcode rc = CURLE_OK;
  if(!from->t.options.url_changed && (copied || from->t.run))
    rc = mote_info_effective_url(from, &url);
  to->t.options.url_changed = !url;
  return rc || !url ? rc : mote_option_set_str(&to->t.options, MOTE_OPT_COPIED_URL, url, strlen(url));
}

CURLcode mote_info_effective_method(struct mote_easy *e, const char **out)
{
  static const char names[][5] = {
    [MOTE_METHOD_GET] = "GET", [MOTE_METHOD_HEAD] = "HEAD", [MOTE_METHOD_POST] = "POST",
    [MOTE_METHOD_PUT] = "PUT", [MOTE_METHOD_MIME] = "POST",
  };
  const struct mote_run *r = e->t.run;
  const char *custom = mote_opt_str(&e->t.options, CURLOPT_CUSTOMREQUEST);
  if(custom && !(r && r->request.drop_custom))
    *out = custom;
  else
    *out = names[r ? r->request.method : mote_opt_find_long(&e->t.options, MOTE_OPT_METHOD, MOTE_METHOD_GET)];
  return CURLE_OK;
}

CURLcode mote_info_content_type(struct mote_easy *e, const char **out)
{
  *out = e->t.run ? mote_headers_find_value(&e->t.run->response.headers, "Content-Type") : NULL;
  return CURLE_OK;
}

/* Where a complete response would have led. */
CURLcode mote_info_redirect_url(struct mote_easy *e, const char **out)
{
  const struct mote_run *r = e->t.run;
  CURLcode result = e->t.msg.data.result;
  bool whole = !result || result == CURLE_TOO_MANY_REDIRECTS;
  *out = r && !r->request.in_chain && whole ? r->request.redirect : NULL;
  return CURLE_OK;
}

CURLcode mote_info_referer(struct mote_easy *e, const char **out)
{
  const struct mote_run *r = e->t.run;
  *out = r && r->request.referer ? r->request.referer : mote_opt_str(&e->t.options, CURLOPT_REFERER);
  return CURLE_OK;
}

static CURLcode show_ip(struct mote_easy *e, bool local, const char **out)
{
  const struct mote_run *r = e->t.run;
  const struct mote_addr *a = r ? (local ? &r->stats.local : &r->stats.primary) : NULL;
  struct mote_info *info;
  char *text;
  *out = "";
  if(!a || a->family < MOTE_FAMILY_IP4)
    return CURLE_OK;
  info = mote_info_need(&e->t);
  if(!info)
    return CURLE_OUT_OF_MEMORY;
  text = local ? info->local_ip : info->primary_ip;
  (void)mote_addr_print(a, text);
  *out = text;
  return CURLE_OK;
}

CURLcode mote_info_primary_ip(struct mote_easy *e, const char **out)
{
  return show_ip(e, false, out);
}

CURLcode mote_info_local_ip(struct mote_easy *e, const char **out)
{
  return show_ip(e, true, out);
}

/* The application's own pointer. */
CURLcode mote_info_private(struct mote_easy *e, const char **out)
{
  *out = mote_opt_ptr(&e->t.options, CURLOPT_PRIVATE);
  return CURLE_OK;
}

CURLcode mote_info_scheme(struct mote_easy *e, const char **out)
{
  const struct mote_scheme *scheme = e->t.run ? e->t.run->request.scheme : NULL;
  *out = scheme && scheme->curlproto ? scheme->name : NULL;
  return CURLE_OK;
}

CURLcode mote_info_entry_path(struct mote_easy *e, const char **out)
{
  *out = e->t.run ? mote_headers_find_note(&e->t.run->response.headers, MOTE_NOTE_ENTRY_PATH) : NULL;
  return CURLE_OK;
}

CURLcode mote_info_ca_file(struct mote_easy *e, const char **out)
{
  (void)e;
  *out = mote_tls_default_ca_file();
  return CURLE_OK;
}

CURLcode mote_info_ca_path(struct mote_easy *e, const char **out)
{
  (void)e;
  *out = mote_tls_default_ca_path();
  return CURLE_OK;
}

/* ---- RTSP ---- */

int64_t mote_info_rtsp_next(struct mote_easy *e)
{
  const struct mote_rtsp_memory *m = mote_opt_find_ptr(&e->t.options, MOTE_OPT_RTSP);
  return m ? m->next : 0;
}

int64_t mote_info_rtsp_received(struct mote_easy *e)
{
  const struct mote_rtsp_memory *m = mote_opt_find_ptr(&e->t.options, MOTE_OPT_RTSP);
  return m ? m->received : 0;
}

int64_t mote_info_rtsp_server(struct mote_easy *e)
{
  long set = mote_opt_long(&e->t.options, CURLOPT_RTSP_SERVER_CSEQ);
  return set || !mote_info_rtsp_next(e) ? set : 1;
}

CURLcode mote_info_rtsp_session(struct mote_easy *e, const char **out)
{
  *out = mote_opt_str(&e->t.options, CURLOPT_RTSP_SESSION_ID);
  return CURLE_OK;
}

/* A list of texts, made for the caller. */
CURLcode mote_info_cookies(struct mote_easy *e, void **out)
{
  struct curl_slist *list;
  CURLcode rc = mote_cookies_list(&e->t, &list);
  *out = list;
  return rc;
}
