/* net/h3/path.c: whether the path to the peer works, and another one when it does not (net/h3/session.h).
 *
 * What the network says of the path is a hint, as anyone may have made it up (RFC 9000 sections 14.2.1 and
 * 21): it makes the session ask, and silence decides. A session that was idle asks with its next request.
 * QUIC sends probes until it is acknowledged, each after twice the time of the one before (RFC 9002 section
 * 6.2); a peer that answers none of three has gone, and what is asked of it is asked of another connection.
 * A peer that goes while it is sending is found by its silence (MOTE_H3_IDLE) alone: networks come back, as
 * they do under TCP. So is one that is sent a body, which the application may not have a second time.
 *
 * Errors that only the machine makes are another thing: those of receiving end the session when nothing but
 * them comes, and those of sending that say that its address is gone make the socket take another one, to
 * which the connection migrates (RFC 9000 section 9). It does so when the next datagrams cannot be sent
 * either, as routes come and go, and a server may have no use for the new address yet. Where the application
 * has bound the socket to an address it stays there. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "net/conn.h"
#include "net/h3/session.h"
#include "port/burst.h"

#define PROBES 7u                              /* first timeouts that three probes take: 1 + 2 + 4 */
#define ANSWER_LEAST (3 * NGTCP2_SECONDS)      /* for a peer that is busy */
#define REFUSED_PROBES 4u                      /* timeouts: a probe and what becomes of it */
#define REFUSED_LEAST (200 * NGTCP2_MILLISECONDS)
#define ERRORS_MOST 64u                        /* of receiving, in a row */
#define MOVES_APART (1 * NGTCP2_SECONDS)       /* between two looks for another address */

/* ---- whether it answers ---- */

static void h3_path_expect(struct mote_h3_session *s, ngtcp2_duration timeouts, ngtcp2_duration least)
{
  ngtcp2_duration wait = timeouts * ngtcp2_conn_get_pto(s->quic);
  ngtcp2_tstamp by = mote_h3_now() + (wait > least ? wait : least);
  if(!s->answer_by || by < s->answer_by)
    s->answer_by = by;
}

/* While streams are open a packet goes at half of the idle timeout, and soon where the peer has to show that
 * it is there. */
static void h3_path_keep_alive(struct mote_h3_session *s)
{
  const ngtcp2_transport_params *theirs = ngtcp2_conn_get_remote_transport_params(s->quic);
  uint64_t idle = MOTE_H3_IDLE * NGTCP2_SECONDS;
  if(theirs && theirs->max_idle_timeout && theirs->max_idle_timeout < idle)
    idle = theirs->max_idle_timeout;
  ngtcp2_conn_set_keep_alive_timeout(s->quic, !s->alive    ? UINT64_MAX
                                              : s->refused ? ngtcp2_conn_get_pto(s->quic)
                                                           : idle / 2);
}

void mote_h3_path_use(struct mote_h3_session *s)
{
  s->alive = true;
  h3_path_keep_alive(s);
  s->asks = s->used;
  if(s->used)
    h3_path_expect(s, PROBES, ANSWER_LEAST);
  s->used = true;
}

void mote_h3_path_rest(struct mote_h3_session *s)
{
  s->alive = s->asks = false;
  s->answer_by = 0;
  h3_path_keep_alive(s);
}

void mote_h3_path_answered(struct mote_h3_session *s)
{
  s->asks = false;
  s->answer_by = 0;
}

void mote_h3_path_heard(struct mote_h3_session *s)
{
  s->heard = true;
  s->errors = 0;
  if(!s->asks)
    s->answer_by = 0;
  if(!s->refused)
    return;
  s->refused = false;
  h3_path_keep_alive(s);
}

void mote_h3_path_judge(struct mote_h3_session *s)
{
  ngtcp2_conn_info info;
  if(!mote_h3_path_is_due(s))
    return;
  ngtcp2_conn_get_conn_info(s->quic, &info);
  if(!info.bytes_in_flight /* it has not been asked anything */ || (!s->refused && mote_h3_has_bodies(s))) {
    mote_h3_path_answered(s);
    return;
  }
  if(s->refused)
    s->conn->env.os_errno = ECONNREFUSED;
  mote_h3_note(s, mote_slice_of(s->refused ? "no one listens there any more" : "the server does not answer"));
  s->over = true;
  mote_h3_break(s, CURLE_RECV_ERROR);
}

