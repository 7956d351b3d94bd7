/* tls/x509/trust.c: the index of a bundle, one per bundle and process.
 *
 * Locks: `registry` guards the list, the counts and what is kept; a trust's own lock guards its entries,
 * which a lookup replaces when the file has changed. Never both at once. */
#include "tls/x509/trust.h"

#include <string.h>

#include "base/containers/list.h"
#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "port/file.h"
#include "port/lock.h"
#include "port/port.h"
#include "port/roots.h"
#include "tls/x509/der.h"
#include "tls/x509/pem.h"

#define CHUNK 8192u  /* bytes of the bundle in memory while it is indexed */
#define PREFIX 1024u /* first bytes of a certificate decoded to find its subject */
#define ENTRIES 16u  /* room of an index that grows from nothing */
#define PEM_LEAST 53u /* bytes that a certificate takes of a bundle of PEM: its BEGIN and END lines */
#define DER_LEAST 2u  /* bytes that one of DER takes */

/* One certificate. hash 0: its subject was not found in the first PREFIX bytes, so it may be any. */
struct entry {
  uint32_t hash;
  uint32_t offset; /* of the BEGIN line, or of the DER */
  uint32_t length; /* up to and with the END line, or of the DER */
};

struct index {
  struct entry *entries;
  uint32_t count;
  uint32_t cap;
};

struct mote_trust {
  struct mote_list node;       /* in the registry; unlinked once replaced */
  struct mote_mutex lock;      /* guards index and stamp */
  struct index index;
  struct mote_file_info stamp; /* of the file when it was indexed */
  mote_time checked;           /* when the file was last seen to be unchanged */
  char *blob;                  /* the bundle itself; NULL: it is in the file */
  size_t blob_len;
  size_t block;                /* bytes of this block */
  uint32_t refs;
  char path[];                 /* empty for a blob of the caller's */
};

static struct {
  struct mote_mutex lock;
  struct mote_list list; /* all zero until the first use */
  struct mote_trust *kept; /* a reference, or NULL */
} registry;

static void index_free(struct index *x)
{
  mote_mem_free(mote_mem_process(), MOTE_PART_TLS, x->entries, x->cap * sizeof *x->entries);
  memset(x, 0, sizeof *x);
}

static CURLcode index_resize(struct index *x, uint32_t cap)
{
  struct entry *p = mote_mem_realloc(mote_mem_process(), MOTE_PART_TLS, x->entries, x->cap * sizeof *p,
                                     cap * sizeof *p);
  if(!p)
    return CURLE_OUT_OF_MEMORY;
  x->entries = p;
  x->cap = cap;
  return CURLE_OK;
}

/* Adds the certificate that lies from `from` to `to` in the bundle and begins with these bytes of DER. */
static CURLcode index_add(struct index *x, uint64_t from, uint64_t to, const uint8_t *der, size_t der_len)
{
  struct mote_der subject;
  struct entry *e;
  if(to > UINT32_MAX || x->count == MOTE_TRUST_CERTS_MAX)
    return CURLE_SSL_CACERT_BADFILE;
  if(x->count == x->cap) {
    CURLcode rc = index_resize(x, x->cap ? x->cap * 2 : ENTRIES);
    if(rc)
      return rc;
  }
  e = &x->entries[x->count++];
  e->offset = (uint32_t)from;
  e->length = (uint32_t)(to - from);
  if(!mote_der_subject(der, der_len, &subject) ||
     !mote_der_name_hash(subject.whole, subject.whole_len, &e->hash))
    e->hash = 0;
  return CURLE_OK;
}

static CURLcode index_pem(struct index *x, const struct mote_pem *pem)
{
  return index_add(x, pem->start, pem->pos, pem->der, pem->der_len);
}

static CURLcode index_feed(struct index *x, struct mote_pem *pem, const char *p, size_t len)
{
  while(len) {
    size_t used;
    bool found = mote_pem_feed(pem, p, len, &used);
    CURLcode rc = found ? index_pem(x, pem) : CURLE_OK;
    if(rc)
      return rc;
    p += used;
    len -= used;
  }
  return CURLE_OK;
}

