/* tls/bearssl/bearssl_suites.c: which suites are offered, by CURLOPT_SSL_CIPHER_LIST, and what they are
 * called. Options that BearSSL cannot honour are refused here. */
#include <string.h>

#include "base/report.h"
#include "base/text.h"
#include "tls/bearssl/bearssl.h"
#include "tls/common/common.h"

/* By preference; names as OpenSSL has them. */
static const struct mote_numbered suites[] = {
#define MOTE_SUITE(id, name) {id, name},
  MOTE_BEARSSL_SUITES
#undef MOTE_SUITE
};
#define SUITES (sizeof suites / sizeof *suites)

const char *mote_bearssl_suite_name(unsigned suite)
{
  return mote_numbered_text(suites, (int)suite, "(NONE)");
}

/* A list of names, ':', ',' or blanks between them; those that are not ours are passed over. */
static size_t tls_bearssl_wanted_suites(const char *list, uint16_t out[SUITES])
{
  size_t n = 0;
  size_t i;
  while(*list) {
    size_t len = strcspn(list, ":, ");
    struct mote_slice name = {list, len};
    for(i = 0; i < SUITES; i++)
      if(mote_slice_is(name, suites[i].text) && n < SUITES)
        out[n++] = (uint16_t)suites[i].number;
    list += len + (list[len] != 0);
  }
  return n;
}

CURLcode mote_bearssl_obey(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  struct mote_report *report = t->head.stream.env->report;
  CURLcode rc = mote_tls_check_common(report, cfg, "BearSSL");
  uint16_t ids[SUITES];
  size_t n = 0;
  if(rc)
    return rc;
  if(cfg->ciphers)
    n = tls_bearssl_wanted_suites(cfg->ciphers, ids);
  else
    for(; n < SUITES; n++)
      ids[n] = (uint16_t)suites[n].number;
  if(!n)
    return mote_fail_as(CURLE_SSL_CIPHER, report, "failed setting cipher list: %s", cfg->ciphers);
  br_ssl_engine_set_suites(&t->cc.eng, ids, n);
  return CURLE_OK;
}
