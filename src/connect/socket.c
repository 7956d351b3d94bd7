/* connect/socket.c: opens, configures, binds and connects one socket (connect/socket.h). */
#include "connect/socket.h"

#include <string.h>

#include "base/report.h"
#include "connect/route/route.h"
#include "net/names/address.h"
#include "port/interface.h"
#include "port/port.h"
#include "port/unix.h"
#include "transfer/callback.h"
#include "transfer/transfer.h"

static CURLcode socket_failed(struct mote_transfer *t, const struct mote_addr *to, int err)
{
  t->run->stats.os_errno = (uint16_t)err;
  if(t->report.verbose)
    mote_socket_report_failed(t, to, err);
  return CURLE_COULDNT_CONNECT;
}

CURLcode mote_socket_result(struct mote_transfer *t, const struct mote_addr *to, curl_socket_t fd)
{
  int err = mote_port_connect_result(fd);
  if(!err)
    return CURLE_OK;
  return err == MOTE_PORT_AGAIN ? CURLE_AGAIN : socket_failed(t, to, err);
}

void mote_socket_abandon(struct mote_transfer *t, curl_socket_t fd)
{
  curl_closesocket_callback fn =
    (curl_closesocket_callback)mote_opt_fn(&t->options, CURLOPT_CLOSESOCKETFUNCTION);
  struct mote_callback_guard g;
  if(!fn) {
    mote_port_close(fd);
    return;
  }
  g = mote_callback_enter(t);
  fn(mote_opt_ptr(&t->options, CURLOPT_CLOSESOCKETDATA), fd);
  mote_callback_leave(t, g);
}

CURLcode mote_socket_open(struct mote_transfer *t, struct mote_target *target, curl_socket_t *fd, int *err)
{
  curl_opensocket_callback fn =
    (curl_opensocket_callback)mote_opt_fn(&t->options, CURLOPT_OPENSOCKETFUNCTION);
  struct mote_callback_guard g;
  *err = 0;
  if(!fn) {
    *err = mote_port_socket(&target->u.sa, fd);
    return CURLE_OK;
  }
  g = mote_callback_enter(t);
  *fd = fn(mote_opt_ptr(&t->options, CURLOPT_OPENSOCKETDATA), CURLSOCKTYPE_IPCXN, &target->u.sa);
  mote_callback_leave(t, g);
  if(*fd == CURL_SOCKET_BAD)
    return mote_fail_as(CURLE_COULDNT_CONNECT, &t->report,
                        "The application's socket callback gave no socket");
  *err = mote_port_nonblocking(*fd);
  return CURLE_OK;
}

static void connect_socket_set_options(struct mote_transfer *t, curl_socket_t fd, enum mote_socket_use use)
{
  const struct mote_options *o = &t->options;
  if(use == MOTE_SOCKET_QUIC)
    return;
  if(use == MOTE_SOCKET_TURNS && mote_opt_long(o, CURLOPT_TCP_NODELAY))
    (void)mote_port_setopt(fd, MOTE_SOCKOPT_NODELAY, 1);
  if(mote_opt_long(o, CURLOPT_TCP_FASTOPEN))
    (void)mote_port_setopt(fd, MOTE_SOCKOPT_FASTOPEN, 1);
  if(!mote_opt_long(o, CURLOPT_TCP_KEEPALIVE))
    return;
  (void)mote_port_setopt(fd, MOTE_SOCKOPT_KEEPALIVE, 1);
  (void)mote_port_setopt(fd, MOTE_SOCKOPT_KEEPALIVE_IDLE, (int)mote_opt_long(o, CURLOPT_TCP_KEEPIDLE));
  (void)mote_port_setopt(fd, MOTE_SOCKOPT_KEEPALIVE_INTERVAL, (int)mote_opt_long(o, CURLOPT_TCP_KEEPINTVL));
  (void)mote_port_setopt(fd, MOTE_SOCKOPT_KEEPALIVE_COUNT, (int)mote_opt_long(o, CURLOPT_TCP_KEEPCNT));
}