/* The text has ended. The index shrinks to the size that it needs. */
static CURLcode index_finish(struct index *x, struct mote_pem *pem)
{
  CURLcode rc = mote_pem_end(pem) ? index_pem(x, pem) : CURLE_OK;
  if(!rc && !x->count)
    rc = CURLE_SSL_CACERT_BADFILE;
  if(!rc && x->cap > x->count)
    rc = index_resize(x, x->count);
  return rc;
}

static CURLcode index_file(struct index *x, int file, const struct mote_file_info *info)
{
  struct mote_pem pem;
  size_t n;
  CURLcode rc;
  char *chunk = mote_mem_alloc(mote_mem_process(), MOTE_PART_TLS, CHUNK + PREFIX);
  if(!chunk)
    return CURLE_OUT_OF_MEMORY;
  mote_pem_init(&pem, NULL, (uint8_t *)chunk + CHUNK, PREFIX);
  /* A certificate takes about 1,500 bytes of a bundle, so this is room for all of them at once. */
  rc = index_resize(x, (uint32_t)(info->size / 1400 < 4096 ? info->size / 1400 : 4096) + 4);
  while(!rc) {
    if(mote_port_file_read(file, chunk, CHUNK, &n))
      rc = CURLE_SSL_CACERT_BADFILE;
    else if(!n)
      break;
    else
      rc = index_feed(x, &pem, chunk, n);
  }
  if(!rc)
    rc = index_finish(x, &pem);
  mote_mem_free(mote_mem_process(), MOTE_PART_TLS, chunk, CHUNK + PREFIX);
  if(rc)
    index_free(x);
  return rc;
}

/* Certificates one after the other; what follows them is passed over. */
static CURLcode index_der(struct index *x, const uint8_t *blob, size_t len)
{
  const uint8_t *p = blob;
  struct mote_der e;
  CURLcode rc = CURLE_OK;
  while(!rc && mote_der_next(&p, blob + len, &e) && e.tag == MOTE_DER_SEQUENCE)
    rc = index_add(x, (uint64_t)(e.whole - blob), (uint64_t)(p - blob), e.whole, e.whole_len);
  return rc;
}

static CURLcode index_blob(struct index *x, const char *blob, size_t len)
{
  uint8_t prefix[PREFIX];
  struct mote_pem pem;
  struct mote_der subject;
  CURLcode rc;
  mote_pem_init(&pem, NULL, prefix, sizeof prefix);
  if(mote_der_subject((const uint8_t *)blob, len, &subject))
    rc = index_der(x, (const uint8_t *)blob, len);
  else
    rc = index_feed(x, &pem, blob, len);
  if(!rc)
    rc = index_finish(x, &pem);
  if(rc)
    index_free(x);
  return rc;
}

/* All of a file that cannot be read twice. */
static CURLcode read_pipe(struct mote_trust *t, int file)
{
  size_t n = 1;
  size_t len = 0;
  while(n) {
    if(len == t->blob_len) {
      size_t cap = len ? len * 2 : CHUNK;
      char *p;
      if(cap > MOTE_TRUST_PIPE_MAX)
        return CURLE_SSL_CACERT_BADFILE;
      p = mote_mem_realloc(mote_mem_process(), MOTE_PART_TLS, t->blob, t->blob_len, cap);
      if(!p)
        return CURLE_OUT_OF_MEMORY;
      t->blob = p;
      t->blob_len = cap;
    }
    if(mote_port_file_read(file, t->blob + len, t->blob_len - len, &n))
      return CURLE_SSL_CACERT_BADFILE;
    len += n;
  }
  memset(t->blob + len, '\n', t->blob_len - len);
  return index_blob(&t->index, t->blob, t->blob_len);
}

struct roots {
  struct mote_trust *trust;
  CURLcode rc;
};

