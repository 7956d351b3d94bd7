/* protocol/ssh_host_key.c: whether the server's key is the right one (protocol/ssh.h): by its fingerprint, by
 * the application, or by a file of known hosts, in this order. */
#include <string.h>

#include "base/base64.h"
#include "protocol/ssh.h"
#include "transfer/callback.h"

#define MD5_BYTES 16
#define SHA256_BYTES 32

static CURLcode refuse(struct mote_transfer *t, const char *why)
{
  mote_fail(&t->report, "The key of the server is refused: %s", why);
  return CURLE_PEER_FAILED_VERIFICATION;
}

/* ---- fingerprints ---- */

static CURLcode check_md5(struct mote_transfer *t, struct mote_ssh *s, const char *wanted)
{
  static const char digits[] = "0123456789abcdef";
  const unsigned char *hash = (const unsigned char *)libssh2_hostkey_hash(s->session,
                                                                          LIBSSH2_HOSTKEY_HASH_MD5);
  char text[2 * MD5_BYTES + 1];
  unsigned i;
  if(!hash)
    return refuse(t, "it has no MD5 fingerprint");
  for(i = 0; i < MD5_BYTES; i++) {
    text[2 * i] = digits[hash[i] >> 4];
    text[2 * i + 1] = digits[hash[i] & 15u];
  }
  text[2 * MD5_BYTES] = 0;
  if(mote_equal_nocase(text, wanted))
    return CURLE_OK;
  mote_fail(&t->report, "Its MD5 fingerprint %s is not that of CURLOPT_SSH_HOST_PUBLIC_KEY_MD5", text);
  return CURLE_PEER_FAILED_VERIFICATION;
}

/* Without its padding. */
static struct mote_slice unpadded(const char *text)
{
  struct mote_slice s = mote_slice_of(text);
  while(s.len && s.ptr[s.len - 1] == '=')
    s.len--;
  return s;
}

static CURLcode check_sha256(struct mote_transfer *t, struct mote_ssh *s, const char *wanted)
{
  const char *hash = libssh2_hostkey_hash(s->session, LIBSSH2_HOSTKEY_HASH_SHA256);
  char text[MOTE_BASE64_SIZE(SHA256_BYTES)];
  if(!hash)
    return refuse(t, "it has no SHA-256 fingerprint");
  (void)mote_base64_encode(text, hash, SHA256_BYTES);
  if(mote_slice_same(unpadded(text), unpadded(wanted)))
    return CURLE_OK;
  mote_fail(&t->report, "Its SHA-256 fingerprint %s is not that of CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256", text);
  return CURLE_PEER_FAILED_VERIFICATION;
}

/* ---- the application ---- */

static int kind_of(int type)
{
  switch(type) {
  case LIBSSH2_HOSTKEY_TYPE_RSA:
    return CURLKHTYPE_RSA;
  case LIBSSH2_HOSTKEY_TYPE_DSS:
    return CURLKHTYPE_DSS;
  case LIBSSH2_HOSTKEY_TYPE_ECDSA_256:
  case LIBSSH2_HOSTKEY_TYPE_ECDSA_384:
  case LIBSSH2_HOSTKEY_TYPE_ECDSA_521:
    return CURLKHTYPE_ECDSA;
  case LIBSSH2_HOSTKEY_TYPE_ED25519:
    return CURLKHTYPE_ED25519;
  default:
    return CURLKHTYPE_UNKNOWN;
  }
}

static CURLcode ask_application(struct mote_transfer *t, struct mote_ssh *s, curl_sshhostkeycallback fn)
{
  struct mote_callback_guard g;
  size_t len = 0;
  int type = 0, answer;
  const char *key = libssh2_session_hostkey(s->session, &len, &type);
  if(!key)
    return refuse(t, "there is none");
  g = mote_callback_enter(t);
  answer = fn(mote_opt_ptr(&t->options, CURLOPT_SSH_HOSTKEYDATA), kind_of(type), key, len);
  mote_callback_leave(t, g);
  return answer == CURLKHMATCH_OK ? CURLE_OK : refuse(t, "CURLOPT_SSH_HOSTKEYFUNCTION says so");
}

/* ---- known hosts ---- */

CURLcode mote_ssh_prefer_known(struct mote_transfer *t, struct mote_ssh *s)
{
  (void)t;
  (void)s;
  return CURLE_OK;
}

CURLcode mote_ssh_verify(struct mote_transfer *t, struct mote_ssh *s)
{
  curl_sshhostkeycallback fn = (curl_sshhostkeycallback)mote_opt_fn(&t->options, CURLOPT_SSH_HOSTKEYFUNCTION);
  const char *sha256 = mote_opt_str(&t->options, CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256);
  const char *md5 = mote_opt_str(&t->options, CURLOPT_SSH_HOST_PUBLIC_KEY_MD5);
  if(sha256)
    return check_sha256(t, s, sha256);
  if(md5)
    return check_md5(t, s, md5);
  if(fn)
    return ask_application(t, s, fn);
  if(mote_opt_str(&t->options, CURLOPT_SSH_KNOWNHOSTS))
    return refuse(t, "files of known hosts are not read yet");
  return CURLE_OK;
}
