/* connect/dial/race.c: happy eyeballs (RFC 8305), the race of connection attempts
 * (connect/dial/dial_phases.h). */
#include "connect/dial/dial_phases.h"

#include "base/memory.h"
#include "base/memory/ceiling.h"
#include "connect/dial/dial.h"
#include "connect/socket.h"
#include "net/conn.h"
#include "net/conn_struct.h"
#include "transfer/multi/multi.h"
#include "transfer/transfer.h"

/* ---- one address, with the connection's own watch ---- */

static CURLcode race_single(struct mote_transfer *t, struct mote_conn *c)
{
  const struct mote_addr *to = c->remote.family ? &c->remote : NULL; /* NULL: a Unix socket */
  if(mote_conn_fd(c) == CURL_SOCKET_BAD) {
    curl_socket_t fd;
    bool done;
    CURLcode rc = mote_socket_start(t, to, MOTE_SOCKET_TURNS, &fd, &done);
    if(rc)
      return rc;
    mote_watch_add(c->set, &c->tcp.watch, fd);
    if(done)
      return CURLE_OK;
    rc = mote_conn_want(c, MOTE_WANT_OUT);
    return rc ? rc : CURLE_AGAIN;
  }
  return mote_socket_result(t, to, mote_conn_fd(c));
}

/* ---- several addresses ---- */

static void close_lane(struct mote_transfer *t, struct mote_lane *l)
{
  curl_socket_t fd = l->watch.fd;
  if(fd == CURL_SOCKET_BAD)
    return;
  mote_watch_remove(&t->multi->set, &l->watch);
  mote_socket_abandon(t, fd);
}

CURLcode mote_dial_make_race(struct mote_dial *d)
{
  struct mote_race *race = mote_mem_zalloc(d->drive.conn->env.account, MOTE_PART_CONN, sizeof *race);
  if(!race)
    return CURLE_OUT_OF_MEMORY;
  race->dial = d;
  mote_list_init(&race->wait.link);
  race->lanes[0].watch.fd = CURL_SOCKET_BAD;
  race->lanes[1].watch.fd = CURL_SOCKET_BAD;
  d->race = race;
  return CURLE_OK;
}

void mote_dial_ceiling(struct mote_ceiling *c)
{
  mote_ceiling_add(c, 1, sizeof(struct mote_dial));
  mote_ceiling_add(c, 1, sizeof(struct mote_race));
}

void mote_dial_stop_race(struct mote_dial *d)
{
  struct mote_race *race = d->race;
  struct mote_transfer *t = d->owner;
  if(!race)
    return;
  mote_names_leave(&t->multi->names, &race->wait);
  if(race->answer)
    mote_answer_unref(race->answer);
  close_lane(t, &race->lanes[0]);
  close_lane(t, &race->lanes[1]);
  mote_mem_free(d->drive.conn->env.account, MOTE_PART_CONN, race, sizeof *race);
  d->race = NULL;
}

static void init_lane(struct mote_lane *l, struct mote_transfer *t, uint8_t family)
{
  mote_watch_init(&l->watch, mote_transfer_wake_user);
  l->watch.user = t;
  l->family = family;
}

static uint8_t race_other_family(const struct mote_answer *a)
{
  unsigned i;
  for(i = 1; i < a->count; i++)
    if(a->addrs[i].family != a->addrs[0].family)
      return a->addrs[i].family;
  return 0;
}

static void start_race(struct mote_race *race, mote_time now)
{
  struct mote_transfer *t = race->dial->owner;
  init_lane(&race->lanes[0], t, race->answer->addrs[0].family);
  init_lane(&race->lanes[1], t, race_other_family(race->answer));
  race->begun = true;
  race->lanes[0].started = true;
  if(race->lanes[1].family)
    race->second_at = now + mote_opt_long(&t->options, CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS) * MOTE_MS;
}

/* Returns the index of the lane's next address, starting at `from`, or count. */
static uint16_t find_next(const struct mote_answer *a, const struct mote_lane *l, uint16_t from)
{
  while(from < a->count && a->addrs[from].family != l->family)
    from++;
  return from;
}

/* Returns when to give up on an address. If another follows, this is after half of the remaining connect
 * time, so that each gets its chance. */
static mote_time share_of_time(const struct mote_race *race, const struct mote_lane *l, mote_time now)
{
  const struct mote_run *r = race->dial->owner->run;
  mote_time end = mote_timer_at(r, MOTE_TIMER_CONNECT);
  mote_time total = mote_timer_at(r, MOTE_TIMER_TOTAL);
  if(total && (!end || total < end))
    end = total;
  if(!end || find_next(race->answer, l, l->next) == race->answer->count)
    return 0;
  return now + (end - now) / 2;
}