static bool add_system_root(void *arg, const uint8_t *der, size_t len)
{
  struct roots *to = arg;
  struct mote_trust *t = to->trust;
  struct mote_der subject;
  char *p;
  if(!mote_der_subject(der, len, &subject))
    return true;
  p = mote_mem_realloc(mote_mem_process(), MOTE_PART_TLS, t->blob, t->blob_len, t->blob_len + len);
  if(!p) {
    to->rc = CURLE_OUT_OF_MEMORY;
    return false;
  }
  memcpy(p + t->blob_len, der, len);
  t->blob = p;
  t->blob_len += len;
  return true;
}

/* The system's own, as DER one after the other, where they are in no file. */
static CURLcode load_system_roots(struct mote_trust *t)
{
  struct roots to = {t, CURLE_OK};
  t->checked = mote_port_now();
  if(mote_port_roots(add_system_root, &to))
    return CURLE_SSL_CACERT_BADFILE;
  if(!to.rc)
    to.rc = t->blob ? index_blob(&t->index, t->blob, t->blob_len) : CURLE_SSL_CACERT_BADFILE;
  return to.rc;
}

static CURLcode trust_load(struct mote_trust *t, struct mote_slice blob)
{
  CURLcode rc;
  int file;
  if(blob.ptr) {
    t->blob = mote_mem_alloc(mote_mem_process(), MOTE_PART_TLS, blob.len);
    if(!t->blob)
      return CURLE_OUT_OF_MEMORY;
    t->blob_len = blob.len;
    memcpy(t->blob, blob.ptr, blob.len);
    return index_blob(&t->index, t->blob, t->blob_len);
  }
  if(mote_port_is_roots(t->path))
    return load_system_roots(t);
  if(mote_port_file_open(t->path, MOTE_FILE_READ, 0, &file))
    return CURLE_SSL_CACERT_BADFILE;
  if(mote_port_file_info(file, &t->stamp) || t->stamp.directory)
    rc = CURLE_SSL_CACERT_BADFILE;
  else if(t->stamp.regular)
    rc = index_file(&t->index, file, &t->stamp);
  else
    rc = read_pipe(t, file);
  mote_port_file_close(file);
  t->checked = mote_port_now();
  return rc;
}

static void trust_destroy(struct mote_trust *t)
{
  struct mote_account *a = mote_mem_process();
  index_free(&t->index);
  mote_mem_free(a, MOTE_PART_TLS, t->blob, t->blob_len);
  mote_mem_free(a, MOTE_PART_TLS, t, t->block);
}

static bool same_source(const struct mote_trust *t, const char *file, struct mote_slice blob)
{
  if(blob.ptr)
    return !t->path[0] && t->blob_len == blob.len && !memcmp(t->blob, blob.ptr, blob.len);
  return t->path[0] && !strcmp(t->path, file);
}

static bool stamps_differ(const struct mote_file_info *a, const struct mote_file_info *b)
{
  return a->mtime != b->mtime || a->size != b->size || a->number != b->number;
}

/* Whether the file is due for a check and differs from what was indexed. */
static bool outdated(struct mote_trust *t, long timeout)
{
  struct mote_file_info info;
  mote_time now = mote_port_now();
  bool changed;
  if(!t->path[0] || timeout < 0 || (now - t->checked) / MOTE_SECOND < timeout)
    return false;
  if(mote_port_path_info(t->path, &info))
    return true;
  mote_port_lock(&t->lock);
  changed = !info.regular || stamps_differ(&info, &t->stamp);
  mote_port_unlock(&t->lock);
  if(!changed)
    t->checked = now;
  return changed;
}

/* Returns a reference to the registered one, or NULL. One that is outdated leaves the registry. */
static struct mote_trust *find_registered(const char *file, struct mote_slice blob, long timeout)
{
  struct mote_list *n;
  if(!registry.list.next)
    mote_list_init(&registry.list);
  for(n = registry.list.next; n != &registry.list; n = n->next) {
    struct mote_trust *t = mote_container_of(n, struct mote_trust, node);
    if(!same_source(t, file, blob))
      continue;
    if(outdated(t, timeout)) {
      mote_list_remove(&t->node);
      return NULL;
    }
    t->refs++;
    return t;
  }
  return NULL;
}

