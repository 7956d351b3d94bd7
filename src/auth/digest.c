/* auth/digest.c: Digest (RFC 7616; without qop as RFC 2069 had it), for qop=auth alone. qop=auth-int would
 * need the whole body before the head, and is refused where nothing else is offered.
 *
 * The state is one block: the challenge's texts as they came between their quotes, but for the realm, whose
 * digest libcurl makes without its backslashes, the count of requests, and the part of the digest that is the
 * same for all of them. What is not fit for a quoted string is refused when it is read. */
#include <curl/curl.h>
#include <string.h>

#include "auth/scheme.h"
#include "base/buf.h"
#include "base/digest/base64.h"
#include "base/digest/digest.h"
#include "base/digest/sha256.h"
#include "base/out.h"
#include "port/port.h"

#define TEXTS_MAX 4096u   /* bytes of realm, nonce and opaque; servers send fewer than 500 */
#define RANDOM_BYTES 12u  /* of a cnonce */
#define CNONCE 16u        /* characters of its base 64 */

static const struct mote_digest *const algorithms[] = {
  &mote_md5_digest, &mote_sha256_digest, &mote_sha512_256_digest
};

/* ---- the challenge ---- */

struct challenge {
  struct mote_slice realm, nonce, opaque, algorithm; /* ptr NULL: it has none */
  const struct mote_digest *hash;                    /* NULL: it is unknown */
  bool session; /* "-sess" */
  bool auth;    /* qop has auth */
  bool auth_int;
  bool stale;
  bool userhash;
  bool bad;     /* a text is not fit for a quoted string */
};

/* What is remembered. The texts follow: realm, nonce, opaque, algorithm. */
struct digest {
  const struct mote_digest *hash;
  uint32_t count;                          /* of requests with this nonce */
  uint16_t realm, nonce, opaque, algorithm; /* bytes of the texts */
  bool has_opaque;
  bool session;
  bool auth;                               /* qop=auth; else none */
  bool userhash;
  bool known;                              /* `secret` was made */
  char cnonce[CNONCE];
  char secret[MOTE_DIGEST_HEX_MAX];        /* A1's digest */
};

static size_t texts_of(const struct digest *d)
{
  return (size_t)d->realm + d->nonce + d->opaque + d->algorithm;
}

static void close_digest(void *state, struct mote_account *account)
{
  struct digest *d = state;
  mote_mem_free(account, MOTE_PART_TRANSFER, d, sizeof *d + texts_of(d));
}

static void read_algorithm(struct challenge *c, struct mote_slice value)
{
  struct mote_slice name = value;
  size_t i;
  c->algorithm = value;
  c->hash = NULL;
  c->session = value.len > 5 && mote_equal_nocase_n(value.ptr + value.len - 5, "-sess", 5);
  name.len -= c->session ? 5 : 0;
  for(i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++)
    if(mote_slice_is(name, algorithms[i]->name))
      c->hash = algorithms[i];
}

static void read_param(struct challenge *c, struct mote_slice name, struct mote_slice value)
{
  if(!mote_auth_unquote(&value))
    c->bad = true;
  else if(mote_slice_is(name, "realm"))
    c->realm = value;
  else if(mote_slice_is(name, "nonce"))
    c->nonce = value;
  else if(mote_slice_is(name, "opaque"))
    c->opaque = value;
  else if(mote_slice_is(name, "algorithm"))
    read_algorithm(c, value);
  else if(mote_slice_is(name, "stale"))
    c->stale = mote_slice_is(value, "true");
  else if(mote_slice_is(name, "userhash"))
    c->userhash = mote_slice_is(value, "true");
  else if(mote_slice_is(name, "qop")) {
    c->auth = mote_list_has_token(value, "auth");
    c->auth_int = mote_list_has_token(value, "auth-int");
  }
}

static bool auth_digest_is_usable(const struct challenge *c)
{
  size_t texts = c->realm.len + c->nonce.len + c->opaque.len + c->algorithm.len;
  if(c->bad || !c->hash || !c->nonce.ptr || texts > TEXTS_MAX)
    return false;
  return c->auth || (!c->auth_int && !c->session);
}

/* Writes a text without the backslashes of its quoted pairs. Returns its length, whatever the room. */
static size_t put_plain(struct mote_out *o, struct mote_slice text)
{
  size_t i, n = 0;
  for(i = 0; i < text.len; i++) {
    if(text.ptr[i] == '\\')
      i++;
    mote_out_char(o, text.ptr[i]);
    n++;
  }
  return n;
}

