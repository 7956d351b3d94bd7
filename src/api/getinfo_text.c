/* api/getinfo_text.c: texts. What has no place of its own yet is made in run->info. */
#include <string.h>

#include "api/getinfo.h"
#include "base/memory.h"
#include "net/address.h"
#include "tls/tls.h"
#include "transfer/info.h"
#include "transfer/protocol.h"

/* A URL that is a stretch of a longer text needs its NUL. */
static CURLcode cut_url(struct mote_easy *e, struct mote_slice url, const char **out)
{
  struct mote_info *info = mote_info_need(&e->t);
  char *copy;
  if(!info)
    return CURLE_OUT_OF_MEMORY;
  copy = mote_mem_strndup(&e->t.account, MOTE_PART_TRANSFER, url.ptr, url.len);
  if(!copy)
    return CURLE_OUT_OF_MEMORY;
  mote_mem_free(&e->t.account, MOTE_PART_TRANSFER, info->url, info->url_size);
  info->url = copy;
  info->url_size = url.len + 1;
  *out = copy;
  return CURLE_OK;
}

CURLcode mote_info_effective_url(struct mote_easy *e, const char **out)
{
  const struct mote_run *r = e->t.run;
  struct mote_slice url = {NULL, 0};
  if(r) {
    url.ptr = r->url.text;
    url.len = r->url.len;
  }
  if(url.ptr && url.ptr[url.len])
    return cut_url(e, url, out);
  if(url.ptr)
    *out = url.ptr;
  else {
    const char *set = mote_opt_str(&e->t.options, CURLOPT_URL);
    *out = set ? set : "";
  }
  return CURLE_OK;
}

CURLcode mote_info_effective_method(struct mote_easy *e, const char **out)
{
  static const char names[][5] = {
    [MOTE_METHOD_GET] = "GET", [MOTE_METHOD_HEAD] = "HEAD", [MOTE_METHOD_POST] = "POST",
    [MOTE_METHOD_PUT] = "PUT", [MOTE_METHOD_MIME] = "POST",
  };
  const struct mote_run *r = e->t.run;
  const struct mote_option *set = mote_option_find(&e->t.options, MOTE_OPT_METHOD);
  const char *custom = mote_opt_str(&e->t.options, CURLOPT_CUSTOMREQUEST);
  if(custom && !(r && r->drop_custom))
    *out = custom;
  else
    *out = names[r ? r->method : set ? set->v.num : MOTE_METHOD_GET];
  return CURLE_OK;
}

CURLcode mote_info_content_type(struct mote_easy *e, const char **out)
{
  const char *value = e->t.run ? mote_headers_find(&e->t.run->headers, "Content-Type", -1) : NULL;
  *out = value && *value ? value : NULL;
  return CURLE_OK;
}

CURLcode mote_info_redirect_url(struct mote_easy *e, const char **out)
{
  *out = e->t.run ? e->t.run->redirect : NULL;
  return CURLE_OK;
}

CURLcode mote_info_referer(struct mote_easy *e, const char **out)
{
  *out = e->t.run && e->t.run->referer ? e->t.run->referer : mote_opt_str(&e->t.options, CURLOPT_REFERER);
  return CURLE_OK;
}

CURLcode mote_info_primary_ip(struct mote_easy *e, const char **out)
{
  *out = "";
  if(!e->t.run || e->t.run->primary.family < MOTE_FAMILY_IP4)
    return CURLE_OK;
  if(!mote_info_need(&e->t))
    return CURLE_OUT_OF_MEMORY;
  (void)mote_addr_print(&e->t.run->primary, e->t.run->info->primary_ip);
  *out = e->t.run->info->primary_ip;
  return CURLE_OK;
}

CURLcode mote_info_local_ip(struct mote_easy *e, const char **out)
{
  *out = "";
  if(!e->t.run || e->t.run->local.family < MOTE_FAMILY_IP4)
    return CURLE_OK;
  if(!mote_info_need(&e->t))
    return CURLE_OUT_OF_MEMORY;
  (void)mote_addr_print(&e->t.run->local, e->t.run->info->local_ip);
  *out = e->t.run->info->local_ip;
  return CURLE_OK;
}

/* The application's pointer, whatever it points to. */
CURLcode mote_info_private(struct mote_easy *e, const char **out)
{
  *out = mote_opt_ptr(&e->t.options, CURLOPT_PRIVATE);
  return CURLE_OK;
}

CURLcode mote_info_scheme(struct mote_easy *e, const char **out)
{
  *out = e->t.run && mote_info_protocol(e) ? e->t.run->scheme->name : NULL;
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

CURLcode mote_info_no_text(struct mote_easy *e, const char **out)
{
  (void)e;
  *out = NULL;
  return CURLE_OK;
}