CURLcode mote_socket_ask(struct mote_transfer *t, curl_socket_t fd, curlsocktype purpose, bool *connected)
{
  curl_sockopt_callback fn = (curl_sockopt_callback)mote_opt_fn(&t->options, CURLOPT_SOCKOPTFUNCTION);
  struct mote_callback_guard g;
  int rc;
  *connected = false;
  if(!fn)
    return CURLE_OK;
  g = mote_callback_enter(t);
  rc = fn(mote_opt_ptr(&t->options, CURLOPT_SOCKOPTDATA), fd, purpose);
  mote_callback_leave(t, g);
  *connected = rc == CURL_SOCKOPT_ALREADY_CONNECTED;
  if(rc == CURL_SOCKOPT_OK || *connected)
    return CURLE_OK;
  return mote_fail_as(CURLE_ABORTED_BY_CALLBACK, &t->report,
                      "The application's socket option callback refused");
}

/* CURLOPT_INTERFACE: "name", "if!name", "host!name", "ifhost!name!host". */
struct interface_wish {
  char device[32];         /* interface, or empty */
  struct mote_slice host;  /* local address as text, or empty */
  bool may_be_either;      /* a plain name is an interface if there is one, else an address */
};

static bool parse_wish(const char *text, struct interface_wish *w)
{
  struct mote_slice device = {NULL, 0};
  memset(w, 0, sizeof *w);
  if(!strncmp(text, "if!", 3))
    device = mote_slice_of(text + 3);
  else if(!strncmp(text, "host!", 5))
    w->host = mote_slice_of(text + 5);
  else if(!strncmp(text, "ifhost!", 7)) {
    device.ptr = text + 7;
    device.len = strcspn(device.ptr, "!");
    if(!device.ptr[device.len])
      return false;
    w->host = mote_slice_of(device.ptr + device.len + 1);
  }
  else {
    w->may_be_either = true;
    w->host = mote_slice_of(text);
    if(w->host.len < sizeof w->device)
      device = w->host;
  }
  if(device.len >= sizeof w->device)
    return false;
  if(device.len)
    memcpy(w->device, device.ptr, device.len);
  return true;
}

static CURLcode bad_interface(struct mote_transfer *t, const char *name)
{
  return mote_fail_as(CURLE_INTERFACE_FAILED, &t->report, "Could not bind to interface or address '%s'",
                      name);
}

/* Chooses the local address by the interface option. The family is NONE without one. */
static CURLcode choose_local(struct mote_transfer *t, curl_socket_t fd, const struct mote_addr *to,
                             struct mote_addr *local)
{
  const char *text = mote_opt_str(&t->options, CURLOPT_INTERFACE);
  struct interface_wish w;
  memset(local, 0, sizeof *local);
  if(!text)
    return CURLE_OK;
  if(!parse_wish(text, &w))
    return bad_interface(t, text);
  if(w.device[0]) {
    int err = mote_port_interface_address(w.device, to, local);
    if(!err) {
      (void)mote_port_bind_device(fd, w.device); /* may lack the privilege; the address usually suffices */
      if(w.may_be_either || !w.host.len)
        return CURLE_OK;
    }
    else if(!w.may_be_either)
      return bad_interface(t, text);
  }
  if(w.host.len && mote_addr_parse(w.host, local) && local->family == to->family)
    return CURLE_OK;
  return bad_interface(t, text);
}

static CURLcode bind_local(struct mote_transfer *t, curl_socket_t fd, const struct mote_addr *to)
{
  long port = mote_opt_long(&t->options, CURLOPT_LOCALPORT);
  long range = mote_opt_long(&t->options, CURLOPT_LOCALPORTRANGE);
  struct mote_addr local;
  CURLcode rc = choose_local(t, fd, to, &local);
  int err;
  if(rc)
    return rc;
  if(local.family == MOTE_FAMILY_NONE && !port)
    return CURLE_OK;
  local.family = to->family;
  do {
    local.port = (uint16_t)port;
    err = mote_port_bind(fd, &local);
  } while(err && port && --range > 0 && ++port <= 65535);
  if(!err)
    return CURLE_OK;
  t->run->stats.os_errno = (uint16_t)err;
  {
    char text[80];
    (void)mote_port_error_text(err, text, sizeof text);
    mote_fail(&t->report, "bind failed: %s", text);
  }
  return CURLE_INTERFACE_FAILED;
}

