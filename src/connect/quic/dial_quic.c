/* connect/quic/dial_quic.c: connecting by QUIC, alone or beside TCP (connect/dial/dial_phases.h).
 *
 * A socket for datagrams is always connected. Whether QUIC works at an address shows in its handshake, so
 * that an attempt is a socket, a stream of TLS and the session that carries it. Two lanes (the family of
 * the first address, and the other family) try their addresses in turn, as those of TCP do (race.c). The
 * first attempt whose handshake is complete becomes the connection, in place of whatever TCP has got ready
 * by then.
 *
 * Where TCP may serve as well (CURL_HTTP_VERSION_3) it begins later: 100 ms after QUIC if the server has
 * not sent a byte by then, 200 ms at the latest, and at once where QUIC fails. A network that swallows
 * datagrams costs no more than that. Whichever is ready first serves, and the other one is ended in
 * silence. Three seconds without an answer end QUIC there, so that a failure of TCP is reported then.
 *
 * QUIC may have another place to go to than TCP (quic_place.h). Its addresses may be known before those of
 * the origin, and the race begins with the first ones of either side. */
#include "base/memory.h"
#include "connect/dial/dial.h"
#include "connect/dial/dial_phases.h"
#include "connect/quic/quic_attempt.h"
#include "connect/quic/quic_place.h"
#include "connect/socket.h"
#include "connect/version.h"
#include "net/conn.h"
#include "net/h3/session.h"
#include "transfer/callback.h"
#include "transfer/transfer.h"

#define SILENT_FOR (100 * MOTE_MS)     /* after which TCP begins, if the server has sent nothing */
#define TCP_AFTER (200 * MOTE_MS)      /* after which it begins in any case */
#define NEXT_AFTER (3 * MOTE_SECOND)   /* of silence, after which a lane's next address is tried, or none */

/* An attempt, and the addresses that follow it. */
struct quic_lane {
  struct mote_quic_attempt try;
  mote_time give_up;             /* when the attempt ends if the server is silent; 0: never */
  uint8_t at;                    /* index of the next address to look at */
  uint8_t current;               /* index of the attempt's address */
  uint8_t family;                /* MOTE_FAMILY_NONE: the lane has no address */
  bool started;
};

struct mote_quic_race {
  struct mote_quic_place place;
  mote_time begun;               /* 0: no address is known, of this side or of TCP */
  mote_time second_at;           /* when the second lane starts; 0: it has, or does not exist */
  CURLcode failed;               /* why the last attempt failed */
  CURLcode tcp_failed;           /* why TCP failed meanwhile, or CURLE_OK */
  bool alone;                    /* nothing but QUIC will do */
  bool over;                     /* every attempt has failed */
  bool started;                  /* the addresses are known, and the lanes set up */
  bool asked;                    /* a server may have had the request of an attempt that was given up */
  struct quic_lane lanes[2];
  struct mote_quic_addrs addrs;
};

/* ---- a lane ---- */

static uint8_t dial_quic_next(const struct mote_quic_race *q, const struct quic_lane *l)
{
  uint8_t i = l->at;
  while(i < q->addrs.count && q->addrs.at[i].family != l->family)
    i++;
  return i;
}

/* Early data (RFC 8470) goes with one attempt, and with another only if no one was there to hear it. What a
 * request says of another place (Alt-Used) is known when that place has won. */
static bool dial_quic_may_be_early(const struct mote_dial *d)
{
  const struct mote_quic_race *q = d->quic;
  return !q->asked && !q->addrs.placed && !mote_quic_attempt_has_asked(&q->lanes[0].try) &&
         !mote_quic_attempt_has_asked(&q->lanes[1].try) &&
         mote_version_of_quic()->tls.protocol->may_be_early(d->owner);
}

static void dial_quic_give_up(struct mote_dial *d, struct quic_lane *l, CURLcode why)
{
  if(why == CURLE_COULDNT_CONNECT)
    mote_quic_attempt_give_back(&l->try);
  else if(mote_quic_attempt_has_asked(&l->try))
    d->quic->asked = true;
  if(why == CURLE_PEER_FAILED_VERIFICATION)
    mote_quic_attempt_note_refusal(&l->try, d->owner);
  mote_quic_attempt_close(d->owner, &l->try);
}

