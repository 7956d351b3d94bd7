/* codec/ldap/ldap_text.c: entries of a directory as text (codec/ldap/ldap.h). */
#include <string.h>

#include "base/buf.h"
#include "base/digest/base64.h"
#include "codec/ldap/ber.h"
#include "codec/ldap/ldap.h"

#define BINARY ";binary" /* an option of attributes whose values are BER (RFC 4522) */

static bool is_binary(struct mote_slice name)
{
  size_t len = sizeof BINARY - 1;
  return name.len > len && mote_equal_nocase_n(name.ptr + name.len - len, BINARY, len);
}

static bool ldap_is_text(struct mote_slice value)
{
  size_t i;
  if(value.len && (mote_is_blank(value.ptr[0]) || mote_is_blank(value.ptr[value.len - 1])))
    return false;
  for(i = 0; i < value.len; i++)
    if((value.ptr[i] < ' ' || value.ptr[i] > '~') && !mote_is_space(value.ptr[i]))
      return false;
  return true;
}

static CURLcode add_base64(struct mote_buf *out, struct mote_slice value)
{
  CURLcode rc = mote_buf_reserve(out, MOTE_BASE64_SIZE(value.len));
  if(rc)
    return rc;
  out->len += mote_base64_encode(out->ptr + out->len, value.ptr, value.len);
  out->ptr[out->len] = 0;
  return CURLE_OK;
}

/* Adds "\tname: value\n". */
static CURLcode ldap_text_add_value(struct mote_buf *out, struct mote_slice name, struct mote_slice value,
                                    bool text)
{
  CURLcode rc = mote_buf_add(out, "\t", 1);
  rc = rc ? rc : mote_buf_add(out, name.ptr, name.len);
  rc = rc ? rc : mote_buf_add_str(out, !value.len ? ":" : text ? ": " : ":: ");
  if(!rc && value.len)
    rc = text ? mote_buf_add(out, value.ptr, value.len) : add_base64(out, value);
  return rc ? rc : mote_buf_add(out, "\n", 1);
}

/* Adds a PartialAttribute: a name and a set of values. */
static CURLcode add_attribute(struct mote_buf *out, struct mote_slice attribute)
{
  struct mote_slice name, values, value;
  uint8_t tag;
  CURLcode rc = CURLE_OK;
  bool binary;
  if(!mote_ber_take(&attribute, &tag, &name) || !mote_ber_take(&attribute, &tag, &values))
    return CURLE_WEIRD_SERVER_REPLY;
  if(!values.len)
    return ldap_text_add_value(out, name, values, true);
  binary = is_binary(name);
  while(!rc && values.len) {
    if(!mote_ber_take(&values, &tag, &value))
      return CURLE_WEIRD_SERVER_REPLY;
    rc = ldap_text_add_value(out, name, value, !binary && ldap_is_text(value));
  }
  return rc ? rc : mote_buf_add(out, "\n", 1);
}

CURLcode mote_ldap_add_entry(struct mote_buf *out, struct mote_slice body)
{
  struct mote_slice name, attributes, attribute;
  uint8_t tag;
  CURLcode rc;
  if(!mote_ber_take(&body, &tag, &name) || !mote_ber_take(&body, &tag, &attributes))
    return CURLE_WEIRD_SERVER_REPLY;
  rc = mote_buf_add_str(out, name.len ? "DN: " : "DN:");
  rc = rc ? rc : mote_buf_add(out, name.ptr, name.len);
  rc = rc ? rc : mote_buf_add(out, "\n", 1);
  while(!rc && attributes.len)
    rc = mote_ber_take(&attributes, &tag, &attribute) ? add_attribute(out, attribute)
                                                      : CURLE_WEIRD_SERVER_REPLY;
  return rc ? rc : mote_buf_add(out, "\n", 1);
}
