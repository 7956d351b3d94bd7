/* protocol/ssh/ssh_host_key.c: whether the server's key is the right one (protocol/ssh/ssh.h): by its
 * fingerprint, by the application, or by a file of known hosts, in this order. */
#include <string.h>

#include "base/digest/base64.h"
#include "base/text/format.h"
#include "port/file.h"
#include "protocol/ssh/ssh.h"
#include "protocol/ssh/ssh_known_hosts.h"
#include "transfer/callback.h"
#include "transfer/multi/schedule.h"

#define MD5_BYTES 16
#define SHA256_BYTES 32
#define LINE_ROOM 16384u  /* bytes of the longest line of a file of known hosts */

static CURLcode ssh_host_key_refuse(struct mote_transfer *t, const char *why)
{
  return mote_fail_as(CURLE_PEER_FAILED_VERIFICATION, &t->report, "The key of the server is refused: %s",
                      why);
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
    return ssh_host_key_refuse(t, "it has no MD5 fingerprint");
  for(i = 0; i < MD5_BYTES; i++) {
    text[2 * i] = digits[hash[i] >> 4];
    text[2 * i + 1] = digits[hash[i] & 15u];
  }
  text[2 * MD5_BYTES] = 0;
  if(mote_equal_nocase(text, wanted))
    return CURLE_OK;
  return mote_fail_as(CURLE_PEER_FAILED_VERIFICATION, &t->report,
                      "Its MD5 fingerprint %s is not that of CURLOPT_SSH_HOST_PUBLIC_KEY_MD5", text);
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
    return ssh_host_key_refuse(t, "it has no SHA-256 fingerprint");
  (void)mote_base64_encode(text, hash, SHA256_BYTES);
  if(mote_slice_same(unpadded(text), unpadded(wanted)))
    return CURLE_OK;
  return mote_fail_as(CURLE_PEER_FAILED_VERIFICATION, &t->report,
                      "Its SHA-256 fingerprint %s is not that of CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256", text);
}

/* ---- the application ---- */

static int ssh_host_key_kind_of(int type)
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
    return ssh_host_key_refuse(t, "there is none");
  g = mote_callback_enter(t);
  answer = fn(mote_opt_ptr(&t->options, CURLOPT_SSH_HOSTKEYDATA), ssh_host_key_kind_of(type), key, len);
  mote_callback_leave(t, g);
  return answer == CURLKHMATCH_OK ? CURLE_OK : ssh_host_key_refuse(t, "CURLOPT_SSH_HOSTKEYFUNCTION says so");
}

/* ---- known hosts ---- */

/* Types of host keys in the order of preference, each by the bit that the known ones have. The names of RSA
 * are those of signatures by the same key. */
static const struct {
  unsigned bit;
  const char *names;
} kinds[] = {
  {1u << LIBSSH2_HOSTKEY_TYPE_ED25519, "ssh-ed25519"},
  {1u << LIBSSH2_HOSTKEY_TYPE_ECDSA_256, "ecdsa-sha2-nistp256"},
  {1u << LIBSSH2_HOSTKEY_TYPE_ECDSA_384, "ecdsa-sha2-nistp384"},
  {1u << LIBSSH2_HOSTKEY_TYPE_ECDSA_521, "ecdsa-sha2-nistp521"},
  {1u << LIBSSH2_HOSTKEY_TYPE_RSA, "rsa-sha2-512,rsa-sha2-256,ssh-rsa"},
  {1u << LIBSSH2_HOSTKEY_TYPE_DSS, "ssh-dss"},
};