/* CURLOPT_ADDRESS_SCOPE takes the place of the URL's zone. */
static int make_ip_target(struct mote_transfer *t, const struct mote_addr *to, enum mote_socket_use use,
                          struct mote_target *target)
{
  bool datagrams = use == MOTE_SOCKET_QUIC || mote_route_has_datagrams(t);
  struct mote_addr scoped = *to;
  long scope = mote_opt_long(&t->options, CURLOPT_ADDRESS_SCOPE);
  if(scope && to->family == MOTE_FAMILY_IP6)
    scoped.scope = (uint32_t)scope;
  return mote_port_target_ip(target, &scoped, datagrams ? MOTE_SOCKET_DATAGRAM : MOTE_SOCKET_STREAM);
}

static CURLcode make_unix_target(struct mote_transfer *t, struct mote_target *target)
{
  const struct mote_hop *hop;
  struct mote_route route;
  CURLcode rc = mote_route_make(t, &route);
  int err;
  if(rc)
    return rc;
  hop = mote_route_first(&route);
  err = mote_port_target_unix(target, hop->host.ptr, hop->host.len, hop->abstract);
  if(err != ENAMETOOLONG)
    return err ? socket_failed(t, NULL, err) : CURLE_OK;
  return mote_fail_as(CURLE_COULDNT_RESOLVE_HOST, &t->report, "Unix socket path too long: '%.*s'",
                      (int)hop->host.len, hop->host.ptr);
}

/* Without an address the first hop is a Unix socket. */
static CURLcode make_target(struct mote_transfer *t, const struct mote_addr *to, enum mote_socket_use use,
                            struct mote_target *target)
{
  int err;
  if(!to)
    return make_unix_target(t, target);
  err = make_ip_target(t, to, use, target);
  return err ? socket_failed(t, to, err) : CURLE_OK;
}

static CURLcode connect_socket_prepare(struct mote_transfer *t, curl_socket_t fd, const struct mote_addr *to,
                                       enum mote_socket_use use, bool *connected)
{
  CURLcode rc;
  if(to)
    connect_socket_set_options(t, fd, use);
  rc = mote_socket_ask(t, fd, CURLSOCKTYPE_IPCXN, connected);
  if(!rc && to && !*connected)
    rc = bind_local(t, fd, to);
  return rc;
}

CURLcode mote_socket_start(struct mote_transfer *t, const struct mote_addr *to, enum mote_socket_use use,
                           curl_socket_t *out, bool *done)
{
  struct mote_target target;
  curl_socket_t fd = CURL_SOCKET_BAD;
  CURLcode rc;
  int err;
  *out = CURL_SOCKET_BAD;
  *done = false;
  if(t->report.verbose)
    mote_socket_report_trying(t, to);
  rc = make_target(t, to, use, &target);
  if(rc)
    return rc;
  rc = mote_socket_open(t, &target, &fd, &err);
  if(rc)
    return rc;
  if(!err)
    rc = connect_socket_prepare(t, fd, to, use, done);
  if(mote_route_has_datagrams(t)) /* the protocol does without, or does it when it knows the server's port */
    *done = true;
  if(!err && !rc && !*done) {
    err = mote_port_connect(fd, &target.u.sa);
    *done = !err;
    if(err == MOTE_PORT_AGAIN)
      err = 0;
  }
  if(err || rc) {
    if(fd != CURL_SOCKET_BAD)
      mote_socket_abandon(t, fd);
    return rc ? rc : socket_failed(t, to, err);
  }
  *out = fd;
  return CURLE_OK;
}
