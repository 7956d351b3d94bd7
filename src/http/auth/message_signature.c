/* http/auth/message_signature.c: signs requests by RFC 9421 (CURLOPT_HTTPSIG_ALGORITHM(3) and its
 * relatives). It finds the components' values and writes Signature-Input and Signature.
 *
 * Of the fields only the lines of CURLOPT_HTTPHEADER can be signed (CURLOPT_HTTPSIG_HEADERS(3)), and only
 * those that are sent. Like a password, the key is for the first origin alone. */
#include "auth/sign/message_signature.h"

#include <string.h>

#include "base/buf.h"
#include "base/digest/base64.h"
#include "base/digest/hmac.h"
#include "base/report.h"
#include "http/hooks.h"
#include "http/request.h"
#include "port/port.h"
#include "tls/tls.h"

#define SIGNATURE_MAX MOTE_TLS_ED25519_SIGNATURE /* bytes of any signature */

/* A request while it is signed. */
struct signing {
  struct mote_http_writer *w;
  struct mote_signed_list list;
  struct mote_buf params;
  struct mote_buf text;
};

/* ---- the components' values ---- */

/* Takes what a function wrote with the writer for the text, and out of the head. */
static CURLcode take_printed(struct signing *g, size_t from, bool lower)
{
  struct mote_http_writer *w = g->w;
  CURLcode rc = w->rc;
  size_t i;
  for(i = from; lower && i < w->len; i++)
    w->ptr[i] = mote_to_lower(w->ptr[i]);
  rc = rc ? rc : mote_buf_add(&g->text, w->ptr + from, w->len - from);
  w->len = from;
  return rc;
}

/* The Host that is sent, whose case does not matter. */
static CURLcode auth_message_signature_put_authority(struct signing *g)
{
  struct mote_http_writer *w = g->w;
  const char *own = w->t->run->request.other_origin ? NULL : mote_http_own_line(w->t, "Host");
  size_t from = w->len;
  if(own) {
    struct mote_slice value = mote_slice_trim(mote_slice_of(own + 1));
    mote_http_put(w, value.ptr, value.len);
  }
  else
    mote_http_put_authority(w);
  return take_printed(g, from, true);
}

/* Path and query as the target has them. A query that is not there is "?" (RFC 9421 section 2.2.7). */
static CURLcode put_target(struct signing *g, bool query)
{
  struct mote_http_writer *w = g->w;
  size_t from = w->len, path;
  CURLcode rc;
  mote_http_put_path(w);
  if(w->rc)
    return w->rc;
  for(path = from; path < w->len && w->ptr[path] != '?'; path++)
    ;
  if(!query) {
    w->len = path;
    return take_printed(g, from, false);
  }
  rc = path == w->len ? mote_buf_add(&g->text, "?", 1)
                      : mote_buf_add(&g->text, w->ptr + path, w->len - path);
  w->len = from;
  return rc;
}

/* Lines of the same name count as one list (RFC 9421 section 2.1). */
static CURLcode auth_message_signature_put_lines(struct signing *g, struct mote_slice wanted)
{
  const struct curl_slist *l = mote_opt_ptr(&g->w->t->options, CURLOPT_HTTPHEADER);
  struct mote_slice name, value;
  bool found = false;
  CURLcode rc = CURLE_OK;
  for(; l && !rc; l = l->next) {
    if(!mote_http_line_is_sent(g->w, l->data, &name, &value) ||
       !mote_slice_same_nocase(mote_slice_trim(name), wanted))
      continue;
    value = mote_slice_trim(value);
    rc = found ? mote_buf_add(&g->text, ", ", 2) : CURLE_OK;
    rc = rc ? rc : mote_buf_add(&g->text, value.ptr, value.len);
    found = true;
  }
  if(!rc && !found) {
    mote_fail(&g->w->t->report, "CURLOPT_HTTPSIG_HEADERS names %.*s, which the request does not have",
              (int)wanted.len, wanted.ptr);
    rc = CURLE_BAD_FUNCTION_ARGUMENT;
  }
  return rc;
}

