/* tls/config_files.c: where systems keep the certificates that they trust. */
#include <stdatomic.h>

#include "port/file.h"
#include "tls/config.h"
#include "tls/tls.h"

/* Where systems keep their bundle: Debian, Alpine and Arch; Fedora; openSUSE; the BSDs, macOS. */
static const char *const bundles[] = {
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
  NULL
};

static const char *const directories[] = { "/etc/ssl/certs", "/etc/pki/tls/certs", NULL };

/* *known: index of what was found before, plus 1; the file system is asked only until something is there. */
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
  return first_that_exists(bundles, false, &known);
}

const char *mote_tls_default_ca_path(void)
{
  static atomic_int known;
  return first_that_exists(directories, true, &known);
}

void mote_tls_config_resolve(struct mote_tls_config *out, const struct mote_tls_config *cfg)
{
  *out = *cfg;
  if(cfg->ca_blob.ptr)
    out->ca_file = NULL;
  else if(!cfg->ca_file)
    out->ca_file = mote_tls_default_ca_file();
  if(!cfg->ca_path)
    out->ca_path = mote_tls_default_ca_path();
  if(out->ca_file && !out->ca_file[0])
    out->ca_file = NULL;
  if(out->ca_path && !out->ca_path[0])
    out->ca_path = NULL;
}
