/* engine/refuse.c: fails transfers whose options this build must not ignore (engine/refuse.h). */
#include "base/text.h"
#include "engine/refuse.h"

#include "base/report.h"
#include "codec/url/url_pack.h"
#include "transfer/options/options.h"
#include "transfer/protocol.h"
#include "transfer/transfer.h"

#define NEWEST_HTTP (MOTE_HAS_H3 ? CURL_HTTP_VERSION_3ONLY : \
                     MOTE_HAS_H2 ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS)

struct refusal {
  uint16_t id;   /* MOTE_OPT_ID */
  char name[18]; /* without the prefix CURLOPT_ */
};

#define REFUSE(name, type, rule, part, identity, value) {MOTE_OPT_ID(CURLOPT_##name), #name},

static const struct refusal refusals[] = {
#include "transfer/options/option_rows.inc"
};

static CURLcode engine_refuse(struct mote_transfer *t, const char *name)
{
  return mote_fail_as(CURLE_NOT_BUILT_IN, &t->report,
                      "CURLOPT_%s was set, but what it asks for is not built in", name);
}

/* Refuses TLS options that a build with TLS leaves out (transfer/options/options.c). */
static CURLcode refuse_tls(struct mote_transfer *t)
{
  uint16_t id;
  for(id = 0; id < MOTE_OPT_METHOD; id++)
    if(mote_option_row(id)->built == MOTE_OPTION_REFUSED && mote_option_has(&t->options, id))
      return mote_fail_as(CURLE_NOT_BUILT_IN, &t->report,
                          "A TLS option was set that is not built in: CURLOPT number %u", (unsigned)id);
  return CURLE_OK;
}

/* Without this check the password would silently not be sent. */
static bool has_credentials(const struct mote_transfer *t)
{
  struct mote_slice user, password;
  return mote_opt_str(&t->options, CURLOPT_USERNAME) || mote_opt_str(&t->options, CURLOPT_PASSWORD) ||
         mote_opt_str(&t->options, CURLOPT_XOAUTH2_BEARER) ||
         mote_url_packed_login(&t->run->request.url, &user, &password);
}

CURLcode mote_refuse_judge(struct mote_transfer *t)
{
  const struct mote_options *o = &t->options;
  CURLcode rc;
  size_t i;
  for(i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
    if(mote_option_has(o, refusals[i].id))
      return engine_refuse(t, refusals[i].name);
  rc = refuse_tls(t);
  if(rc)
    return rc;
  if(t->run->request.scheme->protocol->local)
    return CURLE_OK;
  if(mote_option_has(o, MOTE_OPT_NO_AUTH) && has_credentials(t))
    return engine_refuse(t, "HTTPAUTH");
  if(mote_opt_long(o, CURLOPT_HTTP_VERSION) > NEWEST_HTTP)
    return engine_refuse(t, "HTTP_VERSION");
  return CURLE_OK;
}
