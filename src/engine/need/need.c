/* engine/need/need.c: adds up the most memory that a transfer takes (engine/need/need.h). */
#include "engine/need/need.h"

#include <string.h>

#include "connect/route/route.h"
#include "connect/version.h"
#include "engine/multi.h"
#include "engine/need/need_url.h"
#include "engine/start.h"
#include "tls/tls.h"
#include "transfer/report/progress.h"
#include "transfer/run.h"

/* ---- the chain of requests ---- */

static bool may_go_to(const struct mote_transfer *t, const struct mote_scheme *s)
{
  return (mote_opt_long(&t->options, CURLOPT_REDIR_PROTOCOLS) & s->curlproto) != 0;
}

static CURLcode no_ceiling(struct mote_transfer *t, const char *what)
{
  return mote_fail_as(CURLE_TOO_LARGE, &t->report, "The memory need of %s is unknown", what);
}

static CURLcode plan_redirects(struct mote_transfer *t, const struct mote_scheme *scheme,
                               struct mote_need_chain *chain)
{
  long most = mote_opt_long(&t->options, CURLOPT_MAXREDIRS);
  const struct mote_scheme *s;
  if(scheme->protocol->local || !mote_opt_long(&t->options, CURLOPT_FOLLOWLOCATION))
    return CURLE_OK;
  if(most < 0 || most > UINT16_MAX)
    return no_ceiling(t, "redirects without end");
  for(s = mote_schemes; s->name; s++)
    if(may_go_to(t, s) && s->tls)
      chain->tls = true;
  chain->hops = (size_t)most;
  chain->url = mote_need_longest(chain->url, chain->hops);
  if(chain->hops)
    chain->host = chain->url;
  return CURLE_OK;
}

/* ---- what the requests need ---- */

/* Adds the lookups. */
static void add_names(const struct mote_transfer *t, struct mote_multi *m,
                      const struct mote_need_chain *chain, struct mote_need_sums *sums)
{
  struct mote_ceiling names = {0};
  mote_need_add_names(t, m, chain, &names, &sums->process);
  mote_ceiling_add_all(&sums->multi, 1, &names);
  if(t->share) /* a shared cache belongs to the process and returns copies */
    mote_ceiling_add_all(&sums->process, 1, &names);
}

static CURLcode add_protocol(struct mote_transfer *t, const struct mote_protocol *p,
                             const struct mote_need_chain *chain, struct mote_need_sums *sums)
{
  if(!p->ceiling)
    return no_ceiling(t, p->name);
  if(mote_opt_ptr(&t->options, CURLOPT_HTTPPOST)) /* the transfer makes a form of it */
    return no_ceiling(t, "a form of curl_formadd()");
  if(mote_opt_long(&t->options, CURLOPT_NETRC))
    return no_ceiling(t, "the credentials in a netrc file");
  if(MOTE_HAS_GSSAPI && (mote_opt_long(&t->options, CURLOPT_HTTPAUTH) & (long)CURLAUTH_NEGOTIATE))
    return no_ceiling(t, "Negotiate");
  if(MOTE_HAS_DIGEST && (mote_opt_long(&t->options, CURLOPT_HTTPAUTH) & (long)CURLAUTH_DIGEST))
    return no_ceiling(t, "Digest");
  return p->ceiling(t, chain, sums) ? no_ceiling(t, "the decoders of a compressed body") : CURLE_OK;
}

/* The bytes that OpenSSL takes, for one, are in no account. */
static CURLcode engine_need_add_tls(struct mote_transfer *t, const struct mote_scheme *first,
                                    const struct mote_need_chain *chain, struct mote_need_sums *sums)
{
  if(!first->tls && !chain->tls)
    return CURLE_OK;
  if(!mote_need_add_tls(t, chain, sums))
    return CURLE_OK;
  if(!first->tls)
    return no_ceiling(t, "a redirect to TLS (CURLOPT_REDIR_PROTOCOLS_STR can forbid it)");
  return mote_fail_as(CURLE_TOO_LARGE, &t->report, "The memory need of TLS is unknown with %s",
                      mote_tls_version());
}

static CURLcode add_all(struct mote_transfer *t, struct mote_multi *m, const struct mote_need_first *f,
                        struct mote_need_sums *sums)
{
  struct mote_slice name = mote_url_get(&f->url, MOTE_URL_SCHEME);
  struct mote_need_chain chain = {0};
  const struct mote_scheme *scheme = mote_scheme_find(name.ptr, name.len);
  const struct mote_scheme *s;
  size_t ace = f->url.part[MOTE_URL_ACE].len, host = f->url.part[MOTE_URL_HOST].len;
  CURLcode rc;
  if(!scheme)
    return mote_start_url_failed(t, CURLUE_UNSUPPORTED_SCHEME);
  chain.url = f->url.part[MOTE_URL_WHOLE].len;
  chain.host = host > ace ? host : ace;
  if(!scheme->protocol->local && mote_route_may_be_proxied(t))
    return no_ceiling(t, "a proxy");
  if(mote_opt_str(&t->options, CURLOPT_DOH_URL))
    return no_ceiling(t, "DNS over HTTPS");
  rc = plan_redirects(t, scheme, &chain);
  if(rc)
    return rc;
  mote_need_widen(t, &chain, &sums->easy);
  rc = engine_need_add_tls(t, scheme, &chain, sums);
  if(rc)
    return rc;
  if(!scheme->protocol->local && mote_version_is_open(t, scheme->tls || chain.tls))
    return no_ceiling(t, MOTE_HAS_H3 ? "HTTP/2 and HTTP/3 (CURLOPT_HTTP_VERSION can forbid them)"
                                     : "HTTP/2 (CURLOPT_HTTP_VERSION can forbid it)");
  mote_ceiling_add(&sums->easy, !t->run, MOTE_RUN_SIZE);
  mote_speed_ceiling(t, &sums->easy);
  mote_ceiling_add(&sums->multi, 1, (size_t)mote_opt_long(&t->options, CURLOPT_BUFFERSIZE));
  mote_need_add_first(f, sums);
  if(!scheme->protocol->local) {
    mote_need_add_redirect(&chain, f, &sums->easy);
    add_names(t, m, &chain, sums);
    mote_need_add_connections(t, m, scheme->protocol->conn_size, &chain, sums);
  }
  else
    mote_multi_ceiling(m, 0, &sums->multi); /* a wait makes the wake-up's descriptor, even for a file */
  if(mote_option_has(&t->options, MOTE_OPT_COOKIES))
    return no_ceiling(t, "the cookies that servers set");
  if(mote_option_has(&t->options, MOTE_OPT_HSTS))
    return no_ceiling(t, "the hosts that HSTS keeps");
  if(mote_option_has(&t->options, MOTE_OPT_ALTSVC))
    return no_ceiling(t, "the alternative services that are kept");
  rc = add_protocol(t, scheme->protocol, &chain, sums);
  for(s = mote_schemes; !rc && chain.hops && s->name; s++)
    if(s->protocol != scheme->protocol && may_go_to(t, s))
      rc = add_protocol(t, s->protocol, &chain, sums);
  return rc;
}

CURLcode mote_need_ask(struct mote_transfer *t, struct mote_multi *m, struct mote_need_sums *sums)
{
  struct mote_need_first f = {0};
  CURLcode rc;
  if(t->state == MOTE_STATE_IDLE)
    t->failed_text = false;
  rc = mote_need_look(t, &f);
  memset(sums, 0, sizeof *sums);
  if(!rc)
    rc = add_all(t, m, &f, sums);
  mote_need_forget(&f);
  return rc;
}