/* Prepares to look. */
static CURLcode begin_look(struct mote_transfer *t, struct mote_known_hosts *k, char **room)
{
  int port = t->run->request.url.port;
  struct mote_slice name = mote_url_packed_host(&t->run->request.url);
  if(name.len > 2 && *name.ptr == '[') {
    name.ptr++;
    name.len -= 2;
  }
  if(name.len >= sizeof k->host)
    return CURLE_URL_MALFORMAT;
  memcpy(k->host, name.ptr, name.len);
  k->host[name.len] = 0;
  k->port = port == 22 ? -1 : port;
  if(port == 22)
    memcpy(k->name, k->host, name.len + 1);
  else
    (void)mote_snprintf(k->name, sizeof k->name, "[%s]:%d", k->host, port);
  k->file = mote_opt_str(&t->options, CURLOPT_SSH_KNOWNHOSTS);
  k->key = NULL;
  k->copy = -1;
  *room = mote_schedule_buffer(t->multi, LINE_ROOM);
  return *room ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

static bool fingerprint_decides(const struct mote_transfer *t)
{
  return mote_opt_str(&t->options, CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256) ||
         mote_opt_str(&t->options, CURLOPT_SSH_HOST_PUBLIC_KEY_MD5);
}

CURLcode mote_ssh_prefer_known(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_known_hosts k;
  char list[200] = "", *room;
  size_t i, n = 0;
  CURLcode rc;
  if(!mote_opt_str(&t->options, CURLOPT_SSH_KNOWNHOSTS) || fingerprint_decides(t))
    return CURLE_OK;
  rc = begin_look(t, &k, &room);
  if(!rc)
    rc = mote_known_hosts_look(s, &k, room, LINE_ROOM);
  if(rc || k.verdict == LIBSSH2_KNOWNHOST_CHECK_NOTFOUND)
    return rc;
  for(i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if(k.types & kinds[i].bit)
      n += (size_t)mote_snprintf(list + n, sizeof list - n, "%s%s", n ? "," : "", kinds[i].names);
  rc = mote_ssh_prefer(s, LIBSSH2_METHOD_HOSTKEY, list);
  if(rc == CURLE_SSH)
    mote_fail(&t->report, "The file of known hosts has only keys of unknown types for the server");
  return rc;
}

static int ssh_host_key_type_of(int type)
{
  return type > LIBSSH2_HOSTKEY_TYPE_UNKNOWN && type <= LIBSSH2_HOSTKEY_TYPE_ED25519
           ? (type + 1) << LIBSSH2_KNOWNHOST_KEY_SHIFT
           : LIBSSH2_KNOWNHOST_KEY_UNKNOWN;
}

static int ask_key_function(struct mote_transfer *t, const struct mote_known_hosts *k, int type)
{
  curl_sshkeycallback fn = (curl_sshkeycallback)mote_opt_fn(&t->options, CURLOPT_SSH_KEYFUNCTION);
  struct curl_khkey found =
    {.key = k->key, .len = k->key_len, .keytype = (enum curl_khtype)ssh_host_key_kind_of(type)};
  struct curl_khkey known = {
    .key = k->known,
    .keytype = (enum curl_khtype)ssh_host_key_kind_of((k->known_type >> LIBSSH2_KNOWNHOST_KEY_SHIFT) - 1)
  };
  struct mote_callback_guard g;
  int answer;
  if(!fn)
    return k->verdict == LIBSSH2_KNOWNHOST_CHECK_MATCH ? CURLKHSTAT_FINE : CURLKHSTAT_REJECT;
  g = mote_callback_enter(t);
  answer = fn(t->msg.easy_handle, *k->known ? &known : NULL, &found, (enum curl_khmatch)k->verdict,
              mote_opt_ptr(&t->options, CURLOPT_SSH_KEYDATA));
  mote_callback_leave(t, g);
  return answer;
}

/* A file that cannot be written does not change what the application has said. */
static CURLcode add_to_file(struct mote_transfer *t, struct mote_ssh *s, struct mote_known_hosts *k,
                            bool replace)
{
  char *room = mote_schedule_buffer(t->multi, LINE_ROOM);
  CURLcode rc = CURLE_OK;
  int file, err;
  if(!room)
    return CURLE_OUT_OF_MEMORY;
  if(replace)
    rc = mote_known_hosts_replace(s, k, room, LINE_ROOM, &err);
  else {
    err = mote_port_file_open(k->file, MOTE_FILE_APPEND, 0600, &file);
    if(!err) {
      err = mote_known_hosts_add(k, file);
      (void)mote_port_file_close(file);
    }
  }
  if(err)
    mote_info(&t->report, "The file of known hosts cannot be written");
  return rc;
}

static CURLcode check_known(struct mote_transfer *t, struct mote_ssh *s)
{
  struct mote_known_hosts k;
  char *room;
  int type = 0, answer, verdict;
  CURLcode rc = begin_look(t, &k, &room);
  k.key = libssh2_session_hostkey(s->session, &k.key_len, &type);
  k.type = ssh_host_key_type_of(type);
  if(!rc && !k.key)
    return ssh_host_key_refuse(t, "there is none");
  if(!rc)
    rc = mote_known_hosts_look(s, &k, room, LINE_ROOM);
  if(rc)
    return rc;
  verdict = k.verdict;
  answer = ask_key_function(t, &k, type);
  if(answer == CURLKHSTAT_FINE)
    return CURLE_OK;
  if(answer == CURLKHSTAT_FINE_ADD_TO_FILE || answer == CURLKHSTAT_FINE_REPLACE)
    return verdict == LIBSSH2_KNOWNHOST_CHECK_MATCH
             ? CURLE_OK
             : add_to_file(t, s, &k, answer == CURLKHSTAT_FINE_REPLACE);
  if(verdict == LIBSSH2_KNOWNHOST_CHECK_MISMATCH)
    return ssh_host_key_refuse(t, "the file of known hosts has another one for this server");
  return ssh_host_key_refuse(t, verdict ? "the file of known hosts has none for this server"
                             : "the application says so");
}

CURLcode mote_ssh_verify(struct mote_transfer *t, struct mote_talk *talk)
{
  struct mote_ssh *s = (struct mote_ssh *)talk;
  curl_sshhostkeycallback fn = (curl_sshhostkeycallback)mote_opt_fn(&t->options, CURLOPT_SSH_HOSTKEYFUNCTION);
  const char *sha256 = mote_opt_str(&t->options, CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256);
  const char *md5 = mote_opt_str(&t->options, CURLOPT_SSH_HOST_PUBLIC_KEY_MD5);
  if(sha256)
    return check_sha256(t, s, sha256);
  if(md5)
    return check_md5(t, s, md5);
  if(fn)
    return ask_application(t, s, fn);
  return mote_opt_str(&t->options, CURLOPT_SSH_KNOWNHOSTS) ? check_known(t, s) : CURLE_OK;
}
