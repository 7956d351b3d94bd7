/* The start of the command and its clocks, on Windows (system.h). */
#include "tool/system/windows_internal.h"

#include <shellapi.h>

#include "tool/memory.h"
#include "tool/system/system.h"

#include <io.h>
#include <stdint.h>
#include <stdlib.h>

char *stpcpy(char *to, const char *from)
{
  const size_t len = strlen(from);
  memcpy(to, from, len + 1);
  return to + len;
}

/* ---- arguments and environment ---- */

/* Elsewhere they are the system's, so that they do not count as memory of the command. NULL: out of
 * memory. */
static char *text_of(const wchar_t *wide)
{
  const int len = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
  char *text = len > 0 ? mote_cli_pass_realloc(NULL, (size_t)len) : NULL;
  return text && WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, len, NULL, NULL) ? text : NULL;
}

/* The name of the program without its folder and ".exe", in lower case, by which the command knows whether it
 * is curl. */
static void shorten_program_name(char *name)
{
  const size_t len = strlen(name);
  if(len > 4 && !strcasecmp(name + len - 4, ".exe"))
    name[len - 4] = 0;
  (void)_strlwr(name);
}

static void take_arguments(int *argc, char ***argv)
{
  wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), argc);
  char **list = wide ? mote_cli_pass_realloc(NULL, ((size_t)*argc + 1) * sizeof *list) : NULL;
  if(!list)
    _exit(CURLE_OUT_OF_MEMORY);
  for(int i = 0; i < *argc; i++) {
    list[i] = text_of(wide[i]);
    if(!list[i])
      _exit(CURLE_OUT_OF_MEMORY);
  }
  list[*argc] = NULL;
  LocalFree(wide);
  if(*argc) {
    list[0] += mote_cli_system_base_name(list[0]) - list[0];
    shorten_program_name(list[0]);
  }
  *argv = list;
}

static bool has_other_than_ascii(const wchar_t *text)
{
  while(*text && *text < 0x80)
    text++;
  return *text != 0;
}

/* The C library's copy of the environment is in the machine's old encoding, which has not all characters.
 * What getenv() returns here and in the library is UTF-8, as all paths are. */
static void take_environment(void)
{
  wchar_t *all = GetEnvironmentStringsW();
  for(const wchar_t *p = all; p && *p; p += wcslen(p) + 1) {
    char *text = has_other_than_ascii(p) ? text_of(p) : NULL;
    if(text)
      _putenv(text);
  }
  if(all)
    FreeEnvironmentStringsW(all);
}

/* ---- descriptors ---- */

HANDLE mote_cli_windows_handle(int fd)
{
  return (HANDLE)_get_osfhandle(fd);
}

/* Reading from the first one and writing to the others still fails where they were closed. */
static void take_descriptors(void)
{
  for(int fd = 0; fd <= 2; fd++) {
    if(_get_osfhandle(fd) < 0) {
      const int null = mote_cli_system_open(MOTE_SYSTEM_NULL, fd ? O_RDONLY : O_WRONLY, 0);
      if(null < 0 || (null != fd && _dup2(null, fd)))
        _exit(CURLE_FAILED_INIT);
      if(null != fd)
        _close(null);
    }
    (void)_setmode(fd, _O_BINARY);
  }
}

/* ---- the console ---- */

static UINT code_page;          /* of the console's output before; 0: it is as it was */

static void leave_console(void)
{
  if(code_page)
    SetConsoleOutputCP(code_page);
  code_page = 0;
}

static BOOL WINAPI console_ends(DWORD event)
{
  (void)event;
  leave_console();
  return FALSE; /* the system ends the process */
}

/* A console shows UTF-8 and understands escape sequences, until the command ends. */
static void take_console(void)
{
  for(int fd = 1; fd <= 2; fd++) {
    HANDLE handle = mote_cli_windows_handle(fd);
    DWORD mode;
    if(!GetConsoleMode(handle, &mode))
      continue;
    SetConsoleMode(handle, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    if(code_page || GetConsoleOutputCP() == CP_UTF8)
      continue;
    code_page = GetConsoleOutputCP();
    SetConsoleOutputCP(CP_UTF8);
    SetConsoleCtrlHandler(console_ends, TRUE);
    atexit(leave_console);
  }
}

void mote_cli_system_start(int *argc, char ***argv)
{
  take_descriptors();
  take_arguments(argc, argv);
  take_environment();
  take_console();
}

/* ---- where configuration files are ---- */

/* The folder of the command itself. */
static const char *own_folder(void)
{
  static char folder[3 * MAX_PATH];
  wchar_t path[MAX_PATH];
  const DWORD len = GetModuleFileNameW(NULL, path, MAX_PATH);
  if(!len || len == MAX_PATH || !WideCharToMultiByte(CP_UTF8, 0, path, -1, folder, sizeof folder, NULL, NULL))
    return "";
  folder[mote_cli_system_base_name(folder) - folder] = 0;
  return folder;
}

/* As curl(1) has it. */
const char *mote_cli_system_config(unsigned index, const char *home, const char **name)
{
  static const char *const variables[] = {
    "CURL_HOME", "XDG_CONFIG_HOME", "HOME", "USERPROFILE", "APPDATA", NULL /* the command's */
  };
  static const char *const names[] = { ".curlrc", "_curlrc" };
  const char *folder;
  (void)home;
  if(index / 2 >= sizeof variables / sizeof *variables)
    return NULL;
  *name = names[index % 2];
  if(!variables[index / 2])
    return own_folder();
  folder = getenv(variables[index / 2]);
  return folder ? folder : "";
}

/* ---- time ---- */

/* Seconds and the rest apart: the counter times a million would overflow after days. */
curl_off_t mote_cli_system_now(void)
{
  LARGE_INTEGER ticks, second;
  (void)QueryPerformanceFrequency(&second); /* neither fails since Windows XP */
  (void)QueryPerformanceCounter(&ticks);
  return ticks.QuadPart / second.QuadPart * 1000000 +
         ticks.QuadPart % second.QuadPart * 1000000 / second.QuadPart;
}

void mote_cli_system_sleep(curl_off_t ms)
{
  while(ms > 0) {
    const curl_off_t some = ms < 86400000 ? ms : 86400000;
    Sleep((DWORD)some);
    ms -= some;
  }
}

time_t mote_cli_system_wall(long *us)
{
  FILETIME now;
  int64_t count;
  GetSystemTimePreciseAsFileTime(&now);
  count = (int64_t)((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime) - MOTE_WINDOWS_EPOCH;
  *us = (long)(count % MOTE_WINDOWS_SECOND / 10);
  return (time_t)(count / MOTE_WINDOWS_SECOND);
}

static SRWLOCK lock = SRWLOCK_INIT;

void mote_cli_system_lock(void)
{
  AcquireSRWLockExclusive(&lock);
}

void mote_cli_system_unlock(void)
{
  ReleaseSRWLockExclusive(&lock);
}
