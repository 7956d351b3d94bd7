/* auth/sign/message_signature.c: what a message signature covers, and the text that is signed. */
#include "auth/sign/message_signature.h"

#include <string.h>

#include "base/buf.h"
#include "base/text/format.h"

static const char *const words[] = {
  [MOTE_SIGNED_METHOD] = "method", [MOTE_SIGNED_AUTHORITY] = "authority", [MOTE_SIGNED_PATH] = "path",
  [MOTE_SIGNED_QUERY] = "query"
};

/* ---- which components ---- */

/* A token of RFC 9110 section 5.6.2. */
static bool is_token(struct mote_slice s)
{
  size_t i;
  for(i = 0; i < s.len; i++)
    if(!mote_is_alnum(s.ptr[i]) && (!s.ptr[i] || !strchr("!#$%&'*+-.^_`|~", s.ptr[i])))
      return false;
  return s.len != 0;
}

static bool read_item(struct mote_signed *item, struct mote_slice word)
{
  int kind;
  item->name = word;
  if(word.ptr[word.len - 1] == ':') {
    item->name.len--;
    item->kind = MOTE_SIGNED_FIELD;
    return is_token(item->name);
  }
  for(kind = MOTE_SIGNED_METHOD; kind < MOTE_SIGNED_FIELD; kind++)
    if(word.len == strlen(words[kind]) && !memcmp(word.ptr, words[kind], word.len)) {
      item->kind = (enum mote_signed_kind)kind;
      return true;
    }
  return false;
}

static bool sign_message_signature_has(const struct mote_signed_list *list, const struct mote_signed *item)
{
  unsigned i;
  for(i = 0; i < list->count; i++)
    if(list->item[i].kind == item->kind &&
       (item->kind != MOTE_SIGNED_FIELD || mote_slice_same_nocase(list->item[i].name, item->name)))
      return true;
  return false;
}

CURLcode mote_signed_read(struct mote_signed_list *list, const char *text)
{
  list->count = 0;
  for(;;) {
    struct mote_slice word;
    struct mote_signed item;
    text += strspn(text, " \t");
    word.ptr = text;
    word.len = strcspn(text, " \t");
    if(!word.len)
      break;
    if(list->count == MOTE_SIGNED_MAX || !read_item(&item, word) || sign_message_signature_has(list, &item))
      return CURLE_BAD_FUNCTION_ARGUMENT;
    list->item[list->count++] = item;
    text += word.len;
  }
  return list->count ? CURLE_OK : CURLE_BAD_FUNCTION_ARGUMENT;
}

void mote_signed_default(struct mote_signed_list *list, bool query)
{
  int kind;
  list->count = 0;
  for(kind = MOTE_SIGNED_METHOD; kind < (query ? MOTE_SIGNED_FIELD : MOTE_SIGNED_QUERY); kind++)
    list->item[list->count++].kind = (enum mote_signed_kind)kind;
}

/* ---- texts ---- */

static CURLcode put_quoted_name(const struct mote_signed *item, struct mote_buf *out)
{
  CURLcode rc = CURLE_OK;
  size_t i;
  if(item->kind != MOTE_SIGNED_FIELD)
    return mote_buf_addf(out, "\"@%s\"", words[item->kind]);
  rc = mote_buf_add(out, "\"", 1);
  for(i = 0; i < item->name.len && !rc; i++) {
    char c = mote_to_lower(item->name.ptr[i]);
    rc = mote_buf_add(out, &c, 1);
  }
  return rc ? rc : mote_buf_add(out, "\"", 1);
}

/* A string of RFC 8941 section 3.3.3. */
static CURLcode sign_message_signature_put_string(struct mote_slice s, struct mote_buf *out)
{
  CURLcode rc = mote_buf_add(out, "\"", 1);
  size_t i;
  for(i = 0; i < s.len && !rc; i++) {
    if(s.ptr[i] < ' ' || s.ptr[i] > '~')
      return CURLE_BAD_FUNCTION_ARGUMENT;
    if(s.ptr[i] == '"' || s.ptr[i] == '\\')
      rc = mote_buf_add(out, "\\", 1);
    rc = rc ? rc : mote_buf_add(out, s.ptr + i, 1);
  }
  return rc ? rc : mote_buf_add(out, "\"", 1);
}

CURLcode mote_signed_put_params(const struct mote_signed_list *list, const struct mote_signed_params *params,
                                struct mote_buf *out)
{
  CURLcode rc = CURLE_OK;
  unsigned i;
  for(i = 0; i < list->count && !rc; i++) {
    rc = mote_buf_add(out, i ? " " : "(", 1);
    rc = rc ? rc : put_quoted_name(&list->item[i], out);
  }
  if(!rc)
    rc = mote_buf_addf(out, ");created=%" CURL_FORMAT_CURL_OFF_T ";keyid=", (curl_off_t)params->created);
  rc = rc ? rc : sign_message_signature_put_string(params->keyid, out);
  return rc ? rc : mote_buf_addf(out, ";alg=\"%s\"", params->algorithm);
}

CURLcode mote_signed_put_name(const struct mote_signed *item, struct mote_buf *text)
{
  CURLcode rc = put_quoted_name(item, text);
  return rc ? rc : mote_buf_add(text, ": ", 2);
}

CURLcode mote_signed_put_end(struct mote_slice params, struct mote_buf *text)
{
  CURLcode rc = mote_buf_add_str(text, "\"@signature-params\": ");
  return rc ? rc : mote_buf_add(text, params.ptr, params.len);
}

/* ---- keys ---- */

CURLcode mote_signed_read_key(const char *digits, struct mote_buf *key)
{
  size_t len = strlen(digits), i;
  CURLcode rc;
  if(!len || len % 2)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  rc = mote_buf_reserve(key, len / 2);
  for(i = 0; i < len && !rc; i += 2) {
    int high = mote_hex_digit(digits[i]), low = mote_hex_digit(digits[i + 1]);
    char byte = (char)(high * 16 + low);
    rc = high < 0 || low < 0 ? CURLE_BAD_FUNCTION_ARGUMENT : mote_buf_add(key, &byte, 1);
  }
  return rc;
}
