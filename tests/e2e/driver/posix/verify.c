/* verify.c: a verify callback of the application's that puts its answer off (SSL_set_retry_verify(3)).
 *
 * It has to call the TLS library that libcurl has, which may be another than the system's, so it is found
 * among what is loaded. */
#define _GNU_SOURCE
#include "driver.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define SET_RETRY_VERIFY 136 /* SSL_CTRL_SET_RETRY_VERIFY */

typedef int verify_fn(void *store, void *arg);
typedef void set_verify_fn(void *ctx, verify_fn *fn, void *arg);
typedef void *get_data_fn(void *store, int index);
typedef int get_index_fn(void);
typedef long ctrl_fn(void *ssl, int what, long n, void *p);

static struct {
  set_verify_fn *set_verify;
  get_data_fn *get_data;
  get_index_fn *get_index;
  ctrl_fn *ctrl;
} tls;

static void look_up(void *lib, const char *name, void *to)
{
  void *p = dlsym(lib, name);
  if(p)
    memcpy(to, &p, sizeof p);
}

static int look_into(struct dl_phdr_info *info, size_t size, void *arg)
{
  void *lib;
  (void)size;
  (void)arg;
  if(!strstr(info->dlpi_name, "/libssl") || !(lib = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD)))
    return 0;
  look_up(lib, "SSL_CTX_set_cert_verify_callback", &tls.set_verify);
  look_up(lib, "X509_STORE_CTX_get_ex_data", &tls.get_data);
  look_up(lib, "SSL_get_ex_data_X509_STORE_CTX_idx", &tls.get_index);
  look_up(lib, "SSL_ctrl", &tls.ctrl);
  dlclose(lib);
  return 0;
}

static int on_verify(void *store, void *arg)
{
  struct handle *h = arg;
  h->verified++;
  h->calls[EV_SSLCTX]++; /* so that a script can wait for it */
  log_code("verify", h->name, "", h->verified);
  if(h->verified <= h->verify_later)
    tls.ctrl(tls.get_data(store, tls.get_index()), SET_RETRY_VERIFY, 0, NULL);
  return 1;
}

void verify_later(struct handle *h, void *ctx, int times)
{
  dl_iterate_phdr(look_into, NULL);
  h->verified = 0;
  h->verify_later = times;
  if(tls.set_verify && tls.get_data && tls.get_index && tls.ctrl)
    tls.set_verify(ctx, on_verify, h);
  else
    violation("the TLS library is not OpenSSL", h->name, times);
}
