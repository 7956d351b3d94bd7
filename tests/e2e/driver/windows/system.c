/* system.c: the process, its clock and its standard input, on Windows.
 *
 * Loops there can watch sockets alone, so a thread hands the script from standard input on to a socket. */
#include "system.h"
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GAP 256 /* handles in a row that are not open: after them there are no others */

struct alarm {
  unsigned seconds;
  void (*ring)(void);
};

static HANDLE input;
static curl_socket_t script_ends[2]; /* the loop's, the thread's */

void system_start(void)
{
  WSADATA data;
  if(WSAStartup(MAKEWORD(2, 2), &data))
    abort();
  _setmode(0, _O_BINARY);
  _setmode(1, _O_BINARY);
  _setmode(2, _O_BINARY);
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
}

double now(void)
{
  LARGE_INTEGER at, each;
  QueryPerformanceFrequency(&each);
  QueryPerformanceCounter(&at);
  return (double)at.QuadPart / (double)each.QuadPart;
}

static int is_descriptor(HANDLE h)
{
  int kind, size = sizeof kind;
  if(GetFileType(h) == FILE_TYPE_DISK)
    return 1;
  return !getsockopt((SOCKET)h, SOL_SOCKET, SO_TYPE, (char *)&kind, &size);
}

/* Files and sockets: the system keeps handles of other kinds for a process, and opens them when it likes.
 * Handles are multiples of 4, a new one takes the lowest that is free, and wine cannot report how many there
 * are. */
int open_descriptors(void)
{
  int n = 0;
  for(uintptr_t i = 1, last = 0; i - last < GAP; i++) {
    HANDLE h = (HANDLE)(i * 4);
    DWORD flags;
    if(GetHandleInformation(h, &flags)) {
      last = i;
      n += is_descriptor(h);
    }
  }
  return n;
}

static DWORD WINAPI wait_and_ring(void *arg)
{
  const struct alarm *a = arg;
  Sleep(a->seconds * 1000);
  a->ring();
  return 0;
}

void system_alarm(unsigned seconds, void (*ring)(void))
{
  static struct alarm a;
  HANDLE thread;
  a.seconds = seconds;
  a.ring = ring;
  thread = CreateThread(NULL, 0, wait_and_ring, &a, 0, NULL);
  if(!thread)
    abort();
  CloseHandle(thread);
}

int system_fork(int *status)
{
  (void)status;
  fputs("driver: Windows has no fork()\n", stderr);
  _exit(2);
}

/* Two connected sockets. */
static void connect_pair(curl_socket_t end[2])
{
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int size = sizeof at;
  curl_socket_t listener = socket(AF_INET, SOCK_STREAM, 0);
  end[1] = socket(AF_INET, SOCK_STREAM, 0);
  if(bind(listener, (struct sockaddr *)&at, size) || listen(listener, 1) ||
     getsockname(listener, (struct sockaddr *)&at, &size) || connect(end[1], (struct sockaddr *)&at, size))
    abort();
  end[0] = accept(listener, NULL, NULL);
  closesocket(listener);
}

static DWORD WINAPI hand_on(void *arg)
{
  static char bytes[1 << 16];
  DWORD n;
  (void)arg;
  while(ReadFile(input, bytes, sizeof bytes, &n, NULL) && n)
    for(DWORD done = 0; done < n;) {
      int sent = send(script_ends[1], bytes + done, (int)(n - done), 0);
      if(sent <= 0)
        return 1;
      done += (DWORD)sent;
    }
  shutdown(script_ends[1], SD_SEND);
  return 0;
}

/* The handle is a copy, since the library's standard input may become another. */
int script_open(void)
{
  HANDLE self = GetCurrentProcess(), thread;
  connect_pair(script_ends);
  if(!DuplicateHandle(self, GetStdHandle(STD_INPUT_HANDLE), self, &input, 0, FALSE, DUPLICATE_SAME_ACCESS))
    abort();
  thread = CreateThread(NULL, 0, hand_on, NULL, 0, NULL);
  if(!thread)
    abort();
  CloseHandle(thread);
  return (int)script_ends[0];
}

long script_read(int fd, void *bytes, size_t room)
{
  return recv((curl_socket_t)fd, bytes, (int)room, 0);
}

void stdin_replace(const char *path, long offset, int *script)
{
  (void)script;
  if(!freopen(path, "rb", stdin))
    abort();
  fseek(stdin, offset, SEEK_SET);
}

void stdin_restore(int *script)
{
  (void)script;
  if(!freopen("NUL", "rb", stdin))
    abort();
}
