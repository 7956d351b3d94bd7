/* auth/sasl/sasl_md5.c: CRAM-MD5 (RFC 2195) and DIGEST-MD5 (RFC 2831) for qop=auth alone, in which a server
 * proves that it knows the password as well. */
#include <string.h>

#include "auth/sasl/sasl.h"
#include "auth/scheme.h"
#include "base/buf.h"
#include "base/digest/digest.h"
#include "base/digest/hmac.h"
#include "base/report.h"
#include "base/text/format.h"
#include "base/wipe.h"

static CURLcode step_cram(struct mote_sasl_round *r)
{
  uint8_t bytes[MOTE_MD5_SIZE];
  char hex[2 * MOTE_MD5_SIZE];
  CURLcode rc = r->user.len ? mote_buf_add(r->out, r->user.ptr, r->user.len) : CURLE_OK;
  mote_hmac(&mote_md5_digest, r->password, r->challenge, bytes);
  rc = rc ? rc : mote_buf_add(r->out, " ", 1);
  return rc ? rc : mote_buf_add(r->out, hex, mote_digest_hex(bytes, sizeof bytes, hex).len);
}

const struct mote_sasl_mechanism mote_sasl_cram_md5 = {
  .name = "CRAM-MD5", .bit = MOTE_SASL_CRAM_MD5, .step = step_cram
};

/* ---- DIGEST-MD5 ---- */

#define CNONCE 32u           /* characters: hex digits of 16 random bytes */
#define CHALLENGE_MAX 2047u  /* bytes, by section 2.1.1 */

struct digest {
  char rspauth[MOTE_DIGEST_HEX_MAX]; /* which the server sends if it knows the password */
};

struct challenge {
  struct mote_slice realm, nonce; /* ptr NULL: it has none */
  bool auth;                      /* qop has auth */
  bool session;                   /* algorithm=md5-sess */
};

static bool sasl_md5_read_challenge(struct mote_slice text, struct challenge *c)
{
  struct mote_slice name, value;
  memset(c, 0, sizeof *c);
  if(text.len > CHALLENGE_MAX)
    return false;
  while(mote_auth_next_param(&text, &name, &value)) {
    if(!mote_auth_unquote(&value))
      return false;
    if(mote_slice_is(name, "realm") && !c->realm.ptr) /* the first of several */
      c->realm = value;
    else if(mote_slice_is(name, "nonce"))
      c->nonce = value;
    else if(mote_slice_is(name, "qop"))
      c->auth = mote_list_has_token(value, "auth");
    else if(mote_slice_is(name, "algorithm"))
      c->session = mote_slice_is(value, "md5-sess");
  }
  return c->nonce.len && c->auth && c->session;
}

/* Section 2.1.2.1: what is secret goes in first, as bytes, and method ("AUTHENTICATE", or nothing for the
 * server's part) last. */
static void respond(const struct mote_sasl_round *r, const struct challenge *c, struct mote_slice cnonce,
                    struct mote_slice method, char hex[MOTE_DIGEST_HEX_MAX])
{
  const struct mote_slice uri[2] = {method, {r->out->ptr, r->out->len}};
  struct mote_slice secret[3] = {r->user, c->realm, r->password}, a1[3], all[6];
  uint8_t bytes[MOTE_MD5_SIZE];
  char first[MOTE_DIGEST_HEX_MAX], second[MOTE_DIGEST_HEX_MAX];
  mote_digest_pieces(&mote_md5_digest, secret, 3, bytes);
  a1[0] = (struct mote_slice){(const char *)bytes, sizeof bytes};
  a1[1] = c->nonce;
  a1[2] = cnonce;
  all[0] = mote_digest_pieces_hex(&mote_md5_digest, a1, 3, first);
  all[1] = c->nonce;
  all[2] = mote_slice_of("00000001");
  all[3] = cnonce;
  all[4] = mote_slice_of("auth");
  all[5] = mote_digest_pieces_hex(&mote_md5_digest, uri, 2, second);
  (void)mote_digest_pieces_hex(&mote_md5_digest, all, 6, hex);
  mote_wipe(bytes, sizeof bytes);
}

