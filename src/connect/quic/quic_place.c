/* connect/quic/quic_place.c: where the attempts of QUIC go (connect/quic/quic_place.h). */
#include "connect/quic/quic_place.h"

#include "codec/dns.h"
#include "connect/route/route.h"
#include "connect/version.h"
#include "net/conn_struct.h"
#include "net/names/address.h"
#include "transfer/multi/multi.h"
#include "transfer/multi/share.h"

/* ---- the lookup ---- */

static void quic_place_named(struct mote_name_wait *w, struct mote_answer *a, CURLcode rc)
{
  struct mote_quic_place *p = mote_container_of(w, struct mote_quic_place, wait);
  (void)rc; /* a place that is not found has no address */
  p->answer = a;
  p->found = true;
  p->asked = false;
  mote_transfer_wake(p->dial->owner);
}

static CURLcode quic_place_ask(struct mote_quic_place *p, const struct mote_route *route,
                               const struct mote_hop *hop, mote_time now)
{
  struct mote_transfer *t = p->dial->owner;
  struct mote_name_query q = mote_route_query(t, route, hop, now);
  CURLcode rc = mote_share_find_name(t, &q, &p->answer);
  p->wait.done = quic_place_named;
  if(rc == CURLE_AGAIN)
    rc = mote_names_ask(&t->multi->names, &q, &t->multi->set, &p->wait, &p->answer);
  p->asked = rc == CURLE_AGAIN;
  if(p->asked && !mote_names_in_threads())
    mote_transfer_wake(t);
  return rc == CURLE_AGAIN || rc == CURLE_COULDNT_RESOLVE_HOST ? CURLE_OK : rc;
}

/* A line of CURLOPT_RESOLVE for the place's host and port goes before all else. */
static CURLcode quic_place_find(struct mote_quic_place *p, struct mote_slice host, mote_time now)
{
  struct mote_transfer *t = p->dial->owner;
  struct mote_route route;
  struct mote_hop hop;
  bool same;
  CURLcode rc = mote_route_make(t, &route);
  if(!rc && MOTE_OPT_MAYBE(&t->options, CURLOPT_RESOLVE))
    rc = mote_dial_preset(t, now);
  if(rc)
    return rc;
  hop = *mote_route_first(&route);
  same = mote_slice_same_nocase(hop.host, host);
  hop.host = host;
  hop.port = p->port;
  p->kind = MOTE_QUIC_OTHER_HOST;
  if(mote_dial_is_preset(t, &route, &hop, now))
    return quic_place_ask(p, &route, &hop, now);
  if(same)
    p->kind = MOTE_QUIC_OTHER_PORT;
  else if(!mote_addr_parse(host, &p->literal))
    return quic_place_ask(p, &route, &hop, now);
  else if(route.family && route.family != p->literal.family)
    p->literal.family = MOTE_FAMILY_NONE;
  return CURLE_OK;
}

static const struct mote_dns_service *quic_place_service(const struct mote_answer *a)
{
  return a ? a->service : NULL;
}

bool mote_quic_place_is_in_dns(const struct mote_dial *d)
{
  return d->race && quic_place_service(d->race->answer) && mote_version_may_discover(d->owner);
}

/* Where the record says that the origin is. It is no other place than the origin's. The lookup of a target
 * begins in a run of its own: the connection to the resolver has just ended its last request, and an
 * application that watches its socket is to hear of it once. */
static CURLcode quic_place_follow(struct mote_quic_place *p, mote_time now)
{
  struct mote_answer *a = p->dial->race->answer;
  const struct mote_dns_service *s = a->service;
  a->refs++;
  p->origin = a;
  p->port = s->port ? s->port : a->port;
  mote_info(&p->dial->owner->report, "DNS: HTTP/3 at %s%sport %u", s->target, s->target_len ? " " : "",
            p->port);
  p->kind = s->target_len ? MOTE_QUIC_OTHER_HOST : MOTE_QUIC_OTHER_PORT;
  p->look_at = s->target_len ? now + MOTE_MS : 0;
  return CURLE_OK;
}

static CURLcode quic_place_look(struct mote_quic_place *p, mote_time now)
{
  const struct mote_dns_service *s = p->origin->service;
  if(now < p->look_at)
    return CURLE_AGAIN;
  p->look_at = 0;
  return quic_place_find(p, (struct mote_slice){s->target, s->target_len}, now);
}

