/* tls/files.c: what a configuration has in files (part tls_files): where systems keep the certificates that
 * they trust, and the bytes of a certificate or key. */
#include <stdatomic.h>
#include <string.h>

#include "base/digest/sha256.h"
#include "base/memory.h"
#include "port/file.h"
#include "port/roots.h"
#include "tls/config.h"
#include "tls/tls.h"

#define FIRST 2048u /* bytes; holds most certificates and keys */

/* Bundles of Debian, Alpine and Arch; Fedora; openSUSE; the BSDs, macOS. */
static const char *const bundles[] = {
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
  NULL
};

static const char *const directories[] = { "/etc/ssl/certs", "/etc/pki/tls/certs", NULL };

/* *known is the index of what was found before, plus 1. The file system is asked only until something is
 * there, which then stays the answer for the life of the process. */
static const char *first_that_exists(const char *const *paths, bool directory, atomic_int *known)
{
  struct mote_file_info info;
  int i = atomic_load_explicit(known, memory_order_relaxed);
  if(i)
    return paths[i - 1];
  for(i = 0; paths[i]; i++)
    if(!mote_port_path_info(paths[i], &info) && info.directory == directory) {
      atomic_store_explicit(known, i + 1, memory_order_relaxed);
      return paths[i];
    }
  return NULL;
}

const char *mote_tls_default_ca_file(void)
{
  static atomic_int known;
  return mote_port_has_roots() ? NULL : first_that_exists(bundles, false, &known);
}

const char *mote_tls_default_ca_path(void)
{
  static atomic_int known;
  return mote_port_has_roots() ? NULL : first_that_exists(directories, true, &known);
}

void mote_tls_config_resolve(struct mote_tls_config *out, const struct mote_tls_config *cfg)
{
  *out = *cfg;
  if(cfg->ca_blob.ptr)
    out->ca_file = NULL;
  else if(!cfg->ca_file)
    out->ca_file = mote_port_has_roots() ? MOTE_PORT_ROOTS : mote_tls_default_ca_file();
  if(!cfg->ca_path)
    out->ca_path = mote_tls_default_ca_path();
  if(out->ca_file && !out->ca_file[0])
    out->ca_file = NULL;
  if(out->ca_path && !out->ca_path[0])
    out->ca_path = NULL;
}

/* ---- which files they are now ---- */

static void feed_stamp(struct mote_sha256 *h, const char *file)
{
  struct mote_file_info info;
  memset(&info, 0, sizeof info);
  if(file && !mote_port_path_info(file, &info)) {
    mote_sha256_add(h, &info.size, sizeof info.size);
    mote_sha256_add(h, &info.mtime, sizeof info.mtime);
    mote_sha256_add(h, &info.number, sizeof info.number);
  }
  mote_sha256_add(h, "", 1);
}

void mote_tls_files_feed(const struct mote_tls_config *cfg, struct mote_sha256 *h)
{
  feed_stamp(h, cfg->ca_blob.ptr ? NULL : cfg->ca_file);
  feed_stamp(h, cfg->ca_path);
  feed_stamp(h, cfg->crl_file);
  feed_stamp(h, cfg->issuer_file);
  feed_stamp(h, cfg->cert_file);
  feed_stamp(h, cfg->key_file);
}

/* ---- certificates and keys ---- */

/* Doubles the room. The old bytes may be a key, so they are wiped, which a realloc would not do. */
static CURLcode tls_files_grow(struct mote_tls_blob *b)
{
  size_t cap = b->cap ? b->cap * 2 : FIRST;
  char *p;
  if(cap > MOTE_TLS_FILE_MAX)
    return CURLE_READ_ERROR;
  p = mote_mem_alloc(mote_mem_process(), MOTE_PART_TLS, cap);
  if(!p)
    return CURLE_OUT_OF_MEMORY;
  if(b->own) {
    memcpy(p, b->own, b->len);
    mote_mem_free(mote_mem_process(), MOTE_PART_TLS, b->own, b->cap);
  }
  b->own = p;
  b->cap = cap;
  return CURLE_OK;
}

static CURLcode tls_files_read_all(struct mote_tls_blob *b, int file)
{
  for(;;) {
    size_t n;
    if(b->len == b->cap) {
      CURLcode rc = tls_files_grow(b);
      if(rc)
        return rc;
    }
    if(mote_port_file_read(file, b->own + b->len, b->cap - b->len, &n))
      return CURLE_READ_ERROR;
    if(!n)
      break;
    b->len += n;
  }
  b->ptr = b->own;
  return CURLE_OK;
}

static CURLcode tls_files_read_file(struct mote_tls_blob *b, const char *path)
{
  CURLcode rc;
  int file;
  if(mote_port_file_open(path, MOTE_FILE_READ, 0, &file))
    return CURLE_READ_ERROR;
  rc = tls_files_read_all(b, file);
  (void)mote_port_file_close(file);
  if(rc)
    mote_tls_blob_free(b);
  return rc;
}

CURLcode mote_tls_blob_load(struct mote_tls_blob *b, struct mote_slice given, const char *file)
{
  *b = (struct mote_tls_blob){.ptr = given.ptr, .len = given.len};
  if(given.ptr)
    return CURLE_OK;
  return file ? tls_files_read_file(b, file) : CURLE_READ_ERROR;
}