static CURLcode auth_digest_remember(void **state, const struct challenge *c, struct mote_account *account)
{
  struct mote_out texts = mote_out_in(NULL, 0);
  struct digest head = {
    .hash = c->hash, .realm = (uint16_t)put_plain(&texts, c->realm), .nonce = (uint16_t)c->nonce.len,
    .opaque = (uint16_t)c->opaque.len, .algorithm = (uint16_t)c->algorithm.len,
    .has_opaque = c->opaque.ptr != NULL, .session = c->session, .auth = c->auth, .userhash = c->userhash,
  };
  unsigned char bytes[RANDOM_BYTES];
  char cnonce[MOTE_BASE64_SIZE(RANDOM_BYTES)];
  struct digest *d;
  CURLcode rc = mote_port_random(bytes, sizeof bytes);
  if(rc)
    return rc;
  (void)mote_base64_encode(cnonce, bytes, sizeof bytes);
  memcpy(head.cnonce, cnonce, CNONCE);
  d = mote_mem_alloc(account, MOTE_PART_TRANSFER, sizeof *d + texts_of(&head));
  if(!d)
    return CURLE_OUT_OF_MEMORY;
  *d = head;
  texts = mote_out_in((char *)(d + 1), texts_of(&head));
  (void)put_plain(&texts, c->realm);
  mote_out_slice(&texts, c->nonce);
  mote_out_slice(&texts, c->opaque);
  mote_out_slice(&texts, c->algorithm);
  *state = d;
  return CURLE_OK;
}

static CURLcode auth_digest_read_challenge(void **state, struct mote_slice params, bool sent,
                                           struct mote_account *account, enum mote_auth_verdict *verdict)
{
  struct challenge c = {.hash = algorithms[0]};
  struct mote_slice name, value;
  if(*state)
    close_digest(*state, account);
  *state = NULL;
  *verdict = MOTE_AUTH_UNUSABLE;
  while(mote_auth_next_param(&params, &name, &value))
    read_param(&c, name, value);
  if(!auth_digest_is_usable(&c))
    return CURLE_OK;
  *verdict = sent && !c.stale ? MOTE_AUTH_REFUSED : MOTE_AUTH_ANSWER;
  return auth_digest_remember(state, &c, account);
}

/* ---- the answer ---- */

static struct mote_slice auth_digest_text_at(const struct digest *d, size_t off, size_t len)
{
  struct mote_slice s = {(const char *)(d + 1) + off, len};
  return s;
}

/* Makes the digest of A1 (section 3.4.2), which is the same for all requests with this nonce. */
static CURLcode make_secret(struct digest *d, struct mote_slice user, const struct mote_auth_login *login,
                            struct mote_account *account)
{
  struct mote_slice a1[3] = {user, auth_digest_text_at(d, 0, d->realm), login->password};
  struct mote_buf plain;
  CURLcode rc = CURLE_OK;
  mote_buf_init(&plain, account, MOTE_PART_TRANSFER, SIZE_MAX / 4);
  if(login->password_coded)
    rc = mote_auth_put_plain(&plain, login->password, true);
  if(login->password_coded) {
    a1[2].ptr = plain.ptr;
    a1[2].len = plain.len;
  }
  if(!rc) {
    struct mote_slice inner = mote_digest_pieces_hex(d->hash, a1, 3, d->secret);
    if(d->session) {
      char hex[MOTE_DIGEST_HEX_MAX];
      struct mote_slice outer[3] = {inner, auth_digest_text_at(d, d->realm, d->nonce), {d->cnonce, CNONCE}};
      memcpy(d->secret, mote_digest_pieces_hex(d->hash, outer, 3, hex).ptr, inner.len);
    }
    d->known = true;
  }
  mote_buf_close(&plain);
  return rc;
}

/* Section 3.4.1. */
static struct mote_slice response(const struct digest *d, const struct mote_auth_request *r,
                                  const char *count, char hex[MOTE_DIGEST_HEX_MAX])
{
  char inner[MOTE_DIGEST_HEX_MAX];
  struct mote_slice a2[2] = {r->method, r->target};
  struct mote_slice all[6] = {{d->secret, 2u * d->hash->size}, auth_digest_text_at(d, d->realm, d->nonce)};
  unsigned n = 2;
  if(d->auth) {
    all[n++] = (struct mote_slice){count, 8};
    all[n++] = (struct mote_slice){d->cnonce, CNONCE};
    all[n++] = (struct mote_slice){"auth", 4};
  }
  all[n++] = mote_digest_pieces_hex(d->hash, a2, 2, inner);
  return mote_digest_pieces_hex(d->hash, all, n, hex);
}

