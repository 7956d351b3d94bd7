/* port/windows/interface.c: local addresses and network devices. The system's list of devices takes memory
 * from the process's heap, and goes back before the call ends. */
#include <errno.h>
#include <string.h>
#include <windows.h>
#include <winsock2.h>
#include <ws2tcpip.h>
#include <iphlpapi.h>

#include "port/bsd/address.h"
#include "port/interface.h"
#include "port/port.h"
#include "port/windows/internal.h"

enum {
  LONGEST_NAME = 256, /* UTF-16 units of a device's name, the NUL included (IF_MAX_STRING_SIZE) */
  FIRST_SIZE = 16384, /* bytes, as the system's documentation asks for */
  ROUNDS = 4          /* the list may grow between two calls */
};

int mote_port_bind(curl_socket_t fd, const struct mote_addr *local)
{
  struct mote_target t;
  int error = mote_port_target_ip(&t, local, MOTE_SOCKET_STREAM);
  if(error)
    return error;
  return bind(fd, mote_bsd_sockaddr(&t), (int)t.u.sa.addrlen) ?
    mote_windows_error((unsigned long)WSAGetLastError()) : 0;
}

int mote_port_bind_device(curl_socket_t fd, const char *interface_name)
{
  (void)fd;
  (void)interface_name;
  return ENOSYS;
}

/* Sets *list to the devices, which the caller gives to HeapFree(). */
static int read_devices(IP_ADAPTER_ADDRESSES **list)
{
  const ULONG flags = GAA_FLAG_SKIP_ANYCAST | GAA_FLAG_SKIP_MULTICAST | GAA_FLAG_SKIP_DNS_SERVER;
  ULONG size = FIRST_SIZE, number = ERROR_BUFFER_OVERFLOW;
  int round;
  *list = NULL;
  for(round = 0; round < ROUNDS && number == ERROR_BUFFER_OVERFLOW; round++) {
    (void)(*list && HeapFree(GetProcessHeap(), 0, *list));
    *list = HeapAlloc(GetProcessHeap(), 0, size);
    if(!*list)
      return ENOMEM;
    number = GetAdaptersAddresses(AF_UNSPEC, flags, NULL, *list, &size);
  }
  if(!number)
    return 0;
  (void)HeapFree(GetProcessHeap(), 0, *list);
  return number == ERROR_NO_DATA || number == ERROR_ADDRESS_NOT_ASSOCIATED ? ENODEV :
                                                                               mote_windows_error(number);
}

static bool winsock_link_local(const struct mote_addr *a)
{
  return a->family == MOTE_FAMILY_IP6 && a->ip[0] == 0xfe && (a->ip[1] & 0xc0) == 0x80;
}

/* 0 with the address in *out, or EADDRNOTAVAIL. */
static int address_of_device(const IP_ADAPTER_ADDRESSES *device, const struct mote_addr *peer,
                             struct mote_addr *out)
{
  const IP_ADAPTER_UNICAST_ADDRESS *a;
  for(a = device->FirstUnicastAddress; a; a = a->Next) {
    struct mote_addr found;
    if(!mote_bsd_to_addr(a->Address.lpSockaddr, (size_t)a->Address.iSockaddrLength, &found) ||
       found.family != peer->family || winsock_link_local(&found) != winsock_link_local(peer))
      continue;
    found.port = 0;
    *out = found;
    return 0;
  }
  return EADDRNOTAVAIL;
}

/* A device has a name that its user sees and may change ("Ethernet 2"), and one that the system has made (in
 * braces). */
int mote_port_interface_address(const char *name, const struct mote_addr *peer, struct mote_addr *out)
{
  wchar_t wide[LONGEST_NAME];
  IP_ADAPTER_ADDRESSES *all;
  const IP_ADAPTER_ADDRESSES *device;
  int error;
  if(!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name, -1, wide, LONGEST_NAME))
    return ENODEV;
  error = read_devices(&all);
  if(error)
    return error;
  error = ENODEV;
  for(device = all; device && error; device = device->Next)
    if(!wcscmp(device->FriendlyName, wide) || !strcmp(device->AdapterName, name))
      error = address_of_device(device, peer, out);
  (void)HeapFree(GetProcessHeap(), 0, all);
  return error;
}

uint32_t mote_port_interface_index(const char *name)
{
  return if_nametoindex(name);
}
