/* api/setopt_method.c: the options that choose the method: all of them write one pseudo-option, so that the last
 * one set wins, as it does in libcurl (api/setopt.h). */
#include <string.h>

#include "api/handle.h"
#include "api/setopt.h"

static long method_now(const struct mote_easy *e)
{
  const struct mote_option *o = mote_option_find(&e->t.options, MOTE_OPT_METHOD);
  return o ? o->v.num : (long)MOTE_METHOD_GET;
}

/* GET is what a handle without the entry does. */
static CURLcode store(struct mote_easy *e, enum mote_method method)
{
  struct mote_options *o = &e->t.options;
  CURLcode rc = CURLE_OK;
  if(method == MOTE_METHOD_GET)
    mote_option_unset(o, MOTE_OPT_METHOD);
  else
    rc = mote_option_set_long(o, MOTE_OPT_METHOD, method);
  return rc;
}

CURLcode mote_setopt_method(struct mote_easy *e, enum mote_rule rule, bool on)
{
  switch(rule) {
  case MOTE_RULE_GET:
    return on ? store(e, MOTE_METHOD_GET) : CURLE_OK;
  case MOTE_RULE_NOBODY:
    if(on)
      return store(e, MOTE_METHOD_HEAD);
    return method_now(e) == MOTE_METHOD_HEAD ? store(e, MOTE_METHOD_GET) : CURLE_OK;
  case MOTE_RULE_POST:
    return store(e, on ? MOTE_METHOD_POST : MOTE_METHOD_GET);
  default:
    return store(e, on ? MOTE_METHOD_PUT : MOTE_METHOD_GET);
  }
}

static CURLcode copy_fields(struct mote_options *o, const char *data)
{
  curl_off_t size = mote_opt_off(o, CURLOPT_POSTFIELDSIZE_LARGE);
  size_t len = size < 0 ? strlen(data) : (size_t)size;
  if(size > 0 && (uint64_t)size > UINT32_MAX - 1)
    return CURLE_OUT_OF_MEMORY;
  return mote_option_set_blob(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS), data, len, true);
}

CURLcode mote_setopt_fields(struct mote_easy *e, enum mote_rule rule, void *data)
{
  struct mote_options *o = &e->t.options;
  enum mote_method before = (enum mote_method)method_now(e);
  CURLcode rc = store(e, MOTE_METHOD_POST);
  if(rc)
    return rc;
  if(rule == MOTE_RULE_COPY_FIELDS && data)
    rc = copy_fields(o, data);
  else
    rc = mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS), data);
  if(rc)
    (void)store(e, before); /* the entry is there: nothing to allocate */
  return rc;
}