static CURLcode auth_digest_put(struct mote_buf *out, const char *before, struct mote_slice value,
                                const char *after)
{
  CURLcode rc = mote_buf_add_str(out, before);
  rc = rc ? rc : mote_buf_add(out, value.ptr, value.len);
  return rc ? rc : mote_buf_add_str(out, after);
}

/* A user from a URL may have any byte; a control character would end the field. */
static CURLcode auth_digest_put_quoted(struct mote_buf *out, const char *before, struct mote_slice value)
{
  CURLcode rc = mote_buf_add_str(out, before);
  size_t i;
  for(i = 0; i < value.len && !rc; i++) {
    char c = value.ptr[i];
    if(mote_auth_is_control(c))
      return CURLE_BAD_FUNCTION_ARGUMENT;
    if(c == '"' || c == '\\')
      rc = mote_buf_add(out, "\\", 1);
    rc = rc ? rc : mote_buf_add(out, value.ptr + i, 1);
  }
  return rc ? rc : mote_buf_add(out, "\"", 1);
}

static void print_count(uint32_t count, char out[8])
{
  int i;
  for(i = 7; i >= 0; i--, count >>= 4)
    out[i] = "0123456789abcdef"[count & 15];
}

static CURLcode auth_digest_put_user(const struct digest *d, struct mote_slice user, struct mote_buf *out)
{
  struct mote_slice both[2] = {user, auth_digest_text_at(d, 0, d->realm)};
  char hex[MOTE_DIGEST_HEX_MAX];
  if(!d->userhash)
    return auth_digest_put_quoted(out, "Digest username=\"", user);
  return auth_digest_put(out, "Digest username=\"", mote_digest_pieces_hex(d->hash, both, 2, hex), "\"");
}

/* The order of the parameters is libcurl's. */
static CURLcode auth_digest_put_fields(const struct digest *d, const struct mote_auth_request *r,
                                       struct mote_slice user,
                                       struct mote_buf *out)
{
  struct mote_slice cnonce = {d->cnonce, CNONCE}, count;
  char hex[MOTE_DIGEST_HEX_MAX], digits[8];
  size_t at = d->realm;
  CURLcode rc = auth_digest_put_user(d, user, out);
  print_count(d->count + 1, digits);
  count.ptr = digits;
  count.len = sizeof digits;
  rc = rc ? rc : auth_digest_put_quoted(out, ", realm=\"", auth_digest_text_at(d, 0, d->realm));
  rc = rc ? rc : auth_digest_put(out, ", nonce=\"", auth_digest_text_at(d, at, d->nonce), "\"");
  at += d->nonce;
  rc = rc ? rc : auth_digest_put_quoted(out, ", uri=\"", r->target);
  if(d->auth) {
    rc = rc ? rc : auth_digest_put(out, ", cnonce=\"", cnonce, "\"");
    rc = rc ? rc : auth_digest_put(out, ", nc=", count, ", qop=auth");
  }
  rc = rc ? rc : auth_digest_put(out, ", response=\"", response(d, r, digits, hex), "\"");
  if(d->has_opaque)
    rc = rc ? rc : auth_digest_put(out, ", opaque=\"", auth_digest_text_at(d, at, d->opaque), "\"");
  at += d->opaque;
  if(d->algorithm)
    rc = rc ? rc : auth_digest_put(out, ", algorithm=", auth_digest_text_at(d, at, d->algorithm), "");
  if(d->userhash)
    rc = rc ? rc : mote_buf_add_str(out, ", userhash=true");
  return rc;
}

static CURLcode auth_put_digest(void *state, const struct mote_auth_request *r, struct mote_buf *out)
{
  struct digest *d = state;
  struct mote_slice user = r->login->user;
  size_t before = out->len;
  struct mote_buf plain;
  CURLcode rc = CURLE_OK;
  mote_buf_init(&plain, out->account, MOTE_PART_TRANSFER, SIZE_MAX / 4);
  if(r->login->user_coded && user.len) {
    rc = mote_auth_put_plain(&plain, user, true);
    user.ptr = plain.ptr;
    user.len = plain.len;
  }
  if(!rc && !d->known)
    rc = make_secret(d, user, r->login, out->account);
  rc = rc ? rc : auth_digest_put_fields(d, r, user, out);
  if(!rc)
    d->count++;
  else
    out->len = before;
  mote_buf_close(&plain);
  return rc;
}

const struct mote_auth_scheme mote_auth_digest = {
  .name = "digest", .bit = CURLAUTH_DIGEST, .rank = 3, .asks = true, .read = auth_digest_read_challenge,
  .put = auth_put_digest, .close = close_digest
};