static CURLcode auth_message_signature_put_value(struct signing *g, const struct mote_signed *item)
{
  switch(item->kind) {
  case MOTE_SIGNED_METHOD:
    return mote_buf_add_str(&g->text, mote_http_method(g->w->t));
  case MOTE_SIGNED_AUTHORITY:
    return auth_message_signature_put_authority(g);
  case MOTE_SIGNED_PATH:
  case MOTE_SIGNED_QUERY:
    return put_target(g, item->kind == MOTE_SIGNED_QUERY);
  case MOTE_SIGNED_FIELD:
    break;
  }
  return auth_message_signature_put_lines(g, item->name);
}

/* ---- the text, and its signature ---- */

static bool has_query(struct mote_http_writer *w)
{
  size_t from = w->len;
  bool found;
  mote_http_put_path(w);
  found = !w->rc && memchr(w->ptr + from, '?', w->len - from);
  w->len = from;
  return found;
}

static CURLcode choose_components(struct signing *g)
{
  const char *text = mote_opt_str(&g->w->t->options, CURLOPT_HTTPSIG_HEADERS);
  if(!text) {
    mote_signed_default(&g->list, has_query(g->w));
    return g->w->rc;
  }
  if(!mote_signed_read(&g->list, text))
    return CURLE_OK;
  return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, &g->w->t->report,
                      "CURLOPT_HTTPSIG_HEADERS has too many components, none, one twice, or an unknown one");
}

static CURLcode make_text(struct signing *g, const char *algorithm, const char *keyid)
{
  struct mote_signed_params params = {mote_port_wall(), mote_slice_of(keyid), algorithm};
  struct mote_slice end;
  CURLcode rc = mote_signed_put_params(&g->list, &params, &g->params);
  unsigned i;
  if(rc == CURLE_BAD_FUNCTION_ARGUMENT)
    mote_fail(&g->w->t->report, "CURLOPT_HTTPSIG_KEYID has a character that a field cannot have");
  for(i = 0; i < g->list.count && !rc; i++) {
    rc = mote_signed_put_name(&g->list.item[i], &g->text);
    rc = rc ? rc : auth_message_signature_put_value(g, &g->list.item[i]);
    rc = rc ? rc : mote_buf_add(&g->text, "\n", 1);
  }
  end.ptr = g->params.ptr;
  end.len = g->params.len;
  return rc ? rc : mote_signed_put_end(end, &g->text);
}

static CURLcode sign_text(struct signing *g, long algorithm, const struct mote_buf *key,
                          uint8_t out[SIGNATURE_MAX], size_t *len)
{
  struct mote_report *report = &g->w->t->report;
  CURLcode rc;
  if(algorithm == CURLHTTPSIG_HMAC_SHA256) {
    mote_hmac(&mote_sha256_digest, (struct mote_slice){key->ptr, key->len},
              (struct mote_slice){g->text.ptr, g->text.len}, out);
    *len = MOTE_SHA256_SIZE;
    return CURLE_OK;
  }
  if(key->len != MOTE_TLS_ED25519_SEED)
    return mote_fail_as(CURLE_BAD_FUNCTION_ARGUMENT, report, "the key of Ed25519 has %d hex digits",
                        2 * MOTE_TLS_ED25519_SEED);
  rc = mote_tls_sign_ed25519((const uint8_t *)key->ptr, g->text.ptr, g->text.len, out);
  if(rc == CURLE_NOT_BUILT_IN)
    mote_fail(report, "the TLS library of this build has no Ed25519");
  *len = MOTE_TLS_ED25519_SIGNATURE;
  return rc;
}

