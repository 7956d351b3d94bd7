/* auth/sasl/scram.c: SCRAM-SHA-1 (RFC 5802) and SCRAM-SHA-256 (RFC 7677) without channel binding. The
 * password never leaves the client, and a server that has no proof of knowing it is refused.
 *
 * Users and passwords beyond ASCII are sent as they are, not normalised by SASLprep (RFC 4013). */
#include <string.h>

#include "auth/sasl/sasl.h"
#include "auth/scheme.h"
#include "base/buf.h"
#include "base/digest/base64.h"
#include "base/digest/hmac.h"
#include "base/report.h"
#include "base/text/format.h"
#include "base/wipe.h"

/* Most rounds of PBKDF2 that a server may ask for. They are done at once while the caller waits, for a
 * twentieth of a second; 2^31 would take twenty minutes. Servers have 4,096 (RFC 7677 section 4) or a few
 * times that. The next mechanism follows for one that asks for more. */
#define ROUNDS_MAX 100000u
#define SALT_MAX 256u                            /* bytes; servers have 16 */
#define NONCE MOTE_BASE64_SIZE(MOTE_SASL_RANDOM) /* characters of ours, the NUL included */

struct scram {
  uint8_t signature[MOTE_HMAC_SIZE]; /* of a server that knows the password */
};

struct challenge {
  struct mote_slice nonce;
  uint64_t rounds;
  size_t salt_len;
  uint8_t salt[SALT_MAX];
};

/* ---- the first message ---- */

/* gs2-header: no channel binding, maybe an identity to act as. */
static CURLcode put_header(const struct mote_sasl_round *r, struct mote_buf *out)
{
  struct mote_slice authzid = r->login->authzid;
  CURLcode rc = mote_buf_add_str(out, authzid.len ? "n,a=" : "n,");
  rc = rc ? rc : mote_sasl_put_name(out, authzid);
  return rc ? rc : mote_buf_add(out, ",", 1);
}

static struct mote_slice print_nonce(const struct mote_sasl_round *r, char room[NONCE])
{
  struct mote_slice random = r->login->random, nonce = {room, 0};
  size_t n = random.len < MOTE_SASL_RANDOM ? random.len : MOTE_SASL_RANDOM;
  nonce.len = mote_base64_encode(room, random.ptr, n);
  return nonce;
}

/* client-first-message-bare */
static CURLcode put_bare(const struct mote_sasl_round *r, struct mote_buf *out)
{
  char room[NONCE];
  CURLcode rc = mote_buf_add_str(out, "n=");
  rc = rc ? rc : mote_sasl_put_name(out, r->user);
  return rc ? rc : mote_buf_addf(out, ",r=%s", print_nonce(r, room).ptr);
}

/* ---- the server's first message ---- */

/* Takes "<letter>=<value>" and the comma after it off the text. */
static bool scram_take(struct mote_slice *rest, char letter, struct mote_slice *value)
{
  const char *end = rest->len ? memchr(rest->ptr, ',', rest->len) : NULL;
  size_t n = end ? (size_t)(end - rest->ptr) : rest->len;
  if(n < 2 || rest->ptr[0] != letter || rest->ptr[1] != '=')
    return false;
  value->ptr = rest->ptr + 2;
  value->len = n - 2;
  mote_slice_skip(rest, n + (end ? 1 : 0));
  return true;
}

/* Extensions may follow, and are passed over; one that must be understood comes first, as "m=". */
static bool scram_read_challenge(struct mote_slice text, struct challenge *c)
{
  struct mote_slice salt, rounds;
  size_t i;
  if(!scram_take(&text, 'r', &c->nonce) || !scram_take(&text, 's', &salt) || !scram_take(&text, 'i', &rounds))
    return false;
  for(i = 0; i < c->nonce.len; i++)
    if(c->nonce.ptr[i] < '!' || c->nonce.ptr[i] > '~')
      return false;
  return salt.len && MOTE_BASE64_BYTES(salt.len) <= SALT_MAX &&
         mote_base64_decode(salt, c->salt, &c->salt_len) &&
         mote_parse_dec(rounds, UINT64_MAX, &c->rounds) && c->rounds;
}

static CURLcode scram_judge(const struct mote_sasl_round *r, const struct challenge *c)
{
  struct mote_report *report = r->login->report;
  char room[NONCE];
  struct mote_slice nonce = print_nonce(r, room);
  if(c->nonce.len <= nonce.len || memcmp(c->nonce.ptr, nonce.ptr, nonce.len) != 0)
    mote_fail(report, "The server's nonce does not begin with the client's");
  else
    return CURLE_OK;
  return CURLE_LOGIN_DENIED;
}

/* Too many rounds are no attack by themselves, since a server that wants the password in clear can list PLAIN
 * alone. */
static bool scram_is_affordable(const struct mote_sasl_round *r, const struct challenge *c)
{
  if(c->rounds <= ROUNDS_MAX)
    return true;
  mote_info(r->login->report, "The server asks for more than %u rounds of PBKDF2", ROUNDS_MAX);
  return false;
}

/* ---- the last message ---- */

/* client-final-message-without-proof */
static CURLcode put_final(const struct mote_sasl_round *r, const struct challenge *c, struct mote_buf *out)
{
  struct mote_buf header;
  CURLcode rc;
  mote_buf_init(&header, r->account, MOTE_PART_CONN, out->limit);
  rc = put_header(r, &header);
  rc = rc ? rc : mote_buf_add(out, "c=", 2);
  rc = rc ? rc : mote_buf_reserve(out, MOTE_BASE64_SIZE(header.len));
  if(!rc)
    out->len += mote_base64_encode(out->ptr + out->len, header.ptr, header.len);
  mote_buf_close(&header);
  rc = rc ? rc : mote_buf_add(out, ",r=", 3);
  return rc ? rc : mote_buf_add(out, c->nonce.ptr, c->nonce.len);
}

