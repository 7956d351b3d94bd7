/* connect/data/socket_listen.c: sockets that wait for a server to begin a connection (connect/socket.h). */
#include "connect/socket.h"

#include <errno.h>
#include <string.h>

#include "net/names/address.h"
#include "port/interface.h"
#include "port/listen.h"
#include "port/port.h"
#include "transfer/transfer.h"

#define STRANGERS 8 /* connections from other addresses that one step closes at most */

bool mote_socket_interface(struct mote_slice name, const struct mote_addr *like, struct mote_addr *out)
{
  char text[32];
  if(name.len >= sizeof text)
    return false;
  memcpy(text, name.ptr, name.len);
  text[name.len] = 0;
  return !mote_port_interface_address(text, like, out);
}

static CURLcode socket_listen_failed(struct mote_transfer *t, CURLcode rc, const char *what, int err)
{
  char text[80];
  (void)what;
  t->run->stats.os_errno = (uint16_t)err;
  (void)mote_port_error_text(err, text, sizeof text);
  return mote_fail_as(rc, &t->report, "%s: %s", what, text);
}

/* Only a port that another socket has, or that needs a privilege, makes the next one worth an attempt. */
static int bind_first(curl_socket_t fd, struct mote_addr *local, uint16_t last,
                      const struct mote_addr *instead)
{
  uint16_t port = local->port;
  int err;
  for(;;) {
    err = mote_port_bind(fd, local);
    if(err == EADDRNOTAVAIL && !mote_addr_same_host(local, instead)) {
      *local = *instead;
      local->port = port;
      continue;
    }
    if((err != EADDRINUSE && err != EACCES) || port >= last)
      return err;
    local->port = ++port;
  }
}

static int socket_listen_start(curl_socket_t fd, struct mote_addr *local, uint16_t last,
                               const struct mote_addr *instead)
{
  int err = bind_first(fd, local, last, instead);
  if(!err)
    err = mote_port_listen(fd);
  return err || local->port ? err : mote_port_local_name(fd, local);
}

CURLcode mote_socket_listen(struct mote_transfer *t, struct mote_addr *local, uint16_t last,
                            const struct mote_addr *instead, curl_socket_t *out)
{
  struct mote_target target;
  curl_socket_t fd = CURL_SOCKET_BAD;
  int err = mote_port_target_ip(&target, local, MOTE_SOCKET_STREAM);
  if(!err && mote_socket_open(t, &target, &fd, &err))
    return CURLE_FTP_PORT_FAILED;
  if(!err)
    err = socket_listen_start(fd, local, last, instead);
  if(err) {
    if(fd != CURL_SOCKET_BAD)
      mote_socket_abandon(t, fd);
    return socket_listen_failed(t, CURLE_FTP_PORT_FAILED, "No socket for the server to connect to", err);
  }
  *out = fd;
  return CURLE_OK;
}

static void turn_away(struct mote_transfer *t, curl_socket_t fd, const struct mote_addr *peer)
{
  char text[MOTE_ADDR_TEXT_MAX];
  mote_addr_print(peer, text);
  mote_info(&t->report, "Closed a data connection from %s, which is not the server", text);
  mote_port_close(fd);
}

static CURLcode let_in(struct mote_transfer *t, curl_socket_t fd, curl_socket_t *out)
{
  bool connected;
  CURLcode rc = mote_socket_ask(t, fd, CURLSOCKTYPE_ACCEPT, &connected);
  if(rc) {
    mote_port_close(fd);
    return rc;
  }
  *out = fd;
  return CURLE_OK;
}

CURLcode mote_socket_accept(struct mote_transfer *t, curl_socket_t fd, const struct mote_addr *from,
                            curl_socket_t *out)
{
  int strangers;
  for(strangers = 0; strangers < STRANGERS; strangers++) {
    struct mote_addr peer;
    curl_socket_t got;
    int err = mote_port_accept(fd, &got, &peer);
    if(err == MOTE_PORT_AGAIN)
      return CURLE_AGAIN;
    if(err)
      return socket_listen_failed(t, CURLE_FTP_ACCEPT_FAILED,
                                  "The server's data connection could not be accepted", err);
    if(!from->scope) /* it came from an option (CURLOPT_ADDRESS_SCOPE) */
      peer.scope = 0;
    if(mote_addr_same_host(&peer, from))
      return let_in(t, got, out);
    turn_away(t, got, &peer);
  }
  return CURLE_AGAIN;
}
