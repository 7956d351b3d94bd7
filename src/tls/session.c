/* tls/session.c: the cache of TLS sessions, and how streams of any library use it (part sessions).
 *
 * What export gives as sdata, integers in network order:
 *   "mote" 1   magic and version (5 bytes)
 *   tls_id     2 bytes
 *   until      8 bytes, Unix seconds
 *   earlydata  4 bytes
 *   alpn       1 byte length, then the name
 *   session    the rest, as the TLS library serialised it */
#include "tls/session.h"

#include <string.h>

#include "base/digest/sha256.h"
#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "base/text/format.h"
#include "port/port.h"
#include "tls/backend.h"
#include "tls/tls.h"
#include "tls/x509/pin.h"

#define HEAD 20        /* bytes of sdata before the name */
#define SALT 32
#define ALPN_MAX 255
#define KEY_MAX 1024   /* bytes of an imported key text */
#define KEY_SIZE 400   /* bytes of a key text of ours; longer host names have no sessions */
#define NAME_SIZE 64   /* bytes of the ALPN name that is kept with a session of ours, with its NUL */

static const char magic[5] = { 'm', 'o', 't', 'e', 1 };

/* One block: the struct, then sdata, then the key text with its NUL or the salted hash. */
struct entry {
  struct mote_list node;
  int64_t valid_until;
  uint32_t sdata_len;
  uint16_t key_len;    /* without the NUL; 0: only the hash is known */
  uint16_t tls_id;
  bool client_cert;
  uint8_t bytes[];
};

static const uint8_t *session_of(const struct entry *e, size_t *len)
{
  size_t head = HEAD + (size_t)e->bytes[HEAD - 1];
  *len = e->sdata_len - head;
  return e->bytes + head;
}

static const char *session_key_of(const struct entry *e)
{
  return e->key_len ? (const char *)e->bytes + e->sdata_len : NULL;
}

static size_t session_size_of(size_t sdata_len, size_t key_len)
{
  return sizeof(struct entry) + sdata_len + (key_len ? key_len + 1 : MOTE_SESSION_SHMAC);
}

void mote_session_ceiling(struct mote_ceiling *c)
{
  mote_ceiling_add(c, 1, session_size_of(HEAD + ALPN_MAX + MOTE_SESSION_MAX, KEY_SIZE));
}

static struct entry *session_entry_of(struct mote_list *n)
{
  return mote_container_of(n, struct entry, node);
}

static void session_drop(struct mote_session_cache *c, struct entry *e)
{
  size_t size = session_size_of(e->sdata_len, e->key_len);
  volatile uint8_t *p = (volatile uint8_t *)e;
  size_t i;
  mote_list_remove(&e->node);
  c->count--;
  for(i = 0; i < size; i++) /* it is a secret */
    p[i] = 0;
  mote_mem_free(c->account, MOTE_PART_TLS, e, size);
}

void mote_session_cache_close(struct mote_session_cache *c)
{
  while(!mote_list_empty(&c->entries))
    session_drop(c, session_entry_of(c->entries.next));
}

static void drop_expired(struct mote_session_cache *c, int64_t now)
{
  struct mote_list *n = c->entries.next;
  while(n != &c->entries) {
    struct entry *e = session_entry_of(n);
    n = n->next;
    if(e->valid_until <= now)
      session_drop(c, e);
  }
}

/* HMAC (RFC 2104) with a key of SALT bytes. */
static void session_hmac(const uint8_t salt[SALT], const char *text, uint8_t out[MOTE_SHA256_SIZE])
{
  uint8_t pad[64];
  struct mote_sha256 h;
  size_t i;
  memset(pad, 0x36, sizeof pad);
  for(i = 0; i < SALT; i++)
    pad[i] ^= salt[i];
  mote_sha256_init(&h);
  mote_sha256_add(&h, pad, sizeof pad);
  mote_sha256_add(&h, text, strlen(text));
  mote_sha256_end(&h, out);
  for(i = 0; i < sizeof pad; i++)
    pad[i] ^= 0x36 ^ 0x5c;
  mote_sha256_init(&h);
  mote_sha256_add(&h, pad, sizeof pad);
  mote_sha256_add(&h, out, MOTE_SHA256_SIZE);
  mote_sha256_end(&h, out);
}

static bool session_is_for(const struct entry *e, const char *key)
{
  const uint8_t *shmac = e->bytes + e->sdata_len;
  uint8_t digest[MOTE_SHA256_SIZE];
  if(e->key_len)
    return !strcmp(session_key_of(e), key);
  session_hmac(shmac, key, digest);
  return !memcmp(shmac + SALT, digest, sizeof digest);
}

/* Make room for one more of this key: of a TLS 1.3 key the oldest above the ceiling, else all there are. */
static void session_make_room(struct mote_session_cache *c, const char *key, int tls_id, int64_t now)
{
  unsigned keep = tls_id >= 0x0304 ? MOTE_SESSION_TICKETS - 1 : 0;
  struct mote_list *n = c->entries.next;
  while(key && n != &c->entries) {
    struct entry *e = session_entry_of(n);
    n = n->next;
    if(!session_is_for(e, key))
      continue;
    if(keep)
      keep--;
    else
      session_drop(c, e);
  }
  if(c->count >= c->limit)
    drop_expired(c, now);
  while(c->count && c->count >= c->limit)
    session_drop(c, session_entry_of(c->entries.prev));
}

