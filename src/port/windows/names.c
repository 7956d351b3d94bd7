/* port/windows/names.c: blocking name lookup, with memory of the system. */
#include <errno.h>
#include <string.h>
#include <windows.h>
#include <winsock2.h>
#include <ws2tcpip.h>

#include "port/bsd/address.h"
#include "port/port.h"

enum {
  LONGEST_NAME = 256 /* UTF-16 units, the NUL included: the DNS has 253 */
};

static int lookup_error(int number)
{
  if(number == WSAHOST_NOT_FOUND || number == WSANO_DATA)
    return MOTE_PORT_NO_NAME;
  if(number == WSATRY_AGAIN)
    return EAGAIN;
  return number == WSA_NOT_ENOUGH_MEMORY ? MOTE_PORT_NO_MEMORY : EIO;
}

static bool winsock_have_ip6(void)
{
  SOCKET fd = WSASocketW(AF_INET6, SOCK_DGRAM, 0, NULL, 0, WSA_FLAG_NO_HANDLE_INHERIT);
  if(fd == INVALID_SOCKET)
    return false;
  (void)closesocket(fd);
  return true;
}

static int winsock_family(enum mote_family family)
{
  if(family == MOTE_FAMILY_IP4)
    return AF_INET;
  if(family == MOTE_FAMILY_IP6)
    return AF_INET6;
  return winsock_have_ip6() ? AF_UNSPEC : AF_INET;
}

int mote_port_lookup(const char *name, enum mote_family family, struct mote_addr *out, size_t max,
                     size_t *count)
{
  wchar_t wide[LONGEST_NAME];
  ADDRINFOW hints;
  PADDRINFOW all = NULL;
  const ADDRINFOW *entry;
  size_t n = 0;
  int number = mote_bsd_start();
  *count = 0;
  if(number)
    return number;
  if(!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, wide, LONGEST_NAME))
    return MOTE_PORT_NO_NAME; /* longer than any name, or no text */
  memset(&hints, 0, sizeof hints);
  hints.ai_family = winsock_family(family);
  hints.ai_socktype = SOCK_STREAM;
  number = GetAddrInfoW(wide, NULL, &hints, &all);
  if(number)
    return lookup_error(number);
  for(entry = all; entry && n < max; entry = entry->ai_next)
    if(entry->ai_addr && mote_bsd_to_addr(entry->ai_addr, entry->ai_addrlen, &out[n]))
      n++;
  FreeAddrInfoW(all);
  *count = n;
  return n || !max ? 0 : MOTE_PORT_NO_NAME;
}