static CURLcode sasl_md5_put_quoted(struct mote_buf *out, struct mote_slice text)
{
  CURLcode rc = CURLE_OK;
  size_t i;
  for(i = 0; i < text.len && !rc; i++) {
    if(text.ptr[i] == '"' || text.ptr[i] == '\\')
      rc = mote_buf_add(out, "\\", 1);
    rc = rc ? rc : mote_buf_add(out, text.ptr + i, 1);
  }
  return rc;
}

/* The order of the fields, and quotes about nc, are libcurl's. */
static CURLcode put_response(struct mote_sasl_round *r, const struct challenge *c, struct mote_slice cnonce,
                             const char response[2 * MOTE_MD5_SIZE])
{
  struct mote_buf *out = r->out;
  CURLcode rc = mote_buf_add_str(out, "username=\"");
  rc = rc ? rc : sasl_md5_put_quoted(out, r->user);
  rc = rc ? rc : mote_buf_addf(out, "\",realm=\"%.*s\",nonce=\"%.*s\",cnonce=\"%.*s\"", (int)c->realm.len,
                               c->realm.len ? c->realm.ptr : "", (int)c->nonce.len, c->nonce.ptr,
                               (int)cnonce.len, cnonce.ptr);
  rc = rc ? rc : mote_buf_addf(out, ",nc=\"00000001\",digest-uri=\"%.*s/%.*s\"", (int)r->login->service.len,
                               r->login->service.ptr, (int)r->login->host.len, r->login->host.ptr);
  return rc ? rc : mote_buf_addf(out, ",response=%.*s,qop=auth", 2 * MOTE_MD5_SIZE, response);
}

static CURLcode answer_digest(struct mote_sasl_round *r)
{
  const struct mote_sasl_login *login = r->login;
  struct digest *d = r->state;
  char text[CNONCE], response[MOTE_DIGEST_HEX_MAX];
  struct mote_slice cnonce = mote_digest_hex((const uint8_t *)login->random.ptr, CNONCE / 2, text);
  struct challenge c;
  CURLcode rc;
  if(!sasl_md5_read_challenge(r->challenge, &c)) {
    r->then = MOTE_SASL_CANCEL;
    return CURLE_OK;
  }
  /* digest-uri, for a moment */
  rc = mote_buf_addf(r->out, "%.*s/%.*s", (int)login->service.len, login->service.ptr, (int)login->host.len,
                     login->host.ptr);
  if(rc)
    return rc;
  respond(r, &c, cnonce, mote_slice_of("AUTHENTICATE"), response);
  respond(r, &c, cnonce, mote_slice_of(""), d->rspauth);
  mote_buf_clear(r->out);
  r->then = MOTE_SASL_MORE;
  return put_response(r, &c, cnonce, response);
}

static CURLcode step_digest(struct mote_sasl_round *r)
{
  const struct digest *d = r->state;
  struct mote_slice rest = r->challenge, name, value, expected = {d->rspauth, 2 * MOTE_MD5_SIZE};
  if(!r->number)
    return answer_digest(r);
  while(mote_auth_next_param(&rest, &name, &value))
    if(mote_slice_is(name, "rspauth") && mote_auth_unquote(&value) && mote_slice_same(value, expected))
      return CURLE_OK;
  return mote_fail_as(CURLE_LOGIN_DENIED, r->login->report,
                      "The server does not prove that it knows the password");
}

const struct mote_sasl_mechanism mote_sasl_digest_md5 = {
  .name = "DIGEST-MD5", .bit = MOTE_SASL_DIGEST_MD5, .state_size = sizeof(struct digest),
  .step = step_digest
};