CURLcode mote_trust_open(struct mote_trust **out, const char *file, struct mote_slice blob, long timeout)
{
  size_t path_len = blob.ptr || !file ? 0 : strlen(file);
  struct mote_trust *t;
  CURLcode rc = CURLE_OK;
  *out = NULL;
  if(!blob.ptr && !path_len)
    return CURLE_SSL_CACERT_BADFILE;
  mote_port_lock(&registry.lock);
  t = find_registered(file, blob, timeout);
  if(!t) {
    size_t block = sizeof *t + path_len + 1;
    t = mote_mem_zalloc(mote_mem_process(), MOTE_PART_TLS, block);
    rc = CURLE_OUT_OF_MEMORY;
    if(t) {
      t->block = block;
      t->refs = 1;
      if(path_len)
        memcpy(t->path, file, path_len);
      rc = trust_load(t, blob);
      if(rc) {
        trust_destroy(t);
        t = NULL;
      }
      else
        mote_list_prepend(&registry.list, &t->node);
    }
  }
  mote_port_unlock(&registry.lock);
  *out = t;
  return rc;
}

void mote_trust_release(struct mote_trust *t)
{
  bool last;
  if(!t)
    return;
  mote_port_lock(&registry.lock);
  last = !--t->refs;
  if(last)
    mote_list_remove(&t->node);
  mote_port_unlock(&registry.lock);
  if(last)
    trust_destroy(t);
}

void mote_trust_keep(struct mote_trust *t)
{
  struct mote_trust *old;
  mote_port_lock(&registry.lock);
  old = registry.kept;
  registry.kept = t;
  if(t)
    t->refs++;
  mote_port_unlock(&registry.lock);
  mote_trust_release(old);
}

/* Indexes the open file again if it has changed. Under the trust's lock. */
static CURLcode refresh(struct mote_trust *t, int file)
{
  struct mote_file_info info;
  struct index fresh = { NULL, 0, 0 };
  CURLcode rc;
  if(mote_port_file_info(file, &info))
    return CURLE_SSL_CACERT_BADFILE;
  if(!stamps_differ(&info, &t->stamp))
    return CURLE_OK;
  rc = info.regular ? index_file(&fresh, file, &info) : CURLE_SSL_CACERT_BADFILE;
  if(rc)
    return rc;
  index_free(&t->index);
  t->index = fresh;
  t->stamp = info;
  return CURLE_OK;
}

/* PEM is decoded in place: base64 is longer than what it stands for. */
static void hand_over(char *text, size_t len, mote_trust_fn *fn, void *arg)
{
  struct mote_pem pem;
  size_t used;
  if(text[0] != '-') {
    fn(arg, (const uint8_t *)text, len, false);
    return;
  }
  mote_pem_init(&pem, NULL, (uint8_t *)text, len);
  if(mote_pem_feed(&pem, text, len, &used) || mote_pem_end(&pem))
    fn(arg, pem.der, pem.der_len, pem.trusted);
}

static CURLcode read_block(const struct mote_trust *t, int file, const struct entry *e, char *text)
{
  size_t have = 0;
  if(t->blob) {
    memcpy(text, t->blob + e->offset, e->length);
    return CURLE_OK;
  }
  if(mote_port_file_seek(file, e->offset))
    return CURLE_SSL_CACERT_BADFILE;
  while(have < e->length) {
    size_t n;
    if(mote_port_file_read(file, text + have, e->length - have, &n) || !n)
      return CURLE_SSL_CACERT_BADFILE;
    have += n;
  }
  return CURLE_OK;
}