CURLcode mote_quic_place_begin(struct mote_quic_place *p, struct mote_dial *d, mote_time now)
{
  struct mote_slice host = mote_version_find_place(d->owner, &p->port);
  p->dial = d;
  mote_list_init(&p->wait.link);
  if(!host.ptr)
    return mote_quic_place_is_in_dns(d) ? quic_place_follow(p, now) : CURLE_OK;
  p->number = mote_version_place(d->owner);
  return quic_place_find(p, host, now);
}

/* ---- its addresses ---- */

static void quic_place_add(struct mote_quic_addrs *out, const struct mote_addr *a, uint16_t port)
{
  if(out->count == MOTE_QUIC_ADDRESSES)
    return;
  out->at[out->count] = *a;
  out->at[out->count++].port = port;
}

static void quic_place_add_answer(struct mote_quic_addrs *out, const struct mote_answer *a, uint16_t port)
{
  unsigned i;
  for(i = 0; a && i < a->count; i++)
    quic_place_add(out, &a->addrs[i], port);
}

/* They count where the target has no addresses (RFC 9460 section 7.3). */
static void quic_place_add_hints(struct mote_quic_place *p, struct mote_quic_addrs *out)
{
  const struct mote_dns_service *s = quic_place_service(p->origin);
  uint8_t family = mote_route_family(p->dial->owner);
  unsigned i;
  for(i = 0; s && i < s->hints; i++)
    if(!family || family == s->hint[i].family)
      quic_place_add(out, &s->hint[i], p->port);
}

/* What the dial's lookup has brought, or the literal. port 0: the origin's. */
static void quic_place_add_origin(const struct mote_dial *d, struct mote_quic_addrs *out, uint16_t port)
{
  const struct mote_answer *a = d->race ? d->race->answer : NULL;
  const struct mote_addr *literal = &d->drive.conn->remote;
  if(!a && literal->family)
    quic_place_add(out, literal, port ? port : literal->port);
  else if(a)
    quic_place_add_answer(out, a, port ? port : a->port);
}

/* CURLE_AGAIN: the lookup is under way. */
static CURLcode quic_place_poll(struct mote_quic_place *p, mote_time now)
{
  struct mote_transfer *t = p->dial->owner;
  if(p->asked && !mote_names_in_threads()) {
    mote_names_collect(&t->multi->names, now); /* polls the port */
    if(p->asked)
      mote_transfer_wake(t);
  }
  if(p->asked)
    return CURLE_AGAIN;
  if(!p->found)
    return CURLE_OK;
  p->found = false;
  return mote_share_keep_name(t, p->answer, now);
}

CURLcode mote_quic_place_addresses(struct mote_quic_place *p, bool origin_known, bool alone, mote_time now,
                                   struct mote_quic_addrs *out)
{
  CURLcode rc = p->look_at ? quic_place_look(p, now) : CURLE_OK;
  bool wants_origin = alone || p->kind != MOTE_QUIC_OTHER_HOST;
  rc = rc ? rc : quic_place_poll(p, now);
  if(!rc && wants_origin && !origin_known)
    rc = CURLE_AGAIN;
  if(rc)
    return rc;
  out->count = 0;
  quic_place_add_answer(out, p->answer, p->port);
  if(p->literal.family)
    quic_place_add(out, &p->literal, p->port);
  if(p->kind == MOTE_QUIC_OTHER_PORT)
    quic_place_add_origin(p->dial, out, p->port);
  if(!out->count)
    quic_place_add_hints(p, out);
  out->placed = out->count;
  if(alone || p->kind == MOTE_QUIC_ORIGIN)
    quic_place_add_origin(p->dial, out, 0);
  return CURLE_OK;
}

/* ---- its end ---- */

void mote_quic_place_own(struct mote_quic_place *p)
{
  mote_names_hand_over(&p->wait, p->dial->owner);
}

void mote_quic_place_end(struct mote_quic_place *p)
{
  mote_names_leave(&p->dial->owner->multi->names, &p->wait);
  if(p->answer)
    mote_answer_unref(p->answer);
  if(p->origin)
    mote_answer_unref(p->origin);
  p->answer = p->origin = NULL;
}
