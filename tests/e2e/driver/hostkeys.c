/* hostkeys.c: the callbacks that judge the key of an SSH server. */
#include "triggers.h"

/* Without an instruction a key is accepted if it is known. */
static int on_key(CURL *easy, const struct curl_khkey *known, const struct curl_khkey *found,
                  enum curl_khmatch match, void *arg)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_SSHKEY, 0);
  if(easy != h->easy)
    violation("SSH_KEYFUNCTION with another handle", h->name, 0);
  log_begin("sshkey");
  log_text(h->name);
  log_num((long long)match);
  log_num(found->keytype);
  log_num((long long)found->len);
  log_num(known ? (long long)known->keytype : -1);
  log_text(known ? known->key : "NULL");
  log_end();
  if(o.decided)
    return (int)o.ret;
  return match == CURLKHMATCH_OK ? CURLKHSTAT_FINE : CURLKHSTAT_REJECT;
}

static int on_host_key(void *arg, int type, const char *key, size_t len)
{
  struct handle *h = arg;
  struct outcome o = triggers_run(h, EV_HOSTKEY, 0);
  log_begin("hostkey");
  log_text(h->name);
  log_num(type);
  log_bytes(key, len);
  log_end();
  return o.decided ? (int)o.ret : CURLKHMATCH_OK;
}

CURLcode host_keys_enable(struct handle *h, enum event event)
{
  CURLcode rc;
  if(event == EV_HOSTKEY) {
    rc = curl_easy_setopt(h->easy, CURLOPT_SSH_HOSTKEYFUNCTION, on_host_key);
    return rc ? rc : curl_easy_setopt(h->easy, CURLOPT_SSH_HOSTKEYDATA, h);
  }
  rc = curl_easy_setopt(h->easy, CURLOPT_SSH_KEYFUNCTION, on_key);
  return rc ? rc : curl_easy_setopt(h->easy, CURLOPT_SSH_KEYDATA, h);
}
