/* mote exec where the system is not Linux: it reads ELF files and /proc, and relies on how Linux loads
 * libraries. */
#include "tool/exec/exec.h"
#include "tool/show/messages.h"

int mote_cli_exec(char **argv)
{
  (void)argv;
  mote_cli_error("exec: not in this build, since it works on Linux only");
  return EXEC_FAILED;
}