/* Begins attempts until one is under way, whose first packet it sends. */
static CURLcode dial_quic_next_attempt(struct mote_dial *d, struct quic_lane *l, mote_time now)
{
  struct mote_quic_race *q = d->quic;
  CURLcode rc = CURLE_COULDNT_CONNECT;
  while(rc && rc != CURLE_AGAIN && (l->current = dial_quic_next(q, l)) < q->addrs.count) {
    l->at = (uint8_t)(l->current + 1);
    l->give_up = !q->alone || dial_quic_next(q, l) < q->addrs.count ? now + NEXT_AFTER : 0;
    l->try.may_be_early = dial_quic_may_be_early(d);
    rc = mote_quic_attempt_begin(d, &l->try, &q->addrs.at[l->current]);
    if(!rc)
      rc = mote_quic_attempt_step(d, &l->try);
    if(rc && rc != CURLE_AGAIN) {
      q->failed = rc;
      dial_quic_give_up(d, l, rc);
    }
  }
  return rc;
}

static bool dial_quic_has_heard(const struct quic_lane *l)
{
  return l->try.session && l->try.session->heard;
}

static bool dial_quic_is_silent(const struct quic_lane *l)
{
  return l->try.session && !l->try.session->heard;
}

/* What fails at one address may work at another, unless it is the server's certificate or memory that is
 * wrong. An address of this machine that was asked for is of one family. */
static bool dial_quic_is_final(CURLcode rc)
{
  return rc != CURLE_AGAIN && rc != CURLE_COULDNT_CONNECT && rc != CURLE_QUIC_CONNECT_ERROR &&
         rc != CURLE_INTERFACE_FAILED;
}

/* CURLE_OK: it has won. CURLE_COULDNT_CONNECT: it has no address left. */
static CURLcode dial_quic_step_lane(struct mote_dial *d, struct quic_lane *l, mote_time now)
{
  CURLcode rc;
  if(!l->started)
    return CURLE_AGAIN;
  if(l->try.watch.fd == CURL_SOCKET_BAD)
    return dial_quic_next_attempt(d, l, now);
  rc = mote_quic_attempt_step(d, &l->try);
  if(!rc || (rc == CURLE_AGAIN && !(l->give_up && now >= l->give_up && dial_quic_is_silent(l))))
    return rc;
  d->quic->failed = rc == CURLE_AGAIN ? CURLE_COULDNT_CONNECT : rc;
  dial_quic_give_up(d, l, rc);
  return dial_quic_is_final(rc) ? rc : dial_quic_next_attempt(d, l, now);
}

/* ---- the beginning and the end ---- */

static void dial_quic_init_lane(struct quic_lane *l, struct mote_transfer *t, uint8_t family)
{
  mote_quic_attempt_init(&l->try, t);
  l->family = family;
}

/* What only a proxy can reach. Where TCP may serve as well a proxy has no QUIC beside it
 * (connect/version.c). */
static CURLcode dial_quic_refuse(struct mote_transfer *t)
{
  if(!t->run->lease.proxied)
    return CURLE_OK;
  return mote_fail_as(CURLE_URL_MALFORMAT, &t->report, "HTTP/3 is not supported over a proxy");
}

static CURLcode dial_quic_begin(struct mote_dial *d, mote_time now, bool alone)
{
  struct mote_transfer *t = d->owner;
  struct mote_quic_race *q = mote_mem_zalloc(d->drive.conn->env.account, MOTE_PART_CONN, sizeof *q);
  if(!q)
    return CURLE_OUT_OF_MEMORY;
  d->quic = q;
  q->alone = alone;
  dial_quic_init_lane(&q->lanes[0], t, MOTE_FAMILY_NONE);
  dial_quic_init_lane(&q->lanes[1], t, MOTE_FAMILY_NONE);
  return mote_quic_place_begin(&q->place, d, now);
}

