/* api/setopt_method.c: the options that choose the method: all of them write one pseudo-option, so that the
 * last one set wins, as it does in libcurl (api/setopt.h). */
#include <string.h>

#include "api/easy_handle.h"
#include "api/setopt.h"

/* NOBODY asks for HEAD whatever the method is; POST 1, UPLOAD 1 and HTTPGET 1 take it back, the others do not
 * (seen with libcurl 7.88). While it is on, the option holds 1 + the method that NOBODY 0 brings back. */
struct choice {
  enum mote_method method;
  bool nobody;
};

static struct choice choice_now(const struct mote_easy *e)
{
  const struct mote_option *o = mote_option_find(&e->t.options, MOTE_OPT_METHOD);
  long nobody = mote_opt_long(&e->t.options, CURLOPT_NOBODY);
  struct choice c = {MOTE_METHOD_GET, nobody > 0};
  if(nobody)
    c.method = (enum mote_method)(nobody - 1);
  else if(o)
    c.method = (enum mote_method)o->v.num;
  return c;
}

/* GET is what a handle without an entry does. When memory runs out, the choice before stands: NOBODY is only
 * ever there together with the method. */
static CURLcode store(struct mote_easy *e, struct choice c)
{
  struct mote_options *o = &e->t.options;
  CURLcode rc = CURLE_OK;
  if(c.nobody)
    rc = mote_option_set_long(o, MOTE_OPT_ID(CURLOPT_NOBODY), 1 + (long)c.method);
  if(!rc && (c.nobody || c.method != MOTE_METHOD_GET))
    rc = mote_option_set_long(o, MOTE_OPT_METHOD, c.nobody ? MOTE_METHOD_HEAD : c.method);
  else if(!rc)
    mote_option_unset(o, MOTE_OPT_METHOD);
  if(c.nobody == (rc != CURLE_OK))
    mote_option_unset(o, MOTE_OPT_ID(CURLOPT_NOBODY));
  return rc;
}

CURLcode mote_setopt_method(struct mote_easy *e, enum mote_rule rule, bool on)
{
  static const uint8_t methods[] = {
    [MOTE_RULE_GET - MOTE_RULE_GET] = MOTE_METHOD_GET,
    [MOTE_RULE_NOBODY - MOTE_RULE_GET] = MOTE_METHOD_HEAD,
    [MOTE_RULE_POST - MOTE_RULE_GET] = MOTE_METHOD_POST,
    [MOTE_RULE_UPLOAD - MOTE_RULE_GET] = MOTE_METHOD_PUT,
  };
  struct choice c = choice_now(e);
  if(rule == MOTE_RULE_GET && !on)
    return CURLE_OK;
  if(on)
    c.method = (enum mote_method)methods[rule - MOTE_RULE_GET];
  else if(rule != MOTE_RULE_NOBODY || c.method == MOTE_METHOD_HEAD)
    c.method = MOTE_METHOD_GET;
  if(on || rule == MOTE_RULE_NOBODY)
    c.nobody = on && rule == MOTE_RULE_NOBODY;
  return store(e, c);
}

CURLcode mote_setopt_form(struct mote_easy *e)
{
  struct choice c = {MOTE_METHOD_MIME, false};
  return store(e, c);
}

static CURLcode copy_fields(struct mote_options *o, const char *data)
{
  curl_off_t size = mote_opt_off(o, CURLOPT_POSTFIELDSIZE_LARGE);
  size_t len = size < 0 ? strlen(data) : (size_t)size;
  if(size < 0 && len > MOTE_INPUT_MAX)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(size > 0 && (uint64_t)size > UINT32_MAX - 1)
    return CURLE_OUT_OF_MEMORY;
  return mote_option_set_blob(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS), data, len, true);
}

CURLcode mote_setopt_fields(struct mote_easy *e, enum mote_rule rule, void *data)
{
  struct mote_options *o = &e->t.options;
  struct choice before = choice_now(e);
  struct choice after = {MOTE_METHOD_POST, before.nobody};
  CURLcode rc = store(e, after);
  if(rc)
    return rc;
  if(rule == MOTE_RULE_COPY_FIELDS && data)
    rc = copy_fields(o, data);
  else
    rc = mote_option_set_ptr(o, MOTE_OPT_ID(CURLOPT_POSTFIELDS), data);
  if(rc)
    (void)store(e, before);
  return rc;
}