static bool race_is_over(const struct mote_lane *l, const struct mote_answer *a)
{
  return !l->started || (l->watch.fd == CURL_SOCKET_BAD && find_next(a, l, l->next) == a->count);
}

/* Starts attempts until one is under way. CURLE_COULDNT_CONNECT: the lane has no address left. A local
 * address (CURLOPT_INTERFACE) is of one family: attempts of the other one fail, and the race goes on. */
static CURLcode next_attempt(struct mote_race *race, struct mote_lane *l, mote_time now, bool *won)
{
  struct mote_transfer *t = race->dial->owner;
  struct mote_answer *a = race->answer;
  CURLcode rc = CURLE_COULDNT_CONNECT;
  while(rc == CURLE_COULDNT_CONNECT && (l->current = find_next(a, l, l->next)) < a->count) {
    struct mote_addr to = a->addrs[l->current];
    curl_socket_t fd;
    to.port = a->port;
    l->next = (uint16_t)(l->current + 1);
    rc = mote_socket_start(t, &to, MOTE_SOCKET_TURNS, &fd, won);
    race->bound |= rc != CURLE_INTERFACE_FAILED;
    if(rc == CURLE_INTERFACE_FAILED)
      rc = CURLE_COULDNT_CONNECT;
    if(rc)
      continue;
    mote_watch_add(&t->multi->set, &l->watch, fd);
    rc = mote_watch_want(&t->multi->set, &l->watch, MOTE_WANT_OUT);
    l->give_up = share_of_time(race, l, now);
  }
  return rc;
}

static CURLcode lane_step(struct mote_race *race, struct mote_lane *l, mote_time now, bool *won)
{
  struct mote_transfer *t = race->dial->owner;
  *won = false;
  if(!l->started)
    return CURLE_OK;
  if(l->watch.fd != CURL_SOCKET_BAD) {
    struct mote_addr to = race->answer->addrs[l->current];
    CURLcode rc;
    to.port = race->answer->port;
    rc = mote_socket_result(t, &to, l->watch.fd);
    *won = !rc;
    if(!rc || (rc == CURLE_AGAIN && !(l->give_up && now >= l->give_up)))
      return CURLE_OK;
    close_lane(t, l);
  }
  return next_attempt(race, l, now, won);
}

/* Makes the lane's socket the connection's. It is watched as before, since an application may take the end
 * of a watch for that of the socket. */
static CURLcode finish_race(struct mote_race *race, struct mote_lane *l)
{
  struct mote_dial *d = race->dial;
  struct mote_conn *c = d->drive.conn;
  c->remote = race->answer->addrs[l->current];
  c->remote.port = race->answer->port;
  mote_watch_move(c->set, &l->watch, &c->tcp.watch);
  mote_dial_stop_race(d);
  mote_timer_set(d->owner, MOTE_TIMER_STATE, 0);
  return mote_conn_want(c, MOTE_WANT_OUT);
}

static void set_race_timer(const struct mote_race *race)
{
  mote_time at = race->second_at;
  int i;
  for(i = 0; i < 2; i++) {
    const struct mote_lane *l = &race->lanes[i];
    if(l->watch.fd != CURL_SOCKET_BAD && l->give_up && (!at || l->give_up < at))
      at = l->give_up;
  }
  mote_timer_set(race->dial->owner, MOTE_TIMER_STATE, at);
}

static CURLcode race_round(struct mote_race *race, mote_time now)
{
  struct mote_answer *a = race->answer;
  int i;
  for(i = 0; i < 2; i++) {
    struct mote_lane *l = &race->lanes[i];
    bool won;
    CURLcode rc = lane_step(race, l, now, &won);
    if(won)
      return finish_race(race, l);
    if(rc && rc != CURLE_COULDNT_CONNECT)
      return rc;
    if(i == 0 && race->second_at && (now >= race->second_at || race_is_over(l, a))) {
      race->second_at = 0;
      race->lanes[1].started = true;
    }
  }
  if(race_is_over(&race->lanes[0], a) && race_is_over(&race->lanes[1], a))
    return race->bound ? CURLE_COULDNT_CONNECT : CURLE_INTERFACE_FAILED;
  set_race_timer(race);
  return CURLE_AGAIN;
}

CURLcode mote_dial_race(struct mote_dial *d, mote_time now)
{
  if(!d->race)
    return race_single(d->owner, d->drive.conn);
  if(!d->race->begun)
    start_race(d->race, now);
  return race_round(d->race, now);
}