/* CURLE_OK: the lanes are set up, if there are addresses. CURLE_AGAIN: they are not known yet. */
static CURLcode dial_quic_start(struct mote_dial *d, mote_time now)
{
  struct mote_quic_race *q = d->quic;
  const struct mote_quic_addrs *a = &q->addrs;
  uint8_t i;
  bool knows_origin = d->phase > MOTE_DIAL_NAMES || q->tcp_failed;
  CURLcode rc = mote_quic_place_addresses(&q->place, knows_origin, q->alone, now, &q->addrs);
  if(!q->begun && (!rc || d->phase > MOTE_DIAL_NAMES))
    q->begun = now;
  if(rc)
    return rc;
  q->started = true;
  if(!a->count) {
    q->over = true;
    q->failed = CURLE_QUIC_CONNECT_ERROR;
    if(q->alone && !q->tcp_failed)
      mote_fail(&d->owner->report, "HTTP/3 cannot be used over UNIX domain sockets");
    return CURLE_OK;
  }
  q->lanes[0].family = a->at[0].family;
  for(i = 1; i < a->count && !q->lanes[1].family; i++)
    if(a->at[i].family != a->at[0].family)
      q->lanes[1].family = a->at[i].family;
  q->lanes[0].started = true;
  if(q->lanes[1].family)
    q->second_at = now + mote_opt_long(&d->owner->options, CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS) * MOTE_MS;
  return CURLE_OK;
}

/* At another place than the origin. */
static void dial_quic_note(const struct mote_dial *d, bool worked)
{
  if(d->quic->place.kind != MOTE_QUIC_ORIGIN)
    mote_version_note_place(d->owner, worked);
}

/* TCP is ready, and no attempt has heard of its server. */
static bool dial_quic_was_silent(const struct mote_dial *d)
{
  const struct mote_quic_race *q = d->quic;
  return d->phase == MOTE_DIAL_READY && q->started && !q->over && !dial_quic_has_heard(&q->lanes[0]) &&
         !dial_quic_has_heard(&q->lanes[1]);
}

static void dial_quic_close_lanes(struct mote_dial *d)
{
  mote_quic_attempt_close(d->owner, &d->quic->lanes[0].try);
  mote_quic_attempt_close(d->owner, &d->quic->lanes[1].try);
}

void mote_dial_quic_end(struct mote_dial *d)
{
  struct mote_quic_race *q = d->quic;
  if(!q)
    return;
  if(dial_quic_was_silent(d))
    dial_quic_note(d, false);
  mote_quic_place_end(&q->place);
  dial_quic_close_lanes(d);
  d->drive.conn->env.os_errno = 0; /* why an attempt failed is no error of the connection */
  mote_mem_free(d->drive.conn->env.account, MOTE_PART_CONN, q, sizeof *q);
  d->quic = NULL;
}

void mote_dial_quic_own(struct mote_dial *d)
{
  unsigned i;
  if(d->quic)
    mote_quic_place_own(&d->quic->place);
  for(i = 0; d->quic && i < 2; i++) {
    struct quic_lane *l = &d->quic->lanes[i];
    l->try.watch.user = d->owner;
    mote_quic_attempt_disown(&l->try);
    if(l->try.tls)
      mote_connect_use_sessions_with(d->owner, l->try.tls);
  }
}

/* ---- the winner ---- */

/* What TCP has got ready. */
static void dial_quic_drop_tcp(struct mote_dial *d)
{
  struct mote_conn *c = d->drive.conn;
  curl_socket_t fd = mote_conn_fd(c);
  mote_dial_stop_race(d);
  while(c->top != &c->tcp.stream) {
    struct mote_stream *s = c->top;
    c->top = s->below;
    s->ops->close(s);
  }
  if(fd == CURL_SOCKET_BAD)
    return;
  mote_watch_remove(c->set, &c->tcp.watch);
  mote_socket_abandon(d->owner, fd);
}

