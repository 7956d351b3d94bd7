/* port/bsd/target.c: IP addresses as the system's sockaddr, inside of a curl_sockaddr. POSIX makes no system
 * call here: a world without a kernel (port/sim) has the same addresses. */
#include <errno.h>
#include <string.h>

#include "port/bsd/address.h"
#include "port/port.h"

_Static_assert(sizeof(struct sockaddr_in6) <= 128, "no room for IPv6");
_Static_assert(offsetof(struct curl_sockaddr, addr) == 16, "unknown curl_sockaddr");

void *mote_bsd_sockaddr(struct mote_target *t)
{
  return t->u.room + offsetof(struct curl_sockaddr, addr);
}

bool mote_bsd_to_addr(const void *sockaddr, size_t len, struct mote_addr *out)
{
  struct sockaddr head;
  memset(out, 0, sizeof *out);
  if(len < offsetof(struct sockaddr, sa_data))
    return false;
  memcpy(&head, sockaddr, offsetof(struct sockaddr, sa_data));
  if(head.sa_family == AF_INET && len >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in in;
    memcpy(&in, sockaddr, sizeof in);
    out->family = MOTE_FAMILY_IP4;
    out->port = ntohs(in.sin_port);
    memcpy(out->ip, &in.sin_addr, 4);
    return true;
  }
  if(head.sa_family == AF_INET6 && len >= sizeof(struct sockaddr_in6)) {
    struct sockaddr_in6 in6;
    memcpy(&in6, sockaddr, sizeof in6);
    out->family = MOTE_FAMILY_IP6;
    out->port = ntohs(in6.sin6_port);
    out->scope = in6.sin6_scope_id;
    memcpy(out->ip, &in6.sin6_addr, 16);
    return true;
  }
  if(head.sa_family == AF_UNIX)
    out->family = MOTE_FAMILY_UNIX;
  return false;
}

bool mote_port_target_addr(const struct curl_sockaddr *sa, struct mote_addr *out)
{
  return mote_bsd_to_addr((const char *)sa + offsetof(struct curl_sockaddr, addr), sa->addrlen, out);
}

/* An OPENSOCKETFUNCTION callback, which gets the target, finds Winsock running, as after libcurl's
 * curl_global_init(). */
int mote_port_target_ip(struct mote_target *t, const struct mote_addr *a, enum mote_socket_type type)
{
  int error = mote_bsd_start();
  memset(t, 0, sizeof *t);
  if(error)
    return error;
  t->u.sa.socktype = type == MOTE_SOCKET_STREAM ? SOCK_STREAM : SOCK_DGRAM;
  t->u.sa.protocol = type == MOTE_SOCKET_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
  if(a->family == MOTE_FAMILY_IP4) {
    struct sockaddr_in in = { 0 };
    in.sin_family = AF_INET;
    in.sin_port = htons(a->port);
    memcpy(&in.sin_addr, a->ip, 4);
    memcpy(mote_bsd_sockaddr(t), &in, sizeof in);
    t->u.sa.family = AF_INET;
    t->u.sa.addrlen = (unsigned)sizeof in;
    return 0;
  }
  if(a->family == MOTE_FAMILY_IP6) {
    struct sockaddr_in6 in6 = { 0 };
    in6.sin6_family = AF_INET6;
    in6.sin6_port = htons(a->port);
    in6.sin6_scope_id = a->scope;
    memcpy(&in6.sin6_addr, a->ip, 16);
    memcpy(mote_bsd_sockaddr(t), &in6, sizeof in6);
    t->u.sa.family = AF_INET6;
    t->u.sa.addrlen = (unsigned)sizeof in6;
    return 0;
  }
  return EAFNOSUPPORT;
}
