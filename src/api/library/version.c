/* api/library/version.c: curl_version(3), curl_version_info(3).
 *
 * The versions of the TLS library and of the decoders are known only at run time. The first call gathers
 * them under a lock, and they change only when the application chooses another TLS library. */
#include <curl/curl.h>
#include <curl/mprintf.h>
#include <mote/mote.h>
#include <string.h>

#include "auth/gss.h"
#include "codec/coding/decode.h"
#include "codec/url/idn.h"
#include "http/cookies/public_suffix.h"
#include "port/host.h"
#include "port/lock.h"
#include "protocol/libraries.h"
#include "tls/tls.h"

#define MULTI "MultiSSL" /* only with several TLS libraries */

/* Rows of the build's parts (cmake/parts.cmake), in alphabetical order, as libcurl has them. */
static const char *const protocols[] = {MOTE_SCHEME_NAMES NULL};
static const char *const feature_names[] = {MOTE_FEATURE_NAMES NULL};

static struct mote_mutex lock = MOTE_MUTEX_INIT;
static char version_text[272]; /* "" until the first call */
static char brotli_text[12];   /* the library reports a number only */
static char tls_text[128];     /* of several TLS libraries */
static curl_sslbackend shown;  /* the TLS library in use when the text was made */
static const char *features[sizeof feature_names / sizeof *feature_names];

static curl_version_info_data info = {
  .age = CURLVERSION_NOW,
  .version = LIBCURL_VERSION,
  .version_num = LIBCURL_VERSION_NUM,
  .host = MOTE_HOST,
  .protocols = protocols,
  .feature_names = features,
};

static const char *decoder_version(const struct mote_decoder *d)
{
  unsigned long n = d->version_number();
  if(d->version_text)
    return d->version_text();
  (void)curl_msnprintf(brotli_text, sizeof brotli_text, "%lu.%lu.%lu", n >> 24, n >> 12 & 0xfff, n & 0xfff);
  return brotli_text;
}

/* Enter the version of a decoder's library. False: another decoder has entered it. */
static bool note_decoder(const struct mote_decoder *d)
{
  const char **text;
  if(!strcmp(d->library, "zlib"))
    text = &info.libz_version;
  else if(!strcmp(d->library, "brotli"))
    text = &info.brotli_version;
  else
    text = &info.zstd_version;
  if(*text)
    return false;
  *text = decoder_version(d);
  if(text == &info.brotli_version)
    info.brotli_ver_num = d->version_number();
  else if(text == &info.zstd_version)
    info.zstd_ver_num = d->version_number();
  return true;
}

/* Of several libraries those that are not in use stand in parentheses (curl_version_info(3)). */
static const char *tls_version(void)
{
  const curl_ssl_backend *b;
  size_t len = 0;
  unsigned i;
  if(!mote_tls_backend_at(1))
    return mote_tls_version();
  for(i = 0; (b = mote_tls_backend_at(i)) != NULL; i++)
    len += (size_t)curl_msnprintf(tls_text + len, sizeof tls_text - len,
                                 b->id == shown ? "%s%s" : "%s(%s)", i ? " " : "", mote_tls_version_at(i));
  return tls_text;
}

/* The static command has the part, but not the library. */
static bool is_of_gss(const char *name)
{
  return !strcmp(name, "GSS-API") || !strcmp(name, "Kerberos") || !strcmp(name, "SPNEGO");
}

static void gather_features(void)
{
  bool several = mote_tls_backend_at(1) != NULL;
  int lacking = mote_gss_is_there() ? 0 : CURL_VERSION_GSSAPI | CURL_VERSION_KERBEROS5 | CURL_VERSION_SPNEGO;
  const char *const *from = feature_names;
  unsigned n = 0;
  for(; *from; from++)
    if((several || strcmp(*from, MULTI)) && (!lacking || !is_of_gss(*from)))
      features[n++] = *from;
  info.features = (MOTE_FEATURES & ~lacking) | (several ? CURL_VERSION_MULTI_SSL : 0);
}

static void note_ssh(size_t *len)
{
  static char text[40];
  const char *version = mote_ssh_library();
  info.libssh_version = NULL;
  if(!version)
    return;
  (void)curl_msnprintf(text, sizeof text, "libssh2/%s", version);
  info.libssh_version = text;
  *len += (size_t)curl_msnprintf(version_text + *len, sizeof version_text - *len, " %s", text);
}

static void note_quic(size_t len)
{
  static char text[60];
  const char *http, *quic = mote_h3_libraries(&http);
  if(!quic)
    return;
  (void)curl_msnprintf(text, sizeof text, "ngtcp2/%s nghttp3/%s", quic, http);
  info.quic_version = text;
  (void)curl_msnprintf(version_text + len, sizeof version_text - len, " %s", text);
}

static void library_version_gather(void)
{
  const struct mote_decoder *d;
  const char *psl = mote_public_suffix_version();
  unsigned i;
  size_t len;
  shown = mote_tls_backend();
  gather_features();
  info.libz_version = info.brotli_version = info.zstd_version = NULL;
  info.ssl_version = tls_version();
  info.cainfo = mote_tls_default_ca_file();
  info.capath = mote_tls_default_ca_path();
  len = (size_t)curl_msnprintf(version_text, sizeof version_text, "libcurl/%s Mote/%s %s", LIBCURL_VERSION,
                              MOTE_VERSION, info.ssl_version);
  for(i = 0; (d = mote_decoder_at(i)) != NULL; i++)
    if(note_decoder(d))
      len += (size_t)curl_msnprintf(version_text + len, sizeof version_text - len, " %s/%s", d->library,
                                   decoder_version(d));
  info.libidn = mote_idn_version();
  if(info.libidn)
    len += (size_t)curl_msnprintf(version_text + len, sizeof version_text - len, " libidn2/%s", info.libidn);
  if(psl)
    len += (size_t)curl_msnprintf(version_text + len, sizeof version_text - len, " libpsl/%s", psl);
  note_ssh(&len);
  info.nghttp2_version = mote_h2_library(&info.nghttp2_ver_num);
  if(info.nghttp2_version)
    len += (size_t)curl_msnprintf(version_text + len, sizeof version_text - len, " nghttp2/%s",
                                  info.nghttp2_version);
  note_quic(len);
}

static void gather_once(void)
{
  mote_port_lock(&lock);
  if(!version_text[0] || shown != mote_tls_backend())
    library_version_gather();
  mote_port_unlock(&lock);
}

char *curl_version(void)
{
  gather_once();
  return version_text;
}

curl_version_info_data *curl_version_info(CURLversion stamp)
{
  (void)stamp;
  gather_once();
  return &info;
}
