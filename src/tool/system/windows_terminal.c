/* Standard input and the console on Windows (system.h). The system has no wait for sockets and files
 * together, so that a transfer that waits for its input looks every 50 ms whether there is some. */
#include "tool/system/windows_internal.h"

#include "tool/system/system.h"
#include "tool/transfers/out.h"

#include <string.h>

#define LOOK_AGAIN 50 /* ms */

/* A console has events of keys that give no character, so that a read may still block; only an Enter ends a
 * line. */
static bool console_has_line(HANDLE console)
{
  INPUT_RECORD events[128];
  DWORD n = 0;
  if(!PeekConsoleInputW(console, events, sizeof events / sizeof *events, &n))
    return true;
  for(DWORD i = 0; i < n; i++)
    if(events[i].EventType == KEY_EVENT && events[i].Event.KeyEvent.bKeyDown &&
       events[i].Event.KeyEvent.uChar.UnicodeChar == L'\r')
      return true;
  return n == sizeof events / sizeof *events;
}

/* A pipe that has ended is ready, too: the read finds its end. */
bool mote_cli_system_has_input(int fd)
{
  const HANDLE handle = mote_cli_windows_handle(fd);
  DWORD there = 0;
  if(mote_cli_system_is_terminal(fd))
    return console_has_line(handle);
  if(GetFileType(handle) != FILE_TYPE_PIPE)
    return true;
  return !PeekNamedPipe(handle, NULL, 0, NULL, &there, NULL) || there;
}

unsigned mote_cli_system_watch(int fd, struct curl_waitfd *wait, int *timeout)
{
  (void)fd;
  (void)wait;
  if(*timeout < 0 || *timeout > LOOK_AGAIN)
    *timeout = LOOK_AGAIN;
  return 0;
}

int mote_cli_system_columns(int fd)
{
  CONSOLE_SCREEN_BUFFER_INFO info;
  const bool is = GetConsoleScreenBufferInfo(mote_cli_windows_handle(fd), &info) != 0;
  return is ? info.srWindow.Right - info.srWindow.Left + 1 : 0;
}

/* ---- a line that is not echoed ---- */

static struct {
  HANDLE console;
  DWORD mode; /* before */
} asking = { .console = INVALID_HANDLE_VALUE };

static BOOL WINAPI asking_ends(DWORD event)
{
  (void)event;
  SetConsoleMode(asking.console, asking.mode);
  return FALSE; /* the system ends the process */
}

/* In UTF-8, without its end. */
static void console_line(HANDLE console, char *answer, size_t size)
{
  wchar_t line[1024]; /* each is at most three bytes of UTF-8, for which the caller has the room */
  DWORD len = 0;
  int n;
  if(!ReadConsoleW(console, line, sizeof line / sizeof *line, &len, NULL))
    len = 0;
  while(len && (line[len - 1] == L'\n' || line[len - 1] == L'\r'))
    len--;
  n = len ? WideCharToMultiByte(CP_UTF8, 0, line, (int)len, answer, (int)size - 1, NULL, NULL) : 0;
  answer[n] = 0;
  SecureZeroMemory(line, sizeof line);
}

static void input_line(char *answer, size_t size)
{
  size_t len = 0;
  while(len + 1 < size && mote_cli_system_read(0, answer + len, 1) == 1 && answer[len] != '\n')
    len++;
  if(len && answer[len - 1] == '\r')
    len--;
  answer[len] = 0;
}

void mote_cli_system_ask(int err, const char *prompt, char *answer, size_t size)
{
  HANDLE console = CreateFileW(L"CONIN$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                               NULL, OPEN_EXISTING, 0, NULL);
  mote_cli_write_all(err, prompt, strlen(prompt));
  if(console != INVALID_HANDLE_VALUE && GetConsoleMode(console, &asking.mode)) {
    asking.console = console;
    SetConsoleCtrlHandler(asking_ends, TRUE);
    SetConsoleMode(console, (asking.mode & ~(DWORD)ENABLE_ECHO_INPUT) | ENABLE_LINE_INPUT |
                            ENABLE_PROCESSED_INPUT);
    console_line(console, answer, size);
    SetConsoleMode(console, asking.mode);
    SetConsoleCtrlHandler(asking_ends, FALSE);
  }
  else
    input_line(answer, size);
  mote_cli_write_all(err, "\n", 1);
  if(console != INVALID_HANDLE_VALUE)
    (void)CloseHandle(console);
}