static CURLcode trust_visit(struct mote_trust *t, int file, uint32_t hash, mote_trust_fn *fn, void *arg)
{
  struct mote_account *a = mote_mem_process();
  CURLcode rc = CURLE_OK;
  uint32_t i;
  for(i = 0; i < t->index.count && !rc; i++) {
    const struct entry *e = &t->index.entries[i];
    char *text;
    if((e->hash && e->hash != hash) || e->length > MOTE_TRUST_BLOCK_MAX)
      continue;
    text = mote_mem_alloc(a, MOTE_PART_TLS, e->length);
    if(!text)
      return CURLE_OUT_OF_MEMORY;
    rc = read_block(t, file, e, text);
    if(!rc)
      hand_over(text, e->length, fn, arg);
    mote_mem_free(a, MOTE_PART_TLS, text, e->length);
  }
  return rc;
}

static bool may_have(const struct mote_trust *t, uint32_t hash)
{
  uint32_t i;
  for(i = 0; i < t->index.count; i++)
    if(t->index.entries[i].hash == hash || !t->index.entries[i].hash)
      return true;
  return false;
}

/* Whether the file is another one now than the index is of. One that is gone has nothing new. */
static bool file_is_newer(const struct mote_trust *t)
{
  struct mote_file_info info;
  return !t->blob && !mote_port_path_info(t->path, &info) && stamps_differ(&info, &t->stamp);
}

CURLcode mote_trust_find(struct mote_trust *t, const uint8_t *name, size_t len, mote_trust_fn *fn, void *arg)
{
  CURLcode rc = CURLE_OK;
  uint32_t hash;
  int file = -1;
  if(!mote_der_name_hash(name, len, &hash))
    return CURLE_OK;
  mote_port_lock(&t->lock);
  if(!may_have(t, hash) && !file_is_newer(t))
    ;
  else if(t->blob)
    rc = trust_visit(t, -1, hash, fn, arg);
  else if(mote_port_file_open(t->path, MOTE_FILE_READ, 0, &file))
    rc = CURLE_SSL_CACERT_BADFILE;
  else {
    rc = refresh(t, file);
    if(!rc)
      rc = trust_visit(t, file, hash, fn, arg);
    mote_port_file_close(file);
  }
  mote_port_unlock(&t->lock);
  return rc;
}

uint32_t mote_trust_count(struct mote_trust *t)
{
  uint32_t n;
  mote_port_lock(&t->lock);
  n = t->index.count;
  mote_port_unlock(&t->lock);
  return n;
}

/* ---- what it takes at most ---- */

/* Adds an index of `len` bytes of a bundle, of which each certificate takes `least` or more. Its room is
 * doubled, and a file that has changed gets a second index before the first one is freed. */
static void add_index(size_t len, size_t least, struct mote_ceiling *c)
{
  size_t count = len / least + 1;
  if(count > MOTE_TRUST_CERTS_MAX)
    count = MOTE_TRUST_CERTS_MAX;
  mote_ceiling_add(c, 2, (2 * count + ENTRIES) * sizeof(struct entry));
}

void mote_trust_ceiling(const char *file, struct mote_slice blob, struct mote_ceiling *c)
{
  struct mote_file_info info = {0};
  bool in_file = !blob.ptr && !mote_port_path_info(file, &info) && info.regular;
  size_t len = blob.ptr ? blob.len : in_file && info.size < UINT32_MAX ? (size_t)info.size : UINT32_MAX;
  mote_ceiling_add(c, 1, sizeof(struct mote_trust) + (blob.ptr ? 0 : strlen(file)) + 1);
  if(in_file)
    mote_ceiling_add(c, 1, CHUNK + PREFIX);
  else
    mote_ceiling_add(c, 1, blob.ptr ? blob.len : MOTE_TRUST_PIPE_MAX);
  add_index(len, in_file ? PEM_LEAST : DER_LEAST, c);
  mote_ceiling_add(c, 1, len < MOTE_TRUST_BLOCK_MAX ? len : MOTE_TRUST_BLOCK_MAX); /* read by a look-up */
}
