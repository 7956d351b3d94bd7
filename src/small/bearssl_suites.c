/* small/bearssl_suites.c: offers all suites of the build. */
#include "tls/bearssl/bearssl.h"

CURLcode mote_bearssl_obey(struct mote_bearssl *t, const struct mote_tls_config *cfg)
{
  static const uint16_t suites[] = {
#define MOTE_SUITE(id, name) id,
    MOTE_BEARSSL_SUITES
#undef MOTE_SUITE
  };
  (void)cfg;
  br_ssl_engine_set_suites(&t->cc.eng, suites, sizeof suites / sizeof *suites);
  return CURLE_OK;
}
