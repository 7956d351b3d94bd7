/* semihost.c: what the emulator does for the image (Arm's "Semihosting for AArch32 and AArch64"). */
#include <string.h>

#include <arch/cc.h>

#include "board.h"

enum {
  SYS_OPEN = 0x01,
  SYS_CLOSE = 0x02,
  SYS_WRITE0 = 0x04,
  SYS_READ = 0x06,
  SYS_TIME = 0x11,
  SYS_GET_CMDLINE = 0x15,
  SYS_EXIT_EXTENDED = 0x20
};

static int call(int operation, const void *arguments)
{
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void board_print(const char *text)
{
  (void)call(SYS_WRITE0, text);
}

void board_print_number(uint32_t number)
{
  char digits[11];
  char *p = digits + sizeof digits - 1;
  *p = 0;
  do
    *--p = (char)('0' + number % 10);
  while(number /= 10);
  board_print(p);
}

_Noreturn void board_exit(int status)
{
  const uint32_t arguments[] = {0x20026, (uint32_t)status}; /* ADP_Stopped_ApplicationExit */
  for(;;)
    (void)call(SYS_EXIT_EXTENDED, arguments);
}

void board_arguments(char *out, size_t cap)
{
  struct {
    char *text;
    size_t cap;
  } arguments = {out, cap};
  out[0] = 0;
  if(call(SYS_GET_CMDLINE, &arguments))
    out[0] = 0;
}

int64_t board_wall(void)
{
  return (uint32_t)call(SYS_TIME, NULL);
}

bool board_random(void *p, size_t n)
{
  static const char name[] = "/dev/urandom";
  const struct {
    const char *name;
    size_t mode, length;
  } open = {name, 1, sizeof name - 1}; /* "rb" */
  struct {
    int file;
    void *p;
    size_t n;
  } read = {call(SYS_OPEN, &open), p, n};
  bool whole;
  if(read.file < 0)
    return false;
  whole = !call(SYS_READ, &read); /* what is missing */
  (void)call(SYS_CLOSE, &read.file);
  return whole;
}

uint32_t mote_lwip_rand(void)
{
  uint32_t r;
  if(!board_random(&r, sizeof r))
    board_exit(71); /* no entropy, no network */
  return r;
}