/* Section 3. message: AuthMessage. proof: ClientProof. */
static void scram_prove(const struct mote_sasl_round *r, const struct mote_digest *digest,
                        const struct challenge *c, const struct mote_buf *message,
                        uint8_t proof[MOTE_HMAC_SIZE])
{
  struct scram *s = r->state;
  uint8_t salted[MOTE_HMAC_SIZE], key[MOTE_HMAC_SIZE], stored[MOTE_HMAC_SIZE];
  const struct mote_slice by_key = {(const char *)key, digest->size};
  const struct mote_slice by_salted = {(const char *)salted, digest->size};
  const struct mote_slice by_stored = {(const char *)stored, digest->size};
  const struct mote_slice text = {message->ptr, message->len};
  unsigned i;
  mote_hmac_pbkdf2(digest, r->password, (struct mote_slice){(const char *)c->salt, c->salt_len},
                   (uint32_t)c->rounds, salted);
  mote_hmac(digest, by_salted, mote_slice_of("Client Key"), key);
  mote_digest_pieces(digest, &by_key, 1, stored);
  mote_hmac(digest, by_stored, text, proof);
  for(i = 0; i < digest->size; i++)
    proof[i] ^= key[i];
  mote_hmac(digest, by_salted, mote_slice_of("Server Key"), key);
  mote_hmac(digest, by_key, text, s->signature);
  mote_wipe(salted, sizeof salted);
  mote_wipe(key, sizeof key);
}

/* AuthMessage is written first, whose end is the beginning of what is sent. */
static CURLcode scram_answer(struct mote_sasl_round *r, const struct mote_digest *digest)
{
  struct mote_buf *out = r->out;
  uint8_t proof[MOTE_HMAC_SIZE];
  char text[MOTE_BASE64_SIZE(MOTE_HMAC_SIZE)];
  struct challenge c;
  CURLcode rc;
  size_t start;
  if(!scram_read_challenge(r->challenge, &c)) {
    r->then = MOTE_SASL_CANCEL;
    return CURLE_OK;
  }
  rc = scram_judge(r, &c);
  if(!rc && !scram_is_affordable(r, &c)) {
    r->then = MOTE_SASL_CANCEL;
    return CURLE_OK;
  }
  rc = rc ? rc : put_bare(r, out);
  rc = rc ? rc : mote_buf_add(out, ",", 1);
  rc = rc ? rc : mote_buf_add(out, r->challenge.ptr, r->challenge.len);
  rc = rc ? rc : mote_buf_add(out, ",", 1);
  start = out->len;
  rc = rc ? rc : put_final(r, &c, out);
  if(rc)
    return rc;
  scram_prove(r, digest, &c, out, proof);
  mote_buf_drop(out, start);
  (void)mote_base64_encode(text, proof, digest->size);
  r->then = MOTE_SASL_MORE;
  return mote_buf_addf(out, ",p=%s", text);
}

/* The server's last message has its signature, or the reason of a refusal. The answer is empty. */
static CURLcode scram_verify(struct mote_sasl_round *r, const struct mote_digest *digest)
{
  const struct scram *s = r->state;
  struct mote_slice rest = r->challenge, value, expected;
  char text[MOTE_BASE64_SIZE(MOTE_HMAC_SIZE)];
  expected.ptr = text;
  expected.len = mote_base64_encode(text, s->signature, digest->size);
  if(scram_take(&rest, 'v', &value) && mote_slice_same(value, expected))
    return CURLE_OK;
  if(scram_take(&rest, 'e', &value))
    mote_fail(r->login->report, "The server refuses the credentials: %.*s",
              (int)(value.len < 60 ? value.len : 60), value.ptr);
  else
    mote_fail(r->login->report, "The server does not prove that it knows the password");
  return CURLE_LOGIN_DENIED;
}

/* A user with a token alone has no password, not an empty one, and gets one try. Libcurl uses DIGEST-MD5 and
 * CRAM-MD5 even then, and so do we, but it has no SCRAM that would take the token's place. */
static bool scram_fits(const struct mote_sasl_login *login)
{
  return login->auth->password.len || !login->auth->token.len;
}

static CURLcode scram_step(struct mote_sasl_round *r, const struct mote_digest *digest)
{
  CURLcode rc;
  if(r->number)
    return r->number == 1 ? scram_answer(r, digest) : scram_verify(r, digest);
  r->then = MOTE_SASL_MORE;
  rc = put_header(r, r->out);
  return rc ? rc : put_bare(r, r->out);
}

static CURLcode step_sha1(struct mote_sasl_round *r)
{
  return scram_step(r, &mote_sha1_digest);
}

static CURLcode step_sha256(struct mote_sasl_round *r)
{
  return scram_step(r, &mote_sha256_digest);
}

const struct mote_sasl_mechanism mote_sasl_scram_sha_1 = {
  .name = "SCRAM-SHA-1", .bit = MOTE_SASL_SCRAM_SHA_1, .state_size = sizeof(struct scram), .first = true,
  .authzid = true, .fits = scram_fits, .step = step_sha1
};

const struct mote_sasl_mechanism mote_sasl_scram_sha_256 = {
  .name = "SCRAM-SHA-256", .bit = MOTE_SASL_SCRAM_SHA_256, .state_size = sizeof(struct scram), .first = true,
  .authzid = true, .fits = scram_fits, .step = step_sha256
};
