/* Options of the socket itself: type of service, priority, Multipath TCP. */
#include "tool/say.h"
#include "tool/transfer.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MULTIPATH_TCP 262 /* Linux's number (RFC 8684), for which not every <netinet/in.h> has a name */

static int set_on_socket(void *transfer, curl_socket_t fd, curlsocktype purpose)
{
  struct transfer *t = transfer;
  int tos = (int)mote_cli_op_get_number(t->op, SLOT_IP_TOS, -1);
  int priority = (int)mote_cli_op_get_number(t->op, SLOT_VLAN, -1);
  struct sockaddr_storage address;
  socklen_t len = sizeof address;
  int rc = 0;
  if(purpose != CURLSOCKTYPE_IPCXN)
    return CURL_SOCKOPT_OK;
  if(tos >= 0 && !getsockname(fd, (struct sockaddr *)&address, &len)) {
    if(address.ss_family == AF_INET)
      rc = setsockopt(fd, IPPROTO_IP, IP_TOS, &tos, sizeof tos);
    else if(address.ss_family == AF_INET6)
      rc = setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &tos, sizeof tos);
    if(rc)
      mote_cli_warn("cannot set the type of service to %d: %s", tos, strerror(errno));
  }
  if(priority >= 0 && setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &priority, sizeof priority))
    mote_cli_warn("cannot set the VLAN priority to %d: %s", priority, strerror(errno));
  return CURL_SOCKOPT_OK;
}

/* A Multipath TCP socket where the system has them, a plain one where it has not. */
static curl_socket_t open_mptcp(void *transfer, curlsocktype purpose, struct curl_sockaddr *address)
{
  int fd = -1;
  (void)transfer;
  (void)purpose;
  if(address->protocol == IPPROTO_TCP || (!address->protocol && address->socktype == SOCK_STREAM))
    fd = socket(address->family, address->socktype | SOCK_CLOEXEC, MULTIPATH_TCP);
  if(fd < 0)
    fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  return fd;
}

CURLcode mote_cli_socket_setup(struct transfer *t)
{
  CURLcode rc = CURLE_OK;
  if(mote_cli_op_find(t->op, SLOT_IP_TOS) || mote_cli_op_find(t->op, SLOT_VLAN)) {
    rc = curl_easy_setopt(t->handle, CURLOPT_SOCKOPTFUNCTION, set_on_socket);
    if(!rc)
      rc = curl_easy_setopt(t->handle, CURLOPT_SOCKOPTDATA, t);
  }
  if(!rc && mote_cli_op_flag(t->op, FLAG_MPTCP))
    rc = curl_easy_setopt(t->handle, CURLOPT_OPENSOCKETFUNCTION, open_mptcp);
  return rc;
}
