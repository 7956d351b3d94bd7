/* port/windows/thread.c: detached threads, and a mutex. */
#include <errno.h>
#include <stdbool.h>
#include <windows.h>
#include <winsock2.h>

#include "port/spin/nap.h"
#include "port/thread.h"
#include "port/windows/internal.h"

enum {
  STACK = 256 * 1024 /* bytes of address space; a lookup asks other parts of the system from its own stack */
};

/* ---- threads ---- */

/* What a thread is started with: memory of the system, which the thread frees before it runs. */
struct start {
  void *(*run)(void *);
  void *arg;
};

static DWORD WINAPI thread_main(void *arg)
{
  struct start start = *(struct start *)arg;
  (void)HeapFree(GetProcessHeap(), 0, arg);
  (void)start.run(start.arg);
  return 0;
}

/* A DLL that holds this code may no longer be unloaded: a thread may outlive its caller's last handle. */
static bool stay_loaded(void)
{
  static const char inside[] = "of the module that is meant";
  HMODULE module;
  return GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                            (const wchar_t *)(const void *)inside, &module);
}

int mote_port_thread_start(void *(*run)(void *), void *arg)
{
  struct start *start;
  HANDLE thread;
  if(!stay_loaded())
    return mote_windows_error(GetLastError());
  start = HeapAlloc(GetProcessHeap(), 0, sizeof *start);
  if(!start)
    return ENOMEM;
  start->run = run;
  start->arg = arg;
  thread = CreateThread(NULL, STACK, thread_main, start, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
  if(!thread) {
    (void)HeapFree(GetProcessHeap(), 0, start);
    return EAGAIN;
  }
  (void)CloseHandle(thread);
  return 0;
}

/* ---- a mutex that yields (port/spin/lock.c) ----
 *
 * The system's own has eight bytes, and waiting on an address is in a library that compilers name
 * differently. */

void mote_port_nap(unsigned tries)
{
  if(tries < MOTE_PORT_YIELDS)
    (void)SwitchToThread();
  else
    Sleep(1);
}
