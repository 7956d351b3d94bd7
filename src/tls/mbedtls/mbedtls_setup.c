/* tls/mbedtls/mbedtls_setup.c: what is offered to the server. TLS 1.2, ECDHE with AES-GCM or ChaCha20 unless
 * CURLOPT_SSL_CIPHER_LIST asks for something else that the library has. */
#include <mbedtls/platform.h>
#include <mbedtls/ssl_ciphersuites.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/text.h"
#include "port/port.h"
#include "tls/common/common.h"
#include "tls/mbedtls/mbedtls.h"

#define NAME_MAX_LEN 64 /* bytes of a suite's name */

/* By preference. Names as OpenSSL has them, for CURLOPT_SSL_CIPHER_LIST and for texts. */
static const struct mote_numbered suites[] = {
  {MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, "ECDHE-ECDSA-AES128-GCM-SHA256"},
  {MBEDTLS_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, "ECDHE-RSA-AES128-GCM-SHA256"},
  {MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, "ECDHE-ECDSA-AES256-GCM-SHA384"},
  {MBEDTLS_TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, "ECDHE-RSA-AES256-GCM-SHA384"},
  {MBEDTLS_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-ECDSA-CHACHA20-POLY1305"},
  {MBEDTLS_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-RSA-CHACHA20-POLY1305"},
};
#define SUITES (sizeof suites / sizeof *suites)

const char *mote_mbedtls_suite_name(const struct mote_mbedtls *t)
{
  int id = t->ssl.session ? t->ssl.session->ciphersuite : 0;
  const char *ours = mote_numbered_text(suites, id, NULL);
  return ours ? ours : id ? mbedtls_ssl_get_ciphersuite_name(id) : "(NONE)";
}

/* 0: the library has none of this name. */
static int suite_of(struct mote_slice name)
{
  char text[NAME_MAX_LEN];
  size_t i;
  for(i = 0; i < SUITES; i++)
    if(mote_slice_is(name, suites[i].text))
      return suites[i].number;
  if(name.len >= sizeof text)
    return 0;
  memcpy(text, name.ptr, name.len);
  text[name.len] = 0;
  return mbedtls_ssl_get_ciphersuite_id(text);
}

/* A list of names, ':', ',' or blanks between them; those that are not known are passed over. */
static size_t mbedtls_setup_wanted_suites(const char *list, int out[MOTE_MBEDTLS_SUITES + 1])
{
  size_t n = 0;
  while(*list) {
    size_t len = strcspn(list, ":, ");
    int id = suite_of((struct mote_slice){list, len});
    if(id && n < MOTE_MBEDTLS_SUITES)
      out[n++] = id;
    list += len + (list[len] != 0);
  }
  return n;
}

static CURLcode set_suites(struct mote_mbedtls *t, const struct mote_tls_config *cfg)
{
  size_t n = 0;
  if(cfg->ciphers)
    n = mbedtls_setup_wanted_suites(cfg->ciphers, t->suites);
  else
    for(; n < SUITES; n++)
      t->suites[n] = suites[n].number;
  if(!n)
    return mote_fail_as(CURLE_SSL_CIPHER, t->head.stream.env->report, "failed setting cipher list: %s",
                        cfg->ciphers);
  mbedtls_ssl_conf_ciphersuites(&t->conf, t->suites);
  return CURLE_OK;
}

/* A length above what the library's send buffer has is not taken, and nothing but the result says so: the
 * next smaller one is asked for then. */
static void mbedtls_setup_set_fragment(mbedtls_ssl_config *conf)
{
  int code = MOTE_MBEDTLS_FRAGMENT <= 512 ? MBEDTLS_SSL_MAX_FRAG_LEN_512 :
             MOTE_MBEDTLS_FRAGMENT <= 1024 ? MBEDTLS_SSL_MAX_FRAG_LEN_1024 :
             MOTE_MBEDTLS_FRAGMENT <= 2048 ? MBEDTLS_SSL_MAX_FRAG_LEN_2048 :
             MOTE_MBEDTLS_FRAGMENT <= 4096 ? MBEDTLS_SSL_MAX_FRAG_LEN_4096 : MBEDTLS_SSL_MAX_FRAG_LEN_NONE;
  while(code && mbedtls_ssl_conf_max_frag_len(conf, (unsigned char)code))
    code--;
}

static int get_random(void *arg, unsigned char *out, size_t len)
{
  (void)arg;
  return mote_port_random(out, len) ? MBEDTLS_ERR_SSL_NO_RNG : 0;
}

/* ---- the library's memory ----
 *
 * It comes from base/memory.h where the library was built with MBEDTLS_PLATFORM_MEMORY, charged to the
 * process, since the library gives no context. Debian's was not built so. Its memory is the C library's, in
 * no account. */

#if defined(MBEDTLS_PLATFORM_MEMORY) && !defined(MBEDTLS_PLATFORM_FREE_MACRO) && \
  !defined(MBEDTLS_PLATFORM_CALLOC_MACRO)

/* The library frees without a size, so each block begins with its own. */
union head {
  size_t size;
  max_align_t align;
};

static void *mbedtls_setup_take(size_t n, size_t each)
{
  union head *h = NULL;
  if(!each || n <= (SIZE_MAX - sizeof *h) / each)
    h = mote_mem_zalloc(mote_mem_process(), MOTE_PART_TLS, sizeof *h + n * each);
  if(!h)
    return NULL;
  h->size = sizeof *h + n * each;
  return h + 1;
}

static void mbedtls_setup_give_back(void *p)
{
  if(p) {
    union head *h = (union head *)p - 1;
    mote_mem_free(mote_mem_process(), MOTE_PART_TLS, h, h->size);
  }
}

/* Each stream sets the same functions, which needs no lock. */
static void hook_memory(void)
{
  (void)mbedtls_platform_set_calloc_free(mbedtls_setup_take, mbedtls_setup_give_back);
}

#else

static void hook_memory(void)
{
}

#endif

/* ---- a handshake in slices ----
 *
 * The library does not interrupt products of X25519, so only these curves are offered. The number of
 * operations is one for the process, and streams set the same one. */

#if MOTE_MBEDTLS_SLICES

static const mbedtls_ecp_group_id curves[] = {
#if defined(MBEDTLS_ECP_DP_SECP256R1_ENABLED)
  MBEDTLS_ECP_DP_SECP256R1,
#endif
#if defined(MBEDTLS_ECP_DP_SECP384R1_ENABLED)
  MBEDTLS_ECP_DP_SECP384R1,
#endif
#if defined(MBEDTLS_ECP_DP_SECP521R1_ENABLED)
  MBEDTLS_ECP_DP_SECP521R1,
#endif
  MBEDTLS_ECP_DP_NONE,
};

static void cut_products(mbedtls_ssl_config *conf)
{
  mbedtls_ssl_conf_curves(conf, curves);
  mbedtls_ecp_set_max_ops(MOTE_MBEDTLS_OPS);
}

#else
#define cut_products(conf) ((void)(conf))
#endif

/* ---- all of it ---- */

CURLcode mote_mbedtls_configure(struct mote_mbedtls *t, const struct mote_tls_config *cfg)
{
  CURLcode rc;
  hook_memory();
  mbedtls_ssl_init(&t->ssl);
  mbedtls_ssl_config_init(&t->conf);
  rc = mote_tls_check_common(t->head.stream.env->report, cfg, "mbedTLS");
  if(rc)
    return rc;
  if(mbedtls_ssl_config_defaults(&t->conf, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM,
                                 MBEDTLS_SSL_PRESET_DEFAULT))
    return CURLE_OUT_OF_MEMORY;
  mbedtls_ssl_conf_rng(&t->conf, get_random, NULL);
  mbedtls_ssl_conf_min_version(&t->conf, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
  mbedtls_ssl_conf_max_version(&t->conf, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
  mbedtls_setup_set_fragment(&t->conf);
  cut_products(&t->conf);
  mote_mbedtls_verify_by(t);
  if(mote_tls_cut_protocols(mote_tls_text_after(mote_tls_text_after(t->text)), t->alpn, MOTE_MBEDTLS_ALPN))
    (void)mbedtls_ssl_conf_alpn_protocols(&t->conf, t->alpn); /* a name that is too long is not offered */
  return set_suites(t, cfg);
}