static void session_put_number(uint8_t *p, uint64_t v, unsigned octets)
{
  while(octets--) {
    p[octets] = (uint8_t)v;
    v >>= 8;
  }
}

static uint64_t session_get_number(const uint8_t *p, unsigned octets)
{
  uint64_t v = 0;
  while(octets--)
    v = v << 8 | *p++;
  return v;
}

/* An entry without its sdata, linked. NULL: out of memory, or no entries are wanted. */
static struct entry *session_new_entry(struct mote_session_cache *c, const char *key, const uint8_t *shmac,
                                       size_t sdata_len)
{
  size_t key_len = key ? strlen(key) : 0;
  struct entry *e = c->limit ? mote_mem_alloc(c->account, MOTE_PART_TLS, session_size_of(sdata_len, key_len))
    : NULL;
  if(!e)
    return NULL;
  e->sdata_len = (uint32_t)sdata_len;
  e->key_len = (uint16_t)key_len;
  e->client_cert = false;
  if(key)
    memcpy(e->bytes + sdata_len, key, key_len + 1);
  else
    memcpy(e->bytes + sdata_len, shmac, MOTE_SESSION_SHMAC);
  mote_list_prepend(&c->entries, &e->node);
  c->count++;
  return e;
}

void mote_session_put(struct mote_session_cache *c, const char *key, struct mote_slice session,
                      const struct mote_session_info *info, int64_t now)
{
  size_t alpn_len = info->alpn ? strlen(info->alpn) : 0;
  struct entry *e;
  if(!session.len || session.len > MOTE_SESSION_MAX || alpn_len > ALPN_MAX || !*key ||
     strlen(key) > KEY_MAX || info->valid_until <= now)
    return;
  session_make_room(c, key, info->tls_id, now);
  e = session_new_entry(c, key, NULL, HEAD + alpn_len + session.len);
  if(!e)
    return;
  e->valid_until = info->valid_until;
  e->tls_id = (uint16_t)info->tls_id;
  e->client_cert = info->client_cert;
  memcpy(e->bytes, magic, sizeof magic);
  session_put_number(e->bytes + 5, e->tls_id, 2);
  session_put_number(e->bytes + 7, (uint64_t)info->valid_until, 8);
  session_put_number(e->bytes + 15, info->earlydata_max, 4);
  session_put_number(e->bytes + 19, alpn_len, 1);
  if(alpn_len)
    memcpy(e->bytes + HEAD, info->alpn, alpn_len);
  memcpy(e->bytes + HEAD + alpn_len, session.ptr, session.len);
}

bool mote_session_take(struct mote_session_cache *c, const char *key, int64_t now, mote_session_use_fn *use,
                       void *arg)
{
  struct mote_list *n;
  drop_expired(c, now);
  for(n = c->entries.next; n != &c->entries; n = n->next) {
    struct entry *e = session_entry_of(n);
    const uint8_t *session;
    size_t len;
    bool used;
    if(!session_is_for(e, key))
      continue;
    session = session_of(e, &len);
    used = use(arg, session, len);
    if(!used || e->tls_id >= 0x0304)
      session_drop(c, e);
    return used;
  }
  return false;
}

static CURLcode export_one(const struct entry *e, CURL *easy, curl_ssls_export_cb *fn, void *userptr)
{
  const char *key = session_key_of(e);
  uint8_t made[MOTE_SESSION_SHMAC];
  const uint8_t *shmac = made;
  char alpn[ALPN_MAX + 1];
  size_t alpn_len = e->bytes[HEAD - 1];
  memcpy(alpn, e->bytes + HEAD, alpn_len);
  alpn[alpn_len] = 0;
  if(key) {
    CURLcode rc = mote_port_random(made, SALT);
    if(rc)
      return rc;
    session_hmac(made, key, made + SALT);
  }
  else
    shmac = e->bytes + e->sdata_len;
  return fn(easy, userptr, key, shmac, MOTE_SESSION_SHMAC, e->bytes, e->sdata_len, (curl_off_t)e->valid_until,
            e->tls_id, alpn_len ? alpn : NULL, (size_t)session_get_number(e->bytes + 15, 4));
}

CURLcode mote_session_export(struct mote_session_cache *c, int64_t now, CURL *easy, curl_ssls_export_cb *fn,
                             void *userptr)
{
  struct mote_list *n;
  drop_expired(c, now);
  for(n = c->entries.next; n != &c->entries; n = n->next) {
    const struct entry *e = session_entry_of(n);
    CURLcode rc = e->client_cert ? CURLE_OK : export_one(e, easy, fn, userptr);
    if(rc)
      return rc;
  }
  return CURLE_OK;
}