static CURLcode read_key(struct signing *g, const char *digits, struct mote_buf *key)
{
  CURLcode rc = digits ? mote_signed_read_key(digits, key) : CURLE_BAD_FUNCTION_ARGUMENT;
  if(rc == CURLE_BAD_FUNCTION_ARGUMENT)
    mote_fail(&g->w->t->report, digits ? "CURLOPT_HTTPSIG_KEY is not made of pairs of hex digits"
                                       : "a signature needs CURLOPT_HTTPSIG_KEY");
  return rc;
}

static CURLcode auth_message_signature_sign(struct signing *g, long algorithm, uint8_t out[SIGNATURE_MAX],
                                            size_t *len)
{
  const struct mote_options *o = &g->w->t->options;
  const char *keyid = mote_opt_str(o, CURLOPT_HTTPSIG_KEYID);
  struct mote_buf key;
  CURLcode rc;
  mote_buf_init(&key, &g->w->t->account, MOTE_PART_TRANSFER, MOTE_SIGNED_TEXT * 4);
  rc = read_key(g, mote_opt_str(o, CURLOPT_HTTPSIG_KEY), &key);
  if(!rc && !keyid) {
    mote_fail(&g->w->t->report, "a signature needs CURLOPT_HTTPSIG_KEYID");
    rc = CURLE_BAD_FUNCTION_ARGUMENT;
  }
  rc = rc ? rc : choose_components(g);
  rc = rc ? rc : make_text(g, algorithm == CURLHTTPSIG_HMAC_SHA256 ? "hmac-sha256" : "ed25519", keyid);
  rc = rc ? rc : sign_text(g, algorithm, &key, out, len);
  if(key.ptr)
    memset(key.ptr, 0, key.len);
  mote_buf_close(&key);
  return rc;
}

static void auth_message_signature_put_fields(struct signing *g, const uint8_t *signature, size_t len)
{
  struct mote_http_writer *w = g->w;
  char *to;
  mote_http_begin_field(w, "Signature-Input", "sig1=");
  mote_http_put(w, g->params.ptr, g->params.len);
  mote_http_end_field(w);
  mote_http_begin_field(w, "Signature", "sig1=:");
  to = mote_http_room(w, MOTE_BASE64_SIZE(len));
  if(to)
    w->len += mote_base64_encode(to, (const char *)signature, len);
  mote_http_put(w, ":", 1);
  mote_http_end_field(w);
}

/* An application that signs by itself has the fields among its own (seen in libcurl's tests). */
static bool is_wanted(const struct mote_transfer *t)
{
  return mote_opt_long(&t->options, CURLOPT_HTTPSIG_ALGORITHM) != CURLHTTPSIG_NONE &&
         mote_opt_long(&t->options, CURLOPT_HTTPAUTH) == (long)CURLAUTH_HTTPSIG &&
         mote_transfer_may_log_in(t) && !mote_http_has_own(t, "Signature") &&
         !mote_http_has_own(t, "Signature-Input");
}

static void auth_message_put_signature(struct mote_http_writer *w)
{
  struct mote_transfer *t = w->t;
  long algorithm = mote_opt_long(&t->options, CURLOPT_HTTPSIG_ALGORITHM);
  uint8_t signature[SIGNATURE_MAX];
  struct signing g = {.w = w};
  size_t len = 0;
  if(w->rc || !is_wanted(t))
    return;
  mote_buf_init(&g.params, &t->account, MOTE_PART_TRANSFER, MOTE_SIGNED_TEXT);
  mote_buf_init(&g.text, &t->account, MOTE_PART_TRANSFER, MOTE_SIGNED_TEXT);
  w->rc = auth_message_signature_sign(&g, algorithm, signature, &len);
  if(!w->rc)
    auth_message_signature_put_fields(&g, signature, len);
  mote_buf_close(&g.text);
  mote_buf_close(&g.params);
}

const struct mote_http_hook mote_http_message_signature = {
  .name = "message signature",
  .options = MOTE_HTTP_WHEN(CURLOPT_HTTPSIG_ALGORITHM),
  .place = MOTE_HTTP_AFTER_HOST,
  .request = auth_message_put_signature,
};
