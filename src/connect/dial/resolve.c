/* connect/dial/resolve.c: gets the addresses to connect to, or the one that a proxy shall connect to. A Unix
 * socket needs none; else they are the literal in the URL, or those of a name by CURLOPT_RESOLVE, the caches
 * or a lookup. */
#include "connect/dial/dial_phases.h"
#include "connect/route/route.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "transfer/callback.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/share.h"
#include "transfer/transfer.h"

/* The transfer polls a lookup that takes longer, because the wake-up from the lookup's thread may be broken
 * unnoticed. The time is as long as a resolver's usual first try. */
#define POLL_AFTER (5 * MOTE_SECOND)

/* The callback's resolver handle is NULL, since this library has no such object. A name in the cache is not
 * resolved again. */
static CURLcode ask_resolver_start(struct mote_transfer *t, const struct mote_name_query *q)
{
  curl_resolver_start_callback fn =
    (curl_resolver_start_callback)mote_opt_fn(&t->options, CURLOPT_RESOLVER_START_FUNCTION);
  struct mote_callback_guard g;
  int rc;
  if(!fn || (q && mote_names_find(&t->multi->names, q)))
    return CURLE_OK;
  g = mote_callback_enter(t);
  rc = fn(NULL, NULL, mote_opt_ptr(&t->options, CURLOPT_RESOLVER_START_DATA));
  mote_callback_leave(t, g);
  if(!rc)
    return CURLE_OK;
  return mote_fail_as(CURLE_ABORTED_BY_CALLBACK, &t->report,
                      "The resolver start callback ended the transfer");
}

static void name_done(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc)
{
  struct mote_race *race = mote_container_of(w, struct mote_race, wait);
  race->answer = a;
  race->result = rc;
  race->asked = false;
  mote_transfer_wake(race->dial->owner);
}

static CURLcode resolve_judge_answer(const struct mote_race *race, const struct mote_hop *hop)
{
  CURLcode rc = race->result;
  if(rc == CURLE_COULDNT_RESOLVE_HOST || (!rc && !race->answer->count))
    return mote_route_no_name(race->dial->owner, hop);
  return rc;
}

/* Sets when to poll the lookup. 0: never. */
static void poll_at(struct mote_transfer *t, mote_time at)
{
  if(mote_names_in_threads())
    mote_timer_set(t, MOTE_TIMER_STATE, at);
}

static CURLcode ask_name(struct mote_race *race, const struct mote_route *route, const struct mote_hop *hop,
                         mote_time now)
{
  struct mote_transfer *t = race->dial->owner;
  struct mote_name_query q = mote_route_query(t, route, hop, now);
  CURLcode rc = mote_share_find_name(t, &q, &race->answer);
  mote_route_ask_service(t, route, &q);
  if(rc == CURLE_AGAIN)
    rc = ask_resolver_start(t, &q);
  if(!rc && !race->answer) {
    race->wait.done = name_done;
    rc = mote_names_ask(&t->multi->names, &q, &t->multi->set, &race->wait,
                        &race->answer);
  }
  race->asked = rc == CURLE_AGAIN;
  if(race->asked && !mote_names_in_threads())
    mote_transfer_wake(t);
  if(race->asked)
    poll_at(t, now + POLL_AFTER);
  if(rc == CURLE_COULDNT_RESOLVE_HOST)
    return mote_route_no_name(t, hop);
  return rc;
}

static CURLcode resolve_resolve(struct mote_dial *d, const struct mote_route *route,
                                const struct mote_hop *hop,
                                mote_time now)
{
  struct mote_transfer *t = d->owner;
  struct mote_race *race = d->race;
  CURLcode rc, kept;
  if(race && race->asked && !mote_names_in_threads())
    mote_names_collect(&t->multi->names, now); /* polls the port */
  if(race && race->asked) {
    poll_at(t, now + POLL_AFTER);
    return CURLE_AGAIN;
  }
  if(race) {
    poll_at(t, 0);
    rc = resolve_judge_answer(race, hop);
    kept = mote_share_keep_name(t, race->answer, now); /* also that there is no such name */
    return rc ? rc : kept;
  }
  rc = mote_dial_make_race(d);
  if(!rc)
    rc = ask_name(d->race, route, hop, now);
  if(!rc)
    rc = resolve_judge_answer(d->race, hop);
  return rc;
}

/* The name exists, but has no address of the allowed family. The code is the same as curl's. */
static CURLcode resolve_other_family(struct mote_transfer *t, const struct mote_hop *hop)
{
  return mote_fail_as(CURLE_COULDNT_CONNECT, &t->report, "%.*s is an address of the other IP version",
                      (int)hop->host.len, hop->host.ptr);
}

/* CURLE_OK: *literal is the address, or its family is NONE and the addresses are in d->race->answer. */
static CURLcode resolve_addresses(struct mote_dial *d, const struct mote_route *route,
                                  const struct mote_hop *hop,
                                  mote_time now, struct mote_addr *literal)
{
  struct mote_transfer *t = d->owner;
  CURLcode rc = CURLE_OK;
  if(!d->race && MOTE_OPT_MAYBE(&t->options, CURLOPT_RESOLVE))
    rc = mote_dial_preset(t, now);
  if(rc)
    return rc;
  if(!d->race && mote_addr_parse(hop->host, literal) && !mote_dial_is_preset(t, route, hop, now)) {
    literal->port = hop->port;
    if(route->family && route->family != literal->family)
      return resolve_other_family(t, hop);
    return ask_resolver_start(t, NULL);
  }
  return resolve_resolve(d, route, hop, now);
}

CURLcode mote_dial_route(struct mote_dial *d, struct mote_route *route)
{
  CURLcode rc = mote_route_make(d->owner, route);
  if(!rc && d->relayed) {
    const struct mote_dial_relay *relay = mote_container_of(d, struct mote_dial_relay, dial);
    struct mote_hop *end = &route->hop[route->proxies];
    if(relay->host.len)
      end->host = relay->host;
    end->port = relay->port;
  }
  return rc;
}

CURLcode mote_dial_resolve(struct mote_dial *d, mote_time now)
{
  const struct mote_hop *hop;
  struct mote_route route;
  CURLcode rc = mote_route_make(d->owner, &route);
  if(rc)
    return rc;
  hop = mote_route_first(&route);
  if(hop->path && !d->race) /* an application may set it during a lookup */
    return CURLE_OK;
  return resolve_addresses(d, &route, hop, now, &d->drive.conn->remote);
}

/* The first address in the order of preference, since the proxy reports one failure for all. */
CURLcode mote_dial_resolve_hop(struct mote_dial *d, const struct mote_route *route,
                               const struct mote_hop *hop, mote_time now, struct mote_addr *out)
{
  CURLcode rc;
  out->family = MOTE_FAMILY_NONE;
  rc = resolve_addresses(d, route, hop, now, out);
  if(rc)
    return rc;
  if(out->family == MOTE_FAMILY_NONE)
    *out = d->race->answer->addrs[0];
  mote_dial_stop_race(d);
  return CURLE_OK;
}