/* Makes the attempt the connection. */
static void dial_quic_win(struct mote_dial *d, struct quic_lane *l, mote_time now)
{
  struct mote_conn *c = d->drive.conn;
  bool elsewhere = l->current < d->quic->addrs.placed;
  if(d->quic->tcp_failed)
    mote_transfer_unsay(d->owner);
  dial_quic_drop_tcp(d);
  if(d->phase == MOTE_DIAL_NAMES) /* those of TCP are not known */
    mote_mark_set(&d->owner->run->stats, MOTE_MARK_NAME, now);
  if(d->phase > MOTE_DIAL_RACE)
    d->owner->run->conn_count--; /* TCP was connected, too */
  mote_watch_move(c->set, &l->try.watch, &c->tcp.watch);
  c->remote = d->quic->addrs.at[l->current];
  c->place = elsewhere ? d->quic->place.number : 0;
  c->driver = mote_version_of_quic()->tls.protocol->driver;
  c->top = l->try.tls;
  l->try.session->watch = &c->tcp.watch;
  l->try.tls = NULL;
  dial_quic_note(d, elsewhere);
  mote_dial_quic_end(d);
  mote_dial_note_connected(d);
  d->phase = MOTE_DIAL_LAYERS;
}

/* ---- the race ---- */

static bool dial_quic_is_done(const struct mote_quic_race *q, const struct quic_lane *l)
{
  return !l->family || (l->try.watch.fd == CURL_SOCKET_BAD && l->started &&
                        dial_quic_next(q, l) == q->addrs.count);
}

/* CURLE_OK: the connection is one of QUIC. */
static CURLcode dial_quic_round(struct mote_dial *d, mote_time now)
{
  struct mote_quic_race *q = d->quic;
  unsigned i;
  for(i = 0; i < 2; i++) {
    CURLcode rc = dial_quic_step_lane(d, &q->lanes[i], now);
    if(!rc) {
      dial_quic_win(d, &q->lanes[i], now);
      return CURLE_OK;
    }
    if(dial_quic_is_final(rc))
      return rc;
    if(i == 0 && q->second_at && (now >= q->second_at || dial_quic_is_done(q, &q->lanes[0]))) {
      q->second_at = 0;
      q->lanes[1].started = true;
    }
  }
  return dial_quic_is_done(q, &q->lanes[0]) && dial_quic_is_done(q, &q->lanes[1]) ? q->failed : CURLE_AGAIN;
}

/* An application's function for the context of TLS is called under the guard (dial_tls.c). */
static CURLcode dial_quic_guarded_round(struct mote_dial *d, mote_time now)
{
  struct mote_transfer *t = d->owner;
  struct mote_callback_guard g;
  CURLcode rc;
  if(!mote_opt_fn(&t->options, CURLOPT_SSL_CTX_FUNCTION))
    return dial_quic_round(d, now);
  g = mote_callback_enter(t);
  rc = dial_quic_round(d, now);
  mote_callback_leave(t, g);
  return rc;
}

/* When something is to be done that no event brings. 0: never. */
static mote_time dial_quic_due(const struct mote_dial *d, mote_time now)
{
  const struct mote_quic_race *q = d->quic;
  mote_time at = q->second_at;
  unsigned i;
  if(!q->alone && d->phase == MOTE_DIAL_RACE && now < q->begun + TCP_AFTER) {
    mote_time tcp = now < q->begun + SILENT_FOR ? q->begun + SILENT_FOR : q->begun + TCP_AFTER;
    at = at && at < tcp ? at : tcp;
  }
  for(i = 0; i < 2; i++)
    if(q->lanes[i].give_up && dial_quic_is_silent(&q->lanes[i]) && (!at || q->lanes[i].give_up < at))
      at = q->lanes[i].give_up;
  return q->place.look_at && (!at || q->place.look_at < at) ? q->place.look_at : at;
}

static void dial_quic_set_timer(struct mote_dial *d, mote_time now)
{
  mote_time due = dial_quic_due(d, now), set = mote_timer_at(d->owner->run, MOTE_TIMER_STATE);
  if(due && (!set || set <= now || due < set))
    mote_timer_set(d->owner, MOTE_TIMER_STATE, due);
}

