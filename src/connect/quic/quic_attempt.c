/* connect/quic/quic_attempt.c: a handshake of QUIC at one address (connect/quic/quic_attempt.h). */
#include "connect/quic/quic_attempt.h"

#include "base/report.h"
#include "connect/dial/dial.h"
#include "connect/dial/dial_phases.h"
#include "connect/socket.h"
#include "connect/version.h"
#include "net/h3/early.h"
#include "net/h3/session.h"
#include "tls/tls.h"
#include "transfer/multi/multi.h"
#include "transfer/report/info.h"
#include "transfer/transfer.h"

void mote_quic_attempt_init(struct mote_quic_attempt *a, struct mote_transfer *t)
{
  mote_watch_init(&a->watch, mote_transfer_wake_user);
  a->watch.fd = CURL_SOCKET_BAD;
  a->watch.user = t;
}

void mote_quic_attempt_close(struct mote_transfer *t, struct mote_quic_attempt *a)
{
  curl_socket_t fd = a->watch.fd;
  if(a->tls)
    a->tls->ops->close(a->tls);
  a->tls = NULL;
  a->session = NULL;
  if(fd == CURL_SOCKET_BAD)
    return;
  mote_watch_remove(&t->multi->set, &a->watch);
  mote_socket_abandon(t, fd);
}

static CURLcode quic_attempt_add_tls(struct mote_dial *d, struct mote_quic_attempt *a)
{
  struct mote_transfer *t = d->owner;
  struct mote_conn *c = d->drive.conn;
  const struct mote_url_packed *u = &t->run->request.url;
  struct mote_tls_config cfg;
  CURLcode rc;
  mote_transfer_tls_config(t, &cfg);
  cfg.quic = true;
  cfg.early = a->may_be_early;
  cfg.alpn = mote_version_of_quic()->alpn;
  rc = mote_tls_connect_new(&a->tls, &c->tcp.stream, &c->env, &cfg,
                            (struct mote_tls_server){mote_url_packed_ace(u), u->port});
  if(!rc)
    mote_connect_use_sessions_with(t, a->tls);
  return rc;
}

static void quic_attempt_ask(struct mote_h3_session *s, void *arg)
{
  struct mote_transfer *t = ((struct mote_dial *)arg)->owner;
  mote_version_of_quic()->tls.protocol->ask_early(t, s);
}

bool mote_quic_attempt_has_asked(const struct mote_quic_attempt *a)
{
  return a->session && a->session->early && a->session->early->request.stream;
}

void mote_quic_attempt_disown(struct mote_quic_attempt *a)
{
  if(a->session)
    mote_h3_early_drop(a->session);
}

void mote_quic_attempt_note_refusal(const struct mote_quic_attempt *a, struct mote_transfer *t)
{
  mote_info_note_verify(t, a->tls);
}

void mote_quic_attempt_give_back(struct mote_quic_attempt *a)
{
  if(a->tls)
    mote_tls_give_back(a->tls);
}

/* A room for bursts is not for an account with a limit. */
static CURLcode quic_attempt_add_session(struct mote_dial *d, struct mote_quic_attempt *a,
                                         const struct mote_addr *to)
{
  struct mote_conn *c = d->drive.conn;
  struct mote_addr local;
  struct mote_h3_opening how = {.conn = c,
                                .watch = &a->watch,
                                .timers = &d->owner->multi->timers,
                                .local = &local,
                                .remote = to,
                                .many = !mote_account_room(c->env.account),
                                .ask = {.arg = d}};
  CURLcode rc;
  if(a->may_be_early)
    how.ask.request = quic_attempt_ask;
  (void)mote_port_local_name(a->watch.fd, &local);
  rc = mote_h3_open(&a->session, &how);
  if(!rc)
    mote_tls_carry(a->tls, &a->session->carrier);
  return rc;
}

CURLcode mote_quic_attempt_begin(struct mote_dial *d, struct mote_quic_attempt *a, const struct mote_addr *to)
{
  struct mote_transfer *t = d->owner;
  curl_socket_t fd;
  bool done;
  CURLcode rc = mote_socket_start(t, to, MOTE_SOCKET_QUIC, &fd, &done);
  if(rc)
    return rc;
  mote_watch_add(&t->multi->set, &a->watch, fd);
  rc = quic_attempt_add_tls(d, a);
  return rc ? rc : quic_attempt_add_session(d, a, to);
}

/* Without ALPN there is no protocol (RFC 9001 section 8.1). */
static CURLcode quic_attempt_check(struct mote_dial *d, const struct mote_quic_attempt *a)
{
  struct mote_slice name = {NULL, 0};
  name.ptr = mote_tls_alpn(a->tls, &name.len);
  if(name.ptr && mote_slice_is(name, mote_version_of_quic()->alpn))
    return CURLE_OK;
  mote_info(&d->owner->report, "QUIC: the server has not agreed on HTTP/3");
  return CURLE_QUIC_CONNECT_ERROR;
}

CURLcode mote_quic_attempt_step(struct mote_dial *d, struct mote_quic_attempt *a)
{
  struct mote_transfer *t = d->owner;
  bool done;
  CURLcode rc = a->tls->ops->handshake(a->tls, &done);
  if(!rc && done)
    return quic_attempt_check(d, a);
  if(!rc)
    rc = mote_watch_want(&t->multi->set, &a->watch, a->tls->ops->want(a->tls, MOTE_WANT_IN));
  if(rc && a->session && a->session->why)
    mote_info(&t->report, "QUIC: %s", a->session->why);
  return rc ? rc : CURLE_AGAIN;
}
