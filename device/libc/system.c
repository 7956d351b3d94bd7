/* system.c: what picolibc needs of a system, for images that use more of it than the library does: output,
 * exit(), and thread-local data. The linker leaves out what an image does not use.
 *
 * Memory:  malloc()'s is what link.ld leaves after the image's own data.
 * Threads: thread-local data, errno included, and the heap are one for all tasks. Under FreeRTOS only
 *          main()'s task may
 *          use them; lwIP's keeps its error numbers in the kernel's (device/lwip/lwipopts_freertos.h). */
#include <stdio.h>

#include "board.h"

static int put(char c, FILE *to)
{
  const char text[2] = {c, 0};
  (void)to;
  board_print(text);
  return (unsigned char)c;
}

/* There is no input. */
static int get(FILE *from)
{
  (void)from;
  return EOF;
}

static FILE console = FDEV_SETUP_STREAM(put, get, NULL, _FDEV_SETUP_RW);
FILE *const stdin = &console;
FILE *const stdout = &console;
FILE *const stderr = &console;

_Noreturn void _exit(int status);
_Noreturn void _exit(int status)
{
  board_exit(status);
}

/* As Arm's "ABI for the Arm Architecture" (TLS) has it: data begins 8 bytes after the pointer, and only r0
 * changes. */
__asm__(".syntax unified\n"
        ".thumb\n"
        ".section .text.__aeabi_read_tp, \"ax\", %progbits\n"
        ".global __aeabi_read_tp\n"
        ".type __aeabi_read_tp, %function\n"
        "__aeabi_read_tp:\n"
        "  ldr r0, =board_tls_start - 8\n"
        "  bx lr\n"
        "  .ltorg\n"
        ".size __aeabi_read_tp, . - __aeabi_read_tp\n"
        ".previous\n");