/* Names are looked up whatever QUIC does. */
static bool dial_quic_holds_tcp(const struct mote_dial *d, mote_time now)
{
  const struct mote_quic_race *q = d->quic;
  bool silent = !q->started || dial_quic_is_silent(&q->lanes[0]) || dial_quic_is_silent(&q->lanes[1]);
  if(q->tcp_failed)
    return true;
  if(d->phase == MOTE_DIAL_NAMES)
    return false;
  return q->alone || now < q->begun + (silent ? SILENT_FOR : TCP_AFTER);
}

/* Why the dial has failed where nothing but QUIC was left. */
static CURLcode dial_quic_report(struct mote_dial *d, CURLcode rc, mote_time now)
{
  struct mote_transfer *t = d->owner;
  t->run->stats.os_errno = (uint16_t)d->drive.conn->env.os_errno;
  if(rc == CURLE_COULDNT_CONNECT)
    mote_dial_report_failed(t, now);
  else if(rc == CURLE_QUIC_CONNECT_ERROR)
    mote_fail(&t->report, "The server does not answer by QUIC as it should");
  return rc;
}

/* A place that QUIC alone goes to is looked up from the beginning. A record of DNS is known with the
 * addresses. */
static enum mote_transport dial_quic_transport(const struct mote_dial *d)
{
  if(d->phase == MOTE_DIAL_RACE && mote_quic_place_is_in_dns(d))
    return MOTE_TRANSPORT_EITHER;
  if(d->phase == MOTE_DIAL_RACE || (d->phase == MOTE_DIAL_NAMES && mote_version_has_found_quic(d->owner)))
    return mote_version_transport(d->owner);
  return MOTE_TRANSPORT_TCP;
}

static CURLcode dial_quic_step(struct mote_dial *d, mote_time now)
{
  struct mote_quic_race *q = d->quic;
  CURLcode rc = q->started ? CURLE_OK : dial_quic_start(d, now);
  if(rc)
    return rc;
  return q->over ? q->failed : dial_quic_guarded_round(d, now);
}

bool mote_dial_quic_leads(struct mote_dial *d, mote_time now, CURLcode *rc)
{
  enum mote_transport transport = d->quic ? MOTE_TRANSPORT_QUIC : dial_quic_transport(d);
  struct mote_quic_race *q = d->quic;
  if(transport == MOTE_TRANSPORT_TCP || (q && q->over && !q->alone))
    return false;
  *rc = q ? CURLE_OK : dial_quic_refuse(d->owner);
  if(!q && !*rc)
    *rc = dial_quic_begin(d, now, transport == MOTE_TRANSPORT_QUIC);
  q = d->quic;
  if(*rc)
    return true;
  *rc = dial_quic_step(d, now);
  if(!*rc) {
    mote_transfer_unsay(d->owner);
    return true;
  }
  if(*rc == CURLE_AGAIN) {
    dial_quic_set_timer(d, now);
    return dial_quic_holds_tcp(d, now);
  }
  q->over = true;
  dial_quic_close_lanes(d); /* what failed for good has not ended the other lane's attempt */
  if(*rc != CURLE_OUT_OF_MEMORY && *rc != CURLE_ABORTED_BY_CALLBACK)
    dial_quic_note(d, false);
  if(q->tcp_failed)
    *rc = q->tcp_failed;
  else if(q->alone)
    *rc = dial_quic_report(d, *rc, now);
  else
    mote_transfer_unsay(d->owner);
  return q->alone || q->tcp_failed;
}

CURLcode mote_dial_quic_judge(struct mote_dial *d, CURLcode rc)
{
  if(!rc || !d->quic || d->quic->over)
    return rc;
  if(rc == CURLE_AGAIN) { /* the phase has set the timer as if it were alone */
    dial_quic_set_timer(d, mote_port_now());
    return rc;
  }
  d->quic->tcp_failed = rc;
  mote_transfer_wake(d->owner); /* there may be nothing that QUIC waits for */
  return CURLE_AGAIN;
}