static bool session_is_ours(struct mote_slice sdata)
{
  const unsigned char *bytes = (const unsigned char *)sdata.ptr;
  size_t front;
  if(sdata.len <= HEAD || memcmp(bytes, magic, sizeof magic))
    return false;
  front = HEAD + (size_t)bytes[HEAD - 1];
  return sdata.len > front && sdata.len - front <= MOTE_SESSION_MAX;
}

CURLcode mote_session_import(struct mote_session_cache *c, const struct mote_session_export *from,
                             int64_t now)
{
  const unsigned char *sdata = (const unsigned char *)from->sdata.ptr;
  const unsigned char *shmac = (const unsigned char *)from->shmac.ptr;
  const char *key = from->key;
  struct entry *e;
  int64_t until;
  int tls_id;
  if(key ? !*key || strlen(key) > KEY_MAX : !shmac || from->shmac.len != MOTE_SESSION_SHMAC)
    return CURLE_BAD_FUNCTION_ARGUMENT;
  if(!sdata || !session_is_ours(from->sdata))
    return CURLE_BAD_FUNCTION_ARGUMENT;
  tls_id = (int)session_get_number(sdata + 5, 2);
  until = (int64_t)session_get_number(sdata + 7, 8);
  if(until <= now || !c->limit)
    return CURLE_OK;
  session_make_room(c, key, tls_id, now);
  e = session_new_entry(c, key, shmac, from->sdata.len);
  if(!e)
    return CURLE_OUT_OF_MEMORY;
  e->valid_until = until;
  e->tls_id = (uint16_t)tls_id;
  memcpy(e->bytes, sdata, from->sdata.len);
  return CURLE_OK;
}

/* ---- the streams ---- */

void mote_tls_name_session(struct mote_tls_head *t, const struct mote_tls_config *cfg,
                           uint8_t identity[MOTE_SESSION_IDENTITY])
{
  uint8_t digest[MOTE_SHA256_SIZE];
  struct mote_sha256 h;
  mote_sha256_init(&h);
  mote_tls_config_feed(cfg, &h);
  mote_tls_files_feed(cfg, &h);
  mote_sha256_end(&h, digest);
  memcpy(identity, digest, MOTE_SESSION_IDENTITY);
  /* A file with a pinned key may have changed since, and a resumed session does not check it. */
  t->follows = cfg->session_cache && !cfg->ctx_function;
  t->session_cache = t->follows && !(cfg->pinned_key && mote_tls_pin_is_file(cfg->pinned_key));
}

/* Writes the text by which the stream's sessions are found. Returns false if there is no cache, or if the
 * name is too long for one. */
static bool make_key(const struct mote_tls_head *t, char key[KEY_SIZE], const uint8_t *identity)
{
  static const char hex[] = "0123456789abcdef";
  const char *host = mote_tls_host(t);
  char text[2 * MOTE_SESSION_IDENTITY + 1];
  size_t i;
  if(!t->cache || strlen(host) > KEY_SIZE - 100)
    return false;
  for(i = 0; i < MOTE_SESSION_IDENTITY; i++) {
    text[2 * i] = hex[identity[i] >> 4];
    text[2 * i + 1] = hex[identity[i] & 15];
  }
  text[2 * i] = 0;
  (void)mote_snprintf(key, KEY_SIZE, "%s:%u:%s:%s", host, (unsigned)t->port,
                      mote_tls_row(&t->stream)->version(), text);
  return true;
}

static void session_lock(const struct mote_tls_head *t)
{
  if(t->guard)
    t->guard->lock(t->guard_arg);
}

static void session_unlock(const struct mote_tls_head *t)
{
  if(t->guard)
    t->guard->unlock(t->guard_arg);
}

void mote_tls_take_session(struct mote_tls_head *t, const uint8_t identity[MOTE_SESSION_IDENTITY],
                           mote_session_use_fn *use)
{
  char key[KEY_SIZE];
  if(!make_key(t, key, identity))
    return;
  session_lock(t);
  (void)mote_session_take(t->cache, key, mote_port_wall(), use, &t->stream);
  session_unlock(t);
}

void mote_tls_put_session(struct mote_tls_head *t, const uint8_t identity[MOTE_SESSION_IDENTITY],
                          const void *bytes, size_t len, struct mote_session_info *info)
{
  char key[KEY_SIZE];
  char alpn[NAME_SIZE];
  const char *name;
  size_t name_len;
  if(!make_key(t, key, identity))
    return;
  info->client_cert = t->client_cert;
  name = mote_tls_alpn(&t->stream, &name_len);
  if(name && name_len < sizeof alpn) {
    memcpy(alpn, name, name_len);
    alpn[name_len] = 0;
    info->alpn = alpn;
  }
  session_lock(t);
  mote_session_put(t->cache, key, (struct mote_slice){bytes, len}, info, mote_port_wall());
  session_unlock(t);
}

void mote_tls_resume_as(struct mote_stream *tls, const struct mote_stream *other)
{
  const struct mote_tls_backend *b = mote_tls_row(tls);
  if(b == mote_tls_row(other) && mote_container_of(tls, struct mote_tls_head, stream)->follows)
    b->resume_as(tls, other);
}