/* ---- errors of the socket ---- */

static void h3_path_end(struct mote_h3_session *s, int error, CURLcode rc)
{
  s->conn->env.os_errno = error;
  s->over = true;
  mote_h3_break(s, rc);
}

/* ICMP's answer that no one listens there. During the handshake it is the end. */
static void h3_path_is_refused(struct mote_h3_session *s)
{
  if(!s->refused) {
    s->refused = true;
    h3_path_keep_alive(s);
  }
  if(s->alive)
    h3_path_expect(s, REFUSED_PROBES, REFUSED_LEAST);
}

/* What ICMP makes comes once for each packet. */
static bool h3_path_is_from_outside(int error)
{
  return error == EHOSTUNREACH || error == ENETUNREACH || error == EMSGSIZE || error == EPROTO ||
         error == ENOPROTOOPT || error == EOPNOTSUPP || error == EACCES;
}

void mote_h3_path_receive_failed(struct mote_h3_session *s, int error)
{
  if(!s->shaken)
    h3_path_end(s, error, CURLE_COULDNT_CONNECT);
  else if(error == ECONNREFUSED)
    h3_path_is_refused(s);
  else if(!h3_path_is_from_outside(error) && ++s->errors >= ERRORS_MOST)
    h3_path_end(s, error, CURLE_RECV_ERROR);
}

/* Linux says EINVAL of an address that was the machine's; EDESTADDRREQ after a move that has failed. */
static bool h3_path_is_gone(int error)
{
  return error == EINVAL || error == EADDRNOTAVAIL || error == ENETUNREACH || error == EHOSTUNREACH ||
         error == ENETDOWN || error == ENODEV || error == EDESTADDRREQ;
}

/* The server has to have confirmed the handshake and given a connection ID for that, which may be on their
 * way. Until then, and where it has forbidden migration, the new address looks to it like one that a NAT has
 * given. */
void mote_h3_path_migrate(struct mote_h3_session *s, ngtcp2_tstamp at)
{
  ngtcp2_sockaddr_union local, remote;
  struct mote_addr here;
  ngtcp2_path path;
  int rc;
  s->migrates = false;
  if(mote_port_local_name(s->watch->fd, &here))
    return;
  memset(&path, 0, sizeof path);
  mote_h3_address(&here, &local, &path.local);
  mote_h3_address(&s->conn->remote, &remote, &path.remote);
  rc = ngtcp2_conn_initiate_immediate_migration(s->quic, &path, at);
  s->migrates = rc == NGTCP2_ERR_INVALID_STATE || rc == NGTCP2_ERR_CONN_ID_BLOCKED;
  if(rc == NGTCP2_ERR_NOMEM)
    mote_h3_break(s, CURLE_OUT_OF_MEMORY);
}

static void h3_path_move(struct mote_h3_session *s, ngtcp2_tstamp at)
{
  if(s->moved_at && at < s->moved_at + MOVES_APART)
    return;
  s->moved_at = at;
  if(s->alive)
    h3_path_expect(s, PROBES, ANSWER_LEAST);
  if(mote_port_burst_move(s->watch->fd, &s->conn->remote))
    return;
  s->most = MOTE_H3_DATAGRAM;
  mote_h3_path_migrate(s, at);
}

void mote_h3_path_send_failed(struct mote_h3_session *s, int error, ngtcp2_tstamp at)
{
  if(!s->shaken)
    h3_path_end(s, error, CURLE_COULDNT_CONNECT);
  else if(error == ECONNREFUSED)
    h3_path_is_refused(s);
  else if(h3_path_is_gone(error)) {
    if(s->unsent)
      h3_path_move(s, at);
    s->unsent = true;
  }
}

/* A datagram of this length is too long for the path. One that was to find that out counts as lost; after
 * another one all are as short as any path has to take (RFC 9000 section 14). */
void mote_h3_path_is_narrow(struct mote_h3_session *s, size_t len)
{
  if(len <= ngtcp2_conn_get_path_max_tx_udp_payload_size(s->quic))
    s->most = MOTE_H3_DATAGRAM_LEAST;
}
